"""RecBole 1.2.1 on the cases: its metrics, on the matrix of items that its collector makes; item 0 is the padding."""

import sys
from collections import Counter
from types import ModuleType
from typing import Any

import torch

unused = ModuleType("torch.utils.tensorboard")
unused.SummaryWriter = object  # type: ignore[attr-defined]
sys.modules.setdefault("torch.utils.tensorboard", unused)  # imported on the way to the metrics
from recbole.evaluator import metrics as real  # noqa: E402
from record import attempt, record  # noqa: E402

CONFIG = {"metric_decimal_place": 17, "topk": [5], "tail_ratio": 0.1}


def measure(case: dict[str, Any], k: int) -> dict[str, Any]:
    lists: dict[int, list[int]] = {}
    for user, item, _ in case["run"]:
        lists.setdefault(user, []).append(item)
    if min(map(len, lists.values())) < k:
        return {}  # its collector takes k of all items, so no list is shorter
    data = {
        "rec.items": torch.tensor([items[:k] for items in lists.values()]),
        "data.num_items": len(case["catalogue"]) + 1,
        "data.count_items": Counter(item for _, item in case["train"]),
    }
    config = {**CONFIG, "topk": [k]}
    names = {"itemcoverage": "ItemCoverage", "averagepopularity": "AveragePopularity"}
    names |= {"shannonentropy": "ShannonEntropy", "giniindex": "GiniIndex"}
    return {
        name: attempt(lambda name=name, kind=kind: getattr(real, kind)(config).calculate_metric(data)[f"{name}@{k}"])
        for name, kind in names.items()
    }


record(__file__, "RecBole 1.2.1", measure)
