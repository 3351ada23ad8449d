"""whylogs: the mean of a profile; a cutoff beyond the longest list is lowered to its length."""

from tests.oracles.identities.base import Identity, Result, at

NAMES = {"norm_dis_cumul_gain": "ndcg", "average_precision": "map"}
WHOLE = {"top_rank", "reciprocal_rank"}
"""What reads the whole list, whatever k."""


def identity(r: Result) -> Identity | None:
    name = NAMES.get(r["metric"], r["metric"])
    if name in WHOLE and r["error"]:
        return None  # the whole call fails where another of its metrics does
    return Identity("whylogs", at(name, None if name in WHOLE else r["k"]), everyone=True)
