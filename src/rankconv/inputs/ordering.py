"""Rows as lists: those of each user together, their keys rising or falling, equal keys as they came."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes
from rankconv.data.matrices import matrices, neighbours
from rankconv.inputs.reader import Floats


def together(user: Codes) -> tuple[Codes, Codes]:
    """The rows of each user together, as they came, and the user of each row in this order; both of shape (rows,).

    User and row are sorted as one number, which takes a fifth of the time of a stable sort.
    """
    bits = np.uint64(len(user).bit_length())
    both = (user.astype(np.uint64) << bits) | np.arange(len(user), dtype=np.uint64)
    both.sort()
    return (both & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64), (both >> bits).astype(user.dtype)


def by_key(starts: Codes, key: Floats | Codes, *, falling: bool) -> Codes | None:
    """The rows of each list by key, ties as they came, shape (rows,); None where they stand so already.

    List `u` has the rows from `starts[u]` to `starts[u + 1]`; `starts` has shape (lists + 1,), `key` (rows,).
    """
    if _stands(starts, key, falling):
        return None
    order = np.empty(len(key), np.int64)
    for some in matrices(starts):
        some.put(order, _places(some.take(key, _last(key, falling)), falling))
    return order


def _stands(starts: Codes, key: Floats | Codes, falling: bool) -> bool:
    """Whether the keys of each list rise, or fall, in the order in which they stand; shapes as `by_key` has."""
    for first, before, after in neighbours(key):
        wrong = np.flatnonzero(after > before if falling else after < before) + first + 1
        if len(wrong) and (starts[np.searchsorted(starts, wrong)] != wrong).any():
            return False
    return True


def _last(key: NDArray[Any], falling: bool) -> float | int:
    """What stands behind all keys, of any shape."""
    last = np.inf if key.dtype.kind == "f" else int(np.iinfo(key.dtype).max)
    return -last if falling else last


def _places(key: NDArray[Any], falling: bool) -> Codes:
    """The places of each list by key, ties by place, shape (lists, places) as `key`."""
    rising = -key if falling else key
    order = np.argsort(rising, axis=1)
    ordered = np.take_along_axis(rising, order, axis=1)
    tied = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    order[tied] = np.argsort(rising[tied], axis=1, kind="stable")
    return order
