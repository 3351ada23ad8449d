"""LightGBM: metrics of a booster without trees, on the items returned or with the missed ones appended."""

from tests.oracles.identities.base import COMMON, Identity, Result, at, given, with_answers


def identity(r: Result) -> Identity | None:
    preset = given(r, "lightgbm")
    answers = ["gain=linear", "grades-allowed=integer(31)"] if "label_gain" in r["call"] else []
    name = with_answers(COMMON.get(r["metric"], r["metric"]), *answers)
    return Identity(preset, at(name, r["k"]), everyone=True, alone=True)
