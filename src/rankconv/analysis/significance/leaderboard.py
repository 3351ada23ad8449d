"""Runs by each metric, best first, with what chance leaves open: printed, or as data."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Unpack

import numpy as np
from typing_extensions import TypedDict

from rankconv.analysis.sensitivity.sensitivity import varied
from rankconv.analysis.sensitivity.sensitivity_page import OWN_ORDER
from rankconv.analysis.significance.hypotheses import (
    Correction,
    counted,
)
from rankconv.analysis.significance.significance import SignificanceData, SignificanceResult, test
from rankconv.analysis.significance.significance_page import appendix, letters
from rankconv.data.clusters import Cluster, clusters_of
from rankconv.engine.metric_result import range_of
from rankconv.evaluation.joining import SideDataLike, takes_side_data
from rankconv.evaluation.statistics.intervals import Interval, IntervalData, kinds_of, linearised, of_mean, shown
from rankconv.evaluation.statistics.paired_tests import DRAWS
from rankconv.presets.arguments import Metrics
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE
from rankconv.presets.preset_registry import preset as find_preset
from rankconv.rendering.pages.cells import ABSENT, finite, number
from rankconv.rendering.pages.display import Drawn, RowTable
from rankconv.rendering.pages.forest_plot import Forest, draw
from rankconv.rendering.pages.page import Heading, Page, Paragraph, Piece
from rankconv.rendering.pages.picture import Target
from rankconv.rendering.pages.table import Table


class StandingData(TypedDict):
    """The rank of one run by one metric."""

    metric: str
    run: str
    rank: int
    """1 + how many runs are significantly better."""
    letters: str
    """Runs that share one are not significantly different."""
    mean: float | None
    """Null where no user counts."""
    interval: IntervalData
    """Of the mean."""
    users: int
    ties: list[float | None] | None
    """The mean under the worst and the best order of rows of equal score; null where they change nothing."""


class LeaderboardData(SignificanceData):
    """The runs by each metric, best first, with the tests of their differences."""

    standings: list[StandingData]


@dataclass(frozen=True)
class Standing:
    """The rank of one run by one metric."""

    metric: str
    run: str
    rank: int
    """1 + how many runs are better beyond chance: runs that cannot be distinguished share it."""
    letters: str
    """Runs that share one are not significantly different."""
    mean: float
    interval: Interval
    """Of the mean; none where all users have one value."""
    users: int
    ties: tuple[float, float] | None = None
    """The mean under the worst and the best order of rows of equal score; None where they change nothing."""

    def to_dict(self) -> StandingData:
        """Return plain data; NaN is None, as JSON has it."""
        return {
            "metric": self.metric,
            "run": self.run,
            "rank": self.rank,
            "letters": self.letters,
            "mean": finite(self.mean),
            "interval": self.interval.to_dict(),
            "users": self.users,
            "ties": None if self.ties is None else list(map(finite, self.ties)),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard(Drawn, RowTable):
    """The runs by each metric, best first, with what chance leaves open."""

    rows_in: ClassVar[str] = "standings"

    standings: list[Standing]
    tested: SignificanceResult

    @property
    def library(self) -> str:
        """The library whose table the data came in, for `to_frame`."""
        return self.tested.library

    def _page(self, digits: int = 4) -> Page:
        """A table for each metric, and what was tested."""
        metrics = dict.fromkeys(one.metric for one in self.standings)
        sections: list[list[Piece]] = [[Heading(metric), self.table(digits, metric)] for metric in metrics]
        means = kinds_of((one.interval for one in self.standings), "Intervals of the means")
        return Page([*sections, [*([Paragraph(means)] if means else []), *appendix(self.tested)]])

    def table(self, digits: int = 4, metric: str | None = None) -> Table:
        """The runs, best first; of one metric, or of all."""
        standings = [one for one in self.standings if metric in (None, one.metric)]
        columns: dict[str, list[str]] = {"metric": [one.metric for one in standings]} if metric is None else {}
        columns["rank"] = [str(one.rank) for one in standings]
        columns["run"] = [one.run for one in standings]
        columns["mean"] = [number(one.mean, digits) for one in standings]
        columns[f"{self._level} interval"] = [shown(one.interval, digits) for one in standings]
        if any(one.ties for one in standings):
            columns["tie orders"] = [_range(one.ties, digits) for one in standings]
        columns["users"] = [str(one.users) for one in standings]
        columns["letters"] = [one.letters for one in standings]
        rows = list(zip(*columns.values(), strict=True))
        return Table(list(columns), rows, labels=3 if metric is None else 2)

    @property
    def _level(self) -> str:
        return f"{100 * (1 - self.tested.alpha):g} %"

    def plot(self, path: Target, digits: int = 4) -> None:
        """Draw the means with their intervals, best first, into an SVG or PNG file. Needs matplotlib."""
        metrics = list(dict.fromkeys(one.metric for one in self.standings))
        rows = [
            Forest(
                f"{f'{one.metric}: ' if len(metrics) > 1 else ''}{one.rank}  {one.run}",
                one.mean,
                one.interval.low,
                one.interval.high,
                f"{number(one.mean, digits)}  {one.letters}",
                one.rank == 1,
            )
            for one in self.standings
        ]
        marks = "runs that share a letter are not significantly different, filled: no run is better"
        draw(rows, f"{', '.join(metrics)}: {self._level} intervals; {marks}", "mean", path, None)

    def to_dict(self) -> LeaderboardData:
        """Plain data: the standings, and the tests of them; NaN is None, as JSON has it."""
        return {"standings": [one.to_dict() for one in self.standings], **self.tested.to_dict()}


@takes_side_data
def leaderboard(
    labels: Any,
    runs: Any,
    metrics: Metrics | Mapping[str, str | Definition] | None = None,
    preset: str | Preset | None = None,
    *,
    correction: Correction = "max-t",
    cluster: Cluster | None = None,
    alpha: float = 0.05,
    n_resamples: int = DRAWS,
    seed: int = 0,
    users: Iterable[Any] | None = None,
    progress: bool | None = None,
    **side: Unpack[SideDataLike],
) -> Leaderboard:
    """Rank runs by each metric, with groups of runs that do not differ significantly.

    Parameters
    ----------
    labels, runs, metrics
        As in `rc.test`.
    preset : str, path or Preset, optional
        The preset of metrics that name none.
    correction, cluster, alpha, n_resamples, seed, users, progress
        As in `rc.test`. All pairs are tested.
    seen, catalogue, train, item_features, parents, propensities, shown, group_target
        As in `rc.evaluate`.

    Returns
    -------
    Leaderboard
        The runs by falling mean. A rank is 1 plus the number of significantly better runs; runs that share a letter do
        not differ significantly.

    Raises
    ------
    InputError
        As in `rc.test`.

    Examples
    --------
    >>> import rankconv as rc
    >>> labels = {user: ["a"] for user in "uvwxyz"}
    >>> runs = {"good": ["a", "b"], "as good": ["a", "c"], "bad": ["b", "a"]}
    >>> found = rc.leaderboard(labels, {name: dict.fromkeys(labels, one) for name, one in runs.items()}, "mrr@2")
    >>> [(one.run, one.rank, one.mean, one.letters) for one in found.standings]
    [('good', 1, 1.0, 'a'), ('as good', 1, 1.0, 'a'), ('bad', 3, 0.5, 'b')]
    """
    chosen = find_preset(HOUSE if preset is None else preset)
    users = None if users is None else list(users)
    options: dict[str, Any] = {"correction": correction, "cluster": cluster, "alpha": alpha, "n_resamples": n_resamples}
    found = test(labels, runs, metrics, chosen, users=users, seed=seed, progress=progress, **options, **side)
    tied = {metric: _ties(found, metric, chosen, users) for metric in found.comparison.metrics}
    standings = [one for metric in found.comparison.metrics for one in _standings(found, metric)]
    return Leaderboard([replace(one, ties=tied[one.metric].get(one.run)) for one in standings], found)


def _ties(
    found: SignificanceResult, metric: str, preset: Preset, users: list[Any] | None
) -> dict[str, tuple[float, float]]:
    """The means of each run under the worst and the best order of tied rows, where these differ."""
    cells = varied(found.comparison, metric, [preset], users=users).cells
    ends: dict[str, list[float]] = {}
    for (run, order, _), cell in cells.items():
        if order != OWN_ORDER:
            ends.setdefault(run, []).append(cell.mean)
    return {run: (min(means), max(means)) for run, means in ends.items() if min(means) < max(means)}


def _standings(found: SignificanceResult, metric: str) -> Sequence[Standing]:
    """The runs by one metric, best first; none where it was not tested."""
    tests = [one for one in found.tests if one.metric == metric]
    if not tests:
        return []
    preset = tests[0].presets[0]
    means = found.comparison.means(metric)[preset]
    sign = -1 if found.comparison.lower_is_better(metric, preset) else 1
    runs = sorted(means, key=lambda run: -sign * means[run])
    signs = letters(runs, [one.runs for one in tests if one.is_significant])
    ranks = {run: 1 + sum(one.better not in (None, run) for one in tests if run in one.runs) for run in runs}
    return [_standing(found, metric, preset, run, ranks[run], signs[run]) for run in runs]


def _standing(found: SignificanceResult, metric: str, preset: str, run: str, rank: int, signs: str) -> Standing:
    measured = found.comparison.cell(metric, preset, run)
    assert measured is not None
    values = even = measured.values[counted(measured)]
    if found.cluster is not None:
        users = found.comparison.facts[run].joined.users.values
        clusters = clusters_of(users, found.cluster).among(np.flatnonzero(counted(measured)))
        even = linearised(clusters.sums(values), clusters.sums(np.ones(len(values))))
    interval = of_mean(even, 1 - found.alpha, range_of(measured.definition))
    return Standing(metric, run, rank, signs, measured.mean, interval, len(values))


def _range(ties: tuple[float, float] | None, digits: int) -> str:
    return " to ".join(number(mean, digits) for mean in ties) if ties else ABSENT
