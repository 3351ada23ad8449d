"""TorchMetrics: classes and functions, on the items returned or with the missed ones appended."""

import re

import rankconv as rc
from tests.oracles.identities.base import COMMON, Identity, Result, at, given, with_settings

MEANS = {"median": "aggregate=median(lower)", "min": "aggregate=minimum", "max": "aggregate=maximum"}


def identity(r: Result) -> Identity | None:
    action = re.search(r"empty_target_action='(\w+)'", r["call"])
    form = "-functional" if r["call"].startswith("retrieval_") else f"-{action[1]}" if action else ""
    preset = given(r, f"torchmetrics{form}")
    name = "precision_adaptive" if "adaptive_k=True" in r["call"] else COMMON.get(r["metric"], r["metric"])
    if name not in rc.preset(preset).metrics:
        return None
    mean = re.search(r"aggregation='(\w+)'", r["call"])
    grades = "grades=binary" if "binarised" in r["call"] else ""
    spec = with_settings(name, grades, MEANS[mean[1]] if mean else "")
    return Identity(preset, at(spec, r["k"]), everyone=True, mean=form != "-functional")
