"""Weaviate's benchmark: one query at a time, with at least k true neighbours."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    return Identity("weaviate_benchmark", at(r["metric"], r["k"]), everyone=True, mean=r["mean"] is not None)
