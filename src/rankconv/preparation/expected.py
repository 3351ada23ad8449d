"""What the rows of a tie are expected to have: the mean over all orders of them, without trying any order.

Source: McSherry and Najork, ECIR 2008. Sums over a tie do not depend on how its rows were sorted.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Mask

RowNumbers = NDArray[Any]
"""Numbers of rows, shape (rows,): float64, or objects that are exact."""


class Alike(NamedTuple):
    """Items of one tie with equally many rows there, of which the row that stands first has one value in each."""

    first: Any
    later: Any
    """The value of all their other rows."""
    times: int
    """How many rows each item has in the tie."""

    def chance(self, size: int, place: int) -> Fraction:
        """The probability that the first row of an item stands at this place, from 0, of a tie of `size` rows."""
        return Fraction(comb(size - 1 - place, self.times - 1), comb(size, self.times))

    def chance_before(self, other: "Alike", size: int, place: int) -> Fraction:
        """The probability that its first row stands at this place, and one of another item above it."""
        below = size - place - self.times
        neither = Fraction(comb(max(below, 0), other.times), comb(size - self.times, other.times))
        return self.chance(size, place) * (1 - neither)


class ExpectedTies:
    """Ties, list by list; each row of one is expected to have the mean of what the tie has.

    Sums of ties have shape (ties,); what is expected of rows has the shape of the rows that are read.
    """

    def __init__(self, new_list: Mask, new_tie: Mask, read: Codes | None = None) -> None:
        """Whether a list, or a tie, begins with each row, both of shape (rows,); `read` are the rows that are read."""
        self.tie = np.cumsum(new_tie, dtype=np.int32) - np.int32(1)
        """The tie of each row, shape (rows,)."""
        self.starts = np.flatnonzero(new_tie)
        self.sizes = np.diff(np.append(self.starts, len(new_tie)))
        """The rows of each tie."""
        self._first_of_list = np.flatnonzero(new_list[self.starts])[np.cumsum(new_list[self.starts]) - 1]
        rows = np.arange(len(new_tie)) if read is None else read
        self.read = self.tie[rows]
        """The tie of each row that is read."""
        self.place = rows - self.starts[self.read]
        """Its place in this tie, from 0."""

    def sums(self, rows: Codes, values: RowNumbers) -> RowNumbers:
        """The sums of values of these rows, 0 for all others, shape (ties,); `rows` and `values` have one shape.

        Fractions, which are rounded, are added as they rise.
        """
        tie = self.tie[rows]
        if values.dtype == object:
            sums = np.full(len(self.starts), Fraction(0), object)
            np.add.at(sums, tie, values)
            return sums
        if (values != np.rint(values)).any():
            order = np.lexsort((values, tie))
            tie, values = tie[order], values[order]
        return np.bincount(tie, values, len(self.starts))

    def means(self, sums: RowNumbers) -> RowNumbers:
        """The expected values of rows, shape as `read`, of the sums of their ties, shape (ties,)."""
        return np.asarray((sums / self.sizes)[self.read])

    def above(self, sums: RowNumbers) -> RowNumbers:
        """The sum over the ties above each tie of its list, shape (ties,), as of `sums`."""
        before = np.cumsum(sums) - sums
        return np.asarray(before - before[self._first_of_list])

    def products(self, hits: RowNumbers, squares: RowNumbers) -> RowNumbers:
        """The expected product of the hits of a row and all hits down to it, shape as `read`.

        `hits` and `squares`, both of shape (ties,), are the sums of hits and of their squares.
        """
        sizes = self.sizes.astype(hits.dtype)
        alone = (self.above(hits) * hits + squares) / sizes
        before = (hits * hits - squares) / np.maximum(sizes - 1, 1) / sizes
        return np.asarray(alone[self.read] + self.place.astype(hits.dtype) * before[self.read])

    def chances(self, hits: RowNumbers) -> RowNumbers:
        """The probability that a row is a hit if none above it is one, shape as `read`.

        `hits`, shape (ties,), says how many rows of each tie may be hits.
        """
        left = (self.sizes[self.read] - self.place).astype(hits.dtype)
        return np.asarray(np.minimum(hits[self.read] / left, 1))


class ExpectedRows(ExpectedTies):
    """Rows one by one, of which those of an item in a tie may have different values, as where the first counts alone.

    Then the value of the first of them is that of whichever stands first.
    """

    def __init__(self, user: Codes, tied_by: Sequence[NDArray[Any]], item: Codes) -> None:
        """Rows of a user are tied where all of `tied_by` are equal; an item below 0 is none. All have shape (rows,)."""
        new_list = np.append(True, user[1:] != user[:-1])[: len(user)]
        new_tie = new_list.copy()
        for key in tied_by:
            new_tie[1:] |= key[1:] != key[:-1]
        super().__init__(new_list, new_tie)
        self._item = item

    def _sums_of(self, values: RowNumbers) -> RowNumbers:
        rows = np.flatnonzero(values)
        return self.sums(rows, values[rows])

    def means_of(self, values: RowNumbers) -> RowNumbers:
        """The expected value of each row, of values of shape (rows,)."""
        found = self.means(self._sums_of(values))
        for tie, groups in self._repeated(values):
            size = int(self.sizes[tie])
            for place in range(size):
                moved = (
                    (one.first - one.later) * items * _as(values, one.chance(size, place) - Fraction(1, size))
                    for one, items in groups
                )
                found[self.starts[tie] + place] += sum(moved)
        return found

    def products_of(self, hits: RowNumbers) -> RowNumbers:
        """The expected product of what each row counts in hits, shape (rows,), and of all hits down to it."""
        sums = self._sums_of(hits)
        found = self.products(sums, self._sums_of(hits * hits))
        for tie, groups in self._repeated(hits):
            rows = slice(self.starts[tie], self.starts[tie] + int(self.sizes[tie]))
            above = Fraction(self.above(sums)[tie])
            found[rows] = [_as(hits, one) for one in _products(hits[rows], groups, above)]
        return found

    def chances_of(self, hits: RowNumbers) -> RowNumbers:
        """The probability that each row is a hit if none above it is one; `hits` has shape (rows,)."""
        counts = hits * 0 + (hits > 0)
        for rows in self._copies:
            counts[rows] = counts[rows[0]]
        return self.chances(self._sums_of(counts))

    @cached_property
    def _copies(self) -> list[Codes]:
        """The rows of each item that stands in a tie more than once, as they stand, each of shape (copies,)."""
        rows = np.flatnonzero((self.sizes[self.tie] > 1) & (self._item >= 0))
        rows = rows[np.lexsort((self._item[rows], self.tie[rows]))]
        new = (np.diff(self.tie[rows]) != 0) | (np.diff(self._item[rows]) != 0)
        return [] if new.all() else [one for one in np.split(rows, np.flatnonzero(new) + 1) if len(one) > 1]

    def _repeated(self, values: RowNumbers) -> Iterator[tuple[int, list[tuple[Alike, int]]]]:
        """The ties in which rows of an item differ in values, shape (rows,).

        Each comes with these items, alike ones counted, in their order.
        """
        of_tie: dict[int, Counter[Alike]] = {}
        for rows in self._copies:
            one = Alike(values[rows[0]], values[rows[1]], len(rows))
            if one.first != one.later:
                of_tie.setdefault(int(self.tie[rows[0]]), Counter())[one] += 1
        return ((tie, sorted(groups.items())) for tie, groups in of_tie.items())


def _products(hits: RowNumbers, groups: list[tuple[Alike, int]], above: Fraction) -> Iterator[Fraction]:
    """The products of one tie, as of `ExpectedRows.products`, where later rows of items are no hits.

    `hits` has shape (rows of the tie,), and `above` are the hits above it.
    """
    single = Counter(hits[hits > 0].tolist())
    single.subtract({one.first: items for one, items in groups})
    groups = [*groups, *((Alike(value, value, 1), items) for value, items in sorted(single.items()) if items)]
    size = len(hits)
    for place in range(size):
        found = Fraction(0)
        for one, items in groups:
            value = Fraction(one.first)
            found += items * one.chance(size, place) * value * (above + value)
            for other, others in groups:
                both = items * (others - (one is other)) * value * Fraction(other.first)
                found += both * one.chance_before(other, size, place) if both else 0
        yield found


def _as(values: RowNumbers, number: Fraction) -> Any:
    return number if values.dtype == object else float(number)
