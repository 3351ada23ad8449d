"""LensKit 2025.8.1 on the cases."""

from typing import Any

import pandas as pd
from lenskit.data import ItemList, from_interactions_df
from lenskit.metrics.ranking import ExposureGini, ListGini, MeanPopRank
from record import attempt, record


def measure(case: dict[str, Any], k: int) -> dict[str, Any]:
    lists: dict[int, list[int]] = {}
    for user, item, _ in case["run"]:
        lists.setdefault(user, []).append(item)
    outputs = [ItemList(item_ids=items, ordered=True) for items in lists.values()]
    train = from_interactions_df(pd.DataFrame(case["train"], columns=["user_id", "item_id"]))
    nothing = ItemList(item_ids=[1])

    def of_all(metric: Any) -> float:
        return float(metric.global_aggregate([metric.compute_list_data(one, nothing) for one in outputs]))

    def mean(metric: Any) -> float:
        return sum(metric.measure_list(one, nothing) for one in outputs) / len(outputs)

    size = len(case["catalogue"])
    return {
        "ListGini": attempt(lambda: of_all(ListGini(n=k, items=size))),
        "ExposureGini": attempt(lambda: of_all(ExposureGini(n=k, items=size))),
        "MeanPopRank": attempt(lambda: mean(MeanPopRank(train, n=k))),
    }


record(__file__, "LensKit 2025.8.1", measure)
