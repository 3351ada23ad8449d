"""RankEval: metrics of a data set, on the items returned or with the missed ones appended."""

from tests.oracles.identities.base import Identity, Result, at, given


def identity(r: Result) -> Identity:
    preset = given(r, "rankeval")
    return Identity(preset, at(r["metric"], r["k"]), everyone=True)
