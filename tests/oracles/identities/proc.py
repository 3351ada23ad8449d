"""pROC: areas, whole or over a range of the specificity or of the sensitivity."""

from tests.oracles.identities.base import Identity, Result, with_settings


def identity(r: Result) -> Identity:
    sides = {"specificity": "false-positive-rate(0, 0.25)", "sensitivity": "true-positive-rate(0.75)"}
    part = next((f"roc-range={sides[side]}" for side in sides if side in r["metric"]), "")
    return Identity("proc", with_settings(r["metric"], part), everyone=True)
