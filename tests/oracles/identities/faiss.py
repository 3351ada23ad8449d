"""Faiss: range_PR, in either of its modes, and knn_intersection_measure of tables that are filled with -1."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    if r["metric"] == "knn_intersection":
        return None if _fillers_match(r) else Identity("faiss", at(r["metric"], r["k"]), everyone=True)
    average = at(r["metric"], r["k"])
    overall = at(f"{r['metric']}_overall", r["k"])
    if "mode='overall'" in r["call"]:
        return Identity("faiss", overall, everyone=True, per_user_spec=average)
    return Identity("faiss", average, everyone=True)


def _fillers_match(r: Result) -> bool:
    """Whether both lists of some query are shorter than k, so that they share a filler."""
    from tests.oracles.harness import cases  # which imports this module

    users = cases()[r["case"]]
    exact = [sum(grade > 0 for grade in user["labels"].values()) for user in users]
    return any(max(many, len(user["ranking"])) < r["k"] for many, user in zip(exact, users, strict=True))
