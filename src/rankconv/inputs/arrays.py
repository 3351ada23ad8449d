"""NumPy arrays of item ids, one row per user."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.errors import InputError
from rankconv.inputs.coding import coded, numbered
from rankconv.inputs.reader import Reader, Wanted
from rankconv.inputs.rows import Rows

NO_ITEM = -1
"""Fills the ends of rows with fewer items than columns."""

_SOURCE = "a NumPy array"


def takes(data: Any) -> bool:
    """Any array; `read` says which can be read."""
    return isinstance(data, np.ndarray)


def read(data: NDArray[Any], _wanted: Wanted) -> Rows:
    """Rows from an array of shape (users, items); users are numbered from 0."""
    _check(data)
    held = data != NO_ITEM
    lengths = held.sum(axis=1)
    _refuse_holes(held, lengths)
    user = np.repeat(np.arange(len(data)), lengths).astype(np.int64)
    items, item = coded(data[held], "item", lambda row: f"{_SOURCE}, row {user[row]}")
    return Rows(_SOURCE, numbered(len(data)), user, items, item)


def _check(data: NDArray[Any]) -> None:
    if np.ma.isMaskedArray(data):
        raise InputError("the array is masked", where=_SOURCE, do=f"Fill it with no item: array.filled({NO_ITEM})")
    if data.ndim != 2:
        raise InputError(
            f"the array has {data.ndim} dimensions",
            where=_SOURCE,
            allowed="An array has one row per user and its items in the columns, best first",
        )
    if data.dtype.kind not in "iu":
        raise InputError(
            f"the array holds {data.dtype}",
            where=_SOURCE,
            allowed="An array holds item ids, which are integers",
            do="Pass scores as tuples or as a table, and text ids as lists: array.tolist()",
        )


def _refuse_holes(held: NDArray[np.bool_], lengths: NDArray[np.int64]) -> None:
    """Padding before an item would leave open at which position that item stands."""
    if held.all():
        return
    beyond = np.arange(held.shape[1]) >= lengths[:, None]
    rows = np.flatnonzero((held & beyond).any(axis=1))
    if len(rows):
        column = int(np.argmin(held[rows[0]]))
        raise InputError(
            f"{NO_ITEM} means no item, and an item follows it",
            where=f"{_SOURCE}, row {rows[0]}, column {column}",
            do=f"Move {NO_ITEM} to the end of the row",
        )


READER = Reader("NumPy arrays of item ids, one row per user", takes, read)
