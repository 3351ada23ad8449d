"""Microsoft Recommenders: functions of two data frames."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter
from rankconv.verification.cases import User


class Recommenders(Adapter):
    """The relevant rows, and the returned ones; the mean alone is given."""

    preset = "recommenders"
    packages = ("recommenders",)
    install = "pip install recommenders==1.2.1"
    own_environment = "it needs pandas below 3, and a C compiler for scikit-surprise"
    calls: ClassVar = {
        "precision@k": "precision_at_k",
        "recall@k": "recall_at_k",
        "r_precision@k": "r_precision_at_k",
        "map@k": "map",
        "map_at_k@k": "map_at_k",
        "ndcg@k": "ndcg_at_k",
    }

    def given(self, users: Sequence[User]) -> tuple[Any, Any]:
        import pandas as pd

        true = [(user.name, item, grade) for user in users for item, grade in user.relevant.items()]
        rows = [(user.name, *row) for user in users for row in zip(user.ranking, user.scores, strict=True)]
        return (
            pd.DataFrame(true, columns=["userID", "itemID", "rating"]),
            pd.DataFrame(rows, columns=["userID", "itemID", "prediction"]),
        )

    def ask(self, given: tuple[Any, Any], call: str, k: int | None) -> float:
        from recommenders.evaluation import python_evaluation

        return float(getattr(python_evaluation, call)(*given, k=k))
