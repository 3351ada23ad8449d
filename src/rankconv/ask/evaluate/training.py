"""A definition where models are trained, so that training stops on the very number that is reported."""

from collections.abc import Callable
from typing import Any

import numpy as np

from rankconv.ask.evaluate.evaluate import evaluate
from rankconv.errors import InputError, MetricError, unknown
from rankconv.inputs.grouped import grouped
from rankconv.presets.definition import USES, Definition

Evaluation = Callable[[Any, Any], tuple[Any, ...]]


def of_definition(definition: Definition, labels: Any, rankings: Any = None, **given: Any) -> Any:
    """What one definition gives; a dict of it where there are several runs."""
    found = evaluate(labels, rankings, definition, **given)
    return {run: one[definition] for run, one in found.items()} if isinstance(found, dict) else found[definition]


def feval(definition: Definition, library: str) -> Evaluation:
    """The evaluation function that a library takes while it trains.

    Raises MetricError for CatBoost, whose own functions see no groups, and for a library that is not known.
    """
    if library == "catboost":
        raise MetricError(
            "CatBoost hands a metric of one's own no groups, so it would take all rows for one list",
            do="Evaluate after training: rc.grouped(labels, model.predict(X), query_id=…).",
        )
    if library not in _FUNCTIONS:
        raise unknown("library with an evaluation function", library, _FUNCTIONS, error=MetricError)
    return _FUNCTIONS[library](definition)


def _of_lightgbm(definition: Definition) -> Evaluation:
    def evaluated(scores: Any, data: Any) -> tuple[str, float, bool]:
        """Name, value, and whether higher is better."""
        sizes = _sizes(data.get_group(), "the dataset", "lightgbm.Dataset(…, group=sizes)")
        value = definition(grouped(data.get_label(), scores, group=sizes))
        return definition.spec, float(value), not definition.metric.lower_is_better

    return evaluated


def _of_xgboost(definition: Definition) -> Evaluation:
    def evaluated(scores: Any, data: Any) -> tuple[str, float]:
        """Name and value; whether higher is better is told to the early stopping with `maximize=`."""
        ends = data.get_uint_info("group_ptr")
        sizes = _sizes(np.diff(ends) if len(ends) else None, "the matrix", "DMatrix.set_group(sizes)")
        return definition.spec, float(definition(grouped(data.get_label(), scores, group=sizes)))

    return evaluated


def _sizes(given: Any, where: str, do: str) -> Any:
    if given is None or not len(given):
        raise InputError(f"{where} has no groups, so all its rows would be one list", do=f"Say them: {do}.")
    return np.asarray(given).astype(np.int64)


_FUNCTIONS: dict[str, Callable[[Definition], Evaluation]] = {"lightgbm": _of_lightgbm, "xgboost": _of_xgboost}


def scorer(definition: Definition, group: str | int) -> Callable[[Any, Any, Any], float]:
    """What scikit-learn takes as `scoring=`: the query of each row stands in a column of X, and is split with it."""
    if not isinstance(group, (str, int)):
        raise MetricError(
            f"group={group!r:.60} is no column of X",
            allowed="Name the column of X that says the query of each row",
            do="A fixed array would not be split with the rows, and would give wrong numbers.",
        )
    sign = -1.0 if definition.metric.lower_is_better else 1.0

    def score(estimator: Any, data: Any, grades: Any) -> float:
        """The mean over the queries of these rows; negative where lower is better, as scikit-learn has it."""
        rows: Any = data if hasattr(data, "columns") else np.asarray(data).T
        query = _ids(np.asarray(rows[group]))
        return sign * float(definition(grouped(grades, estimator.predict(data), query_id=query)))

    return score


def _ids(query: Any) -> Any:
    """An array has one type for all its columns: whole numbers in one of floats are integers."""
    whole = query.dtype.kind == "f" and (query == np.trunc(query)).all()
    return query.astype(np.int64) if whole else query


USES.update(call=of_definition, feval=feval, scorer=scorer)
