"""The result of a learning curve, and its page."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, FrozenArrays, Numbers
from rankconv.data.ids import Ids
from rankconv.data.labels_and_rankings import Labels, Run, Runs
from rankconv.optional import frame_of
from rankconv.pages.cells import ABSENT, finite, number, plural
from rankconv.pages.curve_plot import Curve, Curves, draw
from rankconv.pages.display import Drawn
from rankconv.pages.page import Heading, Line, Page, Paragraph, Piece
from rankconv.pages.picture import Target
from rankconv.pages.table import Table
from rankconv.presets.definition import Definition
from rankconv.protocols.curve_rows import PointValues
from rankconv.protocols.division import Division
from rankconv.protocols.split import Split
from rankconv.specs.spec import preset_and_rest
from rankconv.statistics.intervals import Interval, draws_of

CONFIDENCE = 0.95


@dataclass(frozen=True, eq=False)
class Grid(FrozenArrays):
    """The values of one recommender under one definition: a row for each user, a column for each number given."""

    given: Codes
    """Rising, shape (numbers,)."""
    values: Numbers
    """Shape (users, numbers); 0 where the user does not count."""
    counts: Numbers
    """Shape (users, numbers): 1 where the user counts, at a point of many cases how many of these."""
    least: int
    """Users of a point at least."""

    @classmethod
    def of(cls, split: Division, points: PointValues) -> "Grid":
        """The grid of all points that count."""
        users, user = np.unique(split.points.user, return_inverse=True)
        nested = split.nested
        given, number = np.unique(split.points.given, return_inverse=True) if nested else (np.zeros(1, np.int64), None)
        column = np.zeros(len(user), np.int64) if number is None else number
        values, counts = np.zeros((2, len(users), len(given)))
        kept = points.counted
        np.add.at(values, (user[kept], column[kept]), points.values[kept])
        np.add.at(counts, (user[kept], column[kept]), 1.0)
        return cls(given, values, counts, int(split.protocol.settings.settings["least-users"]()))

    @cached_property
    def users(self) -> Codes:
        """How many users each point is of, shape (numbers,)."""
        return np.asarray(np.count_nonzero(self.counts, axis=0))

    @cached_property
    def shown(self) -> Codes:
        """The columns of enough users, shape (points shown,)."""
        return np.flatnonzero(self.users >= self.least)

    def means(self, weights: Numbers | None = None) -> Numbers:
        """The mean at each number shown, shape (points shown,), or (draws, points shown) for weights (draws, users)."""
        weights_used = np.ones((1, len(self.values))) if weights is None else weights
        with np.errstate(invalid="ignore"):
            means = (weights_used @ self.values[:, self.shown]) / (weights_used @ self.counts[:, self.shown])
        return np.asarray(means[0] if weights is None else means)

    def number(self, weights: Numbers | None = None, *, users_first: bool) -> Numbers:
        """One number of the whole curve, shape (draws,): the mean of its points, or of the users' own means."""
        weights_used = np.ones((1, len(self.values))) if weights is None else weights
        if not len(self.shown):
            return np.full(len(weights_used), np.nan)
        if users_first:
            return np.asarray(np.nanmean(np.atleast_2d(self.means(weights_used)), axis=1))
        counts = self.counts[:, self.shown].sum(axis=1)
        own = np.divide(self.values[:, self.shown].sum(axis=1), counts, out=np.zeros(len(counts)), where=counts > 0)
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
    shown = np.intersect1d(grids[0].shown, grids[1].shown)
    if len(shown) < 2:
        return []
    sign = -1.0 if lower else 1.0
    ours, theirs = (sign * _at(grid, shown) for grid in grids)
    drawn = [_drawn(grid, shown, weights) for grid in grids]
    moved = sign * (drawn[0] - drawn[1])
    given = grids[0].given[shown]
    found = [
        _crossing(names, ours, theirs, moved, given, sign),
        _crossing(names[::-1], theirs, ours, -moved, given, sign),
    ]
    return sorted((one for one in found if one), key=lambda one: one.at)


def _crossing(
    names: tuple[str, str], ours: Numbers, theirs: Numbers, moved: Numbers, given: Codes, sign: float
) -> Crossing | None:
    """The switch from the first to the second; means of shape (columns,), differences of draws (draws, columns)."""
    difference = ours - theirs
    place = _best(difference)
    if not 0 < place < len(given):
        return None
    places = np.array([_best(one) for one in moved])
    edge = np.append(given, given[-1] + 1).astype(np.float64)
    combined = sign * float(np.concatenate([ours[:place], theirs[place:]]).mean())
    signs = np.sign(difference)
    changes = int(np.count_nonzero(np.diff(signs[signs != 0])))
    share = float(np.mean((places > 0) & (places < len(given))))
    return Crossing(*names, int(given[place]), interval(edge[places]), share, combined, changes)


def _at(grid: Grid, columns: Codes) -> Numbers:
    """The means at these columns, shape (columns,)."""
    return np.asarray(grid.values[:, columns].sum(axis=0) / grid.counts[:, columns].sum(axis=0))


def _drawn(grid: Grid, columns: Codes, weights: Numbers) -> Numbers:
    """The means of each draw, shape (draws, columns); 0 where a draw has nobody."""
    counts = weights @ grid.counts[:, columns]
    return np.divide(weights @ grid.values[:, columns], counts, out=np.zeros_like(counts), where=counts > 0)


def _best(difference: Numbers) -> int:
    """After how many columns to switch to the other, shape (columns,): where the sum of the difference is highest.

    After all of them where the other is no better from there on; sums that differ by rounding only are equal.
    """
    sums = np.append(0.0, np.cumsum(difference)).round(12)
    place = int(np.argmax(sums))
    return place if sums[place] > sums[-1] else len(difference)


Faults = Counter[str]


@dataclass(frozen=True, eq=False, repr=False)
class LearningCurve(Drawn):
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
        """What was requested."""
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
        weights_used = self._users_first if users_first is None else users_first
        return float(self.grids[recommender, metric].number(users_first=weights_used)[0])

    def number_interval(self, recommender: str, metric: str, *, users_first: bool | None = None) -> Interval:
        """Where that number is, from users drawn again."""
        weights_used = self._users_first if users_first is None else users_first
        return interval(self.grids[recommender, metric].number(self._weights, users_first=weights_used))

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

    def to_frame(self) -> Any:
        """All that is drawn: recommender, metric, given, users, mean, and the ends of the band."""
        return frame_of(self._points())

    def to_csv(self) -> str:
        """Return all that is drawn as CSV."""
        return str(self.to_frame().write_csv())

    def _points(self) -> list[dict[str, Any]]:
        rows = [row for (name, metric), grid in self.grids.items() for row in self._rows(name, metric, grid)]
        names = ("recommender", "metric", "given", "users", "mean", "low", "high")
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _rows(self, name: str, metric: str, grid: Grid) -> list[tuple[Any, ...]]:
        if not len(grid.shown):
            return []
        low, high = self.band(name, metric)
        columns = (grid.given[grid.shown], grid.users[grid.shown], grid.means(), low, high)
        return [(name, metric, *row) for row in zip(*(column.tolist() for column in columns), strict=True)]

    def band(self, recommender: str, metric: str) -> tuple[Numbers, Numbers]:
        """Where each mean is, from users drawn again: the lower and the upper ends, each of shape (points shown,)."""
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
            "curves": [{**row, "mean": finite(row["mean"])} for row in self._points()],
            "numbers": [self._numbers(*key) for key in self.grids],
            "crossings": {
                metric: [{**vars(one), "interval": [one.interval.low, one.interval.high]} for one in found]
                for metric, found in self.crossings.items()
            },
            "faults": {name: dict(found) for name, found in self.faults.items()},
        }

    def _numbers(self, name: str, metric: str) -> dict[str, Any]:
        readings = {"users first": True, "given first": False}
        fields: dict[str, Any] = {"recommender": name, "metric": metric}
        for reading, users_first in readings.items():
            found = self.number_interval(name, metric, users_first=users_first)
            fields[reading] = self.number(name, metric, users_first=users_first)
            fields[f"{reading}, interval"] = [found.low, found.high]
        return fields

    def __repr__(self) -> str:
        return f"LearningCurve({', '.join(self.recommenders)}; {', '.join(self.metrics)}; {self.split!r})"

    def plot(self, path: Target, metric: str | None = None) -> None:
        """Draw the curves of one metric, or of all, into an SVG or PNG file."""
        chosen = [metric] if metric else self.metrics
        curves = [self._drawn(name, one, len(chosen) > 1) for one in chosen for name in self.recommenders]
        best = sorted(self.crossings.get(chosen[0], []), key=lambda one: -one.share)[:1]
        marks = [(f"{one.first}, then {one.then}", one.at, one.interval.low, one.interval.high) for one in best]
        title = f"{', '.join(chosen)} after so many ratings given ({self.split.protocol.text}, seed {self.split.seed})"
        marked = marks if len(chosen) == 1 else []
        up = " and ".join(dict.fromkeys(preset_and_rest(one)[1] for one in chosen))
        draw(Curves(title, "ratings given", up, curves, marked, counted="users"), path)

    def _drawn(self, name: str, metric: str, several: bool) -> Curve:
        grid = self.grids[name, metric]
        low, high = self.band(name, metric)
        given, counts = grid.given[grid.shown], grid.users[grid.shown]
        label = f"{name}, {metric}" if several and len(self.recommenders) > 1 else metric if several else name
        return Curve(label, given.astype(np.float64), grid.means(), low, high, counts)

    def _page(self, digits: int = 4) -> Page:
        """The numbers of each curve, some of its points, crossings and faults."""
        sections: list[list[Piece]] = [
            [Heading(f"One number for each curve: {metric}"), numbers_table(self, metric, digits)]
            for metric in self.metrics
        ]
        if self.split.nested:
            sections += [
                [Heading(f"{metric} after so many ratings"), points_table(self, metric, digits)]
                for metric in self.metrics
            ]
            sections.append([Heading("Where to switch"), *_crossings(self, digits)])
        faults = [
            Line(f"{name}: {', '.join(f'{kind} {count:,}' for kind, count in found.items())}")
            for name, found in self.faults.items()
            if found
        ]
        sections += [[Heading("Faults of recommenders"), *faults]] if faults else []
        return Page([*sections, [Paragraph(self.split.sentence)]])


SHOWN = (1, 2, 3, 5, 10, 20, 30, 50, 75, 100, 150, 199, 200)
"""Of many numbers given those that a terminal shows, and the last."""


def numbers_table(curve: LearningCurve, metric: str, digits: int) -> Table:
    """A row for each recommender: both readings of the one number, with intervals."""
    rows = []
    for name in curve.recommenders:
        row = [name]
        for users_first in (True, False):
            between = curve.number_interval(name, metric, users_first=users_first)
            text = number(curve.number(name, metric, users_first=users_first), digits)
            row += [text, f"{number(between.low, digits)} to {number(between.high, digits)}"]
        rows.append(row)
    return Table(["recommender", "users first", "95 %", "given first", "95 %"], rows)


def points_table(curve: LearningCurve, metric: str, digits: int) -> Table:
    """A row for each number given, with users and the mean of each recommender."""
    first = curve.grids[curve.recommenders[0], metric]
    given = first.given[first.shown]
    chosen = [
        at for at, one in enumerate(given.tolist()) if len(given) <= len(SHOWN) or one in SHOWN or at == len(given) - 1
    ]
    rows = []
    for at in chosen:
        row = [str(given[at]), str(first.users[first.shown][at])]
        for name in curve.recommenders:
            grid = curve.grids[name, metric]
            place = np.flatnonzero(grid.given[grid.shown] == given[at])
            row.append(number(float(grid.means()[place[0]]), digits) if len(place) else ABSENT)
        rows.append(row)
    few = f"No number given has {first.least} users: least-users of the protocol leaves out all points."
    return Table(["given", "users", *curve.recommenders], rows, 0, [] if rows else [few])


def _crossings(curve: LearningCurve, digits: int) -> Iterator[Piece]:
    found = [(metric, one) for metric, each in curve.crossings.items() for one in each]
    for metric, one in found:
        yield Paragraph(
            f"{metric}: {one.first} first, {one.then} from {plural(one.at, 'rating')} on "
            f"(95 % from {one.interval.low:g} to {one.interval.high:g}; best in {one.share:.0%} of the draws). "
            f"Together {number(one.combined, digits)}, the switch being chosen on the same users; the curves change "
            f"places {'once' if one.changes == 1 else f'{one.changes} times'}.",
            rest="  ",
        )
    if not found:
        yield Line("No switch between two of them is better than one of them throughout.")
