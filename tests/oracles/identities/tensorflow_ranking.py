"""TensorFlow Ranking: metric objects, on the items returned or with the missed ones appended."""

import re

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at, given, with_settings


def identity(r: Result) -> Identity | None:
    preset = given(r, "tensorflow_ranking")
    name = re.search(r"(\w+)\(", r["call"])[1]  # type: ignore[index]
    if not rc.preset(preset).offers(at(name, r["k"])):
        return None
    divisor = "bpref-denominator=relevant" if "use_trec_version=False" in r["call"] else ""
    return Identity(preset, at(with_settings(name, divisor), r["k"]), everyone=True, alone=True)
