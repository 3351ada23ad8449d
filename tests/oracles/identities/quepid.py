"""Quepid 8.6: the scorers of the repository, run by its own ScorerFactory."""

from tests.oracles.identities.base import Identity, Result

CALLED = {
    "p": "P",
    "ap": "AP",
    "cg": "CG",
    "dcg": "DCG",
    "ndcg": "nDCG",
    "ndcg_cut": "NDCG_CUT",
    "err": "ERR",
    "rr": "RR",
}
WHOLE = {"five_users", "graded", "empties", "all_zero_grades", "ties", "unsorted", "tiny", "nobody", "duplicates"}
"""Cases of ratings from 0 to 4; others are cut to whole numbers in places, or below 0."""


def identity(r: Result, version: str = "8.6.0") -> Identity | None:
    if r["case"] not in WHOLE:
        return None
    return Identity(f"quepid@{version}", f"{CALLED[r['metric']]}@10", everyone=True)
