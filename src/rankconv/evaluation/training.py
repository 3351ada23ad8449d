"""A definition where models are trained, so that training stops on the very number that is reported."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.errors import InputError, MetricError, unknown
from rankconv.evaluation.evaluate import evaluate
from rankconv.inputs.flat import grouped
from rankconv.optional import require
from rankconv.presets.definition import Definition


def of_definition(definition: Definition, labels: Any, rankings: Any = None, **given: Any) -> Any:
    """What one definition gives; a dict of it where there are several runs."""
    found = evaluate(labels, rankings, definition, **given)
    return {run: one[definition] for run, one in found.items()} if isinstance(found, dict) else found[definition]


def feval(definition: Definition, library: str, labels: Any = None, **groups: Any) -> Any:
    """What a library takes as evaluation function while it trains: `group=` or `query_id=` for CatBoost alone.

    Raises MetricError for CatBoost without them, whose own functions see no groups, and for a library that is not
    known.
    """
    _check_directed(definition)
    if library == CATBOOST:
        if labels is None or not groups:
            raise MetricError(
                "CatBoost hands a metric of one's own no groups, so it would take all rows for one list",
                do="Say those of the one evaluation set: feval('catboost', labels=y, query_id=…).",
            )
        return CatBoostMetric(definition, np.asarray(labels, np.float32), groups)
    if library not in _FUNCTIONS:
        raise unknown("library with an evaluation function", library, [*_FUNCTIONS, CATBOOST], error=MetricError)
    if groups or labels is not None:
        raise MetricError(f"{library} hands over labels and groups of its own", do=f"Write feval('{library}').")
    return partial(_FUNCTIONS[library], definition)


def _check_directed(definition: Definition) -> None:
    """A MetricError where no end of the metric is the better one, so that nothing can be chosen by it."""
    if not definition.metric.directed:
        wrong = f"no end of {definition.metric.name} is the better one, so no model can be chosen by it"
        raise MetricError(wrong, where=definition.text, do="Choose by another metric, and report this one too.")


CATBOOST = "catboost"
NO_NUMBER = 1e9
"""Worse than what any set gives."""


@dataclass(eq=False)
class CatBoostMetric:
    """What CatBoost takes as `eval_metric=`: the definition on one evaluation set, whose groups are given beforehand.

    CatBoost 1.2 hands over the scores of a whole set in its order, with the labels, and nothing else; by the labels
    it is seen each time that these are the rows of that set. Other sets, such as the one that is learned from, get
    `NO_NUMBER`, or that below 0 where higher is better: CatBoost takes no NaN.
    """

    definition: Definition
    labels: Numbers
    """Of the evaluation set, shape (rows,) float32."""
    groups: dict[str, Any]
    """Its `group=` or `query_id=`, as `rc.grouped` takes them."""

    def is_max_optimal(self) -> bool:
        """Whether higher is better."""
        return not self.definition.lower_is_better

    def evaluate(self, approxes: Any, target: Any, weight: Any) -> tuple[float, float]:
        """The mean over the groups, of all rows at once, and what it weighs; no number for rows of other labels."""
        if not np.array_equal(np.asarray(target, np.float32), self.labels):
            return -NO_NUMBER if self.is_max_optimal() else NO_NUMBER, 1.0
        found = self.definition(grouped(self.labels, np.asarray(approxes[0]), **self.groups))
        return float(found), 1.0

    def get_final_error(self, error: float, weight: float) -> float:
        """The number as it is: it comes from one call."""
        return error


def _lightgbm(definition: Definition, scores: Any, data: Any) -> tuple[str, float, bool]:
    """Name, value, and whether higher is better."""
    sizes = _sizes(data.get_group(), "the dataset", "lightgbm.Dataset(…, group=sizes)")
    weights, found = data.get_weight(), definition(grouped(data.get_label(), scores, group=sizes))
    if weights is not None:  # one for each row, of which LightGBM gives a query the mean
        starts = np.append(0, np.cumsum(sizes)[:-1])
        weights = np.add.reduceat(np.asarray(weights, np.float64), starts) / sizes
    return _name(definition), _weighted(found, weights), not definition.lower_is_better


def _xgboost(definition: Definition, scores: Any, data: Any) -> tuple[str, float]:
    """Name and value; whether higher is better is passed to the early stopping with `maximize=`."""
    ends = data.get_uint_info("group_ptr")
    sizes = _sizes(np.diff(ends) if len(ends) else None, "the matrix", "DMatrix.set_group(sizes)")
    weights = data.get_weight()  # one for each query
    found = definition(grouped(data.get_label(), scores, group=sizes))
    return _name(definition), _weighted(found, weights if len(weights) else None)


def _name(definition: Definition) -> str:
    """A name that no metric of the library has, without what libraries split their logs at."""
    return "rankconv_" + re.sub(r"[\s:]", "", definition.spec)


def _weighted(number: Any, weights: Any) -> float:
    """The mean over queries, weighted as the library weights them; `weights` has shape (queries,)."""
    if weights is None or number != number:
        return float(number)
    mean = number.definition.settings["aggregate"]
    if mean != "mean":
        wrong = f"the data set has weights, and the mean of {number.definition.text} is {mean}"
        raise MetricError(wrong, do="Leave the weights out, or take a definition with aggregate=mean.")
    values, given = number.per_user, np.asarray(weights, np.float64)
    if given.shape != values.shape:
        raise InputError(f"there are {len(given)} weights for {len(values)} queries", do="Give one for each query.")
    counted = ~np.isnan(values)
    return float(np.average(values[counted], weights=given[counted]))


def _sizes(given: Any, where: str, do: str) -> Any:
    if given is None or not len(given):
        raise InputError(f"{where} has no groups, so all its rows would be one list", do=f"Say them: {do}.")
    return np.asarray(given).astype(np.int64)


_FUNCTIONS: dict[str, Callable[..., tuple[Any, ...]]] = {"lightgbm": _lightgbm, "xgboost": _xgboost}


def scorer(definition: Definition, group: str | int | None = None) -> Callable[..., float]:
    """What scikit-learn takes as `scoring=`: the query of each row is split with the rows.

    It is in a column of X, or comes as `params={"groups": …}` where metadata are routed.
    """
    _check_directed(definition)
    if group is None:
        return _routed(definition)
    if not isinstance(group, (str, int)):
        raise MetricError(
            f"group={group!r:.60} is not a column of X",
            allowed="Name the column of X that says the query of each row",
            do="A fixed array would not be split with the rows, and would give wrong numbers. "
            "An array of all rows is passed to cross_validate: scorer(), and params={'groups': array}.",
        )
    return partial(_scored, definition, group)


def _scored(definition: Definition, group: str | int, estimator: Any, data: Any, grades: Any) -> float:
    """The mean over the queries of these rows; negative where lower is better, as scikit-learn has it."""
    rows: Any = data if hasattr(data, "columns") else np.asarray(data).T
    value = _of_groups(grades, estimator.predict(data), definition=definition, groups=rows[group])
    return -value if definition.lower_is_better else value


def _routed(definition: Definition) -> Callable[..., float]:
    """A scorer of scikit-learn's own, which is given the groups of the rows that it scores."""
    library, metrics = (require(name, "scikit-learn") for name in ("sklearn", "sklearn.metrics"))
    if not library.get_config().get("enable_metadata_routing"):
        raise MetricError(
            "scikit-learn hands groups to a scorer only where metadata are routed",
            do="Call sklearn.set_config(enable_metadata_routing=True) first, or name a column: scorer(group='query').",
        )
    best = not definition.lower_is_better
    made: Any = metrics.make_scorer(_of_groups, greater_is_better=best, definition=definition)
    routed: Callable[..., float] = made.set_score_request(groups=True)
    return routed


def _of_groups(grades: Any, scores: Any, *, definition: Definition, groups: Any = None) -> float:
    """The mean over these groups, of rows of shape (rows,)."""
    if groups is None:
        raise InputError("no groups came with the rows", do="Pass them: cross_validate(…, params={'groups': array}).")
    return float(definition(grouped(grades, scores, query_id=_ids(np.asarray(groups)))))


def _ids(query: Any) -> Any:
    """An array has one type for all its columns: whole numbers in one of floats are integers."""
    whole = query.dtype.kind == "f" and (query == np.trunc(query)).all()
    return query.astype(np.int64) if whole else query
