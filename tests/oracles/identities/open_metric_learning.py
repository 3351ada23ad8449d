"""OpenMetricLearning: calc_retrieval_metrics of all users, with and without ids on either side."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    return Identity("open_metric_learning", at(r["metric"], r["k"]), everyone=True, float32=True)
