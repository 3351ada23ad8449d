"""Elliot: the classes of its metrics of accuracy, of popularity and of clusters of items."""

import rankconv as rc
from tests.oracles.identities.base import OF_GROUPS, Identity, Result, at, with_settings

OF_ITEMS = {"APLT", "ACLT", "PopREO", "PopRSP", "REO", "RSP", "ItemMADranking"}


def identity(r: Result) -> Identity | None:
    if r["case"].startswith(OF_GROUPS):
        return Identity("elliot", at(r["metric"], r["k"])) if r["metric"] in OF_ITEMS else None
    name = r["call"].partition("(")[0]
    level = "relevant=at-least(0)" if "relevance_threshold=0" in r["call"] else ""
    spec = at(with_settings(name, level), r["k"])
    if not rc.preset("elliot").offers(spec):
        return None
    return Identity("elliot", spec, catalogue="max-id")
