# ruff: noqa: B023 - each function is called before the loop goes on
"""The drop-in names give what the real library gives, where it is installed; and its kind of error."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rankconv.compat import ml_metrics, sklearn, torchmetrics

ROUNDS = 25


def same(ours: Callable[[], Any], theirs: Callable[[], Any], tolerance: float = 1e-12) -> None:
    """Both give one number, or both refuse by the same kind of error."""
    try:
        expected = theirs()
    except (ValueError, ZeroDivisionError, TypeError, AssertionError) as problem:
        with pytest.raises(type(problem)):
            ours()
        return
    assert np.asarray(ours(), float) == pytest.approx(
        np.asarray(expected, float), rel=tolerance, abs=tolerance, nan_ok=True
    )


@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn(seed: int) -> None:
    """Scores with ties, rows without relevant columns, one column, weights, cutoffs."""
    real = pytest.importorskip("sklearn.metrics")
    draw = np.random.default_rng(seed)
    shape = (int(draw.integers(1, 5)), int(draw.integers(1, 9)))
    grades, scores = draw.integers(0, 4, shape), draw.integers(0, 5, shape) / 4
    binary, weights = (grades > 1).astype(int), draw.random(shape[0])
    k, weigh = int(draw.integers(1, 10)), {"sample_weight": weights} if seed % 2 else {}
    for name in ("dcg_score", "ndcg_score"):
        for more in ({}, {"k": k}):
            given = {**more, **weigh}
            same(
                lambda: getattr(sklearn, name)(grades, scores, **given),
                lambda: getattr(real, name)(grades, scores, **given),
            )
        untied = scores + draw.permutation(scores.size).reshape(shape) / 1e3  # ties follow NumPy's unstable sort there
        first = {"k": k, "ignore_ties": True}
        same(
            lambda: getattr(sklearn, name)(grades, untied, **first),
            lambda: getattr(real, name)(grades, untied, **first),
        )
    for name in ("label_ranking_average_precision_score", "coverage_error", "label_ranking_loss"):
        same(
            lambda: getattr(sklearn, name)(binary, scores, **weigh),
            lambda: getattr(real, name)(binary, scores, **weigh),
        )
    for average in ("macro", "micro", "samples", "weighted", None):
        if shape[1] > 1:
            both = [lambda of=of: of.average_precision_score(binary, scores, average=average) for of in (sklearn, real)]  # type: ignore[misc]
            same(*both)
    same(
        lambda: sklearn.average_precision_score(binary[0], scores[0]),
        lambda: real.average_precision_score(binary[0], scores[0]),
    )


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_ml_metrics(seed: int) -> None:
    """Repeated items on both sides, empty lists, lists of unlike number; of the release, where no label counts 1."""
    real = pytest.importorskip("ml_metrics")
    draw = random.Random(seed)
    actual, predicted = (
        [draw.choices("abcdef", k=draw.randint(0, 6)) for _ in range(draw.randint(1, 4))] for _ in "ap"
    )
    for name in ("mapk", "kdd_mapk"):
        same(lambda: getattr(ml_metrics, name)(actual, predicted, 3), lambda: getattr(real, name)(actual, predicted, 3))


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_torchmetrics(seed: int) -> None:
    """Of every precision; without tied scores, whose order is not told there."""
    torch, real = pytest.importorskip("torch"), pytest.importorskip("torchmetrics.functional.retrieval")
    draw = np.random.default_rng(seed)
    size, k = int(draw.integers(1, 9)), int(draw.integers(1, 10))
    precisions = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
    preds = torch.tensor(draw.permutation(np.linspace(-1, 1, size))).to(precisions[seed // 2 % 4])
    target = torch.tensor(draw.integers(0, 2, size))
    for name in set(torchmetrics.__all__) - {"retrieval_r_precision"}:
        given = {} if seed % 2 else {"top_k": k}
        ours, theirs = (getattr(of, name)(preds, target, **given) for of in (torchmetrics, real))
        assert ours.dtype == theirs.dtype
        assert ours.item() == pytest.approx(theirs.item(), abs=1e-6), name
    same(
        lambda: torchmetrics.retrieval_r_precision(preds, target),
        lambda: real.retrieval_r_precision(preds, target),
        1e-6,
    )


def test_torchmetrics_reads_scores_in_single_precision() -> None:
    """Two scores that part only in double precision tie, and a tied pair is half right."""
    torch, real = pytest.importorskip("torch"), pytest.importorskip("torchmetrics.functional.retrieval")
    preds, target = torch.tensor([0.5, 0.5 + 1e-12], dtype=torch.float64), torch.tensor([1, 0])
    assert torchmetrics.retrieval_auroc(preds, target) == real.retrieval_auroc(preds, target) == 0.5


SEARCH = ["map", "P_3", "ndcg", "ndcg_cut_3", "recip_rank", "Rprec", "bpref", "gm_map", "set_F", "num_rel_ret", "infAP"]


def search(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Qrels and a run of three queries, of which each side may lack some; scores tie."""
    draw = random.Random(seed)
    documents = [f"d{one}" for one in range(8)]
    qrels = {q: {d: draw.randint(0, 3) for d in draw.sample(documents, draw.randint(1, 6))} for q in "qrs"}
    run = {q: {d: draw.randint(0, 5) / 4 for d in draw.sample(documents, draw.randint(1, 8))} for q in "qrt"}
    return qrels, run


@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.parametrize(
    "more", [{}, {"relevance_level": 2}, {"judged_docs_only_flag": True}], ids=["", "level", "judged"]
)
def test_pytrec_eval(seed: int, more: dict[str, Any]) -> None:
    real = pytest.importorskip("pytrec_eval")
    from rankconv.compat import pytrec_eval

    qrels, run = search(seed)
    ours, theirs = (of.RelevanceEvaluator(qrels, SEARCH, **more).evaluate(run) for of in (pytrec_eval, real))
    assert ours.keys() == theirs.keys()
    for query, values in theirs.items():
        assert ours[query] == pytest.approx(values, abs=1e-9)


@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.filterwarnings("ignore")  # of Numba, about widths
def test_ranx(seed: int) -> None:
    """Queries of one side too, made comparable; scores differ; bpref alone, as another query can change it in ranx."""
    real = pytest.importorskip("ranx")
    from rankconv.compat import ranx

    qrels, run = search(seed)
    run = {q: {d: score + place / 100 for place, (d, score) in enumerate(listed.items())} for q, listed in run.items()}
    named = [*ranx.METRICS, "ndcg@3", "map@3-l2", "precision@2-l2", "hit_rate@1", "rbp.80", "f1@2"]
    asked = [one for one in named if one not in ("rbp", "bpref")]
    for comparable in (True, False):
        if not comparable:
            qrels, run = ({q: one[q] for q in "qr"} for one in (qrels, run))
        given = {"make_comparable": comparable, "return_mean": False}
        ours, theirs = (of.evaluate(of.Qrels(qrels), of.Run(run), asked, **given) for of in (ranx, real))
        for name, values in theirs.items():
            assert ours[name] == pytest.approx(values, abs=1e-9), name
    for query, listed in run.items():
        one = [of.evaluate(of.Qrels({query: qrels[query]}), of.Run({query: listed}), "bpref") for of in (ranx, real)]
        assert one[0] == pytest.approx(one[1], abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.filterwarnings("ignore")  # of theirs, about setting copies
def test_recommenders(seed: int) -> None:
    """Frames whose users differ; every way of relevance."""
    pandas = pytest.importorskip("pandas")
    real = pytest.importorskip("recommenders.evaluation.python_evaluation")
    from rankconv.compat import recommenders

    qrels, run = search(seed)
    true = pandas.DataFrame(
        [(u, i, g) for u in qrels for i, g in qrels[u].items()], columns=["userID", "itemID", "rating"]
    )
    pred = pandas.DataFrame(
        [(u, i, g) for u in run for i, g in run[u].items()], columns=["userID", "itemID", "prediction"]
    )
    for name in ("precision_at_k", "recall_at_k", "r_precision_at_k", "map", "map_at_k", "ndcg_at_k"):
        for method in ("top_k", "by_threshold", None):
            given = {"k": 2, "threshold": 3, "relevancy_method": method}
            same(
                lambda: getattr(recommenders, name)(true, pred, **given),
                lambda: getattr(real, name)(true, pred, **given),
            )
