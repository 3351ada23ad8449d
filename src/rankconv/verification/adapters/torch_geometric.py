"""PyTorch Geometric: its link prediction metrics."""

from collections.abc import Sequence
from typing import ClassVar

from rankconv.verification.adapter import SINGLE, Adapter
from rankconv.verification.cases import User


class TorchGeometric(Adapter):
    """A matrix of items, padded with one that nobody has, and the true edges; the mean alone is given."""

    preset = "torch_geometric"
    packages = ("torch-geometric", "torch_geometric")
    install = "pip install torch==2.13.0 torch-geometric==2.8.1"
    own_environment = "torch is large; take its CPU build where you have no GPU. No further parts of it are needed"
    tolerance = SINGLE
    names: ClassVar = {"precision": "Precision", "recall": "Recall", "f1": "F1", "map": "MAP", "mrr": "MRR"}
    classes: ClassVar = {
        **{name: f"LinkPred{called}" for name, called in names.items()},
        **{"ndcg": "LinkPredNDCG", "hit_rate": "LinkPredHitRatio"},
        **{"recall_weighted": "LinkPredRecall(weighted=True)", "ndcg_weighted": "LinkPredNDCG(weighted=True)"},
    }
    calls: ClassVar = {f"{name}@k": called for name, called in classes.items()}

    def given(self, users: Sequence[User]) -> Sequence[User]:
        return users

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float:
        import torch
        from torch_geometric import metrics

        code: dict[str, int] = {}
        edges = [
            (row, code.setdefault(item, len(code)), grade)
            for row, user in enumerate(given)
            for item, grade in user.labels.items()
            if grade > 0 or "weighted" in call
        ]
        lists = [[code.setdefault(item, len(code)) for item in user.ranking] for user in given]
        longest = max(k or 1, *map(len, lists))
        matrix = torch.tensor([one + [len(code)] * (longest - len(one)) for one in lists])
        index = torch.tensor([edge[:2] for edge in edges], dtype=torch.long).reshape(-1, 2).T
        weights = torch.tensor([edge[2] for edge in edges]) if "weighted" in call else None
        metric = getattr(metrics, call.partition("(")[0])(k, **({} if weights is None else {"weighted": True}))
        metric.update(matrix, index, weights)
        return float(metric.compute())
