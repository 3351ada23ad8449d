"""Elliot 0.3.1 (commit fc27efe) on the cases: its metric classes, from a checkout named by ELLIOT."""

import sys
from os import environ
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, environ["ELLIOT"])

from elliot.evaluation.metrics.bias.arp.arp import ARP
from elliot.evaluation.metrics.coverage.item_coverage.item_coverage import ItemCoverage
from elliot.evaluation.metrics.diversity.gini_index.gini_index import GiniIndex
from elliot.evaluation.metrics.diversity.shannon_entropy.shannon_entropy import ShannonEntropy
from elliot.evaluation.metrics.novelty.EFD.efd import EFD
from elliot.evaluation.metrics.novelty.EPC.epc import EPC
from elliot.evaluation.relevance.relevance import Relevance
from record import attempt, record


def measure(case: dict[str, Any], k: int) -> dict[str, Any]:
    run: dict[int, list[tuple[int, float]]] = {}
    for user, item, score in case["run"]:
        run.setdefault(user, []).append((item, score))
    train: dict[int, dict[int, float]] = {}
    for user, item in case["train"]:
        train.setdefault(user, {})[item] = 1.0
    labels: dict[int, dict[int, float]] = {user: {} for user in run}
    for user, item in case["labels"]:
        labels[user][item] = 1.0
    counts: dict[int, int] = {}
    for items in train.values():
        for item in items:
            counts[item] = counts.get(item, 0) + 1
    given = SimpleNamespace(
        cutoff=k,
        num_items=len(counts),  # of the training data
        relevance=Relevance(labels, 0),
        data=SimpleNamespace(train_dict=train),
        pop=SimpleNamespace(get_pop_items=lambda: counts),
    )

    def mean(kind: Any) -> float:
        metric = kind(run, None, None, given)
        found = metric.eval_user_metric() if hasattr(metric, "eval_user_metric") else None
        return sum(found.values()) / len(found) if found is not None else metric.eval()

    kinds = {
        "ItemCoverage": ItemCoverage,
        "Gini": GiniIndex,
        "SEntropy": ShannonEntropy,
        "EFD": EFD,
        "EPC": EPC,
        "ARP": ARP,
    }
    return {name: attempt(lambda kind=kind: mean(kind)) for name, kind in kinds.items()}


record(__file__, "Elliot 0.3.1", measure)
