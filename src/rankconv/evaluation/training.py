"""A definition where models are trained, so that training stops on the very number that is reported."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from rankconv.basics.errors import InputError, MetricError, unknown
from rankconv.basics.optional import require
from rankconv.data.inputs.flat_arrays import grouped
from rankconv.presets import arguments
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset


def feval(metric: str | Definition, library: str, *, preset: str | Preset | None = None) -> Any:
    """Return an evaluation function for a library of gradient boosting.

    Parameters
    ----------
    metric : str or Definition
        As in `rc.evaluate`, at one cutoff.
    library : {"lightgbm", "xgboost"}
        Of LightGBM it is the `feval=`, of XGBoost the `custom_metric=`.
    preset : str, path or Preset, optional
        As in `rc.metric`.

    Returns
    -------
    callable
        It takes labels, groups and weights of the data set that the library hands over, and can be pickled. It raises
        InputError where a data set has no groups.

    Raises
    ------
    ConventionError
        As in `rc.metric`.
    MetricError
        For other libraries, and for a metric no end of which is the better one.

    Examples
    --------
    >>> import rankconv as rc
    >>> named = rc.feval("ndcg@10", "lightgbm", preset="lightgbm")  # lightgbm.train(…, feval=named)
    """
    definition = _directed(metric, preset)
    if library == "catboost":
        raise MetricError(
            "CatBoost hands a metric of one's own no groups, so it would take all rows for one list",
            do="Choose the iteration afterwards, of model.staged_predict(X): "
            "metric(rc.grouped(y, scores, query_id=queries)).",
        )
    if not isinstance(library, str) or library not in _FUNCTIONS:
        raise unknown("library with an evaluation function", f"{library!s:.100}", _FUNCTIONS, error=MetricError)
    return partial(_FUNCTIONS[library], definition)


def _directed(metric: str | Definition, preset: str | Preset | None) -> Definition:
    """The definition; a MetricError where no end of its metric is the better one, as nothing can be chosen by it."""
    definition = arguments.metric(metric, preset)
    if not definition.metric.directed:
        wrong = f"no end of {definition.metric.name} is the better one, so no model can be chosen by it"
        raise MetricError(wrong, where=definition.text, do="Choose by another metric, and report this one too.")
    return definition


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
    values, given = number.measured.values, np.asarray(weights, np.float64)
    if given.shape != values.shape:
        raise InputError(f"there are {len(given)} weights for {len(values)} queries", do="Give one for each query.")
    counted = ~np.isnan(values)
    return float(np.average(values[counted], weights=given[counted]))


def _sizes(given: Any, where: str, do: str) -> Any:
    if given is None or not len(given):
        raise InputError(f"{where} has no groups, so all its rows would be one list", do=f"Say them: {do}.")
    return np.asarray(given).astype(np.int64)


_FUNCTIONS: dict[str, Callable[..., tuple[Any, ...]]] = {"lightgbm": _lightgbm, "xgboost": _xgboost}


def scoring(
    metric: str | Definition, *, group: str | int | None = None, preset: str | Preset | None = None
) -> Callable[..., float]:
    """Return a scorer of scikit-learn, for its `scoring=`, which takes what `predict` gives as scores.

    Parameters
    ----------
    metric : str or Definition
        As in `rc.evaluate`, at one cutoff.
    group : str or int, optional
        The column of X with the queries, so that cross validation splits them with the rows. Without it the queries
        come with X, and are split by metadata routing: `sklearn.set_config(enable_metadata_routing=True)` first, then
        `cross_validate(model, X, y, scoring=rc.scoring("ndcg@10"), params={"groups": queries})`.
    preset : str, path or Preset, optional
        As in `rc.metric`.

    Returns
    -------
    callable
        Its number is negative where lower is better, as scikit-learn has it. It raises InputError where no groups came.

    Raises
    ------
    ConventionError
        As in `rc.metric`.
    MetricError
        For a metric no end of which is the better one, for an array as group, which would not be split, and without a
        column where nothing is routed.
    LibraryError
        Where queries come with X and scikit-learn is not installed.

    Examples
    --------
    >>> import rankconv as rc
    >>> by_query = rc.scoring("ndcg@10", group="query")  # cross_val_score(model, X, y, scoring=by_query)
    """
    definition = _directed(metric, preset)
    if group is None:
        return _routed(definition)
    if not isinstance(group, (str, int)) or isinstance(group, bool):
        raise MetricError(
            f"group={group!r:.60} is not a column of X",
            allowed="Name the column of X that says the query of each row",
            do="A fixed array would not be split with the rows, and would give wrong numbers. "
            "An array of all rows is passed to cross_validate: rc.scoring(…), and params={'groups': array}.",
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
            do="Call sklearn.set_config(enable_metadata_routing=True) first, "
            "or name a column: rc.scoring(…, group='query').",
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
