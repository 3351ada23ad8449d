"""Flat labels and scores with groups, as libraries of learning to rank take them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes
from rankconv.data.ids import Ids
from rankconv.data.joined import Joined, join
from rankconv.errors import InputError
from rankconv.inputs import numbers
from rankconv.inputs.array_interface import as_numpy, is_array, named
from rankconv.inputs.coding import coded, numbered
from rankconv.inputs.reader import Rows
from rankconv.inputs.reading import as_labels, as_rankings

_SOURCE = "the grouped rows"


def grouped(y_true: Any, y_score: Any, *, group: Any = None, query_id: Any = None) -> Joined:
    """What are the labels and the run of flat arrays, one entry per candidate?

    `y_true` are the grades, `y_score` the scores. `group` are the sizes of the queries, one after the other, as
    LightGBM and XGBoost take them; `query_id` says the query of each row instead; without either there is one query.
    Items are numbered by their rows. Returns what `rc.join` returns, for `rc.evaluate` and `rc.compare`.

    Raises `InputError` when lengths do not fit, or a grade or score is no finite number.

    >>> import rankconv as rc
    >>> judged = rc.grouped([1, 0, 0, 1], [0.2, 0.9, 0.1, 0.8], group=[2, 2])
    >>> rc.evaluate(judged, "mrr").per_user["mrr"].tolist()
    [0.5, 1.0]
    """
    grades, scores = _flat(y_true, "y_true"), _flat(y_score, "y_score")
    if len(grades) != len(scores):
        raise InputError(f"y_true has {len(grades)} entries, and y_score has {len(scores)}", do="Give each row both")
    users, user = _users(len(grades), group, query_id)
    items = numbered(len(grades))

    def rows(values: NDArray[Any], role: str) -> Rows:
        number = numbers.from_array(values, role, lambda row: f"{_SOURCE}, row {row}")
        return Rows(_SOURCE, users, user, items, np.arange(len(values)), number)

    return join(as_labels(rows(grades, "grade")), as_rankings(rows(scores, "score")))


def _flat(values: Any, name: str) -> NDArray[Any]:
    array = as_numpy(values if is_array(values) else np.array(list(values)), name)
    if array.ndim != 1:
        do = "Pass arrays of users by items as rc.Labels(…) and rc.Run(…)"
        raise InputError(f"{name} has {array.ndim} dimensions, and one is wanted", do=do)
    if array.dtype.kind not in "biuf" and len(array):
        raise InputError(f"{name} holds {array.dtype}, and numbers are wanted")
    return array


def _users(rows: int, group: Any, query_id: Any) -> tuple[Ids, Codes]:
    """The query of each row as ids and codes, shape (rows,)."""
    if group is not None and query_id is not None:
        raise InputError("group= and query_id= say the same thing twice", do="Leave one of them out")
    if query_id is not None:
        return _named_users(rows, query_id)
    sizes = _flat([rows] if group is None else group, "group")
    if sizes.dtype.kind not in "iu" or (sizes < 0).any() or sizes.sum() != rows:
        wrong = f"the group sizes sum to {sizes.sum()}, and there are {rows} rows"
        do = "Pass the number of rows of each query, one after the other, or query_id= with the query of each row"
        raise InputError(wrong, do=do)
    return numbered(len(sizes)), np.repeat(np.arange(len(sizes)), sizes).astype(np.int64)


def _named_users(rows: int, query_id: Any) -> tuple[Ids, Codes]:
    ids = as_numpy(query_id, named(query_id)) if is_array(query_id) else list(query_id)
    if len(ids) != rows:
        raise InputError(f"query_id has {len(ids)} entries, and there are {rows} rows", do="Give each row its query")
    return coded(ids, "query", lambda row: f"{_SOURCE}, row {row}")
