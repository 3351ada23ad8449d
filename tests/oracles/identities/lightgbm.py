"""LightGBM: metrics of a booster without trees, on the items returned or with the missed ones appended."""

from tests.oracles.identities.base import COMMON, Identity, Result, at, given, with_settings


def identity(r: Result) -> Identity | None:
    preset = given(r, "lightgbm")
    settings = ["gain=linear", "grades-allowed=integer(31)"] if "label_gain" in r["call"] else []
    name = with_settings(COMMON.get(r["metric"], r["metric"]), *settings)
    return Identity(preset, at(name, r["k"]), everyone=True, alone=True)
