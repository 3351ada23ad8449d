"""How machine learning libraries are called."""

from collections.abc import Sequence
from inspect import signature
from typing import Any, ClassVar

import numpy as np

from rankconv.addons.verification.adapter import (
    SINGLE,
    Adapter,
    LibraryResult,
    NotGiven,
    Takes,
    User,
    flat,
    library_calls,
    one_by_one,
)

ARRAYS = Takes(absent_users=False)
"""Aligned arrays of grades and scores: the caller matches the items, and gives each user a place."""


class CatBoost(Adapter):
    """One row per candidate; the mean alone is given."""

    preset = "catboost"
    packages = ("catboost",)
    install = "pip install catboost==1.2.10"
    takes = ARRAYS
    names: ClassVar = {"map": "MAP", "mrr": "MRR", "ndcg": "NDCG", "dcg": "DCG"}
    calls: ClassVar = library_calls(
        {"precision": "PrecisionAt", "recall": "RecallAt", **names}, at_k="{}:top={{k}}", whole="{}"
    )

    def given(self, users: Sequence[User]) -> Sequence[User]:
        if not any(user.ranking for user in users):
            raise NotGiven("without any row, eval_metric ends the process")
        return users

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float:
        from catboost.utils import eval_metric

        grades, scores, sizes = flat(given)
        [value] = eval_metric(grades, scores, call, group_id=np.repeat(np.arange(len(sizes)), sizes))
        return float(value)


class Ignite(Adapter):
    """A row of scores and a row of labels for each user, user by user; the mean alone is given."""

    preset = "ignite"
    packages = ("pytorch-ignite",)
    install = "pip install torch==2.13.0 pytorch-ignite==0.5.5"
    own_environment = "torch is large; take its CPU build where you have no GPU"
    takes = ARRAYS
    tolerance = SINGLE
    calls: ClassVar = {
        "hit_rate@k": "HitRate(top_k=[{k}])",
        "ndcg@k": "NDCG(top_k=[{k}])",
        "ndcg_linear@k": "NDCG(top_k=[{k}], gain_function=linear_rank)",
    }
    all_users: ClassVar = False

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


class LightGBM(Adapter):
    """One row per candidate and the sizes of the groups; the mean alone is given."""

    preset = "lightgbm"
    packages = ("lightgbm",)
    install = "pip install lightgbm==4.7.0"
    takes = ARRAYS
    calls: ClassVar = {"map@k": "map, eval_at={k}", "ndcg@k": "ndcg, eval_at={k}"}

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float:
        import lightgbm

        grades, scores, sizes = flat(given)
        options: dict[str, Any] = {"metric": call.partition(",")[0], "eval_at": [k]}
        data = lightgbm.Dataset(
            np.zeros((len(grades), 1)), grades, group=sizes, init_score=scores, params={"verbosity": -1}
        )
        [(_, _, value, *_)] = lightgbm.Booster({**options, "verbosity": -1}, data).eval_train()
        return float(value)


class ScikitLearn(Adapter):
    """Aligned arrays of labels and scores; the mean is the caller's."""

    preset = "sklearn"
    packages = ("scikit-learn",)
    install = "pip install scikit-learn==1.9.1"
    takes = ARRAYS
    calls: ClassVar = {
        "ndcg@k": "ndcg_score(k={k})",
        "ndcg": "ndcg_score()",
        "dcg@k": "dcg_score(k={k})",
        "dcg": "dcg_score()",
        "map": "average_precision_score()",
        "lrap": "label_ranking_average_precision_score()",
    }

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


class TorchGeometric(Adapter):
    """A matrix of items, padded with one that nobody has, and the true edges; the mean alone is given."""

    preset = "torch_geometric"
    packages = ("torch-geometric", "torch_geometric")
    install = "pip install torch==2.13.0 torch-geometric==2.8.1"
    own_environment = "torch is large; take its CPU build where you have no GPU. No further parts of it are needed"
    takes = Takes(absent_users=False, scores=False, repeated_labels=True, item_ids=False)
    tolerance = SINGLE
    names: ClassVar = {"precision": "Precision", "recall": "Recall", "f1": "F1", "map": "MAP", "mrr": "MRR"}
    more: ClassVar = {"recall_weighted": "Recall(weighted=True)", "ndcg_weighted": "NDCG(weighted=True)"}
    calls: ClassVar = library_calls(names | {"ndcg": "NDCG", "hit_rate": "HitRatio"} | more, at_k="LinkPred{}")

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float:
        import torch
        from torch_geometric import metrics

        code: dict[str, int] = {}
        edges = [
            (row, code.setdefault(item, len(code)), grade)
            for row, user in enumerate(given)
            for item, grade in user.label_rows
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


class TorchMetrics(Adapter):
    """Flat tensors of scores, targets and the number of the query; the mean alone is given."""

    preset = "torchmetrics"
    packages = ("torchmetrics",)
    install = "pip install torch==2.13.0 torchmetrics==1.9.0"
    own_environment = "torch is large; take its CPU build where you have no GPU"
    takes = Takes(empty_lists=False)
    tolerance = SINGLE
    names: ClassVar = {"precision": "Precision", "recall": "Recall", "map": "MAP", "mrr": "MRR", "hit_rate": "HitRate"}
    more: ClassVar = {"ndcg": "NormalizedDCG", "precision_adaptive": "Precision(adaptive_k=True)"}
    calls: ClassVar = {
        **library_calls(names | more, at_k="Retrieval{}", whole="Retrieval{}"),
        "r_precision": "RetrievalRPrecision",
    }

    def given(self, users: Sequence[User]) -> tuple[Any, Any, Any]:
        import torch

        columns = flat(users)
        grades, scores = map(torch.tensor, columns[:2])
        whole = grades.long() if bool((grades == grades.long()).all()) else grades
        return scores, whole, torch.tensor(np.repeat(np.arange(len(users)), columns[2]), dtype=torch.long)

    def ask(self, given: tuple[Any, Any, Any], call: str, k: int | None) -> float:
        from torchmetrics import retrieval

        name, _, adaptive = call.partition("(")
        metric = getattr(retrieval, name)
        cutoff = "top_k" if "top_k" in signature(metric).parameters else "k"  # the word before version 1.0
        options = {} if k is None else {cutoff: k}
        options |= {"adaptive_k": True} if adaptive else {}
        return float(metric(**options)(given[0], given[1], indexes=given[2]))


class XGBoost(Adapter):
    """One row per candidate and the sizes of the groups; the mean alone is given."""

    preset = "xgboost"
    packages = ("xgboost", "xgboost-cpu")
    install = "pip install xgboost-cpu==3.2.0"
    names: ClassVar = {"precision": "pre", "map": "map", "ndcg": "ndcg"}
    calls: ClassVar = library_calls(names, at_k="{}@{{k}}", whole="{}") | {"auc": "auc", "pr_auc": "aucpr"}
    tolerance_before: ClassVar = {"0.90": SINGLE}
    takes = Takes(  # most refuse other grades
        grades=("binary", "graded", "binary", "negative", "binary", "fractional"), absent_users=False
    )

    def given(self, users: Sequence[User]) -> Any:
        import xgboost

        grades, scores, sizes = flat(users)
        data = xgboost.DMatrix(np.zeros((len(grades), 1)), grades)
        data.set_group(sizes)
        data.set_base_margin(scores)
        return data

    def ask(self, given: Any, call: str, k: int | None) -> float:
        import xgboost

        booster = xgboost.Booster({"objective": "rank:ndcg", "eval_metric": call, "base_score": 0}, [given])
        return float(booster.eval(given).rpartition(":")[2])


class XGBoostMinus(XGBoost):
    """As `XGBoost`, by names that end in "-"."""

    preset = "xgboost-minus"
    names: ClassVar = {"map": "map", "ndcg": "ndcg"}
    calls: ClassVar = library_calls(names, at_k="{}@{{k}}-", whole="{}-")


class Ogb(Adapter):
    """Scores of positive and of negative edges: those of a user, or of all; the mean is the caller's."""

    preset = "ogb"
    packages = ("ogb",)
    install = "pip install torch==2.13.0 ogb==1.3.6"
    own_environment = "torch is large; take its CPU build where you have no GPU"
    takes = ARRAYS
    tolerance = SINGLE
    calls: ClassVar = {
        **{"hits@k": "Evaluator('ogbl-ppa'), K={k}", "hits_pooled@k": "Evaluator('ogbl-ppa'), K={k}, of all rows"},
        **{"mrr_hits@k": "Evaluator('ogbl-citation2'), hits@{k}_list", "mrr": "Evaluator('ogbl-citation2'), mrr_list"},
    }

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float | LibraryResult:
        import torch
        from ogb.linkproppred import Evaluator

        def edges(users: Sequence[User]) -> tuple[Any, Any]:
            grades, scores, _ = flat(users)
            rows = list(zip(grades, scores, strict=True))
            positive, negative = ([s for g, s in rows if (g > 0) is sign] for sign in (True, False))
            return torch.tensor(positive), torch.tensor(negative)

        def hits(users: Sequence[User]) -> float:
            evaluator, (positive, negative) = Evaluator("ogbl-ppa"), edges(users)
            evaluator.K = k
            return float(evaluator.eval({"y_pred_pos": positive, "y_pred_neg": negative})[f"hits@{k}"])

        def ranks(user: User) -> list[float]:
            positive, negative = edges([user])
            found = Evaluator("ogbl-citation2").eval(
                {"y_pred_pos": positive, "y_pred_neg": negative.repeat(len(positive), 1)}
            )
            values: list[float] = found[call.rpartition(" ")[2]].tolist()
            return values

        if "citation2" in call:
            return float(np.mean([value for user in given if user.relevant for value in ranks(user)]))
        return hits(given) if "all rows" in call else one_by_one(given, lambda user: hits([user]))
