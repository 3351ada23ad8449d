"""LegalBench-RAG: questions of one weight, or of the weights 1, 2, 3, in their order."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    metric, of_weights, _ = r["metric"].partition("_weighted")
    return Identity("legalbenchrag", at(metric, r["k"]), everyone=True, kept="repeated" if of_weights else "")
