"""Evidently: the metric classes of its recommender report."""

from collections.abc import Sequence
from math import nan
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter
from rankconv.verification.cases import User


class Evidently(Adapter):
    """One table of rows with user, item, target and score; the mean alone is given."""

    preset = "evidently"
    packages = ("evidently",)
    install = "pip install evidently==0.7.23 'pandas<3'"
    own_environment = "it needs pandas below 3"
    classes: ClassVar = {
        **{"precision": "PrecisionTopKMetric", "recall": "RecallTopKMetric", "f1": "FBetaTopKMetric"},
        **{"map": "MAPKMetric", "mar": "MARKMetric", "ndcg": "NDCGKMetric", "mrr": "MRRKMetric"},
        "hit_rate": "HitRateKMetric",
    }
    calls: ClassVar = {f"{name}@k": f"{called}(k={{k}})" for name, called in classes.items()}
    no_feedback: ClassVar = False

    def given(self, users: Sequence[User]) -> Any:
        import pandas as pd

        columns: dict[str, list[Any]] = {"user": [], "item": [], "target": [], "prediction": []}
        for user in users:
            columns["user"] += [user.name] * len(user.ranking)
            columns["item"] += user.ranking
            columns["target"] += user.grades
            columns["prediction"] += user.scores
        return pd.DataFrame(columns)

    def ask(self, given: Any, call: str, k: int | None) -> float:
        from evidently.legacy import metrics
        from evidently.legacy.pipeline.column_mapping import ColumnMapping
        from evidently.legacy.report import Report

        metric = getattr(metrics, call.partition("(")[0])(k=k, no_feedback_users=self.no_feedback)
        roles = {"target": "target", "prediction": "prediction", "user_id": "user", "item_id": "item"}
        report = Report(metrics=[metric])
        report.run(
            reference_data=None, current_data=given, column_mapping=ColumnMapping(recommendations_type="score", **roles)
        )
        values = list(metric.get_result().current)
        return float(values[k - 1]) if k is not None and k <= len(values) else nan


class EvidentlyNoFeedback(Evidently):
    """As `Evidently`, with users who have no relevant row."""

    preset = "evidently-no-feedback"
    no_feedback = True
