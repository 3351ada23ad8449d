"""Rows sorted as lists: those of each user together, keys rising or falling, equal keys in the order given.

Lists of like length are taken as rows of a matrix that fits the processor's cache, which is far faster to sort.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import CELLS, Codes, Element, Mask, stretches

SortKey = NDArray[np.floating[Any]] | Codes
"""What rows are sorted by, shape (rows,)."""
_MOST = 1 << 15
"""Lists of fewer rows have the number of a tie and a place in it in 32 bits."""
_FAR_MORE = 8
"""Lists that are this many times longer than what is wanted of them are not sorted whole."""
_PADDED = 1.125
"""Lists share a matrix whose lengths differ by no more than this."""


@dataclass(frozen=True, eq=False)
class ListMatrix:
    """Some lists as rows of a matrix, the first places of each; shorter ones are filled up."""

    lists: Codes
    """Which ones, shape (lists,)."""
    first: Codes
    """Where the rows of each begin, shape (lists, 1)."""
    width: int
    there: Mask | None
    """The cells that are rows, shape (lists, width); None where all are."""
    whole: slice | None
    """All rows of these lists, where they adjoin and all have the same number of rows."""

    def take(self, values: NDArray[Element], fill: int | float | Codes) -> NDArray[Element]:
        """The values of the rows, shape (rows,), as a matrix of shape (lists, width); `fill` is where there is none."""
        if self.whole is not None:
            return values[self.whole].reshape(len(self.lists), -1)[:, : self.width]
        taken = from_places(values, self.first[:, 0], self.width)
        if self.there is not None:
            np.copyto(taken, fill, where=~self.there)
        return taken

    def put(self, into: Codes, places: Codes) -> None:
        """Write which rows these lists have in order, given by their places, shape (lists, width)."""
        rows = self.first + places
        if self.whole is not None:
            into[self.whole] = rows.ravel()
        elif self.there is None:
            into[self.first + np.arange(self.width)] = rows
        else:
            into[(self.first + np.arange(self.width))[self.there]] = rows[self.there]


def matrices(starts: Codes, most: int | None = None) -> Iterator[ListMatrix]:
    """All lists but empty ones, list `u` having the rows from `starts[u]` to `starts[u + 1]`; shape (lists + 1,).

    Lists of similar length share a matrix. No more than the first `most` rows of each are taken; None for all.
    """
    lengths = np.diff(starts)
    taken = lengths if most is None else np.minimum(lengths, most)
    equal = len(taken) > 0 and bool((taken == taken[0]).all())
    narrow = taken.astype(np.min_scalar_type(int(taken.max(initial=0))))  # far faster to sort
    order = np.arange(len(taken)) if equal else np.argsort(narrow, kind="stable")
    rising = taken if equal else taken[order]
    begin = int(np.searchsorted(rising, 1))
    while begin < len(order):
        end = _end(rising[begin : begin + CELLS], begin)
        yield _matrix(starts, order[begin:end], taken, lengths)
        begin = end


def _end(rising: Codes, begin: int) -> int:
    """Up to which list one matrix goes; the lengths of the lists from `begin` on rise, shape (lists,)."""
    if len(rising) * int(rising[-1]) <= CELLS // 4:
        return begin + len(rising)  # so few that filling up costs less than one more matrix
    longest = int(int(rising[0]) * _PADDED)
    equal = int(np.searchsorted(rising, longest, side="right"))
    return begin + min(equal, max(1, CELLS // max(1, longest)))


def _matrix(starts: Codes, lists: Codes, taken: Codes, lengths: Codes) -> ListMatrix:
    """The matrix of lists of which so many rows are `taken`, rising, of all that they have, both of shape (lists,)."""
    shortest, width = int(taken[lists[0]]), int(taken[lists[-1]])
    there = None if shortest == width else np.arange(width) < taken[lists][:, None]
    even = bool((lengths[lists] == lengths[lists[0]]).all())
    adjoin = even and bool((np.diff(lists) == 1).all())
    whole = slice(int(starts[lists[0]]), int(starts[lists[-1] + 1])) if adjoin else None
    return ListMatrix(lists, starts[lists][:, None], width, there, whole)


def from_places(values: NDArray[Element], first: Codes, width: int) -> NDArray[Element]:
    """The `width` values from each of these places on, shape (places, width); after the last comes that one again."""
    if len(first) and int(first.max()) + width <= len(values):
        return np.asarray(np.lib.stride_tricks.sliding_window_view(values, width)[first])
    return values.take(first[:, None] + np.arange(width), mode="clip")


def rises(user: Codes) -> bool:
    """Whether no user, shape (rows,), has a smaller code than that of the row before."""
    return all((after >= before).all() for _, before, after in neighbours(user))


def neighbours(values: NDArray[Element]) -> Iterator[tuple[int, NDArray[Element], NDArray[Element]]]:
    """Stretches of the values, shape (values,): where one begins, its values, and the value that follows each."""
    for first in range(0, len(values) - 1, CELLS):
        last = min(first + CELLS, len(values) - 1)
        yield first, values[first:last], values[first + 1 : last + 1]


def owners_of_ties(starts: Codes, score: NDArray[np.floating[Any]], rows: int) -> Codes:
    """The users whose first `rows` scores, which fall, hold a tie, shape (such users,); shapes as `owners_of_repeats`.

    A tie with the row next to these is one.
    """
    found = [np.empty(0, np.int64)]
    for some in matrices(starts, rows + 1):
        first = some.take(score, np.nan)
        found.append(some.lists[(first[:, 1:] == first[:, :-1]).any(axis=1)])
    return np.concatenate(found)


def owners_of_repeats(starts: Codes, item: NDArray[Any], rows: int | None = None) -> Codes:
    """The users who have an item more than once, shape (such users,), rising; rows of user `u` begin at `starts[u]`.

    The first `rows` rows of each are looked at, None for all.
    """
    found = [np.empty(0, np.int64)]
    for some in matrices(starts, rows):
        items = np.sort(some.take(item, -1 - np.arange(some.width)), axis=1)
        again = items[:, 1:] == items[:, :-1]
        if again.any():
            found.append(some.lists[again.any(axis=1)])
    return np.sort(np.concatenate(found))


# sorting


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


def by_key(starts: Codes, key: SortKey, *, falling: bool) -> Codes | None:
    """The rows of each list by key, ties as they came, shape (rows,); None where they are sorted.

    List `u` has the rows from `starts[u]` to `starts[u + 1]`; `starts` has shape (lists + 1,), `key` (rows,).
    """
    if is_sorted(starts, key, falling=falling):
        return None
    order = np.empty(len(key), np.int64)
    for some in matrices(starts):
        some.put(order, _places(some.take(key, _last(key, falling)), falling))
    return order


def far_longer(starts: Codes, count: int) -> bool:
    """Whether lists are so much longer than `count` that to find their first rows is less work than to sort them.

    `starts` has the shape (lists + 1,).
    """
    return int(starts[-1]) >= _FAR_MORE * count * (len(starts) - 1)


def first_by_key(starts: Codes, key: SortKey, count: int, *, falling: bool) -> tuple[Codes, Codes]:
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
        if there.all():
            rows[at] = found
        else:
            rows[at[there]] = found[there]
    return rows, begin


def is_sorted(starts: Codes, key: SortKey, *, falling: bool) -> bool:
    """Whether the keys of each list rise, or fall, in the order given; shapes as `by_key` has."""
    for first, before, after in neighbours(key):
        wrong = np.flatnonzero(after > before if falling else after < before) + first + 1
        if len(wrong) and (starts[np.searchsorted(starts, wrong)] != wrong).any():
            return False
    return True


def _last(key: NDArray[Any], falling: bool) -> float | int:
    """What comes after all keys, of any shape."""
    last = np.inf if key.dtype.kind == "f" else int(np.iinfo(key.dtype).max)
    return -last if falling else last


def _places(key: NDArray[Any], falling: bool) -> Codes:
    """The places of each list by key, ties by place, shape (lists, places) as `key`."""
    if key.dtype.kind != "f":
        return _by_argsort(key, falling)
    packed, low, exact = _packed(key, falling)
    packed.sort(axis=1)
    places = packed & low
    return places if exact else _with_lost_bits(key, falling, places, _equal_but_for_lost_bits(packed, low))


def _first_places(key: NDArray[Any], count: int, falling: bool) -> Codes:
    """The first `count` places of each list by key, ties by place, shape (lists, count); `key` is (lists, places)."""
    if key.dtype.kind != "f" or key.shape[1] < _FAR_MORE * count:
        return _places(key, falling)[:, :count]
    packed, low, exact = _packed(key, falling)
    packed.partition(count, axis=1)
    first = packed[:, : count + 1].copy()
    first.sort(axis=1)
    places = first[:, :count] & low
    equal = np.zeros(0, np.int64) if exact else np.flatnonzero(_equal_but_for_lost_bits(first, low).any(axis=1))
    if len(equal):
        places[equal] = _places(key[equal], falling)[:, :count]
    return places


def _packed(key: NDArray[Any], falling: bool) -> tuple[NDArray[np.int64], np.int64, bool]:
    """Key and place as one number that rises in the wanted order of places, shape (lists, places) as `key`.

    Then the bits that have the place, and whether the others have the whole key: one of double precision loses as many
    bits as places need.
    """
    zero, signed = key.dtype.type(0), np.int32 if key.dtype == np.float32 else np.int64
    bits = (zero - key if falling else zero + key).view(signed)  # 0 and -0 are one number then
    rising = bits >> signed(8 * key.itemsize - 1)
    rising &= np.iinfo(signed).max
    rising ^= bits
    places = np.arange(key.shape[1])
    if signed is np.int32:
        packed = rising.astype(np.int64)
        packed <<= 32
        packed |= places
        return packed, np.int64(0xFFFFFFFF), True
    low = np.int64((1 << key.shape[1].bit_length()) - 1)
    exact = not (bits & low).any()
    packed = np.asarray(rising, np.int64)
    packed &= ~low
    packed |= places
    return packed, low, exact


def _equal_but_for_lost_bits(packed: NDArray[np.int64], low: np.int64) -> Mask:
    """Where a key and that before it are equal but for lost bits, shape (lists, places - 1) of sorted keys."""
    return np.asarray((packed[:, 1:] ^ packed[:, :-1]).view(np.uint64) <= low.view(np.uint64))


def _with_lost_bits(key: NDArray[Any], falling: bool, places: Codes, equal: Mask) -> Codes:
    """The places with the order of keys that differ only in lost bits, shape (lists, places) as `key`."""
    some = np.flatnonzero(equal.any(axis=1))
    if len(some):
        ordered = np.take_along_axis(key[some], places[some], axis=1)
        wrong = some[(equal[some] & (ordered[:, 1:] != ordered[:, :-1])).any(axis=1)]
        places[wrong] = _by_argsort(key[wrong], falling)
    return places


def _by_argsort(key: NDArray[Any], falling: bool) -> Codes:
    """The places of each list by key, ties by place, shape (lists, places) as `key`, of any keys."""
    rising = -key if falling else key
    order = np.argsort(rising, axis=1)
    ordered = np.take_along_axis(rising, order, axis=1)
    tied = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    if len(tied):
        order[tied] = _by_place(order[tied], ordered[tied])
    return order


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
