"""The values of recommenders by the number of ratings given, their means, and where one overtakes another."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankconv.addons.protocols.division import Split
from rankconv.data.arrays import Codes, FrozenArrays, Mask, Numbers
from rankconv.evaluation.statistics.intervals import Interval

CONFIDENCE = 0.95


@dataclass(frozen=True, eq=False)
class PointValues:
    """What each point is worth; arrays have shape (points,)."""

    values: Numbers
    counted: Mask


@dataclass(frozen=True, eq=False)
class Grid(FrozenArrays):
    """The values of one recommender under one definition: a row for each user, a column for each number given.

    Numbers given that have fewer users than the protocol's least-users have no column.
    """

    given: Codes
    """Rising, shape (numbers,)."""
    values: Numbers
    """Shape (users, numbers); 0 where the user does not count."""
    counts: Numbers
    """Shape (users, numbers): 1 where the user counts, at a point of many cases how many of these."""

    @classmethod
    def of(cls, split: Split, points: PointValues) -> "Grid":
        """The grid of all points that count."""
        users, user = np.unique(split.points.user, return_inverse=True)
        numbers = split.points.given if split.nested else np.zeros(len(user), np.int64)
        given, column = np.unique(numbers, return_inverse=True)
        values, counts = np.zeros((2, len(users), len(given)))
        kept = points.counted
        np.add.at(values, (user[kept], column[kept]), points.values[kept])
        np.add.at(counts, (user[kept], column[kept]), 1.0)
        least = split.protocol.settings.settings["least-users"]()
        return cls(given, values, counts)._columns(np.flatnonzero(np.count_nonzero(counts, axis=0) >= least))

    def _columns(self, columns: Codes) -> "Grid":
        return Grid(self.given[columns], self.values[:, columns], self.counts[:, columns])

    def at(self, given: Codes) -> "Grid":
        """The grid at these of its numbers given, shape (numbers chosen,)."""
        return self if len(given) == len(self.given) else self._columns(np.searchsorted(self.given, given))

    @cached_property
    def users(self) -> Codes:
        """How many users each number is of, shape (numbers,)."""
        return np.asarray(np.count_nonzero(self.counts, axis=0))

    def means(self, weights: Numbers | None = None) -> Numbers:
        """The mean at each number, shape (numbers,), or (draws, numbers) for weights (draws, users)."""
        weights_used = np.ones((1, len(self.values))) if weights is None else weights
        with np.errstate(invalid="ignore"):
            means = (weights_used @ self.values) / (weights_used @ self.counts)
        return np.asarray(means[0] if weights is None else means)

    def number(self, weights: Numbers | None = None, *, users_first: bool) -> Numbers:
        """One number of the whole curve, shape (draws,): the mean of its points, or of the users' own means."""
        weights_used = np.ones((1, len(self.values))) if weights is None else weights
        if not len(self.given):
            return np.full(len(weights_used), np.nan)
        if users_first:
            return np.asarray(np.nanmean(self.means(weights_used), axis=1))
        counts = self.counts.sum(axis=1)
        own = np.divide(self.values.sum(axis=1), counts, out=np.zeros(len(counts)), where=counts > 0)
        return np.asarray((weights_used @ own) / (weights_used @ (counts > 0).astype(np.float64)))


def interval(drawn: Numbers) -> Interval:
    """The middle of what the draws gave, shape (draws,); NaN where none gave anything."""
    if np.isnan(drawn).all():
        return Interval(np.nan, np.nan, CONFIDENCE, "percentile")
    low, high = np.nanquantile(drawn, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Interval(float(low), float(high), CONFIDENCE, "percentile")


@dataclass(frozen=True)
class Crossing:
    """Where it is best to switch from one recommender to another, and what the two together give."""

    first: str
    """The recommender to begin with."""
    then: str
    at: int
    """The number of ratings from which on the other is used."""
    interval: Interval
    """Of that number, from users drawn again; where no switch is best in a draw, it is beyond one of the ends."""
    share: float
    """Of the draws in which some switch in this direction is better than none."""
    combined: float
    """The curve's one number, of the two together. The switch was chosen on the same users."""
    changes: int
    """How often the sign of the difference changes along the curves."""


def crossings(
    names: tuple[str, str], grids: tuple[Grid, Grid], weights: Numbers, *, lower: bool = False
) -> list[Crossing]:
    """The best switch in either direction, of those that are better than both recommenders alone, the earlier first.

    `weights` has shape (draws, users). The best switch is the one whose combined curve has the best mean.
    """
    given = np.intersect1d(grids[0].given, grids[1].given)
    if len(given) < 2:
        return []
    sign = -1.0 if lower else 1.0
    chosen = [grid.at(given) for grid in grids]
    ours, theirs = (sign * (grid.values.sum(axis=0) / grid.counts.sum(axis=0)) for grid in chosen)
    drawn = [np.nan_to_num(grid.means(weights)) for grid in chosen]  # 0 where a draw has nobody
    moved = sign * (drawn[0] - drawn[1])
    found = []
    for pair, first, then, draws in ((names, ours, theirs, moved), (names[::-1], theirs, ours, -moved)):
        place = _best(first - then)
        if 0 < place < len(given):
            places = np.array([_best(one) for one in draws])
            edges = np.append(given, given[-1] + 1).astype(np.float64)
            share = float(np.mean((places > 0) & (places < len(given))))
            combined = sign * float(np.concatenate([first[:place], then[place:]]).mean())
            signs = np.sign(first - then)
            changes = int(np.count_nonzero(np.diff(signs[signs != 0])))
            found.append(Crossing(*pair, int(given[place]), interval(edges[places]), share, combined, changes))
    return sorted(found, key=lambda one: one.at)


def _best(difference: Numbers) -> int:
    """After how many columns to switch to the other, shape (columns,): where the sum of the difference is highest.

    After all of them where the other is no better from there on; sums that differ by rounding only are equal.
    """
    sums = np.append(0.0, np.cumsum(difference)).round(12)
    place = int(np.argmax(sums))
    return place if sums[place] > sums[-1] else len(difference)
