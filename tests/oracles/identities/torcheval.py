"""TorchEval: precision as a class or a function, and hit rate of a row for each relevant item of each user."""

import re

from tests.oracles.identities.base import Identity, Result, at, given


def identity(r: Result) -> Identity | None:
    if r["metric"] == "reciprocal_rank":  # a mean over the rows of all users, which reciprocal rank has not
        return None
    if r["metric"] == "hit_rate":
        return Identity("torcheval+unretrieved", at("hit_rate", r["k"]), everyone=True, float32=True)
    action = re.search(r"empty_target_action='(\w+)'", r["call"])
    form = "-functional" if action is None else "" if action[1] == "neg" else f"-{action[1]}"
    name = "precision_limited" if "limit_k_to_size=True" in r["call"] else "precision"
    return Identity(given(r, f"torcheval{form}"), at(name, r["k"]), everyone=True, float32=True)
