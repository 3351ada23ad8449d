"""FuxiCTR: evaluate_metrics with groups, on the items returned or with the missed ones appended."""

from tests.oracles.identities.base import Identity, Result, at, given

NAMES = {"MRR": "MRR(grades=binary)", "MRR_graded": "MRR"}


def identity(r: Result) -> Identity:
    preset = given(r, "fuxictr")
    return Identity(preset, at(NAMES.get(r["metric"], r["metric"]), r["k"]), everyone=True)
