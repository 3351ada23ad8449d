"""Torch-RecHub: each user is one more call; of all users, of those with k rows, or of those with both classes."""

from tests.oracles.identities.base import Identity, Result, at, given

NAMES = {"gauc_both_classes": "gauc"}


def identity(r: Result) -> Identity:
    name = NAMES.get(r["metric"], r["metric"])
    kept = f"rows-{r['k']}" if r["input"] == "long" else "both-classes" if name != r["metric"] else ""
    return Identity(given(r, "torch_rechub"), at(name, r["k"]), everyone=True, alone=True, kept=kept)
