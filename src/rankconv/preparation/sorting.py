"""Rows by falling score, user by user: many short sorts instead of one long one."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Numbers, within

Key = NDArray[Any] | None
"""By which tied rows are ordered, smallest first; None for the order given."""
_ROOM = 4
"""A place for each row of the longest list and each user may take so many times the room of the rows."""


def by_falling_score(user: Codes, score: Numbers, tie: Callable[[], Key]) -> Codes:
    """The rows in their new order, shape (rows,); `user`, grouped, and `score` have that shape too.

    The key is requested only where rows are tied.
    """
    counts = np.bincount(user)
    width = int(counts.max(initial=0))
    if len(counts) * width > _ROOM * len(user) or not np.isfinite(score).all():
        return _in_one(user, score, tie())
    place = user * width + within(user)
    keys = _by_place(-score, place, (len(counts), width), np.inf)
    order = np.argsort(keys, axis=1)
    ordered = np.take_along_axis(keys, order, axis=1)
    tied = np.flatnonzero(((ordered[:, 1:] == ordered[:, :-1]) & np.isfinite(ordered[:, 1:])).any(axis=1))
    if len(tied):
        key = tie()
        of_tied = None if key is None else _by_place(key, place, keys.shape, 0)[tied]
        order[tied] = _with_ties(keys[tied], of_tied)
    first = np.cumsum(counts) - counts
    rows: Codes = (order + first[:, None])[np.arange(width) < counts[:, None]]
    return rows


def _in_one(user: Codes, score: Numbers, key: Key) -> Codes:
    return np.lexsort((-score, user) if key is None else (key, -score, user))


def _by_place(values: NDArray[Any], place: Codes, shape: tuple[int, int], elsewhere: float) -> NDArray[Any]:
    """Values of rows with one line per user, shape (users, longest list); a shorter list ends with `elsewhere`."""
    dense = np.full(shape, elsewhere, values.dtype)
    dense.ravel()[place] = values
    return dense


def _with_ties(keys: Numbers, ties: Key) -> Codes:
    """The order of each line, shape (users, longest list): by key, equal ones by the second key, then as they stand."""
    if ties is None:
        return np.argsort(keys, axis=1, kind="stable")
    first = np.argsort(ties, axis=1, kind="stable")
    then = np.argsort(np.take_along_axis(keys, first, axis=1), axis=1, kind="stable")
    return np.take_along_axis(first, then, axis=1)
