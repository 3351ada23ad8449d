"""Spark MLlib 4: RankingMetrics from Scala, Java and Python."""

from tests.oracles.identities.base import COMMON, Identity, Result, at


def identity(r: Result) -> Identity | None:
    name = COMMON.get(r["metric"], r["metric"])
    if r["call"].startswith("Java"):
        given = "as given" in r["call"]
        return Identity("mllib-graded", at("ndcg" if given else "ndcg(ideal=all-labels)", r["k"]), everyone=True)
    if r["call"].startswith("Python"):  # takes the grades and drops them
        return Identity("mllib", at("ndcg(labels-used=all, relevant=any-label)", r["k"]), everyone=True)
    if r["call"].startswith("RankingMetrics"):  # pyspark cannot infer a type when no user has a label
        spec = at(f"{name}(on-no-labels-at-all=refuse-all)", r["k"])
        return Identity("mllib", spec, everyone=True, per_user_spec=at(name, r["k"]))
    return Identity("mllib", at(name, r["k"]), everyone=True)
