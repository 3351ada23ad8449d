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

from rankconv.data.arrays import Codes

Values = NDArray[Any]
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


class ExpectedRows:
    """Rows grouped by user, tied ones together; each is expected to have the mean of what its tie has.

    The rows of an item in a tie may have different values, as where the first one counts alone. Then the value of the
    first of them is that of whichever stands first.
    """

    def __init__(self, user: Codes, tied_by: Sequence[NDArray[Any]], item: Codes | None = None) -> None:
        """Rows of a user are tied where all of `tied_by` are equal; an item below 0 is none, as all are without items.

        All arrays have shape (rows,).
        """
        of_user = np.append(True, user[1:] != user[:-1])[: len(user)]
        new = of_user.copy()
        for key in tied_by:
            new[1:] |= key[1:] != key[:-1]
        self._starts, self._tie = np.flatnonzero(new), np.cumsum(new) - 1
        self._sizes = np.diff(np.append(self._starts, len(user)))
        self._places = np.arange(len(user)) - self._starts[self._tie]
        self._list = np.flatnonzero(of_user)[np.cumsum(of_user) - 1]
        self._item = item

    def values(self, values: Values) -> Values:
        """The expected value of each row."""
        if len(self._starts) == len(values):
            return values
        found = (self._sums(values) / self._sizes)[self._tie]
        for tie, groups in self._repeated(values):
            size = int(self._sizes[tie])
            for place in range(size):
                moved = (
                    (one.first - one.later) * items * _as(values, one.chance(size, place) - Fraction(1, size))
                    for one, items in groups
                )
                found[self._starts[tie] + place] += sum(moved)
        return found

    def products(self, hits: Values) -> Values:
        """The expected product of what each row counts in hits, and of all hits from the top of the list down to it."""
        through = np.cumsum(hits)
        above = ((through - hits) - (through - hits)[self._list])[self._starts]
        sums, squares, sizes = self._sums(hits), self._sums(hits * hits), self._sizes.astype(hits.dtype)
        pairs = (sums * sums - squares) / np.maximum(sizes - 1, 1)
        alone, before = (above * sums + squares) / sizes, pairs / sizes
        found = alone[self._tie] + self._places.astype(hits.dtype) * before[self._tie]
        for tie, groups in self._repeated(hits):
            rows = slice(self._starts[tie], self._starts[tie] + int(self._sizes[tie]))
            found[rows] = [_as(hits, one) for one in _products(hits[rows], groups, Fraction(above[tie]))]
        return found

    def chances(self, hits: Values) -> Values:
        """The probability that each row is a hit if none above it is one."""
        counts = hits * 0 + (hits > 0)
        for rows in self._copies:
            counts[rows] = counts[rows[0]]
        left = (self._sizes[self._tie] - self._places).astype(hits.dtype)
        return np.minimum(self._sums(counts)[self._tie] / left, 1)

    def _sums(self, values: Values) -> Values:
        """The sum over each tie, shape (ties,); fractions, which each addition rounds, are added as they rise."""
        if not len(values):
            return values
        if values.dtype != object and (values != np.rint(values)).any():
            values = values[np.lexsort((values, self._tie))]
        return np.add.reduceat(values, self._starts)

    @cached_property
    def _copies(self) -> list[Codes]:
        """The rows of each item that stands in a tie more than once, as they stand, each of shape (copies,)."""
        if self._item is None:
            return []
        rows = np.flatnonzero((self._sizes[self._tie] > 1) & (self._item >= 0))
        rows = rows[np.lexsort((self._item[rows], self._tie[rows]))]
        new = (np.diff(self._tie[rows]) != 0) | (np.diff(self._item[rows]) != 0)
        return [] if new.all() else [one for one in np.split(rows, np.flatnonzero(new) + 1) if len(one) > 1]

    def _repeated(self, values: Values) -> Iterator[tuple[int, list[tuple[Alike, int]]]]:
        """The ties in which rows of an item differ, each with these items, alike ones counted, in their order."""
        of_tie: dict[int, Counter[Alike]] = {}
        for rows in self._copies:
            one = Alike(values[rows[0]], values[rows[1]], len(rows))
            if one.first != one.later:
                of_tie.setdefault(int(self._tie[rows[0]]), Counter())[one] += 1
        return ((tie, sorted(groups.items())) for tie, groups in of_tie.items())


def _products(hits: Values, groups: list[tuple[Alike, int]], above: Fraction) -> Iterator[Fraction]:
    """`ExpectedRows.products` of one tie where later rows of items are no hits; `above` are the hits above it."""
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


def _as(values: Values, number: Fraction) -> Any:
    return number if values.dtype == object else float(number)
