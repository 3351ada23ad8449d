"""scikit-learn: functions of one list at a time."""

from collections.abc import Sequence
from typing import ClassVar

from rankconv.verification.adapter import Adapter, LibraryResult, one_by_one
from rankconv.verification.cases import User


class ScikitLearn(Adapter):
    """Aligned arrays of labels and scores; the mean is the caller's."""

    preset = "sklearn"
    packages = ("scikit-learn",)
    install = "pip install scikit-learn==1.9.1"
    calls: ClassVar = {
        "ndcg@k": "ndcg_score(k={k})",
        "ndcg": "ndcg_score()",
        "dcg@k": "dcg_score(k={k})",
        "dcg": "dcg_score()",
        "map": "average_precision_score()",
        "lrap": "label_ranking_average_precision_score()",
    }

    def given(self, users: Sequence[User]) -> Sequence[User]:
        return users

    def ask(self, given: Sequence[User], call: str, k: int | None) -> LibraryResult:
        from sklearn import metrics

        function = getattr(metrics, call.partition("(")[0])

        def value(user: User) -> float:
            if "dcg" in call:
                return float(function([user.grades], [user.scores], k=k))
            relevant = [int(grade > 0) for grade in user.grades]
            if "label_ranking" in call:
                return float(function([relevant], [user.scores]))
            return float(function(relevant, user.scores))

        return one_by_one(given, value)
