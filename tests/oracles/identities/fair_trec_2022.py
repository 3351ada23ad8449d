"""TREC Fair Ranking Track 2022: its metrics, called with each topic of a case, also one without a list."""

from tests.oracles.identities.base import Identity, Result

ALL = "users=named-in-labels"


def identity(r: Result) -> Identity | None:
    name, _, rest = r["metric"].partition("_")
    more = "exposure-of=all-rows-if-relevant, " if rest else ""
    mean = r["mean"] is not None
    return Identity(
        "fair_trec_2022", f"{name}({more}{ALL})", everyone=True, mean=mean, scored_only=True, stops=True, float32=True
    )
