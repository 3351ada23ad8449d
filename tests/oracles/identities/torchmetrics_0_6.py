"""TorchMetrics 0.6: classes with each action for empty targets and the functional forms, with two kinds of lists."""

import re

from tests.oracles.identities.base import COMMON, Identity, Result, at, with_settings


def identity(r: Result) -> Identity:
    action = re.search(r"empty_target_action='(\w+)'", r["call"])
    form = "-functional" if r["call"].startswith("retrieval_") else f"-{action[1]}" if action else ""
    missed = "+unretrieved" if r["input"] == "union" else ""
    grades = "grades=binary" if "binarised" in r["call"] else ""
    spec = at(with_settings(COMMON.get(r["metric"], r["metric"]), grades), r["k"])
    return Identity(f"torchmetrics{form}@0.6.2{missed}", spec, everyone=True, mean=form != "-functional")
