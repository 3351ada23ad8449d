"""How recommender libraries are called."""

from collections.abc import Sequence
from math import nan
from typing import Any, ClassVar

import numpy as np

from rankconv.addons.verification.adapter import (
    Adapter,
    LibraryResult,
    NotGiven,
    Takes,
    User,
    library_calls,
)


class Implicit(Adapter):
    """Sparse matrices and a model; the means alone are given, and a short list is filled with -1.

    The catalogue has one item more than the case: with every metric an AUC is computed, which divides by the items
    that are not relevant.
    """

    preset = "implicit"
    packages = ("implicit",)
    install = "pip install implicit==0.7.3"
    takes = Takes(repeated_labels=True, scores=False, absent_users=False)
    names: ClassVar = {"precision": "precision", "map": "map", "ndcg": "ndcg"}
    calls: ClassVar = library_calls(names, at_k="ranking_metrics_at_k(K={{k}})['{}']")

    def given(self, users: Sequence[User]) -> tuple[Any, Any]:
        import scipy.sparse as sp

        code = {item: place for place, item in enumerate({i: 0 for u in users for i in (*u.ranking, *u.labels)})}
        rows = [(place, code[item]) for place, user in enumerate(users) for item, _ in user.relevant_rows]
        who, what = np.array(rows, np.int64).reshape(-1, 2).T
        test = sp.csr_matrix((np.ones(len(rows)), (who, what)), shape=(len(users), len(code) + 1))
        return _Given([[code[item] for item in user.ranking] for user in users]), test

    def ask(self, given: tuple[Any, Any], call: str, k: int | None) -> float:
        from implicit.evaluation import ranking_metrics_at_k

        model, test = given
        name = call.split("'")[1]
        return float(ranking_metrics_at_k(model, test * 0, test, K=k, show_progress=False, num_threads=1)[name])


class _Given:
    """A model that returns the lists it was made of."""

    def __init__(self, lists: list[list[int]]) -> None:
        self.lists = lists

    def recommend(self, users: Any, user_items: Any, N: int) -> tuple[Any, Any]:  # noqa: N803
        ids = np.array([(self.lists[user] + [-1] * N)[:N] for user in users], np.int32)
        return ids, np.zeros(ids.shape, np.float32)


class LensKit(Adapter):
    """One output list per user, and the relevant test items of those that have some."""

    preset = "lenskit"
    packages = ("lenskit",)
    install = "pip install lenskit==2026.4.0"
    own_environment = (
        "it needs Python 3.12.5 or newer, and brings torch: install its CPU build first where you have no GPU"
    )
    takes = Takes(scores=False, item_ids=True)
    names: ClassVar = {"precision": "Precision", "recall": "Recall", "map": "AveragePrecision", "mrr": "RecipRank"}
    more: ClassVar = {"ndcg": "NDCG", "hit_rate": "Hit", "dcg": "DCG"}
    calls: ClassVar = library_calls(names | more, at_k="{}(n={{k}})", whole="{}()")

    def given(self, users: Sequence[User]) -> tuple[Any, Any]:
        from lenskit.data import ItemList, ItemListCollection

        lists = {user.name: ItemList(list(user.ranking), ordered=True) for user in users if user.in_run}
        tests = {user.name: ItemList(list(user.relevant)) for user in users if user.relevant}
        return (ItemListCollection.from_dict(lists, key="user_id"), ItemListCollection.from_dict(tests, key="user_id"))

    def ask(self, given: tuple[Any, Any], call: str, k: int | None) -> LibraryResult:
        from lenskit.metrics import RunAnalysis, ranking

        analysis = RunAnalysis()
        analysis.add_metric(getattr(ranking, call.partition("(")[0])(k), label="one")
        found = analysis.measure(*given)
        values = found.list_metrics(fill_missing=False)["one"]
        return LibraryResult(float(found.list_summary().loc["one", "mean"]), {u: float(v) for u, v in values.items()})


class MLlib(Adapter):
    """One row per user: their list and their relevant items; the means alone are given."""

    preset = "mllib"
    packages = ("pyspark",)
    install = "pip install pyspark==4.3.0"
    own_environment = "it is large, and needs Java 17 or newer"
    takes = Takes(repeated_labels=True, scores=False, absent_users=False)
    calls: ClassVar = {
        "precision@k": "precisionAt({k})",
        "recall@k": "recallAt({k})",
        "map@k": "meanAveragePrecisionAt({k})",
        "map": "meanAveragePrecision",
        "ndcg@k": "ndcgAt({k})",
    }

    def given(self, users: Sequence[User]) -> Any:
        if not any(user.ranking for user in users) or not any(user.relevant for user in users):
            raise NotGiven("from Python, Spark cannot tell the type of lists that are all empty")
        from pyspark.mllib.evaluation import RankingMetrics
        from pyspark.sql import SparkSession

        session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
        rows = [(list(user.ranking), [item for item, _ in user.relevant_rows]) for user in users]
        return RankingMetrics(session.sparkContext.parallelize(rows, 1))

    def ask(self, given: Any, call: str, k: int | None) -> float:
        metric = getattr(given, call.partition("(")[0])
        return float(metric if k is None else metric(k))


class Recommenders(Adapter):
    """The labelled rows, and the returned ones; the mean alone is given."""

    preset = "recommenders"
    packages = ("recommenders",)
    install = "pip install recommenders==1.2.1"
    own_environment = "it needs pandas below 3, and a C compiler for scikit-surprise"
    takes = Takes(repeated_labels=True, item_ids=True, empty_lists=False)
    relevant_alone: ClassVar = False
    relevancy_method: ClassVar[str | None] = "top_k"
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

        truth = ((user.name, user.relevant_rows if self.relevant_alone else user.label_rows) for user in users)
        true = [(name, *row) for name, labelled in truth for row in labelled]
        rows = [(user.name, *row) for user in users for row in zip(user.ranking, user.scores, strict=True)]
        return (
            pd.DataFrame(true, columns=["userID", "itemID", "rating"]),
            pd.DataFrame(rows, columns=["userID", "itemID", "prediction"]),
        )

    def ask(self, given: tuple[Any, Any], call: str, k: int | None) -> float:
        from recommenders.evaluation import python_evaluation

        return float(getattr(python_evaluation, call)(*given, k=k, relevancy_method=self.relevancy_method))


class RecommendersRelevantRows(Recommenders):
    """As `Recommenders`, with a truth of the rows above 0."""

    preset = "recommenders-relevant-rows"
    relevant_alone = True


class RecommendersRelevancyNone(Recommenders):
    """As `Recommenders`, with lists that are taken as they are."""

    preset = "recommenders-relevancy-none"
    relevancy_method = None


class RecommendersRelevancyNoneRelevantRows(RecommendersRelevancyNone):
    """As `RecommendersRelevancyNone`, with a truth of the rows above 0."""

    preset = "recommenders-relevancy-none-relevant-rows"
    relevant_alone = True


class RecTools(Adapter):
    """Ranked rows, and interactions: the relevant rows."""

    preset = "rectools"
    packages = ("rectools",)
    install = "pip install rectools==0.19.0"
    own_environment = "it needs pandas below 3 and, before Python 3.13, numpy below 2"
    takes = Takes(repeated_labels=True, scores=False, item_ids=True, empty_lists=False)
    names: ClassVar = {"precision": "Precision", "recall": "Recall", "f1": "F1Beta", "map": "MAP", "mrr": "MRR"}
    calls: ClassVar = {
        **library_calls(names | {"ndcg": "NDCG", "hit_rate": "HitRate"}, at_k="{}(k={{k}})"),
        "capped_precision@k": "Precision(k={k}, r_precision=True)",
    }

    def given(self, users: Sequence[User]) -> tuple[Any, Any]:
        import pandas as pd

        ranked = [(user.name, item, rank) for user in users for rank, item in enumerate(user.ranking, 1)]
        known = [(user.name, item) for user in users for item, _ in user.relevant_rows]
        reco = pd.DataFrame(ranked, columns=["user_id", "item_id", "rank"]).astype({"rank": int})
        return reco, pd.DataFrame(known, columns=["user_id", "item_id"])

    def ask(self, given: tuple[Any, Any], call: str, k: int | None) -> LibraryResult:
        from rectools import metrics

        options = {"r_precision": True} if "r_precision" in call else {}
        metric = getattr(metrics, call.partition("(")[0])(k=k, **options)
        return LibraryResult(float(metric.calc(*given)), {u: float(v) for u, v in metric.calc_per_user(*given).items()})


class Cornac(Adapter):
    """A model that returns the lists, and the ratings as test set; the means alone are given.

    MAP and AUC are not computed: they read every item of the catalogue.
    """

    preset = "cornac"
    packages = ("cornac",)
    install = "pip install cornac==3.0.1"
    own_environment = "it compiles, and needs numpy below 2 in some versions"
    takes = Takes(duplicates=False, scores=False)
    names: ClassVar = {"precision": "Precision", "recall": "Recall", "f1": "FMeasure", "ndcg": "NDCG", "ncrr": "NCRR"}
    calls: ClassVar = library_calls(names | {"hit_rate": "HitRatio"}, at_k="{}(k={{k}})") | {"mrr": "MRR()"}

    def given(self, users: Sequence[User]) -> tuple[Any, Any, Any]:
        from cornac.data import Dataset

        items = {item: place for place, item in enumerate({i: 0 for u in users for i in (*u.ranking, *u.labels)})}
        names = {user.name: place for place, user in enumerate(users)}
        rated = [(user.name, item, grade) for user in users for item, grade in user.labels.items()]
        every = [(next(iter(names), ""), item, 0.0) for item in items]
        test = Dataset.build(rated, global_uid_map=names.copy(), global_iid_map=items.copy(), fmt="UIR")
        train = Dataset.build(every, global_uid_map=names.copy(), global_iid_map=items.copy(), fmt="UIR")
        return _Ranker([[items[item] for item in user.ranking] for user in users]), train, test

    def ask(self, given: tuple[Any, Any, Any], call: str, k: int | None) -> float:
        from cornac import metrics
        from cornac.eval_methods.base_method import ranking_eval

        name = call.partition("(")[0]
        metric = getattr(metrics, name)() if k is None else getattr(metrics, name)(k=k)
        [mean], _ = ranking_eval(given[0], [metric], given[1], given[2])
        return float(mean)


class _Ranker:
    """A model that ranks the items of the lists it was made of, and no others."""

    def __init__(self, lists: list[list[int]]) -> None:
        self.lists = lists

    def rank(self, user_idx: int, item_indices: Any = None, k: int = -1, **_: Any) -> tuple[Any, Any]:
        ranked = np.array(self.lists[user_idx], np.int64)
        return ranked, np.arange(len(ranked), 0.0, -1.0)


class Evidently(Adapter):
    """A table of rows with user, score and target; an item without a row does not exist. The mean alone is given."""

    preset = "evidently"
    packages = ("evidently",)
    install = "pip install evidently==0.7.23"
    own_environment = "it needs pandas below 2.3"
    takes = Takes(empty_lists=False)
    names: ClassVar = {"precision": "PrecisionTopKMetric", "recall": "RecallTopKMetric", "f1": "FBetaTopKMetric"}
    more: ClassVar = {"ndcg": "NDCGKMetric", "mrr": "MRRKMetric", "hit_rate": "HitRateKMetric", "map": "MAPKMetric"}
    calls: ClassVar = library_calls(names | more | {"mar": "MARKMetric"}, at_k="{}(k={{k}})")

    def given(self, users: Sequence[User]) -> Any:
        import pandas as pd

        rows = [
            (user.name, item, score, user.labels.get(item, 0.0))
            for user in users
            for item, score in zip(user.ranking, user.scores, strict=True)
        ]
        return pd.DataFrame(rows, columns=["user_id", "item_id", "prediction", "target"])

    def ask(self, given: Any, call: str, k: int | None) -> float:
        from evidently.legacy import metrics
        from evidently.legacy.pipeline.column_mapping import ColumnMapping, RecomType
        from evidently.legacy.report import Report

        report = Report([getattr(metrics, call.partition("(")[0])(k=k)])
        mapping = ColumnMapping(recommendations_type=RecomType.SCORE, user_id="user_id", item_id="item_id")
        report.run(reference_data=None, current_data=given.copy(), column_mapping=mapping)
        result = report._first_level_metrics[0].get_result()
        if hasattr(result, "current_value"):
            return float(result.current_value)
        of_cutoffs: dict[int | None, float] = dict(enumerate(result.current, 1))  # HitRate counts from 0
        return float(of_cutoffs.get(k, nan))
