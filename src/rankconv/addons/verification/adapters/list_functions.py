"""How libraries are called that compare a list of items with the relevant ones, user by user."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rankconv.addons.verification.adapter import (
    Adapter,
    LibraryResult,
    NotGiven,
    Takes,
    User,
    library_calls,
    one_by_one,
)

LISTS = Takes(repeated_labels=True, scores=False, item_ids=True, absent_users=False)
"""A list of relevant items and one of returned items for each user."""


class LlamaIndex(Adapter):
    """The expected ids and the retrieved ones of a query; the mean is the caller's."""

    preset = "llama_index"
    packages = ("llama-index-core",)
    install = "pip install llama-index-core==0.14.25"
    takes = LISTS
    calls: ClassVar = {
        **{"precision": "Precision", "recall": "Recall", "map": "AveragePrecision", "ndcg": "NDCG", "mrr": "MRR"},
        **{"mrr_granular": "MRR(use_granular_mrr=True)", "hit_rate": "HitRate"},
        "hit_rate_granular": "HitRate(use_granular_hit_rate=True)",
    }

    def ask(self, given: Sequence[User], call: str, k: int | None) -> LibraryResult:
        from llama_index.core.evaluation.retrieval import metrics

        name, _, option = call.partition("(")
        metric = getattr(metrics, name)(**({option.partition("=")[0]: True} if option else {}))

        def value(user: User) -> float:
            expected = [item for item, _ in user.relevant_rows]
            return float(metric.compute(expected_ids=expected, retrieved_ids=list(user.ranking)).score)

        return one_by_one(given, value)


class MlMetrics(Adapter):
    """Lists of the relevant items and of the predicted ones; the mean is over all of them."""

    preset = "ml_metrics"
    packages = ("ml_metrics",)
    install = "pip install ml_metrics==0.1.4"
    own_environment = "it is built by setuptools below 58, without isolation of the build"
    takes = LISTS
    calls: ClassVar = {"map@k": "mapk(k={k})", "kdd_map@k": "kdd_mapk(k={k})"}

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float:
        import ml_metrics
        from ml_metrics.custom import kdd_average_precision

        truth = [[item for item, _ in user.relevant_rows] for user in given]
        function = kdd_average_precision.kdd_mapk if call.startswith("kdd") else ml_metrics.mapk
        return float(function(truth, [list(user.ranking) for user in given], k))


class RsMetrics(Adapter):
    """Dictionaries of lists; one value of each user of the truth."""

    preset = "rs_metrics"
    packages = ("rs_metrics", "rs-metrics")
    install = "pip install rs_metrics==0.6.0"
    takes = Takes(repeated_labels=True, scores=False, item_ids=True)
    names: ClassVar = {"precision": "precision", "recall": "recall", "hit_rate": "hitrate", "mrr": "mrr", "map": "mapr"}
    calls: ClassVar = library_calls(names | {"ndcg": "ndcg"}, at_k="{}(k={{k}})")

    def given(self, users: Sequence[User]) -> tuple[Any, Any]:
        truth = {user.name: [item for item, _ in user.relevant_rows] for user in users if user.in_labels}
        return truth, {user.name: list(user.ranking) for user in users if user.in_run}

    def ask(self, given: tuple[Any, Any], call: str, k: int | None) -> float:
        import rs_metrics

        return float(getattr(rs_metrics, call.partition("(")[0])(*given, k=k))


class RsMetricsFrames(RsMetrics):
    """As `RsMetrics`, from data frames of the relevant rows and of the returned ones."""

    preset = "rs_metrics-frames"
    takes = Takes(repeated_labels=True, scores=False, item_ids=True, empty_lists=False)

    def given(self, users: Sequence[User]) -> tuple[Any, Any]:
        import pandas as pd

        truth = [(user.name, item) for user in users for item, _ in user.relevant_rows]
        rows = [(user.name, item) for user in users for item in user.ranking]
        return tuple(pd.DataFrame(one, columns=["user_id", "item_id"]) for one in (truth, rows))


class RePlay(Adapter):
    """Dictionaries of relevant items and of returned ones with their scores; the mean over the users of the truth."""

    preset = "replay_rec"
    packages = ("replay-rec",)
    install = "pip install replay-rec==0.22.0"
    own_environment = "it needs numpy below 2"
    takes = Takes(repeated_labels=True, item_ids=True)
    names: ClassVar = {"precision": "Precision", "recall": "Recall", "map": "MAP", "mrr": "MRR", "ndcg": "NDCG"}
    calls: ClassVar = library_calls(names | {"hit_rate": "HitRate", "roc_auc": "RocAuc"}, at_k="{}({{k}})")

    def given(self, users: Sequence[User]) -> tuple[Any, Any]:
        truth = {user.name: [item for item, _ in user.relevant_rows] for user in users if user.in_labels}
        lists = {user.name: list(zip(user.ranking, user.scores, strict=True)) for user in users if user.in_run}
        return lists, truth

    def ask(self, given: tuple[Any, Any], call: str, k: int | None) -> float:
        from replay import metrics

        [mean] = getattr(metrics, call.partition("(")[0])(k)(*given).values()
        return float(mean)


class RePlayFrames(RePlay):
    """As `RePlay`, from data frames of the relevant rows and of the returned ones with their scores."""

    preset = "replay_rec-frames"
    takes = Takes(repeated_labels=True, empty_lists=False)

    def given(self, users: Sequence[User]) -> tuple[Any, Any]:
        import pandas as pd

        if not all(item.isdecimal() for user in users for item in (*user.ranking, *user.labels)):
            raise NotGiven("the preset orders ties by ids that are numbers")
        truth = [(user.name, int(item)) for user in users for item, _ in user.relevant_rows]
        rows = [
            (user.name, int(item), score)
            for user in users
            for item, score in zip(user.ranking, user.scores, strict=True)
        ]
        returned = pd.DataFrame(rows, columns=["query_id", "item_id", "rating"])
        return returned, pd.DataFrame(truth, columns=["query_id", "item_id"])


class RecPack(Adapter):
    """Sparse matrices of the relevant items and of the scores, in which 0 is not stored."""

    preset = "recpack"
    packages = ("recpack",)
    install = "pip install recpack==0.3.6"
    own_environment = "it needs numpy below 2, and torch; its metrics do not"
    takes = Takes(absent_users=False, duplicates=False)
    names: ClassVar[Mapping[str, str]] = {
        **{"precision": "PrecisionK", "recall": "RecallK", "calibrated_recall": "CalibratedRecallK", "ndcg": "NDCGK"},
        **{"dcg": "DCGK", "hit_count": "HitK", "discounted_gain": "DiscountedGainK", "mrr": "ReciprocalRankK"},
    }
    calls: ClassVar = library_calls(names, at_k="{}({{k}})")

    def given(self, users: Sequence[User]) -> tuple[Any, Any]:
        from scipy.sparse import csr_matrix

        if not any(user.relevant for user in users):
            raise NotGiven("its metrics need a user with a relevant item")
        code = {item: place for place, item in enumerate({i: 0 for u in users for i in (*u.ranking, *u.labels)})}
        shape = len(users), len(code)
        truth = [(row, code[item], 1.0) for row, user in enumerate(users) for item in user.relevant]
        rows = [
            (row, code[item], score)
            for row, user in enumerate(users)
            for item, score in zip(user.ranking, user.scores, strict=True)
        ]

        def matrix(cells: list[tuple[int, int, float]]) -> Any:
            who, what, values = np.array(cells, dtype=float).reshape(-1, 3).T
            return csr_matrix((values, (who.astype(int), what.astype(int))), shape=shape)

        scores = matrix(rows)
        scores.eliminate_zeros()  # a model stores none
        return matrix(truth), scores

    def ask(self, given: tuple[Any, Any], call: str, k: int | None) -> float:
        from recpack import metrics

        metric = getattr(metrics, call.partition("(")[0])(k)
        metric.calculate(*(one.copy() for one in given))
        return float(metric.value)


class Rexmex(Adapter):
    """Paired lists of relevant and recommended items; the mean over users of some functions is the caller's."""

    preset = "rexmex"
    packages = ("rexmex",)
    install = "pip install rexmex==0.1.3"
    own_environment = "it does not say that it needs six"
    takes = Takes(scores=False, repeated_labels=True, item_ids=True, absent_users=False)
    calls: ClassVar = {
        "precision@k": "hits_at_k",
        "map@k": "mean_average_precision_at_k",
        "mar@k": "mean_average_recall_at_k",
        "mrr": "mean_reciprocal_rank",
    }

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float | LibraryResult:
        from rexmex.metrics import ranking

        function = getattr(ranking, call)
        relevant = [[item for item, _ in user.relevant_rows] for user in given]
        lists = [list(user.ranking) for user in given]
        if call.startswith("mean_average"):
            return float(function(relevant, lists, k))
        known = {user.name: pair for user, *pair in zip(given, relevant, lists, strict=True)}
        return one_by_one(given, lambda user: function(*known[user.name], *([] if k is None else [k])))


class Recmetrics(Adapter):
    """Paired lists of actual and predicted items; precision and recall have no cutoff. The mean alone is given."""

    preset = "recmetrics"
    packages = ("recmetrics",)
    install = "pip install recmetrics==0.1.5"
    own_environment = "it needs plotting libraries, and does not say that it needs funcsigs"
    takes = Takes(scores=False, repeated_labels=True, item_ids=True, absent_users=False)
    calls: ClassVar = {"map@k": "mark", "precision": "recommender_precision", "recall": "recommender_recall"}

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float:
        import recmetrics

        actual = [[item for item, _ in user.relevant_rows] for user in given]
        predicted = [list(user.ranking) for user in given]
        if call == "mark":
            return float(recmetrics.mark(actual, predicted, k))
        return float(getattr(recmetrics, call)(predicted, actual))


class MLflow(Adapter):
    """Series of retrieved and of target ids; a value for each row, and their mean."""

    preset = "mlflow"
    packages = ("mlflow",)
    install = "pip install mlflow==3.17.2"
    own_environment = "it is large"
    takes = LISTS
    names: ClassVar = {"precision": "precision_at_k", "recall": "recall_at_k", "ndcg": "ndcg_at_k"}
    calls: ClassVar = library_calls(names, at_k="{}({{k}})")

    def ask(self, given: Sequence[User], call: str, k: int | None) -> LibraryResult:
        import pandas as pd
        from mlflow import metrics

        returned = pd.Series([list(user.ranking) for user in given], dtype=object)
        relevant = pd.Series([[item for item, _ in user.relevant_rows] for user in given], dtype=object)
        found = getattr(metrics, call.partition("(")[0])(k).eval_fn(predictions=returned, targets=relevant)
        values = map(float, found.scores)
        return LibraryResult(
            float(found.aggregate_results["mean"]), dict(zip((user.name for user in given), values, strict=True))
        )
