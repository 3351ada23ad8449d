"""Ties: how rows are sorted, which rank tied rows share, and expected values over all their orders."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Any, NamedTuple
from weakref import proxy

import numpy as np
from numpy.typing import NDArray

from rankconv.conventions.convention import Setting
from rankconv.conventions.traits import Traits
from rankconv.data.arrays import Codes, Mask, Numbers, begins, within
from rankconv.data.ids import Ids
from rankconv.preparation.arithmetic import Arithmetic, CumulativeSum

SHARED: dict[str, Callable[[Numbers, Numbers], Numbers]] = {
    "min": lambda first, last: first + 1.0,
    "max": lambda first, last: last + 1.0,
    "average-floor": lambda first, last: (first + last + 2.0) // 2,
    "average": lambda first, last: (first + last + 2.0) / 2,
}
"""Which rank the rows of a tie may share, given the places of its first and last row, from 0, shape (rows,)."""


class TieEffect(Enum):
    """What a tie rule decides of the rows of a tie."""

    ORDER = "order"
    EXPECTED = "expected"
    """That each has the mean of what it would have in all their orders."""
    SHARED = "shared"
    """Which rank all of them have."""


class TieTraits(Traits):
    """The traits of tie rules."""

    effect: TieEffect = TieEffect.ORDER
    """What it decides of the rows of a tie."""
    keeps_order: bool = False
    """Tied rows keep the order given."""
    orders_items: Callable[[Ids], Codes | Numbers | None] | None = None
    """The order of tied rows of many lists at once: a function of the ids that gives the place of each item among tied
    ones, whole and not below 0, or None where tied rows are turned round. None where neither this nor `keeps_order` is
    stated: rows are then looked at one by one."""
    rising_grade: bool = False
    """Places of items decide only between tied rows of one grade, and the lowest grade comes first."""
    undefined: bool = False
    """The system itself leaves the order open."""


def reads_order(setting: Setting) -> bool:
    """Whether what a setting makes of a list may hang on the order of its tied rows.

    The trait `reads_order` says so; a plugin's setting without it may, if it reads the block and not grades alone.
    """
    if setting.traits.reads_order is not None:
        return setting.traits.reads_order
    ours = setting.setting_type.function.__module__.startswith("rankconv.")
    free = ours or setting.changes_nothing or setting.traits.plain == "always"
    return not free and "block" in setting.reads


class Ties:
    """Which rows, grouped by user, are tied: those of equal score, and rank if there are any, that stand together."""

    def __init__(self, user: Codes, score: Numbers, rank: Numbers | None = None) -> None:
        new = begins(user, score, *(() if rank is None else (rank,)))
        self._starts = np.flatnonzero(new)
        self._tie = np.cumsum(new) - 1
        self._place = within(user)

    @cached_property
    def _sizes(self) -> Codes:
        return np.diff(np.append(self._starts, len(self._tie)))

    @property
    def first(self) -> Codes:
        """The place of the first row of each row's tie, from 0, shape (rows,)."""
        return np.asarray(self._place[self._starts][self._tie])

    @property
    def last(self) -> Codes:
        """The place of the last row of each row's tie, from 0, shape (rows,)."""
        return np.asarray(self.first + self._sizes[self._tie] - 1)

    def shared_ranks(self, at: str) -> Numbers:
        """The rank that all rows of a tie share, shape (rows,); `at` is one of `SHARED`, and the mean may be a half."""
        return SHARED[at](self.first.astype(np.float64), self.last.astype(np.float64))


class Thresholds:
    """The rows of each list by falling score, whatever their rank, as a classifier that cuts at a score sees them.

    All rows of a tie pass a threshold together. Arrays have shape (K, users).
    """

    def __init__(self, block: Arithmetic, user: Codes, score: Numbers) -> None:
        self._block: Arithmetic = proxy(block)
        self._order = np.lexsort((-score, user))
        self._at = (within(user), user)
        ties = Ties(user, score[self._order])
        self._first = self._by_rank(ties.first)
        self._past = self._by_rank(ties.last + 1)

    def _by_rank(self, values: Codes) -> Codes:
        dense = np.zeros((self._block.depth, self._block.size), np.int64)
        dense[self._at] = values
        return dense

    def stand(self, by_rank: Numbers) -> Numbers:
        """Values of the rows by rank, put where the rows stand by score, shape (K, users)."""
        dense = np.zeros_like(by_rank)
        dense[self._at] = by_rank[self._at][self._order]
        return dense

    def back(self, by_score: Numbers) -> Numbers:
        """Values that stand by score, put where their rows stand by rank, shape (K, users)."""
        values = by_score[self._at].copy()
        values[self._order] = by_score[self._at]
        dense = np.zeros_like(by_score)
        dense[self._at] = values
        return dense

    def above(self, values: CumulativeSum) -> Numbers:
        """For each row the sum over the rows of a higher score, shape (K, users)."""
        return np.take_along_axis(values.sums, self._first, axis=0)

    def through(self, values: CumulativeSum) -> Numbers:
        """For each row the sum over the rows of the same score or a higher one, shape (K, users)."""
        return np.take_along_axis(values.sums, self._past, axis=0)

    @property
    def ends(self) -> Numbers:
        """1 where a row is the last of its tie, shape (K, users)."""
        place = np.arange(1, self._block.depth + 1)[:, None]
        return np.asarray(self._past == place, np.float64)


RowNumbers = NDArray[Any]
"""Numbers of rows, shape (rows,): float64, or objects that are exact."""


class EqualItems(NamedTuple):
    """Items of one tie with equally many rows there, of which the row that comes first has one value in each."""

    first: Any
    later: Any
    """The value of all their other rows."""
    times: int
    """How many rows each item has in the tie."""

    def chance(self, size: int, place: int) -> Fraction:
        """The probability that the first row of an item is at this place, from 0, of a tie of `size` rows."""
        return Fraction(comb(size - 1 - place, self.times - 1), comb(size, self.times))

    def chance_before(self, other: "EqualItems", size: int, place: int) -> Fraction:
        """The probability that its first row is at this place, and one of another item above it."""
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

    Then the value of the first of them is that of whichever comes first.
    """

    def __init__(self, user: Codes, tied_by: Sequence[NDArray[Any]], item: Codes) -> None:
        """Rows of a user are tied where all of `tied_by` are equal; an item below 0 is none. All have shape (rows,)."""
        super().__init__(begins(user), begins(user, *tied_by))
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
        """The rows of each item that occurs in a tie more than once, as they are, each of shape (copies,)."""
        rows = np.flatnonzero((self.sizes[self.tie] > 1) & (self._item >= 0))
        rows = rows[np.lexsort((self._item[rows], self.tie[rows]))]
        new = (np.diff(self.tie[rows]) != 0) | (np.diff(self._item[rows]) != 0)
        return [] if new.all() else [one for one in np.split(rows, np.flatnonzero(new) + 1) if len(one) > 1]

    def items_of(self, tie: int) -> list[Codes]:
        """The rows of each item of a tie, as they are, each of shape (rows of the item,)."""
        rows = np.arange(self.starts[tie], self.starts[tie] + int(self.sizes[tie]))
        alone, there = rows[self._item[rows] < 0], rows[self._item[rows] >= 0]
        there = there[np.argsort(self._item[there], kind="stable")]
        several = np.split(there, np.flatnonzero(np.diff(self._item[there])) + 1) if len(there) else []
        return [*several, *alone[:, None]]

    @property
    def with_copies(self) -> list[int]:
        """The ties in which an item occurs more than once."""
        return sorted({int(self.tie[rows[0]]) for rows in self._copies})

    def _repeated(self, values: RowNumbers) -> Iterator[tuple[int, list[tuple[EqualItems, int]]]]:
        """The ties in which rows of an item differ in values, shape (rows,).

        Each comes with these items, equal ones counted, in their order.
        """
        of_tie: dict[int, Counter[EqualItems]] = {}
        for rows in self._copies:
            one = EqualItems(values[rows[0]], values[rows[1]], len(rows))
            if one.first != one.later:
                of_tie.setdefault(int(self.tie[rows[0]]), Counter())[one] += 1
        return ((tie, sorted(groups.items())) for tie, groups in of_tie.items())


def _products(hits: RowNumbers, groups: list[tuple[EqualItems, int]], above: Fraction) -> Iterator[Fraction]:
    """The products of one tie, as of `ExpectedRows.products`, where later rows of items are no hits.

    `hits` has shape (rows of the tie,), and `above` are the hits above it.
    """
    single = Counter(hits[hits > 0].tolist())
    single.subtract({one.first: items for one, items in groups})
    groups = [*groups, *((EqualItems(value, value, 1), items) for value, items in sorted(single.items()) if items)]
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
