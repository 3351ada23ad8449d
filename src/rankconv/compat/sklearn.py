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

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rankconv as rc
from rankconv.basics.errors import warn
from rankconv.compat.queries import WrongDivision, WrongType, WrongValue, of, refused_as
from rankconv.data.arrays import Numbers
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
    rows = _graded(y_true, y_score, sample_weight)
    base = {} if log_base == 2 else {"discount": f"log(base={_base(log_base)})"}
    return rows.value(_cut("dcg", k, ignore_ties, **base))


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
    true = _array(y_true, "y_true")
    if true.min() < 0:
        raise WrongValue("ndcg_score should not be used on negative y_true values")
    if true.ndim > 1 and true.shape[1] <= 1:
        raise WrongValue(
            f"Computing NDCG is only meaningful when there is more than 1 document. Got {true.shape[1]} instead"
        )
    return _graded(true, y_score, sample_weight).value(_cut("ndcg", k, ignore_ties))


def label_ranking_average_precision_score(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Compute label ranking average precision, ties at their worst: `sklearn:lrap`, above 0 and at most 1.

    `y_true` and `y_score` have shape (users, items), `sample_weight` (users,). Raises WrongValue, a ValueError.

    >>> round(label_ranking_average_precision_score([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]), 3)
    0.417
    """
    rows = _binary(y_true, y_score, sample_weight, one_column=True)
    if rows.weights is not None and not rows.weights.sum():
        return float("nan")
    return rows.value(of(PRESET, "lrap"))


def coverage_error(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Compute the rank of the last relevant column: `sklearn:coverage_error`, in ranks; 0 without any.

    `y_true` and `y_score` have shape (users, items), `sample_weight` (users,). Raises WrongValue, a ValueError.

    >>> coverage_error([[1, 0, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]])
    1.5
    """
    return _binary(y_true, y_score, sample_weight, dimensions=(2,)).value(of(PRESET, "coverage_error"))


def label_ranking_loss(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Compute the share of pairs in the wrong order: `sklearn:label_ranking_loss`, in 0 to 1, lower is better.

    `y_true` and `y_score` have shape (users, items), `sample_weight` (users,). Raises WrongValue, a ValueError.

    >>> label_ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    return _binary(y_true, y_score, sample_weight).value(of(PRESET, "label_ranking_loss"))


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
    true, scores = np.asarray(y_true), _array(y_score, "y_score")
    if true.ndim == 2 and true.shape[1] == 1:
        true = true[:, 0]
    weights = _weights(sample_weight, true, scores)
    kind = _kind(true)
    if sample_weight is not None and (average != "samples" or kind == "binary"):
        do = "Leave it out." if kind == "binary" else 'Leave it out, or weigh rows with average="samples".'
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
        return _weighed(_precision(labels, scores), weights)
    number, columns = _precision(labels.T, scores.T), support.sum(axis=0)
    if average is None:
        return number.per_user.copy()
    if average == "macro":
        return number
    return 0.0 if np.isclose(columns.sum(), 0) else _weighed(number, columns)


def _of_one_list(true: NDArray[Any], scores: Numbers, pos_label: Any) -> Number:
    """The average precision of rows of two classes, shape (rows,) each."""
    classes = np.unique(true)
    if len(classes) == 2 and pos_label not in classes:
        raise WrongValue(f"pos_label={pos_label} is not a valid label. It should be one of {classes}")
    if scores.size != len(scores):
        raise WrongValue(f"y should be a 1d array, got an array of shape {scores.shape} instead.")
    return _precision((true == pos_label).astype(float)[None], scores.reshape(1, -1))


def _precision(labels: Numbers, scores: Numbers) -> Number:
    """The average precision of each row, shape (rows, columns), and a warning for those without a relevant column."""
    if (labels.sum(axis=1) == 0).any():
        warn("No positive class found in y_true, recall is set to one for all thresholds.", UserWarning)
    return _ScoredRows(labels, scores).number(of(PRESET, "average_precision_score"))


@dataclass(frozen=True)
class _ScoredRows:
    """Labels and scores, shape (users, items), and weights, shape (users,)."""

    labels: Numbers
    scores: Numbers
    weights: Numbers | None = None

    def number(self, definition: rc.Definition) -> Number:
        """What a definition gives for all rows."""
        with refused_as(WrongValue):
            found: Number = definition(self.labels, self.scores)
        return found

    def value(self, definition: rc.Definition) -> float:
        """The number of a definition, weighed if there are weights."""
        return _weighed(self.number(definition), self.weights)


def _weighed(number: Number, weights: Numbers | None) -> float:
    """The caller's weighted mean of the users' values; without weights, shape (users,), the number as it is."""
    if weights is None:
        return number
    if not weights.sum():
        raise WrongDivision("Weights sum to zero, can't be normalized")
    return float(np.average(number.measured.values, weights=weights))


def _graded(y_true: Any, y_score: Any, sample_weight: Any) -> _ScoredRows:
    """Grades and scores."""
    true, scores = _array(y_true, "y_true"), _array(y_score, "y_score")
    weights, kind = _weights(sample_weight, true, scores), _kind(true)
    if kind in ("binary", "multiclass", "continuous"):
        allowed = ("multilabel-indicator", "continuous-multioutput", "multiclass-multioutput")
        raise WrongValue(f"Only {allowed} formats are supported. Got {kind} instead")
    if true.shape != scores.shape:
        raise WrongValue("y_true and y_score have different shape")
    return _ScoredRows(true, scores, weights)


def _binary(
    y_true: Any, y_score: Any, sample_weight: Any, *, one_column: bool = False, dimensions: tuple[int, ...] = (1, 2)
) -> _ScoredRows:
    """Labels 0 or 1 and scores."""
    true, scores = _array(y_true, "y_true", dimensions), _array(y_score, "y_score", dimensions)
    weights, kind = _weights(sample_weight, true, scores), _kind(true)
    if kind != "multilabel-indicator" and not (one_column and kind == "binary" and true.ndim == 2):
        raise WrongValue(f"{kind} format is not supported")
    if true.shape != scores.shape:
        raise WrongValue("y_true and y_score have different shape")
    return _ScoredRows((true != 0).astype(float), scores, weights)


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


def _array(values: Any, name: str, dimensions: tuple[int, ...] = (1, 2)) -> Numbers:
    """Finite numbers, shape (rows,) or (rows, columns); WrongValue for all else, in scikit-learn's words.

    >>> _array([[1, 0]], "y_true").shape
    (1, 2)
    """
    dense = values.toarray() if hasattr(values, "toarray") else values
    try:
        made = np.asarray(dense, np.float64)
    except (TypeError, ValueError) as problem:
        raise WrongValue(f"{name} is no array of numbers: {problem}") from None
    if made.ndim not in dimensions:
        raise WrongValue(f"{name}: Expected 2D array, got {made.ndim}D array instead")
    if not made.size:
        what = "sample(s)" if not len(made) else "feature(s)"
        raise WrongValue(f"{name}: Found array with 0 {what} (shape={made.shape}) while a minimum of 1 is required.")
    if not np.isfinite(made).all():
        raise WrongValue(f"Input {name} contains {'NaN' if np.isnan(made).any() else 'infinity'}.")
    return made


def _weights(sample_weight: Any, *arrays: NDArray[Any]) -> Numbers | None:
    """The weights, shape (rows,), if there are any; WrongValue unless they and these arrays have as many rows."""
    sizes = [len(one) for one in (*arrays, sample_weight) if one is not None]
    if len({*sizes}) > 1:
        raise WrongValue(f"Found input variables with inconsistent numbers of samples: {sizes}")
    return None if sample_weight is None else _array(sample_weight, "sample_weight", (1,))
