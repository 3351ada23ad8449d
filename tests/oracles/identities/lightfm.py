"""LightFM: lightfm.evaluation, with the size of the catalogue in the note."""

import re

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    preserve = r["metric"].endswith("_preserve_rows")
    spec = at(r["call"].partition("(")[0], r["k"])
    size = re.search(r"catalogue of (\d+)", r["note"])[1]  # type: ignore[index]
    if not rc.preset("lightfm").offers(spec):
        return None
    preset = "lightfm-preserve-rows" if preserve else "lightfm"
    return Identity(preset, spec, everyone=preserve, catalogue=size, float32=True)
