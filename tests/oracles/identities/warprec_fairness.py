"""WarpRec: the classes of its metrics of popularity and of clusters of items, on a matrix of scores."""

from tests.oracles.identities.base import Identity, Result, at

OF_ITEMS = {"APLT", "ACLT", "ARP", "PopREO", "PopRSP", "REO", "RSP", "ItemMADRanking"}


def identity(r: Result) -> Identity | None:
    name, _, share = r["metric"].partition("_")
    if name not in OF_ITEMS:
        return None
    spec = f"{name}(item-group=popularity-head(0.5, exceeded))" if share else name
    return Identity("warprec_fairness", at(spec, r["k"]), kept="matrix", catalogue="max-id", scored_only=True)
