"""PyTorch-Ignite: its metrics of recommender systems."""

from collections.abc import Sequence
from typing import ClassVar

from rankconv.verification.adapter import SINGLE, Adapter
from rankconv.verification.cases import User


class Ignite(Adapter):
    """A row of scores and a row of labels for each user, user by user; the mean alone is given."""

    preset = "ignite"
    packages = ("pytorch-ignite",)
    install = "pip install torch==2.13.0 pytorch-ignite==0.5.5"
    own_environment = "torch is large; take its CPU build where you have no GPU"
    tolerance = SINGLE
    calls: ClassVar = {
        "hit_rate@k": "HitRate(top_k=[{k}])",
        "ndcg@k": "NDCG(top_k=[{k}])",
        "ndcg_linear@k": "NDCG(top_k=[{k}], gain_function=linear_rank)",
    }
    all_users: ClassVar = False

    def given(self, users: Sequence[User]) -> Sequence[User]:
        return users

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float:
        import torch
        from ignite.metrics import rec_sys

        options = {"gain_function": "linear_rank"} if "linear_rank" in call else {}
        metric = getattr(rec_sys, call.partition("(")[0])([k], ignore_zero_hits=not self.all_users, **options)
        for user in given:
            metric.update((torch.tensor([user.scores]), torch.tensor([user.grades])))
        return float(metric.compute()[0])


class IgniteAllUsers(Ignite):
    """As `Ignite`, with users who have no relevant label."""

    preset = "ignite-all-users"
    all_users = True
