"""TorchMetrics: classes and functions, on the items returned or with the missed ones appended."""

import re

from tests.oracles.identities.base import COMMON, Identity, Result, at


def identity(r: Result) -> Identity | None:
    if r["metric"] in ("fall_out", "auc"):
        return None
    union = "-union" if r["input"] == "union" else ""
    action = re.search(r"empty_target_action='(\w+)'", r["call"])
    form = "-functional" if r["call"].startswith("retrieval_") else f"-{action[1]}" if action else ""
    name = "precision_adaptive" if "adaptive_k=True" in r["call"] else COMMON.get(r["metric"], r["metric"])
    mean = re.search(r"aggregation='(\w+)'", r["call"])
    means = {"median": "mean=median(lower)", "min": "mean=minimum", "max": "mean=maximum"}
    answers = ["grades=binary" if "binarised" in r["call"] else "", means[mean[1]] if mean else ""]
    told = ", ".join(filter(None, answers))
    preset = f"torchmetrics{union}{'' if form == '-neg' else form}"
    return Identity(preset, at(f"{name}({told})" if told else name, r["k"]), everyone=True, mean=form != "-functional")
