"""Random calls of the drop-in functions, and what the real libraries answered to them.

`python -m tests.compat.random_cases LIBRARY …` asks the installed libraries and writes their answers to `data/`.
"""

import gzip
import json
import sys
import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

CASES = 1000
"""Calls of each function."""
DATA = Path(__file__).parent / "data"
Answer = list[float] | str
"""The numbers, or the name of the built-in error that the real one's error is."""
Arguments = tuple[tuple[Any, ...], dict[str, Any]]
Draw = np.random.Generator
CODINGS = [(0, 1), (-1, 1), (1, 2), (0, 2), (0, -1), (0, 1, 2, 3), (0,), (1,), (0.0, 1.0), (0.5, 1.0), (False, True)]
"""Labels of which matrices are drawn."""
DTYPES = (np.float64, np.float32, np.float16, np.int64, np.int8)


def _shape(draw: Draw) -> tuple[int, ...]:
    rows = int(draw.integers(1, 6))
    return [(rows,), (rows, 1), (rows, int(draw.integers(2, 7))), (rows, int(draw.integers(2, 7)))][draw.integers(4)]


def _weights(draw: Draw, rows: int) -> dict[str, Any]:
    kind = draw.integers(6)
    if kind > 2:
        return {}
    return {"sample_weight": [draw.random(rows), draw.integers(0, 3, rows), np.ones(rows, np.float32)][kind]}


def _scores(draw: Draw, shape: tuple[int, ...], tied: bool = True) -> Any:
    if tied:
        return (draw.integers(0, 6, shape) * (1 if draw.integers(2) else 0.25)).astype(draw.choice(DTYPES))
    return draw.permutation(np.prod(shape)).reshape(shape) / 8


def _labels(draw: Draw, shape: tuple[int, ...]) -> Any:
    made = draw.choice(np.array(CODINGS[draw.integers(len(CODINGS))]), shape)
    return made.tolist() if draw.integers(4) == 0 else made


def _matrices(draw: Draw) -> Arguments:
    shape = _shape(draw)
    return (_labels(draw, shape), _scores(draw, shape)), _weights(draw, shape[0])


def _gains(draw: Draw) -> Arguments:
    shape, more = _shape(draw), {}
    if draw.integers(2):
        more["k"] = int(draw.integers(1, 9))
    ignored = draw.integers(4) == 0
    if ignored:
        more["ignore_ties"] = True
    grades = draw.integers(-1 if draw.integers(8) == 0 else 0, 4, shape).astype(draw.choice(DTYPES))
    grades = grades if draw.integers(3) else _labels(draw, shape)
    return (grades, _scores(draw, shape, tied=not ignored)), {**more, **_weights(draw, shape[0])}


def _dcg(draw: Draw) -> Arguments:
    given, more = _gains(draw)
    return given, {**more, **({"log_base": float(draw.choice([1.5, 2, np.e, 10]))} if draw.integers(2) else {})}


def _average_precision(draw: Draw) -> Arguments:
    """Weights with the average samples alone, as others are not offered."""
    (labels, scores), more = _matrices(draw)
    average = ["macro", "micro", "samples", "weighted", None][draw.integers(5)]
    weighted = average == "samples" and np.ndim(labels) == 2 and np.shape(labels)[1] > 1
    if draw.integers(4) == 0:
        more["pos_label"] = [0, 2, -1][draw.integers(3)]
    return (labels, scores), {
        **(more if weighted else {k: v for k, v in more.items() if k == "pos_label"}),
        "average": average,
    }


def _frames(draw: Draw) -> Arguments:
    """Frames of ratings and of predictions; users may be missing on either side."""
    import pandas

    def rows(columns: list[str], values: int, kind: Any) -> Any:
        pairs = [(u, i) for u in range(4) for i in draw.permutation(8)[: draw.integers(0, 7)].tolist()]
        made = pandas.DataFrame(pairs or [(0, 0)], columns=columns[:2])
        made[columns[2]] = (draw.permutation(len(made)) if values == 0 else draw.integers(1, values, len(made))).astype(
            kind
        )
        return made

    true = rows(["userID", "itemID", "rating"], 6, draw.choice([np.int64, np.float64]))
    pred = rows(["userID", "itemID", "prediction"], 0, np.float64)
    method = [("top_k", 10), ("by_threshold", float(draw.integers(1, 30))), (None, 10)][draw.integers(3)]
    return (true, pred), {"k": int(draw.integers(1, 7)), "relevancy_method": method[0], "threshold": method[1]}


def _trec(draw: Draw) -> tuple[Any, Any]:
    documents = [f"d{one}" for one in range(9)]

    def some(queries: str, number: Callable[[], Any], least: int) -> Any:
        return {q: {str(d): number() for d in draw.choice(documents, draw.integers(least, 9), False)} for q in queries}

    grades = int(draw.integers(2, 5))
    lowest = -1 if draw.integers(3) == 0 else 0
    return some("qrs", lambda: int(draw.integers(lowest, grades)), 1), some(
        "qrt", lambda: int(draw.integers(0, 6)) / 4, 1
    )


TREC_MEASURES = {
    *(
        "map",
        "P",
        "recall",
        "ndcg",
        "ndcg_cut",
        "recip_rank",
        "Rprec",
        "bpref",
        "success",
        "iprec_at_recall",
        "11pt_avg",
    ),
    *("num_ret", "num_rel", "num_rel_ret", "set_P", "set_recall", "set_F", "set_map", "relative_P", "set_relative_P"),
    *("map_cut", "Rprec_mult", "infAP", "G", "binG", "Rndcg", "ndcg_rel", "gm_map", "gm_bpref", "P.2,4", "ndcg_cut.3"),
}


def _trec_evaluated(draw: Draw) -> Arguments:
    """Not all grades of a query are negative: the real one does not end then."""
    qrels, run = _trec(draw)
    qrels = {query: {**of, "d0": max(of.get("d0", 0), 0)} for query, of in qrels.items()}
    level, judged = int(draw.choice([1, 1, 2])), bool(draw.integers(3) == 0)
    return (qrels, run), {"relevance_level": level, "judged_docs_only_flag": judged}


def _evaluator(module: Any, function: str) -> Callable[..., Any]:
    def call(qrels: Any, run: Any, **more: Any) -> list[float]:
        found = getattr(module, function)(qrels, TREC_MEASURES, **more).evaluate(run)
        return [value for _, values in sorted(found.items()) for _, value in sorted(values.items())]

    return call


RANX_METRICS = [
    *("hits@3", "hit_rate@2", "precision@3", "recall@4", "f1@5", "r-precision", "mrr@4", "map", "map@3", "dcg@5"),
    *("dcg_burges@3", "ndcg", "ndcg@3", "ndcg_burges@4", "rbp.95", "map-l2", "ndcg@4-l2", "recall@3-l2"),
]
"""Without bpref, that of a query depends there on what else is in the run."""


def _ranx(draw: Draw) -> Arguments:
    """Each query has a document that is relevant at either level; lists are short, so that ranx keeps ties in order."""
    qrels, run = _trec(draw)
    qrels = {query: {**{d: max(grade, 0) for d, grade in of.items()}, "d8": 2} for query, of in qrels.items()}
    return (qrels, run), {"make_comparable": bool(draw.integers(2))}


def _of_ranx(module: Any, function: str) -> Callable[..., Any]:
    def call(qrels: Any, run: Any, **more: Any) -> list[float]:
        given = module.Qrels(qrels), module.Run(run)
        found = module.evaluate(*given, RANX_METRICS, return_mean=False, **more)
        return [float(value) for _, values in sorted(found.items()) for value in values]

    return call


def _tensors(
    draw: Draw, *, graded: bool = False, fractions: bool = False, adaptive: bool = False, cut: bool = True
) -> Arguments:
    """Distinct scores, some of them 0 or below: the order of ties is left open there."""
    size = int(draw.integers(1, 9))
    scores = (draw.permutation(size) - float(draw.integers(0, 4))) / 8
    kinds: list[Any] = [draw.integers(0, 2, size), draw.integers(0, 2, size) > 0]
    kinds += [draw.integers(0, 5, size)] * graded + [draw.integers(0, 5, size) / 4] * fractions
    more = {"top_k": [None, *range(1, 11)][draw.integers(11)]} if cut else {}
    return (scores, kinds[draw.integers(len(kinds))]), {
        **more,
        **({"adaptive_k": bool(draw.integers(2))} if adaptive else {}),
    }


def _of_torchmetrics(module: Any, function: str) -> Callable[..., Any]:
    """The real one takes tensors alone."""
    if module.__name__.startswith("rankconv"):
        return getattr(module, function)  # type: ignore[no-any-return]
    import torch

    return lambda *given, **more: getattr(module, function)(*map(torch.tensor, given), **more)


def _lists(
    draw: Draw, *, users: bool = True, empty: bool = True, cut: bool = True, repeats: bool = False, uneven: bool = True
) -> Arguments:
    """Relevant items and what was returned, of one user or of several."""

    def some(least: int) -> list[int]:
        return draw.choice(9, draw.integers(least, 8), replace=repeats and bool(draw.integers(2))).tolist()  # type: ignore[no-any-return]

    count, fewer = int(draw.integers(1, 5)), int(uneven and draw.integers(8) == 0)
    actual, predicted = ([some(0 if empty else 1) for _ in range(each)] for each in (count, count - fewer * users))
    more = {"k": int(draw.integers(1, 10))} if cut else {}
    return ((actual, predicted) if users else (actual[0], predicted[0])), more


def _posteriors(draw: Draw) -> Arguments:
    size = int(draw.integers(2, 9))
    actual = [0, 1, *draw.integers(0, 2, size - 2).tolist()]
    return (actual, (draw.integers(0, 6, size) / 4).tolist()), {}


def _of_ml_metrics(module: Any, function: str) -> Callable[..., Any]:
    """Written for Python 2, it is imported with its folders `ml_metrics` and `ml_metrics/custom` on the path."""
    if function.startswith("kdd") and not module.__name__.startswith("rankconv"):
        module = import_module("kdd_average_precision")
    return getattr(module, function)  # type: ignore[no-any-return]


CALLS: dict[str, Callable[[Any, str], Callable[..., Any]]] = {
    "ml_metrics": _of_ml_metrics,
    "pytrec_eval": _evaluator,
    "ranx": _of_ranx,
    "torchmetrics": _of_torchmetrics,
}
"""How a library is called, other than by the function's name."""
FUNCTIONS: dict[str, dict[str, Callable[[Draw], Arguments]]] = {
    "sklearn": {
        "dcg_score": _dcg,
        "ndcg_score": _gains,
        "label_ranking_average_precision_score": _matrices,
        "coverage_error": _matrices,
        "label_ranking_loss": _matrices,
        "average_precision_score": _average_precision,
    },
    "recommenders": dict.fromkeys(
        ("precision_at_k", "recall_at_k", "r_precision_at_k", "map", "map_at_k", "ndcg_at_k"), _frames
    ),
    "pytrec_eval": {"RelevanceEvaluator": _trec_evaluated},
    "ranx": {"evaluate": _ranx},
    "torchmetrics": {
        "retrieval_average_precision": _tensors,
        "retrieval_reciprocal_rank": _tensors,
        "retrieval_precision": partial(_tensors, fractions=True, adaptive=True),
        "retrieval_recall": partial(_tensors, fractions=True),
        "retrieval_hit_rate": _tensors,
        "retrieval_fall_out": _tensors,
        "retrieval_normalized_dcg": partial(_tensors, graded=True, fractions=True),
        "retrieval_r_precision": partial(_tensors, cut=False),
        "retrieval_auroc": _tensors,
    },
    "ml_metrics": {
        "apk": partial(_lists, users=False, repeats=True),
        "mapk": partial(_lists, repeats=True),
        "kdd_apk": partial(_lists, users=False, repeats=True),
        "kdd_mapk": partial(_lists, repeats=True),
        "auc": _posteriors,
    },
}
REAL = {
    "sklearn": "sklearn.metrics",
    "recommenders": "recommenders.evaluation.python_evaluation",
    "torchmetrics": "torchmetrics.functional.retrieval",
}
ERRORS = (TypeError, ZeroDivisionError, AssertionError, ValueError)


def drawn(library: str, function: str, seed: int) -> Arguments:
    """The arguments of one call; the same for a seed, whoever answers."""
    name = f"{library}.{function}"
    return FUNCTIONS[library][function](np.random.default_rng([seed, *name.encode()]))


def answer(module: Any, library: str, function: str, seed: int) -> Answer:
    """What a module answers to one call."""
    given, more = drawn(library, function, seed)
    call: Callable[..., Any] = CALLS.get(library, getattr)(module, function)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return [float(one) for one in np.ravel(np.asarray(call(*given, **more), np.float64))]
        except ERRORS as problem:
            return next(kind.__name__ for kind in ERRORS if isinstance(problem, kind))


def real(library: str) -> Any:
    """The module of the real library."""
    return import_module(REAL.get(library, library))


def recorded(library: str) -> dict[str, list[Answer]]:
    """What the real library answered to each call of each function."""
    return json.loads(gzip.decompress((DATA / f"{library}.json.gz").read_bytes()))["answers"]  # type: ignore[no-any-return]


def _short(given: Answer) -> Answer:
    """In as many digits as are compared."""
    return given if isinstance(given, str) else [float(f"{value:.11g}") for value in given]


def record(library: str) -> None:
    """Ask the real library, and keep its answers."""
    from importlib.metadata import packages_distributions, version

    module = real(library)
    name = packages_distributions()[library.partition(".")[0]][0]
    answers = {f: [_short(answer(module, library, f, seed)) for seed in range(CASES)] for f in FUNCTIONS[library]}
    kept = json.dumps({"library": f"{name} {version(name)}", "answers": answers})
    (DATA / f"{library}.json.gz").write_bytes(gzip.compress(kept.encode(), mtime=0))


if __name__ == "__main__":
    for asked in sys.argv[1:]:
        record(asked)
