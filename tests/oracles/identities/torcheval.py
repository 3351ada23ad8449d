"""TorchEval: precision as a class or a function; hit rate and reciprocal rank, of a row for each relevant item."""

import re

from tests.oracles.identities.base import Identity, Result, at, given


def identity(r: Result) -> Identity:
    if r["input"] == "pairs":
        return Identity("torcheval+unretrieved", at(r["metric"], r["k"]), everyone=True, float32=True)
    action = re.search(r"empty_target_action='(\w+)'", r["call"])
    form = "-functional" if action is None else "" if action[1] == "neg" else f"-{action[1]}"
    name = "precision_limited" if "limit_k_to_size=True" in r["call"] else "precision"
    return Identity(given(r, f"torcheval{form}"), at(name, r["k"]), everyone=True, float32=True)
