"""Faiss: range_PR, in either of its modes, and knn_intersection_measure of tables that are filled with -1."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    average = at(r["metric"], r["k"])
    if r["metric"] == "knn_intersection":
        return Identity("faiss", average, everyone=True, kept=f"filled-{r['k']}")
    if "mode='overall'" in r["call"]:
        return Identity("faiss", at(f"{r['metric']}_overall", r["k"]), everyone=True, per_user_spec=average)
    return Identity("faiss", average, everyone=True)
