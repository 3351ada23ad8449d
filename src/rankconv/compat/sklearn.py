"""scikit-learn 1.9.1: the ranking scores of `sklearn.metrics`.

    from rankconv.compat.sklearn import ndcg_score     # was: from sklearn.metrics import ndcg_score
    ndcg_score(y_true, y_score, k=10)

The rankconv way, which needs no rectangle and knows items that were not returned:

    rc.evaluate(labels, run, "ndcg@10", preset="sklearn")  # or sklearn+unretrieved: with relevant items not returned

What may surprise, and is kept: only columns exist, so an item that was not scored is missing from the ideal list; the
gain is the grade and not 2^grade - 1; tied scores share the mean of their gains, unless `ignore_ties`; a row without
a relevant column counts 1 in `label_ranking_average_precision_score` and 0 in the others; AP takes a tie as one
threshold.

What differs here: `ignore_ties=True` lets of tied columns the last one come first (`ties=reversed`), where NumPy's
unstable sort gives any order from 17 columns on; `log_base` is above 1; weights of single columns, not of rows, are
not offered in `average_precision_score`. Without weights, what is returned is an `Number`, a float that knows its
definition.
"""

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rankconv as rc
from rankconv.compat.queries import Floats, Pair, WrongType, WrongValue, array, check_rows, of, weighed
from rankconv.errors import warn
from rankconv.typing import Number

__all__ = [
    "average_precision_score",
    "coverage_error",
    "dcg_score",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "ndcg_score",
]
PRESET = "sklearn"


def dcg_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:
    """Compute DCG of the columns in the order of their scores: `sklearn:dcg@k`, 0 or more.

    `y_true` and `y_score` have shape (users, items), `sample_weight` (users,). Raises WrongValue, a ValueError.

    >>> dcg_score([[10, 0, 0, 1, 5]], [[1, 0, 0, 0, 1]], k=1)
    7.5
    """
    pair = _graded(y_true, y_score, sample_weight)
    base = {} if log_base == 2 else {"discount": f"log(base={_base(log_base)})"}
    return weighed(pair.number(_cut("dcg", k, ignore_ties, **base)), sample_weight)


def ndcg_score(
    y_true: Any, y_score: Any, *, k: int | None = None, sample_weight: Any = None, ignore_ties: bool = False
) -> float:
    """Compute NDCG of the columns: `sklearn:ndcg@k`, in 0 to 1.

    `y_true` and `y_score` have shape (users, items), `sample_weight` (users,). Raises WrongValue, a ValueError, also
    for negative grades and for a single column.

    >>> round(ndcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]]), 2)
    0.7
    >>> ndcg_score([[3, 0]], [[0.5, 0.1]], k=1).definition
    rc.metric('sklearn:ndcg@1')
    """
    true = array(y_true, "y_true")
    if true.min() < 0:
        raise WrongValue("ndcg_score should not be used on negative y_true values")
    if true.ndim > 1 and true.shape[1] <= 1:
        raise WrongValue(
            f"Computing NDCG is only meaningful when there is more than 1 document. Got {true.shape[1]} instead"
        )
    pair = _graded(true, y_score, sample_weight)
    return weighed(pair.number(_cut("ndcg", k, ignore_ties)), sample_weight)


def label_ranking_average_precision_score(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Compute label ranking average precision, ties at their worst: `sklearn:lrap`, above 0 and at most 1.

    `y_true` and `y_score` have shape (users, items), `sample_weight` (users,). Raises WrongValue, a ValueError.

    >>> round(label_ranking_average_precision_score([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]), 3)
    0.417
    """
    pair = _binary(y_true, y_score, sample_weight, one_column=True)
    if sample_weight is not None and not array(sample_weight, "sample_weight", (1,)).sum():
        return float("nan")
    return weighed(pair.number(of(PRESET, "lrap")), sample_weight)


def coverage_error(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Compute the rank of the last relevant column: `sklearn:coverage_error`, in ranks; 0 without any.

    `y_true` and `y_score` have shape (users, items), `sample_weight` (users,). Raises WrongValue, a ValueError.

    >>> coverage_error([[1, 0, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]])
    1.5
    """
    return weighed(
        _binary(y_true, y_score, sample_weight, dimensions=(2,)).number(of(PRESET, "coverage_error")), sample_weight
    )


def label_ranking_loss(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Compute the share of pairs in the wrong order: `sklearn:label_ranking_loss`, in 0 to 1, lower is better.

    `y_true` and `y_score` have shape (users, items), `sample_weight` (users,). Raises WrongValue, a ValueError.

    >>> label_ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    return weighed(_binary(y_true, y_score, sample_weight).number(of(PRESET, "label_ranking_loss")), sample_weight)


def average_precision_score(
    y_true: Any, y_score: Any, *, average: str | None = "macro", pos_label: Any = 1, sample_weight: Any = None
) -> Any:
    """Compute average precision: `sklearn:map`, in 0 to 1; 0 with a warning without relevant columns.

    `y_true` has shape (rows,) or (rows, 1) for one list, with classes or with one label that is relevant; or
    (rows, columns), where 1 is relevant and any other label is not: each column is a list (`average="macro"`,
    `"weighted"`, None), each row is (`"samples"`), or all are (`"micro"`).
    `y_score` has the same shape. `sample_weight`, shape (rows,), is taken with `"samples"` alone.
    Raises WrongValue, a ValueError.

    >>> average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.8333333333333333
    """
    if average not in ("micro", "macro", "weighted", "samples", None):
        raise WrongValue(
            f"average has to be one of (None, 'micro', 'macro', 'weighted', 'samples'), and is {average!r}"
        )
    true, scores = _one_column(np.asarray(y_true)), array(y_score, "y_score")
    check_rows(y_true=true, y_score=scores, sample_weight=sample_weight)
    kind = _kind(true)
    if sample_weight is not None and (average != "samples" or kind == "binary"):
        do = "Leave it out, or weigh users by the average samples."
        raise WrongValue("a weight for each row of a list is not offered", where="average_precision_score", do=do)
    if kind == "binary":
        return _of_one_list(true, scores, pos_label)
    if kind not in ("multiclass", "multilabel-indicator"):
        raise WrongValue(f"{kind} format is not supported")
    if pos_label != 1:
        fixed = "Parameter pos_label is fixed to 1 for {} y_true. Do not set pos_label or set pos_label to 1"
        raise WrongValue(fixed.format(kind))
    support = np.asarray(true[:, None] == np.unique(true) if kind == "multiclass" else true, np.float64)
    if support.shape != scores.shape:
        wanted = "`y_score` needs to be of shape `(n_samples, n_classes)`, like the classes of `y_true`"
        raise WrongValue(f"{wanted}. Got `y_score.shape={scores.shape}`")
    labels = (support == 1).astype(float)
    if average == "micro":
        return _precision(labels.reshape(1, -1), scores.reshape(1, -1))
    if average == "samples":
        return weighed(_precision(labels, scores), sample_weight)
    return _over_columns(_precision(labels.T, scores.T), support.sum(axis=0), average)


def _one_column(true: NDArray[Any]) -> NDArray[Any]:
    """Labels of shape (rows, 1) as those of one list, shape (rows,)."""
    return true[:, 0] if true.ndim == 2 and true.shape[1] == 1 else true


def _of_one_list(true: NDArray[Any], scores: Floats, pos_label: Any) -> Number:
    """The average precision of rows of two classes, shape (rows,) each."""
    classes = np.unique(true)
    if len(classes) == 2 and pos_label not in classes:
        raise WrongValue(f"pos_label={pos_label} is not a valid label. It should be one of {classes}")
    if scores.size != len(scores):
        raise WrongValue(f"y should be a 1d array, got an array of shape {scores.shape} instead.")
    return _precision((true == pos_label).astype(float)[None], scores.reshape(1, -1))


def _over_columns(number: Number, support: Floats, average: str | None) -> Any:
    """The mean over columns, one for each, or weighed by the sum of their labels, shape (columns,)."""
    if average is None:
        return number.per_user.copy()
    if average == "macro":
        return number
    return 0.0 if np.isclose(support.sum(), 0) else weighed(number, support)


def _precision(labels: Floats, scores: Floats) -> Number:
    """The average precision of each row, shape (rows, columns), and a warning for those without a relevant column."""
    if (labels.sum(axis=1) == 0).any():
        warn("No positive class found in y_true, recall is set to one for all thresholds.", UserWarning)
    return Pair(labels, scores).number(of(PRESET, "average_precision_score"))


def _graded(y_true: Any, y_score: Any, sample_weight: Any) -> Pair:
    """Grades and scores, shape (users, items)."""
    true, scores = array(y_true, "y_true"), array(y_score, "y_score")
    check_rows(y_true=true, y_score=scores, sample_weight=sample_weight)
    kind = _kind(true)
    if kind in ("binary", "multiclass", "continuous"):
        allowed = ("multilabel-indicator", "continuous-multioutput", "multiclass-multioutput")
        raise WrongValue(f"Only {allowed} formats are supported. Got {kind} instead")
    if true.shape != scores.shape:
        raise WrongValue("y_true and y_score have different shape")
    return Pair(true, scores)


def _binary(
    y_true: Any, y_score: Any, sample_weight: Any, *, one_column: bool = False, dimensions: tuple[int, ...] = (1, 2)
) -> Pair:
    """Labels 0 or 1 and scores, shape (users, items)."""
    true, scores = array(y_true, "y_true", dimensions), array(y_score, "y_score", dimensions)
    check_rows(y_true=true, y_score=scores, sample_weight=sample_weight)
    kind = _kind(true)
    if kind != "multilabel-indicator" and not (one_column and kind == "binary" and true.ndim == 2):
        raise WrongValue(f"{kind} format is not supported")
    if true.shape != scores.shape:
        raise WrongValue("y_true and y_score have different shape")
    return Pair((true != 0).astype(float), scores)


def _kind(true: NDArray[Any]) -> str:
    """What scikit-learn calls such labels, shape (rows,) or (rows, columns)."""
    several = true.ndim == 2 and true.shape[1] > 1
    whole = true.dtype.kind != "f" or bool((true == np.floor(true)).all())
    values = len(np.unique(true))
    if several and whole and values <= 2:
        return "multilabel-indicator"
    kind = "continuous" if not whole else "multiclass" if values > 2 or several else "binary"
    return f"{kind}-multioutput" if several else kind


def _cut(name: str, k: int | None, ignore_ties: bool, **settings: str) -> rc.Definition:
    if k is not None and (not isinstance(k, Integral) or isinstance(k, bool) or k < 1):
        raise WrongValue(
            f"The 'k' parameter of {name}_score must be an int in the range [1, inf) or None. Got {k!r} instead"
        )
    if not isinstance(ignore_ties, bool | np.bool_):
        raise WrongType(f"ignore_ties is True or False, and not {ignore_ties!r:.50}")
    changed = settings | ({"ties": "reversed"} if ignore_ties else {})
    inside = ", ".join(f"{convention_name}={setting}" for convention_name, setting in changed.items())
    return of(PRESET, f"{name}({inside})" if changed else name, None if k is None else int(k))


def _base(log_base: float) -> str:
    if not isinstance(log_base, int | float | np.number) or not log_base > 1:
        raise WrongValue(f"log_base={log_base!r:.50}: the base of the logarithm is a number above 1")
    return "e" if log_base == np.e else repr(float(log_base)).removesuffix(".0")
