"""What metrics give users under many preparations, and what aggregations need to know of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, Self

import numpy as np

from rankconv.analysis.identify.effects import Effects
from rankconv.data.arrays import Codes, Mask, Numbers


@dataclass(frozen=True, eq=False)
class MetricValues:
    """What one metric gives each list, or the users under several preparations, shape (preparations, users)."""

    situations: Codes
    """As codes of `Circumstances`, or as places among those that occur."""
    columns: Sequence[Numbers]
    """Numerators, and values rounded in each way."""

    @property
    def key(self) -> tuple[bytes, ...]:
        """Equal where each list has the same."""
        return tuple(one.tobytes() for one in (self.situations, *self.columns[:2]))

    def of(self, places: Codes) -> "MetricValues":
        """Those of the lists in these places, shape (preparations, users)."""
        return MetricValues(self.situations[places], [one[places] for one in self.columns])

    @classmethod
    def stacked(cls, parts: Sequence["MetricValues"]) -> "MetricValues":
        """Preparations one below the other."""
        several = zip(*(one.columns for one in parts), strict=True)
        return cls(np.concatenate([one.situations for one in parts]), [np.concatenate(each) for each in several])

    @cached_property
    def concerned(self) -> Mask:
        """Which users have other values or situations than under the first preparation, shape (preparations, users)."""
        changed = [self.situations != self.situations[:1]]
        changed += [~((one == one[:1]) | (np.isnan(one) & np.isnan(one[:1]))) for one in self.columns]
        return np.asarray(np.any(changed, axis=0))

    def at(self, codes: Codes) -> "MetricValues":
        """They with situations as places among these codes, which rise, shape (situations,)."""
        return MetricValues(np.searchsorted(codes, self.situations), self.columns)

    def disjoint(self) -> Codes:
        """The pairs of changed preparations of which no user is concerned by both, shape (2, pairs)."""
        common = self.concerned.astype(np.float32) @ self.concerned.T
        first, second = np.nonzero(common == 0)
        there = np.asarray(self.concerned.any(axis=1))
        pairs = (first < second) & there[first] & there[second]
        return np.array([first[pairs], second[pairs]])

    def of_both(self, first: Codes, second: Codes) -> "MetricValues":
        """Those of pairs of changes that concern different users, shape (pairs,) each."""
        by_first = self.concerned[first]
        columns = [np.where(by_first, one[first], one[second]) for one in self.columns]
        return MetricValues(np.where(by_first, self.situations[first], self.situations[second]), columns)


class UserTally(Protocol):
    """What a metric gives users under several preparations, as far as what is looked for needs it."""

    def of(self, preparations: Codes) -> Self:
        """That of some preparations, shape (preparations,)."""

    def of_both(self, first: Codes, second: Codes) -> Self:
        """That of pairs of changes that concern different users, shape (pairs,) each."""

    def stacked(self, others: Sequence[Self]) -> Self:
        """It, and others below."""

    def occurring(self) -> Codes:
        """The situations in which users are, shape (situations,)."""

    def restricted_to(self, situations: Codes) -> Self:
        """It on the situations in these places."""

    def under(self, effects: Effects) -> Numbers:
        """What aggregations make of it, given their effects on the situations, shape (preparations, effects)."""


@dataclass(frozen=True, eq=False)
class SituationSums:
    """Users, numerators and values by situation, from which the mean over all users follows.

    The sums have shape (2 or more, preparations, situations).
    """

    sums: Numbers

    @classmethod
    def of_values(cls, values: MetricValues, situations: int) -> "SituationSums":
        """Those of all users, who are in so many situations."""
        count = len(values.situations)
        at = (values.situations + situations * np.arange(count)[:, None]).reshape(-1)
        columns = (None, *(one.reshape(-1) for one in values.columns))
        sums = [np.bincount(at, one, count * situations) for one in columns]
        return cls(np.array(sums, np.float64).reshape(-1, count, situations))

    def of(self, preparations: Codes) -> "SituationSums":
        """Those of some preparations, shape (preparations,)."""
        return SituationSums(self.sums[:, preparations])

    def of_both(self, first: Codes, second: Codes) -> "SituationSums":
        """Those of pairs of changes that concern different users, shape (pairs,) each."""
        with np.errstate(invalid="ignore"):  # of values that are infinite
            return SituationSums(self.sums[:, first] + self.sums[:, second] - self.sums[:, :1])

    def stacked(self, others: Sequence["SituationSums"]) -> "SituationSums":
        """They, and others below."""
        return SituationSums(np.concatenate([self.sums, *(one.sums for one in others)], axis=1))

    def occurring(self) -> Codes:
        """The situations in which users are, shape (situations,)."""
        return np.flatnonzero(self.sums[0].any(axis=0))

    def restricted_to(self, situations: Codes) -> "SituationSums":
        """They on the situations in these places."""
        return SituationSums(self.sums[..., situations])

    def under(self, effects: Effects) -> Numbers:
        """The mean of each aggregation, shape (preparations, effects)."""
        return effects.means(self.sums)
