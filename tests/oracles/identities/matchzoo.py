"""MatchZoo: metrics of one query, on the items returned or with the missed ones appended."""

from tests.oracles.identities.base import Identity, Result, at, given

NAMES = {"average_precision": "mean_precision", "ndcg_threshold_1": "ndcg(relevant=above(1))"}


def identity(r: Result) -> Identity:
    preset = given(r, "matchzoo")
    return Identity(preset, at(NAMES.get(r["metric"], r["metric"]), r["k"]), everyone=True)
