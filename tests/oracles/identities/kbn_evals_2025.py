"""@kbn/evals of December 2025: repeated documents count each time."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    return Identity("kbn_evals@2025-12", at(r["metric"], r["k"]), everyone=True)
