"""Faiss: range_PR, in either of its modes."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    if not r["metric"].startswith("range_"):
        return None  # knn_intersection_measure: fillers match, and the truth is cut at k
    average = at(r["metric"], r["k"])
    overall = at(f"{r['metric']}_overall", r["k"])
    if "mode='overall'" in r["call"]:
        return Identity("faiss", overall, everyone=True, per_user_spec=average)
    return Identity("faiss", average, everyone=True)
