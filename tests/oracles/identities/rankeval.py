"""RankEval: metrics of a data set, on the items returned or with the missed ones appended."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    preset = "rankeval-union" if r["input"] == "union" else "rankeval"
    return Identity(preset, at(r["metric"], r["k"]), everyone=True)
