"""RePlay 0.22.0 on the cases, in its polars mode."""

from typing import Any

import polars as pl
from record import attempt, record
from replay.metrics import CategoricalDiversity, Coverage, Novelty, Surprisal


def measure(case: dict[str, Any], k: int) -> dict[str, Any]:
    users, items, scores = zip(*case["run"], strict=True)
    run = pl.DataFrame({"query_id": users, "item_id": items, "rating": scores})
    known, had = zip(*case["train"], strict=True)
    train = pl.DataFrame({"query_id": known, "item_id": had})
    categories = run.with_columns(category_id=pl.Series([case["features"][str(i)][0] for i in items]))
    return {
        "Coverage": attempt(lambda: Coverage(k)(run, train)[f"Coverage@{k}"]),
        "Novelty": attempt(lambda: Novelty(k)(run, train)[f"Novelty@{k}"]),
        "Surprisal": attempt(lambda: Surprisal(k)(run, train)[f"Surprisal@{k}"]),
        "CategoricalDiversity": attempt(
            lambda: CategoricalDiversity(k)(categories.drop("item_id"))[f"CategoricalDiversity@{k}"]
        ),
    }


record(__file__, "RePlay 0.22.0", measure)
