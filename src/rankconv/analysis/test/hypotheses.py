"""What is tested: each pair of runs, under each metric and each definition that differs on these users."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from rankconv.analysis.test.paired import Column, Count, Everybody, Pair, counted
from rankconv.data.arrays import Numbers, agree
from rankconv.data.ids import Cluster, clusters_of
from rankconv.engine.metric_result import Measured
from rankconv.evaluation.compare.comparison import Comparison
from rankconv.presets.definition import Definition
from rankconv.statistics.families import OF_P, max_t, randomised_tukey
from rankconv.statistics.signs import PermutationTest, sign_test

FEWEST = 5
"""Fewer users, or clusters of users, tell nothing."""


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A test of two runs under one definition."""

    metric: str
    presets: Sequence[str]
    """All whose values agree for every user of every run."""
    runs: tuple[str, str]
    columns: tuple[Column, Column]
    pair: Pair
    definition: Definition
    """The first of the presets'."""


@dataclass(frozen=True)
class Untested:
    """Presets that give no number of which users make a mean, and why."""

    metric: str
    presets: Sequence[str]
    why: str
    too_few: bool = False
    """Whether too few users count."""


def conventions(
    comparison: Comparison, baseline: str | None, count: Count, cluster: Cluster | None = None
) -> tuple[list[Hypothesis], list[Untested]]:
    """All that is tested, and what cannot be; `cluster` names the unit of chance."""
    everybody, found = Everybody.of(comparison), list[Hypothesis]()
    clusters = None if cluster is None else clusters_of(everybody.users.values, cluster)
    untested: dict[tuple[str, str], list[str]] = {}
    too_few: list[Untested] = []
    for metric in comparison.metrics:
        measured = {preset: _of_runs(comparison, metric, preset) for preset in comparison.presets}
        able = {}
        for preset, of_runs in measured.items():
            why = _why_not(list(of_runs.values())) if of_runs else ""
            if why:
                untested.setdefault((metric, why), []).append(preset)
            elif of_runs:
                able[preset] = of_runs
        for presets, columns in _different(everybody, able):
            sign = -1 if comparison.lower_is_better(metric, presets[0]) else 1
            for ours, other in _pairs(comparison.runs, baseline):
                both = columns[ours], columns[other]
                definition = able[presets[0]][ours].definition
                one = Hypothesis(metric, presets, (ours, other), both, Pair(*both, count, sign, clusters), definition)
                if one.pair.unit_count >= FEWEST:
                    found.append(one)
                else:
                    too_few.append(Untested(metric, presets, _too_few(one.pair, ours, other), too_few=True))
    return found, [*(Untested(metric, names, why) for (metric, why), names in untested.items()), *too_few]


def _too_few(pair: Pair, ours: str, other: str) -> str:
    what = "users" if pair.clusters is None else "clusters of users"
    runs = {"both": f"both '{ours}' and '{other}'", "either": f"'{ours}' or '{other}'", "baseline": f"'{other}'"}
    return f"{pair.unit_count} {what} count in {runs[pair.count]}, and {FEWEST} at least are needed"


def _of_runs(comparison: Comparison, metric: str, preset: str) -> dict[str, Measured]:
    """What the preset gives for each run; nothing where it does not offer the metric."""
    cells = {run: comparison.cell(metric, preset, run) for run in comparison.runs}
    return {run: cell for run, cell in cells.items() if cell is not None}


def _why_not(measured: Sequence[Measured]) -> str:
    """Why users cannot be put against themselves; nothing where they can."""
    for one in measured:
        if one.refusals:
            return one.refusals[0].why
        if one.of_all:
            return f"its number is a setting for all users at once ({one.of_all})"
        if np.isnan(one.values[counted(one)]).any():
            return "a user counts as NaN, and so does the mean"
    definition = measured[0].definition
    if definition.preparation.pools:
        return "all lists make one, and there is no value of a user"
    mean = definition.aggregation.settings["aggregate"]
    plain = mean.trait("share") in ("of the number", "whole")
    return "" if plain else f"its number is not the mean of the users' values (aggregate={mean.text})"


def _different(
    everybody: Everybody, able: dict[str, dict[str, Measured]]
) -> Iterator[tuple[list[str], dict[str, Column]]]:
    """Presets whose values agree for all users of all runs, with the column of each run under the first of them."""
    found: list[tuple[list[str], dict[str, Column], Numbers, float]] = []
    for preset, of_runs in able.items():
        columns = {run: everybody.column(run, one) for run, one in of_runs.items()}
        values = np.concatenate([np.where(one.counted, one.values, np.nan) for one in columns.values()])
        total = float(np.nansum(np.abs(values)))
        near = (one for one in found if not abs(one[3] - total) > _TOTALS * total)
        same = next((names for names, _, others, _ in near if agree(values, others)), None)
        if same is None:
            found.append(([preset], columns, values, total))
        else:
            same.append(preset)
    yield from ((names, columns) for names, columns, *_ in found)


_TOTALS = 1e-6
"""Columns whose sums of absolute values are more different, relative to them, cannot agree."""


def _pairs(runs: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    if baseline is None:
        return list(combinations(runs, 2))
    return [(run, baseline) for run in runs if run != baseline]


Correction = Literal["max-t", "tukey", "holm", "bh", "none"]
Family = Literal["all", "metric"]
"""What is corrected together: all tests of a call, or those of each metric."""
Test = tuple[Hypothesis, PermutationTest]


def chance_of(one: Hypothesis, draws: int, seed: int) -> PermutationTest:
    """How likely a difference is, if its two runs are equal; the same whatever else is tested."""
    return sign_test(one.pair.units, draws=draws, seed=seed)


def corrected(tests: Sequence[Test], correction: Correction, by: Family, draws: int, seed: int) -> Numbers:
    """The p-values corrected for all that is tested together, shape (tests,)."""
    found = np.ones(len(tests))
    names = np.array([one.metric if by == "metric" else "" for one, _ in tests])
    for name in dict.fromkeys(names.tolist()):
        places = np.flatnonzero(names == name)
        found[places] = _corrected_for_all([tests[at] for at in places.tolist()], correction, draws, seed)
    return found


def _corrected_for_all(tests: Sequence[Test], correction: Correction, draws: int, seed: int) -> Numbers:
    """The p-values corrected for all of these tests, shape (tests,)."""
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
        if all(np.array_equal(column.counted, one.pair.looked_at) for column in one.columns):
            both = tuple((*about, run) for run in one.runs)
            columns |= {name: column.values for name, column in zip(both, one.columns, strict=True)}
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
    return max_t(units, pairs, [chance.mid for _, chance in tests], draws=draws, seed=seed)


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
        columns = {run: column for one in family for run, column in zip(one.runs, one.columns, strict=True)}
        counted, runs = np.logical_and.reduce([one.counted for one in columns.values()]), list(columns)
        values = np.stack([one.values[counted] for one in columns.values()], axis=1)
        clusters = family[0].pair.clusters
        if clusters is not None:
            values = clusters.among(np.flatnonzero(counted)).sums(values)
        mid = all(tests[at][1].mid for at in places)
        p = randomised_tukey(values, draws=draws, seed=seed, mid=mid)
        found[places] = [p[tuple(runs.index(run) for run in one.runs)] for one in family]
    return np.minimum(1.0, found * len(groups))
