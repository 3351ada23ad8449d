"""The drop-in names by numbers that stand elsewhere: documentation, test suites, runs of the systems."""

import math
import pickle
from math import log2

import numpy as np
import pytest

import rankconv as rc
from rankconv.compat import ml_metrics, pyspark, pytrec_eval, ranx, sklearn, torchmetrics
from rankconv.compat.queries import WrongAssertion, WrongDivision, WrongType, WrongValue
from rankconv.typing import Number


def test_ml_metrics_by_its_own_test_suite() -> None:
    mapk = ml_metrics.mapk
    assert mapk([[1, 3, 4], [1, 2, 4], [1, 3]], [range(1, 6)] * 3, 3) == pytest.approx(0.685185185185185)
    assert mapk([range(1, 6), range(1, 6)], [[6, 4, 7, 1, 2], [1, 1, 1, 1, 1]], 5) == pytest.approx(0.26)
    assert mapk([[1, 3], [1, 2, 3], [1, 2, 3]], [range(1, 6), [1, 1, 1], [1, 2, 1]], 3) == pytest.approx(11 / 18)


def test_what_ml_metrics_does_oddly_is_kept() -> None:
    assert ml_metrics.apk([], [1, 2]) == 1
    assert ml_metrics.apk([1, 1, 2], [1, 1, 2]) == pytest.approx((1 + 2 / 3) / 3), (
        "three labels, of which one is a repeat"
    )
    assert ml_metrics.mapk([[1], [2]], [[1]]) == 1, "the longer side is cut"
    assert math.isnan(ml_metrics.mapk([], []))
    with pytest.raises(ZeroDivisionError):
        ml_metrics.auc([1, 1], [1, 2])
    with pytest.raises(TypeError, match="list of items"):
        ml_metrics.mapk([3], [1])  # type: ignore[list-item]


def test_scikit_learn_by_its_documentation() -> None:
    true, scores = [[10, 0, 0, 1, 5]], [[0.05, 1.1, 1.0, 0.5, 0.0]]
    assert sklearn.dcg_score(true, [[0.1, 0.2, 0.3, 4, 70]]) == pytest.approx(5 + 1 / log2(3) + 10 / log2(6))
    assert sklearn.ndcg_score(true, scores, k=4) == pytest.approx(0.35, abs=0.01)
    assert sklearn.ndcg_score(true, [[1, 0, 0, 0, 1]], k=1) == 0.75
    assert sklearn.ndcg_score(true, [[1, 0, 0, 0, 1]], k=1, ignore_ties=True) == 0.5
    weighed = sklearn.ndcg_score([[1, 0], [0, 1]], [[1, 0], [1, 0]], sample_weight=[3, 1])
    assert weighed == pytest.approx((3 + 1 / log2(3)) / 4)


@pytest.mark.parametrize(
    ("true", "scores", "said"),
    [
        ([[1, -1]], [[1, 2]], "negative"),
        ([[1]], [[1]], "more than 1 document"),
        ([1, 0], [1, 2], "formats are supported"),
        ([[1, 0]], [[1, float("nan")]], "contains NaN"),
        ([[1, 0]], [[1, 2], [3, 4]], "inconsistent numbers"),
        ([], [], "minimum of 1"),
        ([["a", "b"]], [[1, 2]], "no array of numbers"),
    ],
)
def test_scikit_learn_refuses_by_a_value_error(true: object, scores: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        sklearn.ndcg_score(true, scores)


def test_pytrec_eval_by_its_own_test_suite() -> None:
    qrel = {"q1": {"d1": 0, "d2": 1, "d3": 0}, "q2": {"d2": 1, "d3": 1}, "q10": {}}
    evaluator = pytrec_eval.RelevanceEvaluator(qrel, {"map", "ndcg"})
    found = evaluator.evaluate({"q1": {"d1": 1.0, "d2": 0.0, "d3": 1.5}, "q2": {}, "q10": {"d1": 1.0}})
    assert found.keys() == {"q1", "q2"}
    assert found["q1"]["ndcg"] == pytest.approx(0.5)
    assert evaluator.evaluate({}) == {}
    for measures, error, said in (
        ({"maps"}, ValueError, "unsupported measure"),
        ({"ndcg.1=3"}, ValueError, "unsupported"),
    ):
        with pytest.raises(error, match=said):
            pytrec_eval.RelevanceEvaluator(qrel, measures)
    with pytest.raises(TypeError, match="integer"):
        pytrec_eval.RelevanceEvaluator({"q": {"a": 0.5}}, {"map"})  # type: ignore[dict-item]
    with pytest.raises(AssertionError, match="line 2"):
        pytrec_eval.parse_qrel(["q 0 a 1", "q 0 a 1"])


@pytest.mark.parametrize("number", ["many", None])
def test_ranx_takes_numbers_alone(number: object) -> None:
    for kind in (ranx.Qrels, ranx.Run):
        with pytest.raises(WrongValue, match=r"query q, document a: .* is no number"):
            kind({"q": {"a": number}})


def test_ranx_by_its_documentation_and_test_suite() -> None:
    qrels = ranx.Qrels({"q_1": {"d_12": 5, "d_25": 3}, "q_2": {"d_11": 6, "d_22": 1}})
    scores = {"d_12": 0.9, "d_23": 0.8, "d_25": 0.7, "d_36": 0.6, "d_32": 0.5, "d_35": 0.4}
    run = ranx.Run(
        {"q_1": scores, "q_2": {"d_12": 0.9, "d_11": 0.8, "d_25": 0.7, "d_36": 0.6, "d_22": 0.5, "d_35": 0.4}}
    )
    assert ranx.evaluate(qrels, run, "ndcg@5") == pytest.approx(0.7861, abs=1e-4)
    assert ranx.evaluate(qrels, run, ["map@5", "mrr"]) == pytest.approx({"map@5": 0.6416, "mrr": 0.75}, abs=1e-4)
    assert run.scores["mrr"] == {"q_1": 1.0, "q_2": 0.5}
    assert ranx.evaluate(qrels, run, "mrr", return_mean=False).tolist() == [1.0, 0.5]
    arrays = [np.array([[1, 1], [4, 1], [5, 1], [6, 1]])], [np.array([[1, 1], [2, 1], [3, 1], [4, 1], [5, 1]])]
    assert ranx.evaluate(*arrays, "hits@5") == 3
    with pytest.raises(AssertionError, match="do not match"):
        ranx.evaluate(qrels, ranx.Run({"q_1": {"a": 1}}), "map")
    with pytest.raises(ValueError, match="not supported"):
        ranx.evaluate(qrels, run, "nope")


def test_spark_by_its_own_test_suite() -> None:
    """RankingMetricsSuite.scala."""
    lists = [([1, 6, 2, 7, 8, 3, 9, 10, 4, 5], [1, 2, 3, 4, 5]), ([4, 1, 5, 6, 2, 7, 3, 8, 9, 10], [1, 2, 3])]
    metrics = pyspark.RankingMetrics([*lists, ([1, 2, 3, 4, 5], [])])
    assert metrics.precisionAt(15) == pytest.approx(8 / 45)
    assert metrics.recallAt(5) == pytest.approx((2 / 5 + 2 / 3) / 3)
    assert metrics.meanAveragePrecision == pytest.approx(0.35502645502645504)
    assert metrics.ndcgAt(3) == pytest.approx((1.5 / (1.5 + 1 / log2(3)) + 1 / log2(3) / (1.5 + 1 / log2(3))) / 3)
    assert pyspark.RankingMetrics([([1, 2, 3], [2, 1, 3], [4, 3, 3])]).ndcgAt(1) == pytest.approx(7 / 15)
    with pytest.raises(ValueError, match="positive"):
        metrics.ndcgAt(0)


def test_torchmetrics_by_its_documentation_on_arrays() -> None:
    preds, target = np.array([0.2, 0.3, 0.5]), np.array([True, False, True])
    assert torchmetrics.retrieval_recall(preds, target, top_k=2) == 0.5
    assert torchmetrics.retrieval_fall_out(preds, target, top_k=2) == 1
    assert torchmetrics.retrieval_average_precision(-preds, target) == 0, "scores of 0 and below are no hits"
    with pytest.raises(ValueError, match="same shape"):
        torchmetrics.retrieval_recall(preds, target[:2])
    with pytest.raises(ValueError, match="positive integer"):
        torchmetrics.retrieval_recall(preds, target, top_k=0)
    with pytest.raises(ValueError, match="binary"):
        torchmetrics.retrieval_recall(preds, np.array([2, 0, 1]))


@pytest.mark.parametrize("precision", ["float16", "bfloat16", "float32", "float64"])
def test_torchmetrics_on_tensors_of_every_precision(precision: str) -> None:
    """Recorded answers are of arrays; without tied scores, whose order is not told there."""
    torch, real = pytest.importorskip("torch"), pytest.importorskip("torchmetrics.functional.retrieval")
    draw = np.random.default_rng(0)
    for size in range(1, 9):
        preds = torch.tensor(draw.permutation(np.linspace(-1, 1, size))).to(getattr(torch, precision))
        target = torch.tensor(draw.integers(0, 2, size))
        for name in torchmetrics.__all__:
            ours, theirs = (getattr(of, name)(preds, target) for of in (torchmetrics, real))
            assert ours.dtype == theirs.dtype
            assert ours.item() == pytest.approx(theirs.item(), abs=1e-6), name


def test_torchmetrics_reads_scores_in_single_precision() -> None:
    """Two scores that part only in double precision tie, and a tied pair is half right."""
    torch, real = pytest.importorskip("torch"), pytest.importorskip("torchmetrics.functional.retrieval")
    preds, target = torch.tensor([0.5, 0.5 + 1e-12], dtype=torch.float64), torch.tensor([1, 0])
    assert torchmetrics.retrieval_auroc(preds, target) == real.retrieval_auroc(preds, target) == 0.5


def test_a_number_knows_the_way_onwards() -> None:
    found = ml_metrics.mapk([[1]], [[2, 1]], k=5)
    assert isinstance(found, Number)
    assert rc.evaluate({0: [1]}, {0: [2, 1]}, found.definition)[found.definition] == found == 0.5


@pytest.mark.parametrize("kind", [WrongAssertion, WrongDivision, WrongType, WrongValue])
def test_errors_in_the_kind_of_a_library_are_ours_too(kind: type[rc.InputError]) -> None:
    again = pickle.loads(pickle.dumps(kind("wrong", where="here", do="Say that.")))
    assert type(again) is kind
    assert str(again) == "here: wrong. Say that."
    assert isinstance(again, rc.InputError)
