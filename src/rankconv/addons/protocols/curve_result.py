"""The result of a learning curve, and its page."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from typing_extensions import TypedDict

from rankconv.addons.protocols.curve_grid import Crossing, Grid, PointValues, crossings, interval
from rankconv.addons.protocols.division import Split
from rankconv.basics.errors import InputError, NotEvaluatedError, unknown
from rankconv.basics.optional import frame_of
from rankconv.conventions.spec import preset_and_rest
from rankconv.data.arrays import Numbers, take_ownership
from rankconv.data.ids import Ids
from rankconv.data.labels_and_rankings import Labels, Run, Runs
from rankconv.evaluation.statistics.intervals import Interval, draws_of
from rankconv.presets.definition import Definition
from rankconv.rendering.pages.cells import ABSENT, finite, number, plural
from rankconv.rendering.pages.curve_plot import Curves, PlottedCurve, draw
from rankconv.rendering.pages.display import Drawn
from rankconv.rendering.pages.page import Heading, Page, Paragraph, Piece, TextLine
from rankconv.rendering.pages.picture import Target
from rankconv.rendering.pages.table import Table, csv_of

Faults = Counter[str]
PointLists = list[tuple[Any, ...]]
"""The items of the list of each point."""


def run_of(split: Split, users: Ids, lists: Sequence[tuple[Any, ...]], source: str = "the recommenders") -> Run:
    """The lists of these points, which are the users of the run."""
    code_of = split.ratings.items.code_of
    codes = np.array([code_of[item] for one in lists for item in one], np.int64)
    starts = np.append(0, np.cumsum([len(one) for one in lists])).astype(np.int64)
    return Run(users, split.ratings.items, take_ownership(starts), take_ownership(codes), None, source=source)


SHOWN = (1, 2, 3, 5, 10, 20, 30, 50, 75, 100, 150, 199, 200)
"""Of many numbers given those that a terminal shows, and the last."""


class CurvePointData(TypedDict):
    """The mean of a recommender after so many ratings given, and its band."""

    recommender: str
    metric: str
    given: int
    """How many ratings were given."""
    users: int
    mean: float | None
    """Null where no user counts, as in `low` and `high`."""
    low: float | None
    """The lower limit of the band of 95 %."""
    high: float | None
    """The upper limit of the band of 95 %."""


class CurveNumberData(TypedDict):
    """The one number of a curve, in both readings, each with its lower and upper limit."""

    recommender: str
    metric: str
    users_first: float | None
    """The mean of the points."""
    users_first_interval: list[float | None]
    given_first: float | None
    """The mean over users of each user's own mean."""
    given_first_interval: list[float | None]


class CrossingData(TypedDict):
    """Where it is best to change from one recommender to another."""

    first: str
    """The recommender to begin with."""
    then: str
    at: int
    """The number of ratings from which on the other is used."""
    interval: list[float | None]
    """The lower and the upper limit of that number."""
    share: float
    """Of the random resamples in which some change in this direction is better than none."""
    combined: float | None
    """The one number of the curve of the two together."""
    changes: int
    """How often the sign of the difference changes along the curves."""


class LearningCurveData(TypedDict):
    """The values of recommenders by how many ratings of a user they were given."""

    protocol: str
    split: str
    """The fingerprint of the split."""
    sentence: str
    """What a paper says of the split."""
    curves: list[CurvePointData]
    numbers: list[CurveNumberData]
    crossings: dict[str, list[CrossingData]]
    """By metric; empty where one recommender is better throughout."""
    faults: dict[str, dict[str, int]]
    """By recommender how many points have which fault."""


class CurvePoint(NamedTuple):
    """The mean of a recommender after so many ratings given, and its band."""

    recommender: str
    metric: str
    given: int
    users: int
    mean: float
    low: float
    high: float

    def to_dict(self) -> CurvePointData:
        """Return plain data; NaN is None, as JSON has it."""
        return {
            "recommender": self.recommender,
            "metric": self.metric,
            "given": self.given,
            "users": self.users,
            "mean": finite(self.mean),
            "low": finite(self.low),
            "high": finite(self.high),
        }


@dataclass(frozen=True, eq=False, repr=False)
class LearningCurve(Drawn):
    """How good the lists of recommenders are, by how many ratings of a user they were given.

    `labels` and `runs` are the ordinary ones, with one user for each (user, given), and go into `rc.compare`, `rc.why`,
    `rc.test`; `to_frame` has every point that is drawn.
    """

    split: Split
    definitions: Mapping[str, Definition]
    lists: Mapping[str, PointLists] = field(repr=False)
    """By recommender, the list of each point."""
    values: Mapping[tuple[str, str], PointValues] = field(repr=False)
    """By recommender and metric."""
    faults: Mapping[str, Faults] = field(repr=False)
    """By recommender, how many lists had which fault."""
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
        return float(self._grid(recommender, metric).number(users_first=weights_used)[0])

    def number_interval(self, recommender: str, metric: str, *, users_first: bool | None = None) -> Interval:
        """Where that number is, from users drawn again."""
        weights_used = self._users_first if users_first is None else users_first
        return interval(self._grid(recommender, metric).number(self._weights, users_first=weights_used))

    def _grid(self, recommender: str, metric: str) -> Grid:
        """The grid of one curve; NotEvaluatedError where there is none."""
        for kind, name, known in (("recommender", recommender, self.recommenders), ("metric", metric, self.metrics)):
            if name not in known:
                raise unknown(f"{kind} of this curve", str(name), known, error=NotEvaluatedError)
        return self.grids[recommender, metric]

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
        return frame_of([one._asdict() for one in self._points])

    def to_csv(self) -> str:
        """Return all that is drawn as CSV."""
        return csv_of(self.to_frame())

    @cached_property
    def _points(self) -> list[CurvePoint]:
        return [
            CurvePoint(name, metric, *columns)
            for (name, metric), grid in self.grids.items()
            for columns in zip(
                *(one.tolist() for one in (grid.given, grid.users, grid.means(), *self.band(name, metric))), strict=True
            )
        ]

    def band(self, recommender: str, metric: str) -> tuple[Numbers, Numbers]:
        """Where each mean is, from users drawn again: the lower and the upper ends, each of shape (numbers given,)."""
        drawn = self._grid(recommender, metric).means(self._weights)
        if not drawn.shape[1]:
            return np.empty(0), np.empty(0)
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
        keys = self.split.keys
        return Runs({name: run_of(self.split, keys, lists, name) for name, lists in self.lists.items()})

    def to_dict(self) -> LearningCurveData:
        """Everything as plain data; NaN is None, as JSON has it."""
        return {
            "protocol": self.split.protocol.text,
            "split": self.split.fingerprint,
            "sentence": self.split.sentence,
            "curves": [one.to_dict() for one in self._points],
            "numbers": [self._numbers(*key) for key in self.grids],
            "crossings": {metric: list(map(_crossing, found)) for metric, found in self.crossings.items()},
            "faults": {name: dict(found) for name, found in self.faults.items()},
        }

    def _numbers(self, name: str, metric: str) -> CurveNumberData:
        """Both readings of a curve's one number, with their intervals."""
        return {
            "recommender": name,
            "metric": metric,
            "users_first": finite(self.number(name, metric, users_first=True)),
            "users_first_interval": _ends(self.number_interval(name, metric, users_first=True)),
            "given_first": finite(self.number(name, metric, users_first=False)),
            "given_first_interval": _ends(self.number_interval(name, metric, users_first=False)),
        }

    def __repr__(self) -> str:
        return f"LearningCurve({', '.join(self.recommenders)}; {', '.join(self.metrics)}; {self.split!r})"

    def plot(self, path: Target, metric: str | None = None) -> None:
        """Draw the curves of one metric, or of all, into an SVG or PNG file; InputError where there is no point."""
        if not self._points:
            raise InputError("there is nothing to draw", where=self.split.protocol.text, do=self._too_few)
        if metric:
            self._grid(self.recommenders[0], metric)
        chosen = [metric] if metric else self.metrics
        several = len(chosen) > 1
        curves = []
        for (name, one), grid in self.grids.items():
            if one in chosen and len(grid.given):
                label = f"{name}, {one}" if several and len(self.recommenders) > 1 else one if several else name
                given = grid.given.astype(np.float64)
                curves.append(PlottedCurve(label, given, grid.means(), *self.band(name, one), grid.users))
        best = [] if several else sorted(self.crossings.get(chosen[0], []), key=lambda one: -one.share)[:1]
        marks = [(f"{one.first}, then {one.then}", one.at, one.interval.low, one.interval.high) for one in best]
        title = f"{', '.join(chosen)} after so many ratings given ({self.split.protocol.text}, seed {self.split.seed})"
        up = " and ".join(dict.fromkeys(preset_and_rest(one)[1] for one in chosen))
        draw(Curves(title, "ratings given", up, curves, marks, counted="users"), path)

    @property
    def _too_few(self) -> str:
        least = int(self.split.protocol.settings.settings["least-users"]())
        return f"No number given has {least} users; take a smaller least-users of the protocol to see the points."

    def _page(self, digits: int = 4) -> Page:
        """The numbers of each curve, some of its points, crossings and faults."""
        sections: list[list[Piece]] = [
            [Heading(f"One number for each curve: {metric}"), self._numbers_table(metric, digits)]
            for metric in self.metrics
        ]
        if self.split.nested:
            sections += [
                [Heading(f"{metric} after so many ratings"), self._points_table(metric, digits)]
                for metric in self.metrics
            ]
            sections.append([Heading("Where to switch"), *self._switches(digits)])
        faults = [
            TextLine(f"{name}: {', '.join(f'{kind} {count:,}' for kind, count in found.items())}")
            for name, found in self.faults.items()
            if found
        ]
        sections += [[Heading("Faults of recommenders"), *faults]] if faults else []
        return Page([*sections, [Paragraph(self.split.sentence)]])

    def _numbers_table(self, metric: str, digits: int) -> Table:
        """A row for each recommender: both readings of the one number, with intervals."""
        rows = []
        for name in self.recommenders:
            texts = list[str]()
            for users_first in (True, False):
                found = self.number_interval(name, metric, users_first=users_first)
                texts.append(number(self.number(name, metric, users_first=users_first), digits))
                texts.append(f"{number(found.low, digits)} to {number(found.high, digits)}")
            rows.append([name, *texts])
        return Table(["recommender", "users first", "95 %", "given first", "95 %"], rows)

    def _points_table(self, metric: str, digits: int) -> Table:
        """A row for each number given, with users and the mean of each recommender."""
        points = {(one.recommender, one.given): one for one in self._points if one.metric == metric}
        users = {one.given: one.users for one in [*points.values()][::-1]}
        last = max(users, default=0)
        chosen = [one for one in sorted(users) if len(users) <= len(SHOWN) or one in SHOWN or one == last]
        rows = []
        for given in chosen:
            each = [points.get((name, given)) for name in self.recommenders]
            means = [ABSENT if one is None else number(one.mean, digits) for one in each]
            rows.append([str(given), str(users[given]), *means])
        return Table(["given", "users", *self.recommenders], rows, 0, [] if rows else [self._too_few])

    def _switches(self, digits: int) -> Iterator[Piece]:
        """Where to change from one recommender to another, under each metric."""
        found = [(metric, one) for metric, each in self.crossings.items() for one in each]
        for metric, one in found:
            yield Paragraph(
                f"{metric}: {one.first} first, {one.then} from {plural(one.at, 'rating')} on "
                f"(95 % from {one.interval.low:g} to {one.interval.high:g}; best in {one.share:.0%} of the draws). "
                f"Together {number(one.combined, digits)}, the switch being chosen on the same users; the curves "
                f"change places {'once' if one.changes == 1 else f'{one.changes} times'}.",
                rest="  ",
            )
        if not found:
            yield TextLine("No switch between two of them is better than one of them throughout.")


def _ends(interval: Interval) -> list[float | None]:
    return [finite(interval.low), finite(interval.high)]


def _crossing(one: Crossing) -> CrossingData:
    return {
        "first": one.first,
        "then": one.then,
        "at": one.at,
        "interval": _ends(one.interval),
        "share": one.share,
        "combined": finite(one.combined),
        "changes": one.changes,
    }
