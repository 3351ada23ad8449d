"""daisyRec: its ranking functions."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter
from rankconv.verification.cases import User


class DaisyRec(Adapter):
    """Sets of relevant items, and the lists as rows, which the caller cuts; the mean alone is given."""

    preset = "daisyrec"
    packages = ("daisyRec", "daisyrec")
    install = "pip install 'numpy<2' && pip install --no-deps daisyrec==2.3.0"
    own_environment = "it needs numpy below 2, so Python up to 3.12; its other requirements train models"
    calls: ClassVar = {
        **{"precision@k": "Precision", "recall@k": "Recall", "mrr@k": "MRR", "map@k": "MAP", "ndcg@k": "NDCG"},
        **{"hit_rate@k": "HR", "auc@k": "AUC", "f1@k": "F1"},
    }

    def given(self, users: Sequence[User]) -> Any:
        tested = [user for user in users if user.relevant]
        return {user.name: set(user.relevant) for user in tested}, tested

    def ask(self, given: Any, call: str, k: int | None) -> float:
        import numpy as np
        from daisy.utils import metrics

        truth, users = given
        rows = [np.array(user.ranking[:k], dtype=str) for user in users]
        return float(getattr(metrics, call)(truth, rows, list(truth)))
