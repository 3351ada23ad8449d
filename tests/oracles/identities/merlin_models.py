"""Merlin Models: top-k metrics, on the items returned or with the missed ones appended; the caller pads the rows."""

from tests.oracles.identities.base import Identity, Result, at, given


def identity(r: Result) -> Identity:
    preset = given(r, "merlin_models")
    return Identity(preset, at(r["metric"], r["k"]), everyone=True)
