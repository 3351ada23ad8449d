"""pyvespa: VespaEvaluator with sets or grades, VespaMatchEvaluator and VespaNNRecallEvaluator."""

from tests.oracles.identities.base import Identity, Result, at

QUERY_LIMIT = 20
"""How many queries VespaNNRecallEvaluator evaluates where it is not given a limit."""


def identity(r: Result) -> Identity | None:
    name = r["metric"]
    if name == "knn_recall":
        return Identity("pyvespa", at(name, r["k"]), everyone=True) if _all_exact(r) else None
    if r["input"] == "graded":
        return Identity("pyvespa", at("ndcg_graded", r["k"]), alone=True)
    if r["input"] == "scaled":  # grades by the highest of the case, which does not change NDCG
        return Identity("pyvespa", at("ndcg_graded(grades-allowed=any, negative=invalid)", r["k"]), alone=True)
    return Identity("pyvespa", at(name, r["k"]))


def _all_exact(r: Result) -> bool:
    """Whether all queries of the case are evaluated, with all of their relevant items as exact neighbours.

    The caller kept the first k of these.
    """
    from tests.oracles.harness import cases  # which imports this module

    users = cases()[r["case"]]
    most = max((sum(grade > 0 for grade in user["labels"].values()) for user in users), default=0)
    return most <= r["k"] and ("query_limit" in r["call"] or len(users) <= QUERY_LIMIT)
