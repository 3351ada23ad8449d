"""Spark MLlib: RankingMetrics, from Python."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter, NotGiven
from rankconv.verification.cases import User


class MLlib(Adapter):
    """One row per user: their list and their relevant items; the means alone are given."""

    preset = "mllib"
    packages = ("pyspark",)
    install = "pip install pyspark==4.3.0"
    own_environment = "it is large, and needs Java 17 or newer"
    calls: ClassVar = {
        "precision@k": "precisionAt({k})",
        "recall@k": "recallAt({k})",
        "map@k": "meanAveragePrecisionAt({k})",
        "map": "meanAveragePrecision",
        "ndcg@k": "ndcgAt({k})",
    }

    def given(self, users: Sequence[User]) -> Any:
        if not any(user.ranking for user in users) or not any(user.relevant for user in users):
            raise NotGiven("from Python, Spark cannot tell the type of lists that are all empty")
        from pyspark.mllib.evaluation import RankingMetrics
        from pyspark.sql import SparkSession

        session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
        rows = [(list(user.ranking), list(user.relevant)) for user in users]
        return RankingMetrics(session.sparkContext.parallelize(rows, 1))

    def ask(self, given: Any, call: str, k: int | None) -> float:
        metric = getattr(given, call.partition("(")[0])
        return float(metric if k is None else metric(k))
