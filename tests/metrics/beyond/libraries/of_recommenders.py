"""Recommenders 1.2.1 on the cases: its metrics have no cutoff, so lists are cut before they are passed.

It refuses lists with an item that the user has in training, so such interactions are taken out of training.
"""

from typing import Any

import numpy as np
import pandas as pd
from recommenders.evaluation import python_evaluation as real
from record import attempt, record, train_beside


def measure(case: dict[str, Any], k: int) -> dict[str, Any]:
    reco = pd.DataFrame(case["run"], columns=["UserId", "ItemId", "score"])
    reco = reco[reco.groupby("UserId").cumcount() < k]
    pairs = {tuple(pair) for pair in case["labels"]}
    reco["relevance"] = [float((u, i) in pairs) for u, i in zip(reco.UserId, reco.ItemId, strict=True)]
    train = pd.DataFrame(train_beside(case), columns=["UserId", "ItemId"])
    features = pd.DataFrame(
        {"ItemId": list(map(int, case["features"])), "item_features": [np.array(v) for v in case["features"].values()]}
    )
    names = {"col_user": "UserId", "col_item": "ItemId"}
    by_features = {**names, "item_feature_df": features, "item_sim_measure": "item_feature_vector"}
    relevance = {"col_relevance": "relevance"}
    bare = reco[["UserId", "ItemId"]].reset_index(drop=True)
    return {
        "catalog_coverage": attempt(lambda: real.catalog_coverage(train, bare, **names)),
        "distributional_coverage": attempt(lambda: real.distributional_coverage(train, bare, **names)),
        "novelty": attempt(lambda: real.novelty(train, bare, **names)),
        "diversity": attempt(lambda: real.diversity(train, bare, **names)),
        "diversity(item_feature_vector)": attempt(lambda: real.diversity(train, bare, **by_features)),
        "serendipity": attempt(lambda: real.serendipity(train, reco.drop(columns="score"), **names, **relevance)),
        "serendipity(item_feature_vector)": attempt(
            lambda: real.serendipity(train, reco.drop(columns="score"), **by_features, **relevance)
        ),
    }


record(__file__, "recommenders 1.2.1", measure)
