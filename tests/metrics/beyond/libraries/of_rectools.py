"""RecTools 0.19.0 on the cases."""

from typing import Any

import pandas as pd
from record import attempt, record
from rectools.metrics import (
    AvgRecPopularity,
    CatalogCoverage,
    IntraListDiversity,
    MeanInvUserFreq,
    PairwiseHammingDistanceCalculator,
    Serendipity,
)


def measure(case: dict[str, Any], k: int) -> dict[str, Any]:
    reco = pd.DataFrame(case["run"], columns=["user_id", "item_id", "score"])
    reco["rank"] = reco.groupby("user_id").cumcount() + 1
    train = pd.DataFrame(case["train"], columns=["user_id", "item_id"])
    labels = pd.DataFrame(case["labels"], columns=["user_id", "item_id"])
    features = pd.DataFrame.from_dict({int(i): v for i, v in case["features"].items()}, orient="index")
    features.index.name = "item_id"
    ild = IntraListDiversity(k=k, distance_calculator=PairwiseHammingDistanceCalculator(features))
    catalog = case["catalogue"]
    return {
        "CatalogCoverage": attempt(lambda: CatalogCoverage(k=k).calc(reco, catalog)),
        "CatalogCoverage(normalize=True)": attempt(lambda: CatalogCoverage(k=k, normalize=True).calc(reco, catalog)),
        "MeanInvUserFreq": attempt(lambda: MeanInvUserFreq(k=k).calc(reco, train)),
        "AvgRecPopularity": attempt(lambda: AvgRecPopularity(k=k).calc(reco, train)),
        "AvgRecPopularity(normalize=True)": attempt(lambda: AvgRecPopularity(k=k, normalize=True).calc(reco, train)),
        "IntraListDiversity": attempt(lambda: ild.calc(reco)),
        "Serendipity": attempt(lambda: Serendipity(k=k).calc(reco, labels, train, catalog)),
    }


record(__file__, "RecTools 0.19.0", measure)
