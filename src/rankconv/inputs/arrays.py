"""Arrays with one row per user: of item ids, best first, or of a number for each item of the catalogue."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.form import Form
from rankconv.errors import InputError
from rankconv.inputs import numbers
from rankconv.inputs.array_interface import NO_ITEM, as_numpy, is_array, named
from rankconv.inputs.coding import coded, integers, numbered
from rankconv.inputs.reader import Reader, Rows, Wanted, by_ids


def takes(data: Any) -> bool:
    """Whether this is an array; `read` says which can be read."""
    return is_array(data)


def read(data: Any, wanted: Wanted) -> Rows:
    """Rows from integers (users, items), or from fractions or truth values (users, catalogue)."""
    source = named(data)
    array = as_numpy(data, source)
    _check(array, wanted, source)
    ids = array.dtype.kind in "iu"
    rows = _ids(array, wanted, source) if ids else _matrix(array, wanted, source)
    return replace(rows, form=Form("ids" if ids else "dense", (array.shape[0], array.shape[1])))


def _ids(array: NDArray[Any], wanted: Wanted, source: str) -> Rows:
    """Rows from item ids, shape (users, ranks), padded at the end; users are numbered from 0."""
    padding = NO_ITEM if wanted.padding is None else wanted.padding
    known = integers(array.ravel())
    array = array if known is None else known.reshape(array.shape)
    held = None if array.size and int(array.min()) > padding else array != padding
    lengths = np.full(len(array), array.shape[1]) if held is None else held.sum(axis=1)
    if held is not None:
        _refuse_holes(held, lengths, padding, source)
    starts = np.append(0, np.cumsum(lengths))
    whole = starts[-1] == array.size
    if known is not None and starts[-1]:
        return Rows(source, numbered(len(array)), None, None, known if whole else array[held], starts=starts)
    listed = array.ravel() if whole else array[held]
    place = lambda row: f"{source}, row {int(np.searchsorted(starts, row, side='right')) - 1}"
    items, item = coded(listed, "item", place)
    return Rows(source, numbered(len(array)), None, items, item, starts=starts)


def _matrix(array: NDArray[Any], wanted: Wanted, source: str) -> Rows:
    """Rows from a number for each item, shape (users, items); users and items are numbered from 0.

    NaN, and a score of -inf, stand for no item, as a mask leaves them.
    """
    source = f"{source} of {wanted.number}s"
    values = np.asarray(array, np.promote_types(array.dtype, np.float64))
    held = ~np.isnan(values) & ((values != -np.inf) | (wanted.what == "labels"))
    users, item = numbered(len(values)), np.nonzero(held)[1]
    starts = np.append(0, np.cumsum(np.count_nonzero(held, axis=1)))
    place = by_ids(source, users, None, None, item, starts)
    number = numbers.from_array(values[held], wanted.number, place)
    return Rows(source, users, None, None, item, number, starts=starts, distinct=True)


def _check(array: NDArray[Any], wanted: Wanted, source: str) -> None:
    if array.ndim != 2:
        raise InputError(
            f"the array has {array.ndim} dimensions",
            where=source,
            allowed="An array has one row per user and its items in the columns, best first",
            do="For flat arrays with groups: rc.grouped(y_true, y_score, group=…)" if array.ndim == 1 else "",
        )
    if array.dtype.kind not in ("iufb" if wanted.what == "labels" else "iuf"):
        raise InputError(
            f"the array holds {array.dtype}",
            where=source,
            allowed="An array holds item ids, which are integers, or a floating-point number for each item",
            do="Pass text ids as lists: array.tolist()",
        )


def _refuse_holes(held: NDArray[np.bool_], lengths: NDArray[np.int64], padding: int, source: str) -> None:
    """An InputError where padding stands before an item, shape (users, ranks): that item's rank would be open."""
    if held.all():
        return
    beyond = np.arange(held.shape[1]) >= lengths[:, None]
    rows = np.flatnonzero((held & beyond).any(axis=1))
    if len(rows):
        column = int(np.argmin(held[rows[0]]))
        raise InputError(
            f"{padding} means no item, and an item follows it",
            where=f"{source}, row {rows[0]}, column {column}",
            do=f"Move {padding} to the end of the row",
        )


READER = Reader(
    "arrays with one row per user, of item ids (integers) or of a number for each item (floats)",
    takes,
    read,
    pads=True,
)
