"""How libraries are called that are given rows of queries with their judgments and scores."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
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
from rankconv.addons.verification.adapters.search import grade_text

ROWS = Takes(empty_lists=False)
"""One row per candidate with its judgment, score and query; a query without a row does not exist."""


class PyLtr(Adapter):
    """Arrays of query ids, targets and predictions."""

    preset = "pyltr"
    packages = ("pyltr",)
    install = "pip install pyltr==0.2.6"
    own_environment = "it does not say that it needs six"
    takes = ROWS
    names: ClassVar = {"ap": "AP(k={{k}})", "dcg": "DCG(k={{k}})", "ndcg": "NDCG(k={{k}})", "err": "ERR(4, k={{k}})"}
    calls: ClassVar = {
        **{f"{name}@k": call.replace("{{k}}", "{k}") for name, call in names.items()},
        "ndcg_identity@k": "NDCG(k={k}, gain_type=identity)",
        **{"auc": "AUCROC()", "kendall_tau": "KendallTau()"},
    }

    def ask(self, given: Sequence[User], call: str, k: int | None) -> LibraryResult:
        from pyltr import metrics

        users = [user for user in given if user.ranking]
        grades, scores, sizes = flat(users)
        options: dict[str, Any] = {} if k is None else {"k": k}
        options |= {"gain_type": "identity"} if "identity" in call else {}
        make, highest = getattr(metrics, call.partition("(")[0]), [4] if call.startswith("ERR") else []
        queries = np.repeat(np.arange(len(sizes)), sizes)
        mean = make(*highest, **options).calc_mean(queries, np.array(grades), np.array(scores))

        def value(user: User) -> float:
            metric = make(*highest, **options)  # NDCG keeps the ideal list of a query by its id
            return float(metric.evaluate_preds(0, np.array(user.grades), np.array(user.scores)))

        return LibraryResult(float(mean), {user.name: value(user) for user in users})


class PolarsDs(Adapter):
    """Columns of relevance and score of one query; the mean is the caller's."""

    preset = "polars_ds"
    packages = ("polars_ds", "polars-ds")
    install = "pip install polars_ds==0.13.0 polars==1.44.2"
    takes = Takes(absent_users=False)
    calls: ClassVar = library_calls(
        {"ndcg": "query_ndcg_score", "ndcg_ignore_ties": "query_ndcg_score(ignore_ties=True)"},
        at_k="{}, k={{k}}",
        whole="{}",
    )

    def ask(self, given: Sequence[User], call: str, k: int | None) -> LibraryResult:
        import polars as pl
        import polars_ds as pds

        score = pds.query_ndcg_score("grade", "score", k=k, ignore_ties="ignore_ties" in call)
        schema: dict[str, Any] = {"grade": pl.Float64, "score": pl.Float64}

        def value(user: User) -> float:
            frame = pl.DataFrame({"grade": user.grades, "score": list(user.scores)}, schema=schema)
            return float(frame.select(score).item())

        return one_by_one(given, value)


class FastRank(Adapter):
    """A data set with the score as its feature, and a model that returns it; the mean is over the queries returned."""

    preset = "fastrank"
    packages = ("fastrank",)
    install = "pip install fastrank==0.8.0"
    takes = ROWS
    tolerance = SINGLE
    calls: ClassVar = {**library_calls({"ndcg": "ndcg"}, at_k="{}@{{k}}", whole="{}"), "map": "map", "mrr": "mrr"}
    whole_collection: ClassVar = False

    def given(self, users: Sequence[User]) -> tuple[Sequence[User], Any, Any, Any]:
        from fastrank import CDataset, CModel, CQRel

        grades, scores, sizes = flat(users)
        queries = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
        data = CDataset.from_numpy(np.array(scores, np.float32).reshape(-1, 1), np.array(grades, float), queries)
        model = CModel.from_dict({"SingleFeature": {"fid": 0, "dir": 1.0}})
        judged = {str(place): dict(user.labels) for place, user in enumerate(users) if user.labels}
        return users, data, model, CQRel.from_dict(judged) if self.whole_collection else None

    def ask(self, given: tuple[Sequence[User], Any, Any, Any], call: str, k: int | None) -> LibraryResult:
        users, data, model, judged = given
        values = {users[int(query)].name: float(value) for query, value in data.evaluate(model, call, judged).items()}
        return LibraryResult(float(np.mean([*values.values()])), values)


class FastRankQrel(FastRank):
    """As `FastRank`, with the judgments of the whole collection."""

    preset = "fastrank-qrel"
    whole_collection = True


class AutoGluon(Adapter):
    """Dictionaries of scores and of labels; the means alone are given."""

    preset = "autogluon"
    packages = ("autogluon.multimodal",)
    install = "pip install autogluon.multimodal==1.6.3"
    own_environment = "it brings torch, transformers and many others along"
    takes = Takes(duplicates=False, item_ids=True)
    calls: ClassVar = library_calls(
        {name: name for name in "precision recall mrr map ndcg".split()}, at_k="RankingMetrics.compute('{}', k={{k}})"
    )

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float:
        from autogluon.multimodal.optim.metrics.ranking_metrics import RankingMetrics

        run = {user.name: dict(zip(user.ranking, user.scores, strict=True)) for user in given if user.in_run}
        labels = {user.name: dict(user.labels) for user in given if user.in_labels}
        [value] = RankingMetrics(pred=run, target=labels).compute(call.split("'")[1], k=k).values()
        return float(value)


class AzureAIEvaluation(Adapter):
    """Records of judged and of retrieved documents of one query; the mean is the caller's."""

    preset = "azure_ai_evaluation"
    packages = ("azure-ai-evaluation",)
    install = "pip install azure-ai-evaluation==1.18.10"
    own_environment = "it brings clients of services along; none is called"
    takes = Takes(grades=("binary", "graded"), repeated_labels=True, item_ids=True, absent_users=False)
    calls: ClassVar = {
        **{"ndcg": "ndcg@3", "xdcg": "xdcg@3"},
        **{name: name for name in "fidelity top1_relevance top3_max_relevance holes holes_ratio".split()},
        **{name: name for name in ("total_retrieved_documents", "total_ground_truth_documents")},
    }

    def ask(self, given: Sequence[User], call: str, k: int | None) -> LibraryResult:
        from azure.ai.evaluation import DocumentRetrievalEvaluator

        evaluator = DocumentRetrievalEvaluator()

        def value(user: User) -> float:
            truth = [
                {"document_id": item, "query_relevance_label": int(grade) if grade == int(grade) else grade}
                for item, grade in user.label_rows
            ]
            rows = zip(user.ranking, user.scores, strict=True)
            returned = [{"document_id": item, "relevance_score": score} for item, score in rows]
            found = evaluator(retrieval_ground_truth=truth, retrieved_documents=returned)
            return float({**found, **(found.get("document_retrieval_properties") or {})}[call])

        return one_by_one(given, value)


class TrecTools(Adapter):
    """A qrels file and a run file; a topic that counts 0 may have no row in the table of topics."""

    preset = "trectools"
    packages = ("trectools",)
    install = "pip install trectools==0.0.50 pandas==2.2.3"
    own_environment = "with pandas 3 its R-precision counts documents that are relevant to any topic"
    takes = Takes(repeated_labels=True, empty_lists=False)
    names: ClassVar = {"precision": "get_precision", "recall": "get_recall", "map": "get_map", "ndcg": "get_ndcg"}
    more: ClassVar = {"recip_rank": "get_reciprocal_rank", "rprec": "get_rprec", "bpref": "get_bpref", "rbp": "get_rbp"}
    judged: ClassVar = {"precision_judged": "get_precision", "ndcg_judged": "get_ndcg"}
    calls: ClassVar = {
        **library_calls(names | more | {"unjudged": "get_unjudged"}, at_k="{}(depth={{k}})"),
        **library_calls(judged, at_k="{}(depth={{k}}, removeUnjudged=True)"),
        "gm_map": "get_geometric_map()",
    }

    def given(self, users: Sequence[User]) -> Any:
        from trectools import TrecEval, TrecQrel, TrecRun

        if not any(user.ranking for user in users) or not any(user.labels for user in users):
            raise NotGiven("it does not read an empty file")
        qrels = [f"{user.name} 0 {item} {grade_text(grade)}\n" for user in users for item, grade in user.label_rows]
        rows = [(user.name, *row) for user in users for row in zip(user.ranking, user.scores, strict=True)]
        run = [f"{name} Q0 {item} {place} {score!r} run\n" for place, (name, item, score) in enumerate(rows)]
        with TemporaryDirectory() as folder:
            files = [Path(folder, name) for name in ("run", "qrels")]
            for file, lines in zip(files, (run, qrels), strict=True):
                file.write_text("".join(lines))
            return TrecEval(TrecRun(str(files[0])), TrecQrel(str(files[1])))

    def ask(self, given: Any, call: str, k: int | None) -> LibraryResult:
        function = getattr(given, call.partition("(")[0])
        if k is None:
            return LibraryResult(float(function()))
        options = {"removeUnjudged": True} if "removeUnjudged" in call else {}
        mean, table = function(depth=k, **options), function(depth=k, per_query=True, **options)
        if "rbp" in call:  # with the residual
            mean, table = mean[0], table[0]
        return LibraryResult(float(mean), {str(topic): float(value) for topic, value in table.iloc[:, 0].items()})
