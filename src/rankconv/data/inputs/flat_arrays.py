"""Flat arrays with one entry per candidate, read as labels and a run."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.basics.errors import InputError
from rankconv.data.arrays import Codes
from rankconv.data.ids import Ids
from rankconv.data.inputs.array_input import array_name, as_numpy, is_array
from rankconv.data.inputs.input_rows import RawRows, as_labels, as_rankings
from rankconv.data.inputs.values import coded, numbered, numbers_from_array
from rankconv.data.joined import Joined, join

_SOURCE = "the grouped rows"


def grouped(y_true: Any, y_score: Any, *, group: Any = None, query_id: Any = None) -> Joined:
    """Return the labels and the run of flat arrays, one entry per candidate.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        Grades.
    y_score : array-like of shape (n_rows,)
        Scores.
    group : array-like of int, optional
        Sizes of the queries, one after the other, as in LightGBM and XGBoost.
    query_id : array-like of shape (n_rows,), optional
        The query of each row. Without `group` and `query_id` all rows are of one query.

    Returns
    -------
    Joined
        For `rc.evaluate` and `rc.compare`; items are numbered by row.

    Raises
    ------
    InputError
        If lengths do not match, or a grade or score is not a finite number.

    Examples
    --------
    >>> import rankconv as rc
    >>> joined = rc.grouped([1, 0, 0, 1], [0.2, 0.9, 0.1, 0.8], group=[2, 2])
    >>> rc.evaluate(joined, "mrr").per_user["mrr"].tolist()
    [0.5, 1.0]
    """
    grades, scores = _flat(y_true, "y_true"), _flat(y_score, "y_score")
    if len(grades) != len(scores):
        raise InputError(f"y_true has {len(grades)} entries, and y_score has {len(scores)}", do="Give each row both")
    users, user = _queries(len(grades), group, query_id)
    items = numbered(len(grades))

    def rows(values: NDArray[Any], role: str) -> RawRows:
        number = numbers_from_array(values, role, lambda row: f"{_SOURCE}, row {row}")
        return RawRows(_SOURCE, users, user, items, np.arange(len(values)), number)

    return join(as_labels(rows(grades, "grade")), as_rankings(rows(scores, "score")))


def _flat(values: Any, name: str) -> NDArray[Any]:
    array = as_numpy(values if is_array(values) else np.array(list(values)), name)
    if array.ndim != 1:
        do = "Pass arrays of users by items as rc.Labels(…) and rc.Run(…)"
        raise InputError(f"{name} has {array.ndim} dimensions, and one is wanted", do=do)
    if array.dtype.kind not in "biuf" and len(array):
        raise InputError(f"{name} holds {array.dtype}, and numbers are wanted")
    return array


def _queries(rows: int, group: Any, query_id: Any) -> tuple[Ids, Codes]:
    """The query of each row as ids and codes, shape (rows,)."""
    if group is not None and query_id is not None:
        raise InputError("group= and query_id= say the same thing twice", do="Leave one of them out")
    if query_id is not None:
        return _named_queries(rows, query_id)
    sizes = _flat([rows] if group is None else group, "group")
    if sizes.dtype.kind not in "iu" or (sizes < 0).any() or sizes.sum() != rows:
        wrong = f"the group sizes sum to {sizes.sum()}, and there are {rows} rows"
        do = "Pass the number of rows of each query, one after the other, or query_id= with the query of each row"
        raise InputError(wrong, do=do)
    return numbered(len(sizes)), np.repeat(np.arange(len(sizes)), sizes).astype(np.int64)


def _named_queries(rows: int, query_id: Any) -> tuple[Ids, Codes]:
    ids = as_numpy(query_id, array_name(query_id)) if is_array(query_id) else list(query_id)
    if len(ids) != rows:
        raise InputError(f"query_id has {len(ids)} entries, and there are {rows} rows", do="Give each row its query")
    return coded(ids, "query", lambda row: f"{_SOURCE}, row {row}")
