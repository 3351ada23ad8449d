"""Evidently 0.7.23 on the cases: the functions of its metrics, on frames of ranks."""

from typing import Any

import pandas as pd
from evidently.legacy.metrics.recsys.diversity import DiversityMetric
from evidently.legacy.metrics.recsys.novelty import NoveltyMetric
from evidently.legacy.metrics.recsys.personalisation import PersonalizationMetric
from evidently.legacy.metrics.recsys.popularity_bias import PopularityBias
from evidently.legacy.metrics.recsys.serendipity import SerendipityMetric
from evidently.legacy.pipeline.column_mapping import RecomType
from record import attempt, record
from sklearn.metrics import pairwise_distances

NAMES = {"user_id": "user", "item_id": "item"}


def measure(case: dict[str, Any], k: int) -> dict[str, Any]:
    run = pd.DataFrame(case["run"], columns=["user", "item", "score"])
    run["rank"] = run.groupby("user").cumcount() + 1.0
    pairs = {tuple(pair) for pair in case["labels"]}
    run["target"] = [int((u, i) in pairs) for u, i in zip(run["user"], run["item"], strict=True)]
    train = pd.DataFrame(case["train"], columns=["user", "item"])
    items = list(map(int, case["features"]))
    names = {item: place for place, item in enumerate(items)}
    matrix = pairwise_distances(list(case["features"].values()), metric="cosine")
    counts, users = train.groupby("item")["user"].nunique(), train["user"].nunique()
    bias, rank = PopularityBias(k=k), RecomType.RANK
    serendipity: Any = SerendipityMetric(k=k, item_features=[])
    given = {"recommendations_type": rank, "dist_matrix": matrix, "name_dict": names, **NAMES}
    of_train = {"train_df": train, "prediction_name": "rank", "target_name": "target", "min_rel_score": None}
    ild = DiversityMetric(k=k, item_features=[])
    return {
        "Novelty": attempt(lambda: NoveltyMetric(k).get_miuf(run, k, rank, "user", "item", "rank", counts / users)[1]),
        "ARP": attempt(lambda: bias.get_apr(k, run, counts, False, "rank", "user", "item")[0]),
        "ARP(normalize)": attempt(lambda: bias.get_apr(k, run, counts, True, "rank", "user", "item")[0]),
        "Coverage": attempt(lambda: bias.get_coverage(k, run, counts, "rank", "item")),
        "Gini": attempt(lambda: bias.get_gini(k, run, "rank", "item")),
        "Personalization": attempt(
            lambda: PersonalizationMetric(k).get_diversity(run, "user", "item", "rank", k, rank)[0]
        ),
        "Diversity": attempt(lambda: ild.get_ild(run, k, predictions="rank", **given)[1]),
        "Serendipity": attempt(lambda: serendipity.get_serendipity(k=k, df=run, **given, **of_train)[1]),
    }


record(__file__, "Evidently 0.7.23", measure)
