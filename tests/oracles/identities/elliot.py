"""Elliot: the classes of its accuracy metrics."""

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at, with_settings


def identity(r: Result) -> Identity | None:
    name = r["call"].partition("(")[0]
    level = "relevant=at-least(0)" if "relevance_threshold=0" in r["call"] else ""
    spec = at(with_settings(name, level), r["k"])
    if not rc.preset("elliot").offers(spec):
        return None
    return Identity("elliot", spec, catalogue="max-id")
