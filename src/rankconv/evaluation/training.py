"""A definition where models are trained, so that training stops on the very number that is reported."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from rankconv.basics.errors import InputError, MetricError, unknown
from rankconv.basics.optional import require
from rankconv.data.inputs.flat import grouped
from rankconv.evaluation.evaluate import evaluate
from rankconv.presets.definition import Definition


def of_definition(definition: Definition, labels: Any, rankings: Any = None, **given: Any) -> Any:
    """What one definition gives; a dict of it where there are several runs."""
    found = evaluate(labels, rankings, definition, **given)
    return {run: one[definition] for run, one in found.items()} if isinstance(found, dict) else found[definition]


def feval(definition: Definition, library: str) -> Any:
    """What a library takes as evaluation function while it trains; a MetricError for a library that is not known."""
    _check_directed(definition)
    if library == "catboost":
        raise MetricError(
            "CatBoost hands a metric of one's own no groups, so it would take all rows for one list",
            do="Choose the iteration afterwards, of model.staged_predict(X): "
            "metric(rc.grouped(y, scores, query_id=queries)).",
        )
    if library not in _FUNCTIONS:
        raise unknown("library with an evaluation function", library, _FUNCTIONS, error=MetricError)
    return partial(_FUNCTIONS[library], definition)


def _check_directed(definition: Definition) -> None:
    """A MetricError where no end of the metric is the better one, so that nothing can be chosen by it."""
    if not definition.metric.directed:
        wrong = f"no end of {definition.metric.name} is the better one, so no model can be chosen by it"
        raise MetricError(wrong, where=definition.text, do="Choose by another metric, and report this one too.")


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
