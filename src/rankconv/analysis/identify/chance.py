"""The chance of a match: what share of the numbers of its precision some definition of the search gives."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rankconv.analysis.identify.printed_value import PrintedValue, within
from rankconv.data.arrays import Codes, Numbers

RARE = 0.05
"""A match is likelier than chance where at most this share of numbers is matched by what is as near to a preset."""
AROUND = ((0.05, 25), (0.2, 100), (0.5, 100))
"""The numbers looked at: those within this share of the number, or within so many units of its last digit."""
DECIMALS = 12
"""Values that are equal to so many decimals are one."""
FEW_USERS = 8
"""Of so few users a draw often has each of them once."""
DRAWS = 1000
"""So many times the users of a match are drawn anew."""
MOST_DIFFERENT = 1500
"""Users with more different values than this have no sums in common."""


@dataclass(frozen=True, eq=False)
class Chance:
    """The printed numbers that the definitions of a search give, and how many of them an invented number is."""

    number: PrintedValue
    values: Numbers
    """Every different value, rising, shape (values,)."""
    distance: Codes
    """In how many settings the nearest definition of each differs from a preset's, shape (values,)."""
    of_presets: Numbers
    """The value of every preset, shape (presets,)."""
    drawn: Codes | None = None
    """As what means of other users are printed, shape (draws, ways); None where these have no sums in common."""

    @classmethod
    def of(cls, number: PrintedValue, tried: Sequence[tuple[Numbers, Codes]], of_presets: Numbers) -> "Chance":
        """Make it of the values that were tried, each with its distance from a preset."""
        value, distance = (np.concatenate(each) for each in zip(*tried, strict=True))
        rounded = value.round(DECIMALS)
        order = np.lexsort((distance, rounded))
        different = np.flatnonzero(np.diff(rounded[order], prepend=np.nan) != 0)
        return cls(number, value[order][different], distance[order][different], of_presets)

    def with_users(self, values: Numbers, mean: float) -> "Chance":
        """It with the means of other users who have values such as those of the users of a match, whose mean is given.

        Where users have few different values, as in hit rates, there are few means, and many of them are given by
        something. Draws in which each user is there once are left out.
        """
        values = values[np.isfinite(values)]
        different, counts = np.unique(values, return_counts=True)
        users = len(values)
        if not users or len(different) > MOST_DIFFERENT:
            return self
        random = np.random.default_rng(0)
        draws = random.multinomial(users, counts / users, size=DRAWS)
        if users <= FEW_USERS:
            of_users = random.multinomial(users, np.full(users, 1 / users), size=DRAWS)
            of_users = of_users[(of_users != 1).any(axis=1)]
            draws = np.array([of_users[:, values == one].sum(axis=1) for one in different]).T
        average = values.mean()
        means = draws @ different * ((mean / average if average else 1.0) / users)
        return replace(self, drawn=self.number.printed_as(means)) if len(means) else self

    @property
    def matches(self) -> int:
        """How many of the different values match the number."""
        near = self.values[within(self.values, self.number.intervals)]
        return sum(self.number.how(one) is not None for one in near.tolist())

    def expected(self, distance: float = np.inf) -> float:
        """How many values at most so far from a preset a number of this precision matches on average."""
        return self._matched(self.values[self.distance <= distance])

    @property
    def expected_presets(self) -> float:
        """How many presets a number of this precision fits on average."""
        return self._matched(self.of_presets)

    def _matched(self, values: Numbers) -> float:
        """How many of these values a number of this precision matches on average."""
        printed = np.sort(self.number.printed_as(values), axis=1)
        different = np.diff(printed, axis=1, prepend=printed[:, :1] - 1) != 0
        cells = np.sort(printed[different])
        shares = [_count(cells, low, high) / (high - low + 1) for low, high in self._windows]
        if self.drawn is not None:
            found = np.searchsorted(cells, self.drawn, "right") - np.searchsorted(cells, self.drawn)
            shares.append(float(found.max(axis=1).mean()))
        return float(max(shares))

    def probability(self, distance: float) -> float:
        """How likely some definition at most so far from a preset gives an invented number.

        The number may be any of those around, or the mean of other users with such values; whichever is likelier.
        """
        cells = self._printed[self._least <= distance]
        shares = [_count(cells, low, high) / (high - low + 1) for low, high in self._windows]
        if self.drawn is not None:
            shares.append(float(np.isin(self.drawn, cells).any(axis=1).mean()))
        return float(max(shares))

    @cached_property
    def _cells(self) -> tuple[Codes, Codes]:
        """The different printed numbers, rising, with the distance of the nearest definition of each."""
        printed = self.number.printed_as(self.values)
        cells, at = np.unique(printed, return_inverse=True)
        least = np.full(len(cells), np.iinfo(np.int64).max)
        np.minimum.at(least, at.reshape(-1), np.repeat(self.distance, printed.shape[1]))
        return cells, least

    @property
    def _printed(self) -> Codes:
        return self._cells[0]

    @property
    def _least(self) -> Codes:
        return self._cells[1]

    @cached_property
    def _windows(self) -> list[tuple[int, int]]:
        """The first and the last of the printed numbers around, from the closest to the widest."""
        own, positive = self.number.own, not len(self.values) or self.values[0] >= 0
        rooms = (max(round(share * abs(own)), least) for share, least in AROUND)
        return [(max(own - room, 0) if positive and own >= 0 else own - room, own + room) for room in rooms]


def _count(cells: Codes, low: int, high: int) -> int:
    """How many of these numbers, which rise, are in a window."""
    return int(np.searchsorted(cells, high, "right") - np.searchsorted(cells, low))
