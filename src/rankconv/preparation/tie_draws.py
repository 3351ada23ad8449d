"""The rows above a row in a random order of its tie: rows drawn one after the other, without replacement.

The chances are hypergeometric. They are made draw by draw, as weighted means of those before, so that nothing is lost
to rounding: for a list of n rows with at most h rows of the counted kind in a tie it takes n · h steps.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import comb
from typing import Any, NamedTuple

import numpy as np

from rankconv.data.arrays import Codes, Numbers, within

Chances = Any
"""Probabilities: float64, or objects that are fractions."""


class Counted(NamedTuple):
    """Rows of a kind, by rank; arrays of shape (K, users)."""

    in_tie: Numbers
    """How many there are in the tie of each row."""
    above_tie: Numbers
    """How many there are above all rows of that tie."""


class ItemRows(NamedTuple):
    """The rows of an item in a tie, of which the one that comes first counts otherwise than the others."""

    times: int
    """How many rows there are."""
    first: float
    """What the first one has."""
    later: float
    """What each other one has."""
    hit: bool
    """Whether the first one is a hit; no other one is."""


class RepeatedTie(NamedTuple):
    """A tie in which an item occurs more than once: where it begins, its rows, and the rows of each of its items."""

    user: int
    rank: int
    """The place of its first row in the list of the user, from 0."""
    items: Sequence[Codes]
    """The rows of each item, as places among the rows of all lists; one row where an item is not repeated."""

    @property
    def size(self) -> int:
        """How many rows it has."""
        return sum(map(len, self.items))


class TiedFactors(NamedTuple):
    """Factors of the rows of ties that are not 1."""

    tie: Codes
    """The tie of each rank, shape (K, users)."""
    counts: Numbers
    """How many each tie has, shape (ties,)."""
    means: Chances
    """The expected product of 0, 1, … of them, drawn at random, shape (most + 1, ties)."""

    @classmethod
    def of(cls, tie: Codes, ties: int, of_rows: Codes, factors: Chances) -> "TiedFactors":
        """`of_rows` is the tie of each row whose factor is not 1, `factors` are those, both of shape (such rows,)."""
        order = np.lexsort((np.asarray(factors, np.float64), of_rows))
        of_rows, factors = of_rows[order], factors[order]
        counts, place = np.bincount(of_rows, minlength=ties), within(of_rows)
        zero = Fraction(0) if factors.dtype == object else 0.0
        means = np.full((int(counts.max(initial=0)) + 1, ties), zero, factors.dtype)
        means[0] = means[0] + 1
        for rows in range(1, len(means)):
            here = of_rows[place == rows - 1]
            drawn = np.arange(1, rows + 1)[:, None]
            kept, more = means[1 : rows + 1, here], means[:rows, here]
            means[1 : rows + 1, here] = ((rows - drawn) * kept + drawn * factors[place == rows - 1] * more) / rows
        return cls(tie, counts.astype(np.float64), means)


class TieDraws:
    """The ties of the lists of a block, row by row; `place` and `size` have shape (K, users)."""

    def __init__(self, place: Numbers, size: Numbers, chances: Callable[[Numbers], Chances]) -> None:
        """`place` is that of each row in its tie, from 0, `size` the rows of the tie.

        `chances` makes of whole numbers what probabilities are computed with.
        """
        self.place, self.size, self._chances = place, size, chances

    def counted(self, mean: Any, above: Any) -> Counted:
        """Rows of a kind, of which `mean` are expected at each rank, and `above` above it, both of shape (K, users)."""
        mean, above = (np.asarray(values, np.float64) for values in (mean, above))
        first = np.arange(len(self.place))[:, None] - self.place.astype(np.int64)
        return Counted(np.rint(mean * self.size), np.rint(np.take_along_axis(above, first, axis=0)))

    def before(self, rows: Numbers, counted: Numbers, ranks: int | None = None) -> Iterator[Chances]:
        """Rank by rank, down to `ranks`, the chances that 0, 1, … counted rows are above, shape (counts, users).

        Of `rows` rows, of which `counted` count, as many are drawn as stand above in the tie.
        """
        places, counted = self.place[:ranks], counted[:ranks]
        most = np.minimum(counted, places).max(axis=1, initial=0).astype(np.int64).tolist()
        left, counted = self._chances(rows[:ranks] - places + 1), self._chances(counted)
        nothing = self._chances(np.zeros((max(most, default=0) + 1, self.place.shape[1])))
        state = nothing[:1]
        for rank, new in enumerate(places == 0):
            if new.all():
                state = nothing[:1] + 1
            else:
                width = most[rank] + 1
                grown = np.concatenate([state, nothing[len(state) : width]]) if len(state) < width else state
                state = after_draw(grown, counted[rank], left[rank])[:width]
                if new.any():
                    state[:, new] = nothing[:width, new]
                    state[0, new] = nothing[0, new] + 1
            yield state

    def after(self, rank: Codes, counted: Numbers) -> Chances:
        """The chances of 0, 1, … counted rows among those of the tie down to a rank from 0, shape (counts, users).

        `rank` has shape (users,), and `counted` (K, users), all rows of the tie counted.
        """
        user = np.arange(self.place.shape[1])
        drawn = np.minimum(counted, self.place + 1)[rank, user].max(initial=0)
        found = self._chances(np.zeros((int(drawn) + 1, len(user))))
        left, numbers = self._chances(self.size - self.place), self._chances(counted)
        for at, state in enumerate(self.before(self.size, counted, int(rank.max(initial=-1)) + 1)):
            here = rank == at
            if here.any():
                drawn_once = after_draw(np.concatenate([state, state[:1] * 0]), numbers[at], left[at])
                kept = min(len(found), len(drawn_once))
                found[:kept, here] = drawn_once[:kept, here]
        return found


def after_draw(state: Chances, counted: Chances, left: Chances) -> Chances:
    """The chances of each count, shape (counts, users), after one more of the rows that are left was drawn."""
    remaining = np.maximum(counted - np.arange(len(state)).reshape(-1, 1), 0)
    moved = state * (remaining / left)
    kept = state - moved
    kept[1:] += moved[:-1]
    return kept


Polynomial = dict[tuple[int, int], int]
"""By the powers of two variables: the rows drawn of a tie, and what they count; in how many ways that is possible."""


def at_hits_of_repeated(items: Sequence[ItemRows]) -> list[list[Fraction]]:
    """The chance that the row at each place of a tie is a hit and 0, 1, … are counted above it in the tie."""
    size, kinds = sum(one.times for one in items), Counter(items)
    ways = Counter[tuple[int, int]]()
    for kind, often in kinds.items():
        if kind.hit:
            others = _all_ways(kinds - Counter({kind: 1}))
            for powers, number in others.items():
                ways[powers] += number * often * kind.times
    return [[Fraction(one, comb(size, place) * (size - place)) for one in _row(ways, place)] for place in range(size)]


def drawn_of_repeated(items: Sequence[ItemRows], drawn: int) -> list[Fraction]:
    """The chances that 0, 1, … are counted among the first rows of a tie, of which so many are drawn."""
    size = sum(one.times for one in items)
    return [Fraction(one, comb(size, drawn)) for one in _row(_all_ways(Counter(items)), drawn)]


def no_hit_of_repeated(items: Sequence[ItemRows], above: int, rows: int) -> Fraction:
    """The chance that none of so many rows of a tie is a hit, so many others of it being above them."""
    ways = reduce(_times, map(_ways_around_window, items), {(0, 0): 1}).get((above, rows), 0)
    size = sum(one.times for one in items)
    return Fraction(ways, comb(size, above) * comb(size - above, rows))


def _ways_around_window(item: ItemRows) -> Polynomial:
    """In how many ways rows of an item are above a window and in it, the first not in it where it is a hit."""
    return {
        (above, inside): comb(item.times, above) * comb(item.times - above, inside)
        for above in range(item.times + 1)
        for inside in range(item.times - above + 1)
        if not (item.hit and above == 0 and inside)
    }


def products_of_repeated(items: Sequence[tuple[int, Fraction]]) -> list[Fraction]:
    """The expected product over the items among the first 0, 1, … rows of a tie, each given as its rows and factor."""
    ways, size = [Fraction(1)], sum(times for times, _ in items)
    for times, factor in items:
        own = [Fraction(1), *(comb(times, drawn) * factor for drawn in range(1, times + 1))]
        longer = [Fraction(0)] * (len(ways) + times)
        for place, number in enumerate(ways):
            for drawn, more in enumerate(own):
                longer[place + drawn] += number * more
        ways = longer
    return [number / comb(size, drawn) for drawn, number in enumerate(ways)]


def _all_ways(kinds: Mapping[ItemRows, int]) -> Polynomial:
    each = (_ways(kind) for kind, often in kinds.items() for _ in range(often))
    return reduce(_times, each, {(0, 0): 1})


def _ways(item: ItemRows) -> Polynomial:
    """In how many ways so many rows of an item are drawn, the first of which counts otherwise than the others."""
    ways = Counter({(0, 0): 1})
    for drawn in range(1, item.times + 1):
        ways[drawn, int(item.first + (drawn - 1) * item.later)] += comb(item.times, drawn)
    return ways


def _times(one: Polynomial, other: Polynomial) -> Polynomial:
    product = Counter[tuple[int, int]]()
    for (drawn, counts), number in one.items():
        for (more, added), ways in other.items():
            product[drawn + more, counts + added] += number * ways
    return product


def _row(ways: Polynomial, drawn: int) -> list[int]:
    found = {counts: number for (rows, counts), number in ways.items() if rows == drawn}
    return [found.get(counts, 0) for counts in range(max(found, default=0) + 1)]
