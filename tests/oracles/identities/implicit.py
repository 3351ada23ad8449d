"""implicit: ranking_metrics_at_k."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    if r["metric"] == "auc":
        return None
    return Identity("implicit", at(r["metric"], r["k"]), alone=True)
