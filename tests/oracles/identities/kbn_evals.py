"""@kbn/evals: documents of all searches one after the other, or one list."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    return Identity("kbn_evals", at(r["metric"], r["k"]), everyone=True)
