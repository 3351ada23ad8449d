"""Weaviate's benchmark: its function for one query, which refuses a k above the true neighbours."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    alone = f"{r['metric']}(on-few-relevant=refuse-user, on-no-relevant=as-computed)"
    return Identity("weaviate_benchmark", at(alone, r["k"]), everyone=True, mean=r["mean"] is not None)
