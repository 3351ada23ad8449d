"""rexmex 0.1.3 on the cases."""

from typing import Any

import numpy as np
from record import attempt, record
from rexmex.metrics import coverage, ranking


def measure(case: dict[str, Any], k: int) -> dict[str, Any]:
    lists: dict[int, list[int]] = {}
    for user, item, _ in case["run"]:
        lists.setdefault(user, []).append(item)
    cut = [items[:k] for items in lists.values()]
    counts: dict[int, int] = {}
    for _, item in case["train"]:
        counts[item] = counts.get(item, 0) + 1
    users = len({user for user, _ in case["train"]})
    pairs = [(user, item) for user, items in lists.items() for item in items[:k]]
    features = np.array([[0.0] * 3, *case["features"].values()])  # item i stands in row i
    return {
        "item_coverage": attempt(lambda: coverage.item_coverage((list(lists), case["catalogue"]), pairs)),
        "novelty": attempt(lambda: ranking.novelty(cut, counts, users, k)),
        "personalization": attempt(lambda: ranking.personalization(cut)),
        "intra_list_similarity": attempt(lambda: ranking.intra_list_similarity(cut, features)),
    }


record(__file__, "rexmex 0.1.3", measure)
