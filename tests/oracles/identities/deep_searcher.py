"""DeepSearcher: titles of all searches, each recall rounded."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    return Identity("deep_searcher", at("recall", r["k"]), everyone=True, mean=r["mean"] is not None)
