"""LightGCN: users with test items, whose lists have k items or are errors; what it calls MRR is never called."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    return None if r["metric"] == "mrr_unused" else Identity("lightgcn", at(r["metric"], r["k"]), everyone=True)
