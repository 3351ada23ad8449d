"""pyvespa: VespaEvaluator with sets or grades, VespaMatchEvaluator and VespaNNRecallEvaluator."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    name = r["metric"]
    if name == "knn_recall":
        limited = "" if "query_limit" in r["call"] else "_of_20"
        return Identity("pyvespa", at(name + limited, r["k"]), everyone=True, kept="in-order")
    if r["input"] == "graded":
        return Identity("pyvespa", at("ndcg_graded", r["k"]), alone=True)
    if r["input"] == "scaled":  # grades by the highest of the case, which does not change NDCG
        return Identity("pyvespa", at("ndcg_graded(grades-allowed=any, negative=invalid)", r["k"]), alone=True)
    return Identity("pyvespa", at(name, r["k"]))
