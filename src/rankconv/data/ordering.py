"""Rows as lists: those of each user together, their keys rising or falling, equal keys as they came."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, stretches
from rankconv.data.matrices import matrices, neighbours

Key = NDArray[np.floating[Any]] | Codes
"""By what rows stand, shape (rows,)."""
_MOST = 1 << 15
"""Lists of fewer rows have the number of a tie and a place in it in 32 bits."""
_NEARLY_ALL = 0.5
"""Of lists of which a greater share is wanted all rows are sorted at once."""


def together(user: Codes, users: int) -> tuple[Codes, Codes]:
    """The rows of each user together, as they came, shape (rows,), and where those of each begin, (users + 1,).

    User and row are sorted as one number, which takes a fifth of the time of a stable sort.
    """
    bits, rows = np.uint64(len(user).bit_length()), np.arange(len(user), dtype=np.int32 if len(user) < 2**31 else None)
    both = np.empty(len(user), np.uint64)
    for some in stretches(len(user)):
        both[some] = (user[some].astype(np.uint64) << bits) | rows[some].astype(np.uint64)
    both.sort()
    for some in stretches(len(user)):
        rows[some] = both[some] & ((np.uint64(1) << bits) - np.uint64(1))
    return rows, np.searchsorted(both, np.arange(users + 1, dtype=np.uint64) << bits).astype(np.int64)


def by_key(starts: Codes, key: Key, *, falling: bool) -> Codes | None:
    """The rows of each list by key, ties as they came, shape (rows,); None where they stand so already.

    List `u` has the rows from `starts[u]` to `starts[u + 1]`; `starts` has shape (lists + 1,), `key` (rows,).
    """
    if stands(starts, key, falling=falling):
        return None
    order = np.empty(len(key), np.int64)
    for some in matrices(starts):
        some.put(order, _places(some.take(key, _last(key, falling)), falling))
    return order


def first_by_key(starts: Codes, key: Key, count: int, *, falling: bool) -> tuple[Codes, Codes]:
    """The first `count` rows of each list by key, ties as they came, and where those of each list begin.

    Shapes are those of `by_key`; the rows found have shape (found,), and where they begin is of shape (lists + 1,).
    """
    begin = np.append(0, np.cumsum(np.minimum(np.diff(starts), count)))
    rows = np.empty(int(begin[-1]), np.int64)
    for some in matrices(starts):
        found = some.first + _first_places(some.take(key, _last(key, falling)), min(count, some.width), falling)
        if some.whole is not None:
            rows[begin[some.lists[0]] : begin[some.lists[-1] + 1]] = found.ravel()
            continue
        at = begin[some.lists][:, None] + np.arange(found.shape[1])
        there = at < begin[some.lists + 1][:, None]
        rows[at[there]] = found[there]
    return rows, begin


def stands(starts: Codes, key: Key, *, falling: bool) -> bool:
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
    packed = _packed(key, falling)
    if packed is not None:
        packed.sort(axis=1)
        return np.asarray(packed & np.uint64(0xFFFFFFFF), np.int64)
    rising = -key if falling else key
    order = np.argsort(rising, axis=1)
    ordered = np.take_along_axis(rising, order, axis=1)
    tied = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    if len(tied):
        order[tied] = _by_place(order[tied], ordered[tied])
    return order


def _packed(key: NDArray[Any], falling: bool) -> NDArray[np.uint64] | None:
    """Key and place as one number that rises as the places shall stand, shape (lists, places) as `key`.

    None where single precision does not have the keys: the other half of the number has the place.
    """
    if key.dtype.kind != "f":
        return None
    with np.errstate(over="ignore"):
        narrow = key.astype(np.float32) + np.float32(0)  # -0 is 0
    if (narrow != key).any():
        return None
    bits = narrow.view(np.int32)
    rising = (bits ^ ((bits >> 31) | np.int32(-(2**31)))).view(np.uint32)
    packed = (~rising if falling else rising).astype(np.uint64)
    packed <<= np.uint64(32)
    packed |= np.arange(key.shape[1], dtype=np.uint64)
    return packed


def _by_place(order: Codes, ordered: NDArray[Any]) -> Codes:
    """The places of each list with those of equal keys rising, shape (lists, places) as the ordered keys.

    The number of a tie and the place are sorted as one number, which is far faster than a stable sort.
    """
    tie = np.zeros(order.shape, np.uint32 if order.shape[1] < _MOST else np.uint64)
    np.cumsum(ordered[:, 1:] != ordered[:, :-1], axis=1, out=tie[:, 1:])
    bits = tie.dtype.type(order.shape[1].bit_length())
    both = (tie << bits) | order.astype(tie.dtype)
    both.sort(axis=1)
    return np.asarray(both & ((tie.dtype.type(1) << bits) - tie.dtype.type(1)), np.int64)


def _first_places(key: NDArray[Any], count: int, falling: bool) -> Codes:
    """The first `count` places of each list by key, ties by place, shape (lists, count); `key` is (lists, places).

    Keys are sorted without their places, which is fast, and tell which key is the last; where no key of them is tied,
    the places of those up to it are sorted.
    """
    width = key.shape[1]
    if count > _NEARLY_ALL * width:
        return _places(key, falling)[:, :count]
    rising = -key if falling else key
    least = np.sort(rising, axis=1)[:, : count + 1]
    tied = (least[:, 1:] == least[:, :-1]).any(axis=1)
    places = np.empty((len(key), count), np.int64)
    clear = np.flatnonzero(~tied)
    if len(clear):
        some, last = (rising, least) if len(clear) == len(key) else (rising[clear], least[clear])
        found = np.flatnonzero(some <= last[:, count - 1 : count]).reshape(-1, count)
        found -= np.arange(0, some.size, width)[:, None]
        order = np.argsort(np.take_along_axis(some, found, axis=1), axis=1)
        places[clear] = np.take_along_axis(found, order, axis=1)
    if tied.any():
        places[tied] = _places(key[tied], falling)[:, :count]
    return places
