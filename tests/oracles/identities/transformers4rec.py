"""Transformers4Rec: metric objects for one cutoff or for all at once; the caller pads the rows."""

from tests.oracles.identities.base import Identity, Result, at, given, with_settings

NAMES = {"avg_precision": "map"}


def identity(r: Result) -> Identity:
    form, _, every = r["input"].partition(", ")
    name = NAMES.get(r["metric"], r["metric"])
    padded = "with-unretrieved + padded(rows=20)" if form == "union" else "padded(rows=20)"
    every = every and name.startswith("ndcg")  # the other cutoffs, 20 the largest, are in its ideal list
    spec = with_settings(name, f"candidates={padded}, ideal=retrieved-at(20)" if every else "")
    preset = given(r, "transformers4rec")
    return Identity(preset, at(spec, r["k"]), everyone=True, alone=name == "recall")
