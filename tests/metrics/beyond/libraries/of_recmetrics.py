"""recmetrics 0.1.5 on the cases that have lists of one length: it takes no others."""

from typing import Any

import pandas as pd
from recmetrics import metrics as real
from record import attempt, record


def lists_of(case: dict[str, Any], k: int) -> list[list[int]]:
    lists: dict[int, list[int]] = {}
    for user, item, _ in case["run"]:
        lists.setdefault(user, []).append(item)
    return [items[:k] for items in lists.values()]


def measure(case: dict[str, Any], k: int) -> dict[str, Any]:
    lists = lists_of(case, k)
    if min(map(len, lists)) < k:
        return {}
    counts = pd.Series([item for _, item in case["train"]]).value_counts().to_dict()
    users = len({user for user, _ in case["train"]})
    features = pd.DataFrame.from_dict({int(i): v for i, v in case["features"].items()}, orient="index")
    return {
        "novelty": attempt(lambda: real.novelty(lists, counts, users, k)[0]),
        "prediction_coverage": attempt(lambda: real.prediction_coverage(lists, case["catalogue"]) / 100),
        "personalization": attempt(lambda: real.personalization(lists)),
        "intra_list_similarity": attempt(lambda: real.intra_list_similarity(lists, features)),
    }


if __name__ == "__main__":
    record(__file__, "recmetrics 0.1.5", measure)
