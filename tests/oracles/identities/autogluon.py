"""AutoGluon: RankingMetrics, and the rounded report of compute_ranking_score."""

from tests.oracles.identities.base import Identity, Result, at, with_settings


def identity(r: Result) -> Identity:
    name = r["metric"].removeprefix("report.")
    rounded = "round-mean=exact(5)" if name != r["metric"] else ""
    kept = "relevant" if r["input"] == "nonempty" else ""
    return Identity("autogluon", at(with_settings(name, rounded), r["k"]), everyone=True, kept=kept)
