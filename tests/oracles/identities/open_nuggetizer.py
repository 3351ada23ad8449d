"""open_nuggetizer: the function, whose names are in small letters, and the measures for ir_measures."""

from tests.oracles.identities.base import Identity, Result


def identity(r: Result) -> Identity:
    preset = "open_nuggetizer" if r["metric"].islower() else "open_nuggetizer-measures"
    return Identity(preset, r["metric"], everyone=True)
