"""Two runs, user by user: whose values are put against each other, always by id."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.ids import Clusters, Ids
from rankconv.data.raw_ids import unite
from rankconv.engine.metric_result import Measured
from rankconv.engine.scoring import entering
from rankconv.evaluation.compare.comparison import Comparison

Count = Literal["both", "either", "baseline"]
"""Which users are looked at: those who count in both runs, in one at least, or in the second."""


@dataclass(frozen=True)
class Everybody:
    """The users of all runs, and where each is in a run."""

    users: Ids
    places: Mapping[str, Codes]
    """For each run, shape (users,); -1 where it does not know them."""

    @classmethod
    def of(cls, comparison: Comparison) -> "Everybody":
        """The users of the runs that are compared."""
        ids = {run: data.joined.users for run, data in comparison.facts.items()}
        users = next(iter(ids.values()))
        for more in ids.values():
            users, _ = unite(users, more, "user")
        return cls(users, {run: _places(users, own) for run, own in ids.items()})

    def column(self, run: str, measured: Measured) -> "Column":
        """What the run gives each user under one definition."""
        place = self.places[run]
        counts = np.append(counted(measured), False)[place]
        return Column(np.where(counts, np.append(measured.values, 0.0)[place], 0.0), counts)


def counted(measured: Measured) -> Mask:
    """Who enters the mean, shape (users,)."""
    return entering(measured.definition, measured.states)


def _places(users: Ids, own: Ids) -> Codes:
    """Where each of the users is among a run's own, shape (users,); -1 where they do not."""
    known = unite(users, own, "user")[1]
    places = np.full(len(users), -1, np.int64)
    places[known] = np.arange(len(own))
    return places


@dataclass(frozen=True, eq=False)
class Column:
    """The values of all users under one definition in one run; arrays of shape (users,)."""

    values: Numbers
    """0 where they do not count."""
    counted: Mask


@dataclass(frozen=True, eq=False)
class Pair:
    """One run against another under one definition.

    Its arrays are made where they are needed: thousands of pairs of as many users each would not fit the memory.
    """

    ours: Column
    other: Column
    count: Count
    sign: int
    """-1 where less is better."""
    clusters: Clusters | None = None
    """Of all users, where several are of one unit of chance."""

    @property
    def looked_at(self) -> Mask:
        """Who is looked at, shape (users,); a user who does not count in one of the runs has 0 there."""
        if self.count == "both":
            return self.ours.counted & self.other.counted
        return self.other.counted if self.count == "baseline" else self.ours.counted | self.other.counted

    @property
    def differences(self) -> Numbers:
        """By how much the first run is better, shape (users looked at,)."""
        return self.all_differences[self.looked_at]

    @property
    def all_differences(self) -> Numbers:
        """The differences of all users, 0 for those who are not looked at, shape (users,)."""
        return np.where(self.looked_at, self.sign * (self.ours.values - self.other.values), 0.0)

    @property
    def unit_count(self) -> int:
        """How many units of chance are looked at."""
        looked_at = self.looked_at
        return int(np.count_nonzero(looked_at if self.clusters is None else self.clusters.sums(looked_at)))

    @property
    def units(self) -> Numbers:
        """By how much the first run is better for each unit of chance, its users added up, shape (units looked at,)."""
        return self.sums_and_sizes[0]

    @property
    def sums_and_sizes(self) -> tuple[Numbers, Numbers]:
        """The sum of the differences of each unit's users, and how many these are, both of shape (units looked at,)."""
        if self.clusters is None:
            differences = self.differences
            return differences, np.ones(len(differences))
        sizes = self.clusters.sums(self.looked_at)
        return self.clusters.sums(self.all_differences)[sizes > 0], sizes[sizes > 0]

    @property
    def means(self) -> tuple[float, float]:
        """The mean of either run over the users who are looked at; NaN without any."""
        looked_at = self.looked_at
        if not looked_at.any():
            return np.nan, np.nan
        return float(self.ours.values[looked_at].mean()), float(self.other.values[looked_at].mean())

    @property
    def alone(self) -> tuple[int, int]:
        """How many users count in the first run alone, and in the second alone."""
        ours, other = self.ours.counted, self.other.counted
        return int(np.count_nonzero(ours & ~other)), int(np.count_nonzero(other & ~ours))
