"""One number in one segment: over its users, and against the others."""

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from rankconv.data.arrays import Codes, Mask
from rankconv.data.ids import Ids
from rankconv.engine.again import OfSome, by_id
from rankconv.engine.measured import Measured
from rankconv.evaluation.intervals import interval_of, is_plain, numbers_of, plain_values, range_of, usual
from rankconv.statistics.intervals import Interval, of_difference, of_mean, percentile, replicates

FEW = 20
"""Of fewer users than this little can be said."""


@dataclass(frozen=True)
class Segment:
    """What a run gives the users of one segment."""

    metric: str
    by: str
    name: str
    run: str
    users: int
    """How many count."""
    number: float
    interval: Interval
    rest: float
    """Of all others."""
    difference: Interval
    """Of the number less that of the others."""

    @property
    def few(self) -> bool:
        """Whether there are too few users to say much."""
        return self.users < FEW


@dataclass(frozen=True)
class Against:
    """One run against another among the users of one segment."""

    metric: str
    by: str
    name: str
    runs: tuple[str, str]
    users: int
    """How many count in both."""
    difference: float
    """By how much the first run is better."""
    interval: Interval

    @property
    def few(self) -> bool:
        """Whether there are too few users to say much."""
        return self.users < FEW


@dataclass(frozen=True, eq=False)
class Moved(OfSome):
    """Users of a number, numbered as those of another run."""

    to: Codes
    """The places of all users of the number, shape (users,); -1 where the other run does not know them."""
    there: Ids
    """Of the users of the other run."""

    @property
    def ids(self) -> Ids:
        """Of all users as they are numbered now."""
        return self.there

    @cached_property
    def users(self) -> Codes:
        """Their places among the users of the other run, shape (users,)."""
        return self.to[self.whole.users[self.places]]


def moved(measured: Measured, to: Codes, there: Ids) -> Measured:
    """A number whose users have these places among others, shape (its users,); -1 where they are not `there`."""
    again = measured.again
    if again is None:
        return measured
    values, known = np.full(len(there), np.nan), to >= 0
    values[to[known]] = measured.values[known]
    places = np.flatnonzero(to[again.users] >= 0)
    return replace(measured, kept=(values, np.zeros(len(there), np.int8)), again=Moved(again, places, to, there))


def over(measured: Measured, users: Mask) -> Measured:
    """The number over some of the users, shape (users,), who count; NaN where none does."""
    again = measured.again
    if again is None:
        return measured
    some = OfSome(again, np.flatnonzero(users[again.users]))
    mean = some.number(np.arange(len(some.places))) if len(some.places) else np.nan
    return replace(measured, mean=mean, again=some)


def size(measured: Measured) -> int:
    """How many users count."""
    return 0 if measured.again is None else len(measured.again.users)


def apart(ours: Measured, others: Measured, confidence: float, draws: int, seed: int) -> Interval:
    """The interval of the difference between two groups of different users.

    Of plain means that of `of_difference`; else either group's users are drawn again and both numbers computed anew.
    """
    if min(size(ours), size(others)) < 2 or ours.again is None or others.again is None:
        return Interval(np.nan, np.nan, confidence, "", "fewer than 2 users on one side")
    if usual(ours.definition) == "t":
        values = plain_values(ours), plain_values(others)
        if not any(np.ptp(one) > 0 for one in values):
            return Interval(np.nan, np.nan, confidence, "", "all users of either side have one value")
        return of_difference(*values, confidence, range_of(ours.definition))
    each = [
        replicates(partial(numbers_of, by_id(one.again)), size(one), draws, seed + place)
        for place, one in enumerate((ours, others))
        if one.again is not None
    ]
    low, high = np.quantile(each[0] - each[1], [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high), confidence, "percentile")


def paired(
    ours: Measured, other: Measured, sign: int, confidence: float, draws: int, seed: int
) -> tuple[int, float, Interval]:
    """Users who count in both, by how much the first is better among them, and the interval of that."""
    none = partial(Interval, np.nan, np.nan, confidence, "")
    if ours.again is None or other.again is None:
        return 0, np.nan, none("there is no number of these users")
    both, at, there = np.intersect1d(ours.again.users, other.again.users, return_indices=True)
    if not len(both):
        return 0, np.nan, none("nobody counts in both")
    order = np.argsort(ours.again.ids.text_rank[both])
    first, second = OfSome(ours.again, at[order]), OfSome(other.again, there[order])
    every = np.arange(len(both))
    difference = sign * (first.number(every) - second.number(every))
    if len(both) < 2:
        return len(both), difference, none("fewer than 2 users")
    if is_plain(ours.definition):
        values = sign * (ours.values[both] - other.values[both])
        low, high = range_of(ours.definition)
        ends = low - high, high - low
        interval = of_mean(values, confidence, ends) if np.ptp(values) > 0 else none("all users differ alike")
        return len(both), float(values.mean()), interval
    anew = lambda drawn: sign * (numbers_of(first, drawn) - numbers_of(second, drawn))
    return len(both), difference, percentile(anew, len(both), draws=draws, seed=seed, confidence=confidence)


def segment(
    found: Measured, others: Measured, about: tuple[str, str, str, str], confidence: float, draws: int, seed: int
) -> Segment:
    """What a run gives these users, and how far that is from the others; `about` is metric, column, name and run."""
    interval = interval_of(found, confidence, draws=draws, seed=seed)
    difference = apart(found, others, confidence, draws, seed)
    return Segment(*about, size(found), found.mean, interval, others.mean, difference)
