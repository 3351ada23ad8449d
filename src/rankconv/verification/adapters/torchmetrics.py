"""TorchMetrics: its retrieval classes."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rankconv.verification.adapter import SINGLE, Adapter, joined
from rankconv.verification.cases import User


class TorchMetrics(Adapter):
    """Flat tensors of scores, targets and the number of the query; the mean alone is given."""

    preset = "torchmetrics"
    packages = ("torchmetrics",)
    install = "pip install torch==2.13.0 torchmetrics==1.9.0"
    own_environment = "torch is large; take its CPU build where you have no GPU"
    tolerance = SINGLE
    names: ClassVar = {"precision": "Precision", "recall": "Recall", "map": "MAP", "mrr": "MRR", "hit_rate": "HitRate"}
    classes: ClassVar = {**names, "ndcg": "NormalizedDCG", "precision_adaptive": "Precision(adaptive_k=True)"}
    calls: ClassVar = {
        **{f"{name}@k": f"Retrieval{called}" for name, called in classes.items()},
        **{name: f"Retrieval{called}" for name, called in {**classes, "r_precision": "RPrecision"}.items()},
    }

    def given(self, users: Sequence[User]) -> tuple[Any, Any, Any]:
        import torch

        indexes = torch.tensor([place for place, one in enumerate(users) for _ in one.scores], dtype=torch.long)
        grades = torch.tensor(joined(one.grades for one in users))
        whole = grades.long() if bool((grades == grades.long()).all()) else grades
        return torch.tensor(joined(one.scores for one in users)), whole, indexes

    def ask(self, given: tuple[Any, Any, Any], call: str, k: int | None) -> float:
        from torchmetrics import retrieval

        name, _, adaptive = call.partition("(")
        options = {} if name == "RetrievalRPrecision" else {"top_k": k} | ({"adaptive_k": True} if adaptive else {})
        return float(getattr(retrieval, name)(**options)(given[0], given[1], indexes=given[2]))
