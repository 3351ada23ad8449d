"""How libraries are called that are given the relevant items of all users at once, and the lists of all users."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from rankconv.addons.verification.adapter import (
    SINGLE,
    Adapter,
    LibraryResult,
    NotGiven,
    Takes,
    Tolerance,
    User,
    flat,
    library_calls,
    one_by_one,
)

PAIRED = Takes(repeated_labels=True, scores=False, absent_users=False)
"""A list of relevant items and one of returned items for each user, whose ids are numbers of the caller."""


def numbered(users: Sequence[User]) -> dict[str, int]:
    """A number for each item, from 0."""
    items = dict.fromkeys(item for user in users for item in (*user.ranking, *user.labels))
    return {item: place for place, item in enumerate(items)}


class RankerEval(Adapter):
    """Positive indices, which must rise, and ranked indices."""

    preset = "rankereval"
    packages = ("rankereval",)
    install = "pip install rankereval==0.2.0"
    own_environment = "it needs numpy below 2"
    takes = PAIRED
    tolerance = SINGLE
    names: ClassVar = {"precision": "Precision", "recall": "Recall", "f1": "F1", "hit_rate": "HitRate", "ap": "AP"}
    more: ClassVar = {"reciprocal_rank": "ReciprocalRank", "dcg": "DCG", "ndcg": "NDCG"}
    calls: ClassVar = {
        **library_calls(names | more, at_k="{}({{k}})"),
        "precision_truncated@k": "Precision({k}, truncated=True)",
        "recall_truncated@k": "Recall({k}, truncated=True)",
        **{"mean_ranks": "MeanRanks()", "first_relevant_rank": "FirstRelevantRank()"},
    }

    def given(self, users: Sequence[User]) -> tuple[Sequence[User], Any, Any]:
        from rankereval import BinaryLabels, Rankings

        code = numbered(users)
        positive = [sorted(code[item] for item, _ in user.relevant_rows) for user in users]
        ranked = [[code[item] for item in user.ranking] for user in users]
        return users, BinaryLabels.from_positive_indices(positive), Rankings.from_ranked_indices(ranked)

    def ask(self, given: tuple[Sequence[User], Any, Any], call: str, k: int | None) -> LibraryResult:
        from rankereval import metrics

        users, truth, lists = given
        options: dict[str, Any] = {"truncated": True} if "truncated" in call else {}
        options |= {"relevance_scaling": "power"} if "power" in call else {}
        metric = getattr(metrics, call.partition("(")[0])(*([] if k is None else [k]), **options)
        values = map(float, metric.score(truth, lists))
        return LibraryResult(
            float(metric.mean(truth, lists)), dict(zip((user.name for user in users), values, strict=True))
        )


class RankerEvalGrades(RankerEval):
    """A matrix of grades, in which an item without a label is 0, and ranked indices."""

    preset = "rankereval-grades"
    takes = Takes(scores=False, absent_users=False)
    calls: ClassVar = {
        **library_calls({"dcg": "DCG", "ndcg": "NDCG"}, at_k="{}({{k}})"),
        "ndcg_power@k": "NDCG({k}, relevance_scaling=power)",
    }

    def given(self, users: Sequence[User]) -> tuple[Sequence[User], Any, Any]:
        from rankereval import NumericLabels, Rankings

        code = numbered(users)
        matrix = np.zeros((len(users), max(1, len(code))))
        for row, user in enumerate(users):
            for item, grade in user.labels.items():
                matrix[row, code[item]] = grade
        ranked = [[code[item] for item in user.ranking] for user in users]
        return users, NumericLabels.from_matrix(matrix), Rankings.from_ranked_indices(ranked)


class NapkinXC(Adapter):
    """Lists of true labels and of predicted ones; the means alone are given.

    Metrics with propensities are left out: those belong to items, and the cases have grades of users.
    """

    preset = "napkinxc"
    packages = ("napkinxc",)
    install = "pip install napkinxc==0.7.2"
    takes = PAIRED
    names: ClassVar = {"precision": "PrecisionAtK", "recall": "RecallAtK", "dcg": "DCGAtK", "ndcg": "NDCGAtK"}
    more: ClassVar = {"abandonment": "AbandonmentAtK", "coverage": "CoverageAtK"}
    calls: ClassVar = {
        **library_calls(names | more, at_k="{}(k={{k}})"),
        **library_calls({"recall_zero1": "RecallAtK", "ndcg_zero1": "NDCGAtK"}, at_k="{}(k={{k}}, zero_division=1)"),
        **{"hamming_loss": "HammingLoss()", "micro_f1": "MicroF1Metric()", "samples_f1": "SamplesF1Metric()"},
    }

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float:
        from napkinxc import metrics

        code = numbered(given)
        truth = [[code[item] for item, _ in user.relevant_rows] for user in given]
        options = {} if k is None else {"k": k}
        options |= {"zero_division": 1} if "zero_division" in call else {}
        metric = getattr(metrics, call.partition("(")[0])(**options)
        found = metric.calculate(truth, [[code[item] for item in user.ranking] for user in given])
        return float(np.atleast_1d(found)[-1])


class LibRecommender(Adapter):
    """Lists of relevant items and of recommended ones, which the caller cuts; AUCs have the rows of all users."""

    preset = "libreco"
    packages = ("LibRecommender",)
    install = "pip install LibRecommender==1.5.2 tensorflow"
    own_environment = "it imports tensorflow"
    takes = Takes(repeated_labels=True, absent_users=False)
    tolerance = SINGLE
    names: ClassVar = {"precision": "precision_at_k", "recall": "recall_at_k", "ndcg": "ndcg_at_k"}
    calls: ClassVar = {
        **library_calls(names | {"map": "average_precision_at_k"}, at_k="listwise_scores({}, k={{k}})"),
        **{"roc_gauc": "roc_gauc_score", "pr_auc": "pr_auc_score"},
    }

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float:
        from libreco.evaluation import metrics

        if k is None:
            if any(user.repeated_labels for user in given):
                raise NotGiven("a row has one label, which the caller matches")
            grades, scores, sizes = flat(given)
            relevant = [int(grade > 0) for grade in grades]
            users = [] if call == "pr_auc_score" else [np.repeat(np.arange(len(sizes)), sizes)]
            return float(getattr(metrics, call)(relevant, scores, *users))
        code, places = numbered(given), range(len(given))
        truth = [[code[item] for item, _ in user.relevant_rows] for user in given]
        lists = [[code[item] for item in user.ranking[:k]] for user in given]
        function = getattr(metrics, call.partition("(")[2].partition(",")[0])
        return float(metrics.listwise_scores(function, truth, lists, places, k))


class TorchRecHub(Adapter):
    """Dictionaries of relevant and of recommended items; AUCs have the rows of all users. The means alone are given."""

    preset = "torch_rechub"
    packages = ("torch-rechub", "torch_rechub")
    install = "pip install torch==2.13.0 torch-rechub==0.9.0"
    own_environment = "torch is large; take its CPU build where you have no GPU"
    takes = Takes(repeated_labels=True, item_ids=True)
    tolerance = Tolerance(1e-9, 1e-9)
    names: ClassVar = {"ndcg": "NDCG", "mrr": "MRR", "recall": "Recall", "hit": "Hit", "precision": "Precision"}
    calls: ClassVar = {
        **library_calls(names, at_k="topk_metrics(topKs=[{{k}}])['{}']"),
        **{"auc": "auc_score", "gauc": "gauc_score"},
    }

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float:
        from torch_rechub.basic import metric

        if k is None:
            if any(user.repeated_labels for user in given):
                raise NotGiven("a row has one label, which the caller matches")
            grades, scores, sizes = flat(given)
            relevant = [int(grade > 0) for grade in grades]
            users = [] if call == "auc_score" else [np.repeat(np.arange(len(sizes)), sizes).tolist()]
            return float(getattr(metric, call)(relevant, scores, *users))
        truth = {user.name: [item for item, _ in user.relevant_rows] for user in given if user.in_labels}
        lists = {user.name: list(user.ranking) for user in given if user.in_run}
        [printed] = metric.topk_metrics(truth, lists, topKs=[k])[call.split("'")[1]]
        return float(printed.rpartition(": ")[2])


class WhyLogs(Adapter):
    """A frame with a column of recommended ids and one of relevant ids, whose means a profile has."""

    preset = "whylogs"
    packages = ("whylogs",)
    install = "pip install whylogs==1.6.4 pandas whylabs_client"
    takes = Takes(repeated_labels=True, scores=False, absent_users=False)
    names: ClassVar = {"precision": "precision_k", "recall": "recall_k", "ndcg": "norm_dis_cumul_gain_k"}
    calls: ClassVar = {
        **library_calls(names | {"map": "average_precision_k", "sum_gain": "sum_gain_k"}, at_k="{}_{{k}}"),
        **{"top_rank": "top_rank", "reciprocal_rank": "reciprocal_rank"},
    }

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float:
        import pandas as pd
        from whylogs.experimental.api.logger import log_batch_ranking_metrics

        longest = max(len(user.ranking) for user in given)
        if k is not None and k > longest:
            raise NotGiven("a k beyond the longest list is lowered to its length")
        frame = pd.DataFrame(
            {
                "returned": [list(user.ranking) for user in given],
                "relevant": [[item for item, _ in user.relevant_rows] for user in given],
            }
        )
        found = log_batch_ranking_metrics(data=frame, prediction_column="returned", target_column="relevant", k=k or 1)
        return float(found.view().get_column(call).get_metric("distribution").mean.value)


class DeepEval(Adapter):
    """Verdicts on the texts of one query, which are the caller's here and not a model's; so is the mean."""

    preset = "deepeval"
    packages = ("deepeval",)
    install = "pip install deepeval==4.3.1"
    own_environment = "it brings the clients of language models along"
    takes = Takes(scores=False, absent_users=False)
    calls: ClassVar = library_calls(
        {"contextual_precision": "ContextualPrecisionMetric"}, at_k="{}, first {{k}}", whole="{}"
    )

    def ask(self, given: Sequence[User], call: str, k: int | None) -> LibraryResult:
        from deepeval.metrics import ContextualPrecisionMetric
        from deepeval.metrics.contextual_precision.schema import ContextualPrecisionVerdict

        def value(user: User) -> float:
            metric = object.__new__(ContextualPrecisionMetric)  # which asks for a model when it is made
            metric.strict_mode = False
            words = ["yes" if grade > 0 else "no" for grade in user.grades[:k]]
            metric.verdicts = [ContextualPrecisionVerdict(verdict=word, reason="") for word in words]
            return float(metric._calculate_score())

        return one_by_one(given, value)
