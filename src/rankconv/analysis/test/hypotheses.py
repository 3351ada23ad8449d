"""What is tested: each pair of runs, under each metric and each definition that differs on these users."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rankconv.analysis.test.paired import Column, Count, Everybody, Pair, counted
from rankconv.data.arrays import Numbers, agree
from rankconv.data.ids import Cluster, clusters_of
from rankconv.engine.measured import Measured
from rankconv.evaluation.compare.comparison import Comparison
from rankconv.presets.definition import Definition

FEWEST = 5
"""Fewer users, or clusters of users, tell nothing."""


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """Is one run better than the other under this definition?"""

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
"""Columns whose sums of absolute values are farther apart, relative to them, cannot agree."""


def _pairs(runs: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    if baseline is None:
        return list(combinations(runs, 2))
    return [(run, baseline) for run in runs if run != baseline]
