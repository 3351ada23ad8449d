"""Merlin Models: top-k metrics, on the items returned or with the missed ones appended; the caller pads the rows."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    preset = "merlin_models-union" if r["input"] == "union" else "merlin_models"
    return Identity(preset, at(r["metric"], r["k"]), everyone=True)
