"""Paired tests of two runs, and their correction over all pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np
from typing_extensions import TypedDict

from rankconv.data.arrays import Codes, Mask, Numbers, agree
from rankconv.data.clusters import Cluster, Clusters, clusters_of
from rankconv.data.ids import unite
from rankconv.engine.metric_result import Measured
from rankconv.engine.scoring import entering
from rankconv.evaluation.results.comparison import Comparison
from rankconv.evaluation.results.result_intervals import is_plain
from rankconv.evaluation.statistics.paired_tests import OF_P, PermutationTest, max_t, randomised_tukey
from rankconv.presets.definition import Definition

IncludedUsers = Literal["both", "either", "baseline"]
"""Which users are looked at: those who count in both runs, in one at least, or in the second."""


def counted(measured: Measured) -> Mask:
    """Who enters the mean, shape (users,)."""
    return entering(measured.definition, measured.states)


@dataclass(frozen=True, eq=False)
class RunValues:
    """The values of the users of all runs under one definition in one run; arrays of shape (users,)."""

    values: Numbers
    """0 where they do not count."""
    counted: Mask

    @classmethod
    def of(cls, measured: Measured, places: Codes) -> "RunValues":
        """Spread what one run gives over all users, whose places in it, shape (users,), are -1 for unknown ones."""
        counts = np.append(counted(measured), False)[places]
        return cls(np.where(counts, np.append(measured.values, 0.0)[places], 0.0), counts)


@dataclass(frozen=True, eq=False)
class RunPair:
    """One run against another under one definition.

    Its arrays are made where they are needed: thousands of pairs of as many users each would not fit the memory.
    """

    ours: RunValues
    other: RunValues
    count: IncludedUsers
    sign: int
    """-1 where less is better."""
    clusters: Clusters | None = None
    """Of all users, where several are of one unit of chance."""

    @property
    def columns(self) -> tuple[RunValues, RunValues]:
        """Those of both runs."""
        return self.ours, self.other

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


FEWEST = 5
"""Fewer users, or clusters of users, tell nothing."""


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A test of two runs under one definition."""

    metric: str
    presets: Sequence[str]
    """All whose values agree for every user of every run."""
    runs: tuple[str, str]
    pair: RunPair
    definition: Definition
    """The first of the presets'."""


class UntestedData(TypedDict):
    """Presets that were not tested."""

    metric: str
    presets: list[str]
    why: str
    too_few: bool
    """Whether there are too few users, or clusters of users."""


@dataclass(frozen=True)
class Untested:
    """Presets that give no number of which users make a mean, and why."""

    metric: str
    presets: Sequence[str]
    why: str
    too_few: bool = False
    """Whether too few users count."""
    enough_in_either: bool = False
    """Whether enough would count if those of either run did."""
    enough_unclustered: bool = False
    """Whether there are enough users, and too few clusters of them."""


def hypotheses(
    comparison: Comparison, baseline: str | None, count: IncludedUsers, cluster: Cluster | None = None
) -> tuple[list[Hypothesis], list[Untested]]:
    """All that is tested, and what cannot be; `cluster` names the unit of chance."""
    ids = {run: data.joined.users for run, data in comparison.facts.items()}
    users = next(iter(ids.values()))
    for more in ids.values():
        users, _ = unite(users, more, "user")
    places = {run: own.codes_of(users) for run, own in ids.items()}
    clusters = None if cluster is None else clusters_of(users.values, cluster)
    others = [run for run in comparison.runs if run != baseline]
    pairs = list(combinations(others, 2)) if baseline is None else [(run, baseline) for run in others]
    found = list[Hypothesis]()
    untested: dict[tuple[str, str], list[str]] = {}
    too_few: list[Untested] = []
    for metric in comparison.metrics:
        able: dict[str, dict[str, Measured]] = {}
        for preset in comparison.presets:
            cells = {run: comparison.cell(metric, preset, run) for run in comparison.runs}
            of_runs = {run: cell for run, cell in cells.items() if cell is not None}
            if of_runs and (why := why_no_mean(list(of_runs.values()))):
                untested.setdefault((metric, why), []).append(preset)
            elif of_runs:
                able[preset] = of_runs
        for presets, columns in _different(places, able):
            sign = -1 if comparison.lower_is_better(metric, presets[0]) else 1
            for ours, other in pairs:
                pair = RunPair(columns[ours], columns[other], count, sign, clusters)
                if pair.unit_count >= FEWEST:
                    found.append(Hypothesis(metric, presets, (ours, other), pair, able[presets[0]][ours].definition))
                else:
                    enough = replace(pair, count="either").unit_count >= FEWEST
                    unclustered = clusters is not None and replace(pair, clusters=None).unit_count >= FEWEST
                    why = _too_few(pair, ours, other)
                    too_few.append(Untested(metric, presets, why, True, enough, unclustered))
    return found, [*(Untested(metric, names, why) for (metric, why), names in untested.items()), *too_few]


def _too_few(pair: RunPair, ours: str, other: str) -> str:
    what = "users" if pair.clusters is None else "clusters of users"
    runs = {"both": f"both '{ours}' and '{other}'", "either": f"'{ours}' or '{other}'", "baseline": f"'{other}'"}
    return f"{pair.unit_count} {what} count in {runs[pair.count]}, and {FEWEST} at least are needed"


def why_no_mean(measured: Sequence[Measured]) -> str:
    """Why these numbers are not means of users' values, or sums of them; empty where they are."""
    for one in measured:
        if one.refusals:
            return one.refusals[0].why
        if one.of_all:
            return f"its value is one for all users at once ({one.of_all})"
        if np.isnan(one.values[counted(one)]).any():
            return "a user counts as NaN, and so does the mean"
    definition = measured[0].definition
    if definition.preparation.pools:
        return "all lists make one, and there is no value of a user"
    mean = definition.aggregation.settings["aggregate"].text
    return "" if is_plain(definition) else f"its number is not the mean of the users' values (aggregate={mean})"


def _different(
    places: Mapping[str, Codes], able: Mapping[str, Mapping[str, Measured]]
) -> list[tuple[list[str], dict[str, RunValues]]]:
    """Presets whose values agree for all users of all runs, with the column of each run under the first of them.

    `places` has those of all users in each run, shape (users,).
    """
    found: list[tuple[list[str], dict[str, RunValues], Numbers, float]] = []
    for preset, of_runs in able.items():
        columns = {run: RunValues.of(one, places[run]) for run, one in of_runs.items()}
        values = np.concatenate([np.where(one.counted, one.values, np.nan) for one in columns.values()])
        total = float(np.nansum(np.abs(values)))
        near = (one for one in found if not abs(one[3] - total) > _TOTALS * total)
        same = next((names for names, _, others, _ in near if agree(values, others)), None)
        if same is None:
            found.append(([preset], columns, values, total))
        else:
            same.append(preset)
    return [(names, columns) for names, columns, *_ in found]


_TOTALS = 1e-6
"""Columns whose sums of absolute values are more different, relative to them, cannot agree."""


Correction = Literal["max-t", "tukey", "holm", "bh", "none"]
Test = tuple[Hypothesis, PermutationTest]


def corrected(tests: Sequence[Test], correction: Correction, draws: int, seed: int) -> Numbers:
    """The p-values corrected for all that is tested, shape (tests,)."""
    alone = np.array([chance.p for _, chance in tests])
    if correction in OF_P:
        return OF_P[correction](alone)
    if len(tests) == 1:
        return alone
    found = (_tukey if correction == "tukey" else _max_t)(tests, draws, seed)
    return np.asarray(np.maximum(found, alone))


def _max_t(tests: Sequence[Test], draws: int, seed: int) -> Numbers:
    """Corrected by the largest difference in each draw of signs, one for each unit of chance, shape (tests,).

    The columns of runs stand once, where pairs look at all who count. They stand by name: the order in which runs and
    presets were given does not matter.
    """
    columns: dict[tuple[str, ...], Numbers] = {}
    names: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for one, _ in tests:
        about = one.metric, *sorted(one.presets)
        if all(np.array_equal(column.counted, one.pair.looked_at) for column in one.pair.columns):
            both = tuple((*about, run) for run in one.runs)
            columns |= {name: column.values for name, column in zip(both, one.pair.columns, strict=True)}
        else:
            both = (*about, *sorted(one.runs)), ()
            differences = one.pair.all_differences
            columns |= {both[0]: differences if one.runs[0] < one.runs[1] else -differences}
            columns |= {both[1]: np.zeros(len(differences))}
        names.append((both[0], both[1]))
    places = {name: place for place, name in enumerate(sorted(columns))}
    values, clusters = np.stack([columns[name] for name in places], axis=1), tests[0][0].pair.clusters
    units = values if clusters is None else clusters.sums(values)
    pairs = [(places[ours], places[other]) for ours, other in names]
    return max_t(units, pairs, draws=draws, seed=seed)


def _tukey(tests: Sequence[Test], draws: int, seed: int) -> Numbers:
    """Randomised Tukey for each metric and definition, times how many of these there are, shape (tests,).

    Users are looked at who count in all runs; what the users of a cluster have is shuffled together.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for place, (one, _) in enumerate(tests):
        groups.setdefault((one.metric, tuple(one.presets)), []).append(place)
    found = np.ones(len(tests))
    for places in groups.values():
        family = [tests[at][0] for at in places]
        columns = {run: column for one in family for run, column in zip(one.runs, one.pair.columns, strict=True)}
        counted, runs = np.logical_and.reduce([one.counted for one in columns.values()]), list(columns)
        values = np.stack([one.values[counted] for one in columns.values()], axis=1)
        clusters = family[0].pair.clusters
        if clusters is not None:
            values = clusters.among(np.flatnonzero(counted)).sums(values)
        p = randomised_tukey(values, draws=draws, seed=seed)
        found[places] = [p[tuple(runs.index(run) for run in one.runs)] for one in family]
    return np.minimum(1.0, found * len(groups))
