"""Learning curves: their points, the one number of each, where they cross."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.data.ids import Ids
from rankconv.data.labels_and_rankings import Labels, Run, Runs
from rankconv.pages.cells import finite
from rankconv.presets.definition import Definition
from rankconv.protocols.learning_curves.measuring import PointValues
from rankconv.protocols.learning_curves.points_of_curves import Crossing, Grid, crossings, interval
from rankconv.protocols.split import Split
from rankconv.statistics.bands import draws_of
from rankconv.statistics.intervals import Interval

if TYPE_CHECKING:
    import polars as pl

Faults = Counter[str]


@dataclass(frozen=True, eq=False)
class CurveNumbers:
    """How good the lists of recommenders are, by how many ratings of a user they were given.

    `labels` and `runs` are the ordinary ones, with one user for each (user, given), and go into `rc.compare`, `rc.why`,
    `rc.test`; `to_frame` has every point that is drawn.
    """

    split: Split
    definitions: Mapping[str, Definition]
    lists: Mapping[str, Mapping[int, tuple[Any, ...]]] = field(repr=False)
    """By recommender and point, the items of the list."""
    values: Mapping[tuple[str, str], PointValues] = field(repr=False)
    """By recommender and metric."""
    faults: Mapping[str, Faults] = field(repr=False)
    """By recommender, how many settings had which fault, and an example of each."""
    draws: int = 1000
    seed: int = 0

    @property
    def recommenders(self) -> list[str]:
        """Their names."""
        return list(self.lists)

    @property
    def metrics(self) -> list[str]:
        """What was asked."""
        return list(self.definitions)

    @cached_property
    def _weights(self) -> Numbers:
        """How often each user is drawn, shape (draws, users); in which order the users came does not matter."""
        rank = np.argsort(np.argsort(self.split.ratings.users.text_rank[np.unique(self.split.points.user)]))
        return draws_of(len(rank), self.draws, self.seed)[:, rank]

    @cached_property
    def grids(self) -> dict[tuple[str, str], Grid]:
        """By recommender and metric, users by numbers given."""
        return {key: Grid.of(self.split, values) for key, values in self.values.items()}

    def number(self, recommender: str, metric: str, *, users_first: bool | None = None) -> float:
        """A curve's one number (MANDCG where the metric is NDCG), as the protocol or the caller says.

        `users_first`: the mean of the points; otherwise the mean over users of each user's own mean.
        """
        told = self._users_first if users_first is None else users_first
        return float(self.grids[recommender, metric].number(users_first=told)[0])

    def number_interval(self, recommender: str, metric: str, *, users_first: bool | None = None) -> Interval:
        """Where that number lies, from users drawn again."""
        told = self._users_first if users_first is None else users_first
        return interval(self.grids[recommender, metric].number(self._weights, users_first=told))

    @property
    def _users_first(self) -> bool:
        return bool(self.split.protocol.settings.settings["curve-mean"]())

    @cached_property
    def crossings(self) -> dict[str, list[Crossing]]:
        """By metric, where two recommenders are best combined by a switch; none where one is better throughout."""
        found: dict[str, list[Crossing]] = {}
        for metric, definition in self.definitions.items():
            lower = definition.lower_is_better
            for pair in combinations(self.recommenders, 2):
                grids = (self.grids[pair[0], metric], self.grids[pair[1], metric])
                found.setdefault(metric, []).extend(crossings(pair, grids, self._weights, lower=lower))
        return found

    def to_frame(self) -> "pl.DataFrame":
        """All that is drawn: recommender, metric, given, users, mean, and the ends of the band."""
        import polars as pl

        rows = [row for (name, metric), grid in self.grids.items() for row in self._rows(name, metric, grid)]
        names = ("recommender", "metric", "given", "users", "mean", "low", "high")
        return pl.DataFrame(rows, schema=list(names), orient="row")

    def _rows(self, name: str, metric: str, grid: Grid) -> list[tuple[Any, ...]]:
        if not len(grid.shown):
            return []
        low, high = self.band(name, metric)
        columns = (grid.given[grid.shown], grid.users[grid.shown], grid.means(), low, high)
        return [(name, metric, *row) for row in zip(*(column.tolist() for column in columns), strict=True)]

    def band(self, recommender: str, metric: str) -> tuple[Numbers, Numbers]:
        """Where each mean lies, from users drawn again: the lower and the upper ends, each of shape (points shown,)."""
        drawn = self.grids[recommender, metric].means(self._weights)
        low, high = np.nanquantile(drawn, [0.025, 0.975], axis=0)
        return low, high

    # for other conventions

    @property
    def labels(self) -> Labels:
        """What is to be found, with one user for each point."""
        return self.split.labels

    @cached_property
    def runs(self) -> Runs:
        """The lists, by recommender."""
        return Runs({name: self._rankings(name) for name in self.lists})

    def _rankings(self, name: str) -> Run:
        keys, items = self.split.keys, self.split.ratings.items
        each: Sequence[tuple[Any, ...]] = [self.lists[name].get(point, ()) for point in range(len(keys))]
        codes = np.array([items.code_of[item] for one in each for item in one], np.int64)
        starts = np.append(0, np.cumsum([len(one) for one in each])).astype(np.int64)
        return Run(Ids(keys.values, keys.kind), items, starts, codes, None, source=name)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "protocol": self.split.protocol.text,
            "split": self.split.fingerprint,
            "sentence": self.split.sentence,
            "curves": [{**row, "mean": finite(row["mean"])} for row in self.to_frame().to_dicts()],
            "numbers": [self._numbers(*key) for key in self.grids],
            "crossings": {
                metric: [{**vars(one), "interval": [one.interval.low, one.interval.high]} for one in found]
                for metric, found in self.crossings.items()
            },
            "faults": {name: dict(found) for name, found in self.faults.items()},
        }

    def _numbers(self, name: str, metric: str) -> dict[str, Any]:
        readings = {"users first": True, "given first": False}
        told: dict[str, Any] = {"recommender": name, "metric": metric}
        for reading, users_first in readings.items():
            found = self.number_interval(name, metric, users_first=users_first)
            told[reading] = self.number(name, metric, users_first=users_first)
            told[f"{reading}, interval"] = [found.low, found.high]
        return told

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self.recommenders)}; {', '.join(self.metrics)}; {self.split!r})"
