"""Many rows in pieces that fit the processor's cache; lists as rows of matrices, far faster to sort or to search."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import CELLS, Codes, Element, Mask

_PADDED = 1.125
"""Lists stand together whose lengths differ by no more than this."""


@dataclass(frozen=True, eq=False)
class Matrix:
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
        """Write to the rows of these lists which rows stand there, told by their places, shape (lists, width)."""
        rows = self.first + places
        if self.whole is not None:
            into[self.whole] = rows.ravel()
        elif self.there is None:
            into[self.first + np.arange(self.width)] = rows
        else:
            into[(self.first + np.arange(self.width))[self.there]] = rows[self.there]


def matrices(starts: Codes, most: int | None = None) -> Iterator[Matrix]:
    """All lists but empty ones, list `u` having the rows from `starts[u]` to `starts[u + 1]`; shape (lists + 1,).

    Lists of like length stand together. No more than the first `most` rows of each are taken; None for all.
    """
    lengths = np.diff(starts)
    taken = lengths if most is None else np.minimum(lengths, most)
    alike = len(taken) > 0 and bool((taken == taken[0]).all())
    narrow = taken.astype(np.min_scalar_type(int(taken.max(initial=0))))  # far faster to sort
    order = np.arange(len(taken)) if alike else np.argsort(narrow, kind="stable")
    rising = taken if alike else taken[order]
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
    alike = int(np.searchsorted(rising, longest, side="right"))
    return begin + min(alike, max(1, CELLS // max(1, longest)))


def _matrix(starts: Codes, lists: Codes, taken: Codes, lengths: Codes) -> Matrix:
    """The matrix of lists of which so many rows are `taken`, rising, of all that they have, both of shape (lists,)."""
    shortest, width = int(taken[lists[0]]), int(taken[lists[-1]])
    there = None if shortest == width else np.arange(width) < taken[lists][:, None]
    even = bool((lengths[lists] == lengths[lists[0]]).all())
    adjoin = even and bool((np.diff(lists) == 1).all())
    whole = slice(int(starts[lists[0]]), int(starts[lists[-1] + 1])) if adjoin else None
    return Matrix(lists, starts[lists][:, None], width, there, whole)


def from_places(values: NDArray[Element], first: Codes, width: int) -> NDArray[Element]:
    """The `width` values from each of these places on, shape (places, width); behind the last stands that one again."""
    if len(first) and int(first.max()) + width <= len(values):
        return np.asarray(np.lib.stride_tricks.sliding_window_view(values, width)[first])
    return values.take(first[:, None] + np.arange(width), mode="clip")


def starts_of_runs(values: NDArray[Any]) -> Codes:
    """Where each run of equal values begins and the last one ends, shape (runs + 1,); one value is there at least."""
    found = [np.flatnonzero(after != before) + first + 1 for first, before, after in neighbours(values)]
    return np.concatenate([np.zeros(1, np.int64), *found, np.array([len(values)])])


def has_long_runs(values: NDArray[Any]) -> bool:
    """Whether runs of equal values, shape (values,), are long, by the first of them."""
    some = values[:CELLS]
    return 2 * int(np.count_nonzero(some[1:] != some[:-1]) + 2) < len(some)


def rises(user: Codes) -> bool:
    """Whether no user, shape (rows,), has a smaller code than that of the row before."""
    return all((after >= before).all() for _, before, after in neighbours(user))


def neighbours(values: NDArray[Element]) -> Iterator[tuple[int, NDArray[Element], NDArray[Element]]]:
    """Stretches of the values, shape (values,): where one begins, its values, and the value that follows each."""
    for first in range(0, len(values) - 1, CELLS):
        last = min(first + CELLS, len(values) - 1)
        yield first, values[first:last], values[first + 1 : last + 1]
