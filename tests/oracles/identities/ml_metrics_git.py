"""ml_metrics at the head of its repository."""

from tests.oracles.identities import ml_metrics
from tests.oracles.identities.base import Identity, Result


def identity(r: Result) -> Identity | None:
    return ml_metrics.identity(r, "ml_metrics@git")
