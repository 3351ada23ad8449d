"""LibRecommender: lists that the caller cuts, of all users or of those with relevant items and a list; AUCs of rows."""

from tests.oracles.identities.base import Identity, Result, at, given


def identity(r: Result) -> Identity:
    kept = "relevant-and-ranked" if r["input"] == "nonempty" else ""
    return Identity(given(r, "libreco"), at(r["metric"], r["k"]), everyone=True, kept=kept)
