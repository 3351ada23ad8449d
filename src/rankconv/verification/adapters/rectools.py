"""RecTools: its metric classes."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter, LibraryResult
from rankconv.verification.cases import User


class RecTools(Adapter):
    """Ranked rows, and interactions: the relevant rows."""

    preset = "rectools"
    packages = ("rectools",)
    install = "pip install rectools==0.19.0"
    own_environment = "it needs pandas below 3 and, before Python 3.13, numpy below 2"
    names: ClassVar = {"precision": "Precision", "recall": "Recall", "f1": "F1Beta", "map": "MAP", "mrr": "MRR"}
    calls: ClassVar = {
        **{f"{name}@k": f"{called}(k={{k}})" for name, called in names.items()},
        "ndcg@k": "NDCG(k={k})",
        "hit_rate@k": "HitRate(k={k})",
        "capped_precision@k": "Precision(k={k}, r_precision=True)",
    }

    def given(self, users: Sequence[User]) -> tuple[Any, Any]:
        import pandas as pd

        ranked = [(user.name, item, rank) for user in users for rank, item in enumerate(user.ranking, 1)]
        known = [(user.name, item) for user in users for item in user.relevant]
        reco = pd.DataFrame(ranked, columns=["user_id", "item_id", "rank"]).astype({"rank": int})
        return reco, pd.DataFrame(known, columns=["user_id", "item_id"])

    def ask(self, given: tuple[Any, Any], call: str, k: int | None) -> LibraryResult:
        from rectools import metrics

        options = {"r_precision": True} if "r_precision" in call else {}
        metric = getattr(metrics, call.partition("(")[0])(k=k, **options)
        return LibraryResult(float(metric.calc(*given)), {u: float(v) for u, v in metric.calc_per_user(*given).items()})
