"""TensorRec: ranks of the whole catalogue, with the users without interactions left out or kept."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    preset = "tensorrec-preserve-rows" if "preserve_rows=True" in r["call"] else "tensorrec"
    return Identity(preset, at(r["metric"], r["k"]), everyone=True, kept="ranked-catalogue")
