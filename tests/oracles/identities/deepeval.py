"""DeepEval: verdicts on the first k texts."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    return Identity("deepeval", at(r["metric"], r["k"]), everyone=True)
