"""CatBoost: eval_metric with its parameters, on the items returned or with the missed ones appended."""

import re

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at, given, with_settings


def identity(r: Result) -> Identity | None:
    preset = given(r, "catboost")
    name = re.search(r"'(\w+)", r["call"])[1]  # type: ignore[index]
    if not rc.preset(preset).offers(at(name, r["k"])):
        return None
    border, decay = re.search(r"border=([\d.]+)", r["call"]), re.search(r"decay=([\d.]+)", r["call"])
    spec = with_settings(
        name,
        "grades=binary" if "binarised" in r["call"] else "",
        "gain=exponential" if "type=Exp" in r["call"] else "",
        "discount=reciprocal" if "Position" in r["call"] else "",
        f"relevant=above({border[1]})" if border else "",
        f"pfound-decay={decay[1]}" if decay else "",
    )
    return Identity(preset, at(spec, r["k"]), everyone=True, alone=True)
