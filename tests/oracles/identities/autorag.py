"""AutoRAG: retrieval metrics, where each relevant id is a group of its own, or all are one group."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    return Identity("autorag" if r["input"] == "and" else "autorag-any", at(r["metric"], r["k"]), everyone=True)
