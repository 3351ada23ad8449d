"""pyvespa: VespaEvaluator with sets or grades, VespaMatchEvaluator and VespaNNRecallEvaluator."""

from tests.oracles.identities.base import Identity, Result, at

QUERY_LIMIT = 20
"""How many queries VespaNNRecallEvaluator evaluates where it is not given a limit."""


def identity(r: Result) -> Identity | None:
    name = r["metric"]
    if name == "knn_recall":
        return Identity("pyvespa", at(name, r["k"]), everyone=True) if _all_evaluated(r) else None
    if r["input"] == "graded":
        return Identity("pyvespa", at("ndcg_graded", r["k"]), alone=True)
    if r["input"] == "scaled":  # grades by the highest of the case, which does not change NDCG
        return Identity("pyvespa", at("ndcg_graded(grades-allowed=any, negative=invalid)", r["k"]), alone=True)
    return Identity("pyvespa", at(name, r["k"]))


def _all_evaluated(r: Result) -> bool:
    """Whether all queries of the case are evaluated."""
    from tests.oracles.harness import cases  # which imports this module

    return "query_limit" in r["call"] or len(cases()[r["case"]]) <= QUERY_LIMIT
