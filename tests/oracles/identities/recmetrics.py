"""recmetrics: mark, recommender_precision and recommender_recall."""

from tests.oracles.identities.base import Identity, Result, at, with_settings


def identity(r: Result) -> Identity | None:
    name = r["call"].partition("(")[0]
    k = 1000 if name == "mark" and r["k"] is None else r["k"]  # its own k is 10
    if r["metric"].endswith("_nonempty_users"):
        return Identity("recmetrics", at(with_settings(name, "users=intersection", "on-no-relevant=skip"), k))
    return Identity("recmetrics", at(name, k), everyone=True)
