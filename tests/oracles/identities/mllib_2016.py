"""Spark MLlib 2.1: RankingMetrics."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    if r["metric"] == "average_precision":
        return Identity("mllib@2.1.3", "map", everyone=True)
    return Identity("mllib@2.1.3", at(r["metric"], r["k"]), everyone=True)
