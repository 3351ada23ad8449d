"""scikit-learn 0.18: average precision by trapezoids."""

from tests.oracles.identities.base import Identity, Result


def identity(r: Result) -> Identity:
    return Identity("sklearn@0.18", r["metric"], everyone=True)
