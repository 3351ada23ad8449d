"""Do definitions agree on which run is better: their orders, Kendall's tau, and the settings that change it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.engine.metric_result import Measured
from rankconv.engine.plan import between
from rankconv.evaluation.compare.comparison import Comparison
from rankconv.metrics.base import Expectation
from rankconv.preparation.steps.relevance import RELEVANT
from rankconv.presets.definition import Definition
from rankconv.presets.replacement import with_changes
from rankconv.presets.resolved import Preset
from rankconv.specs.setting_text import text_of
from rankconv.specs.spec import SpecLike
from rankconv.statistics.tests import scipy_stats


@dataclass(frozen=True)
class Change:
    """A preset that turns a pair of runs round, and the preset most like it that does not."""

    preset: str
    near: str
    settings: tuple[str, ...]
    """In which the first differs from the second, of those that can matter on these data."""


@dataclass(frozen=True)
class Flip:
    """A pair of runs whose order depends on the definition."""

    usual: tuple[str, str]
    """The better and the worse run under most presets."""
    agree: list[str]
    """Presets under which it is so."""
    equal: list[str]
    """Presets that give both the same."""
    changes: list[Change]
    """Presets that turn it round."""


def scores(comparison: Comparison, metric: str) -> dict[str, dict[str, float]]:
    """Preset → run → mean, with the sign turned where less is better, so that the best run has the most."""
    return {
        preset: {run: -mean if comparison.lower_is_better(metric, preset) else mean for run, mean in by_run.items()}
        for preset, by_run in comparison.means(metric).items()
    }


def flips(comparison: Comparison, metric: str) -> list[Flip]:
    """The pairs of runs that are in different order under different presets."""
    found = []
    better, nearest = scores(comparison, metric), Nearest(comparison, metric)
    for ours, other in combinations(comparison.runs, 2):
        signs = {preset: np.sign(means[ours] - means[other]) for preset, means in better.items()}
        usual = (ours, other) if sum(signs.values()) >= 0 else (other, ours)
        side = 1 if usual[0] == ours else -1
        agree, turned = ([name for name, sign in signs.items() if sign == wanted] for wanted in (side, -side))
        if turned:
            equal = [name for name, sign in signs.items() if not sign]
            changes = [nearest.change(name, agree) for name in turned] if agree else []
            found.append(Flip(usual, agree, equal, changes))
    return found


class Nearest:
    """Finds the preset most like another; what is between two presets is worked out once for all pairs of runs."""

    def __init__(self, comparison: Comparison, metric: str) -> None:
        self._measured, self._facts = comparison.measured(metric), list(comparison.facts.values())
        self._reasons: dict[tuple[str, str], list[str]] = {}

    def change(self, preset: str, others: Sequence[str]) -> Change:
        """The preset against the one of the others from which the fewest settings part it."""
        near = min(others, key=lambda other: len(self._between(preset, other)))
        return Change(preset, near, tuple(self._between(preset, near)))

    def _between(self, preset: str, other: str) -> list[str]:
        if (preset, other) not in self._reasons:
            self._reasons[preset, other] = between(self._measured[preset], self._measured[other], self._facts)
        return self._reasons[preset, other]


def kendall(orders: Mapping[str, Mapping[str, float]]) -> Numbers:
    """Kendall's tau-b between the orders that presets give the runs, shape (presets, presets).

    From -1, all pairs of runs turned round, to 1, the same order; NaN where a preset gives all runs the same number.
    Source: Kendall, The treatment of ties in ranking problems, Biometrika 33, 1945; computed by SciPy.
    """
    stats = scipy_stats("Kendall's tau")
    ranks = [_ranks(list(by_run.values())) for by_run in orders.values()]
    tau = cache(lambda one, other: stats.kendalltau(one, other).statistic)  # most presets share a few orders
    found = np.ones((len(ranks), len(ranks)))
    for one, other in combinations(range(len(ranks)), 2):
        found[one, other] = found[other, one] = tau(*sorted((ranks[one], ranks[other])))
    return found


def _ranks(means: Sequence[float]) -> tuple[float, ...]:
    """What tau looks at: the order of the numbers; the numbers themselves where one is none."""
    values = np.array(means, np.float64)
    return tuple((values if np.isnan(values).any() else np.unique(values, return_inverse=True)[1]).tolist())


PRESETS, TIES, CUTOFFS, THRESHOLDS = "presets", "tie orders", "cutoffs", "thresholds"
"""What may vary."""
TIE_RULES = {"worst": "relevant-last", "expected": "expected", "best": "relevant-first"}
"""The order of tied rows, and the setting that makes it."""


@dataclass(frozen=True)
class Variation:
    """One way in which all presets are varied."""

    kind: str
    """One of `presets`, `tie orders`, `cutoffs`, `thresholds`."""
    name: str
    """`worst`, `@5`, `relevant=at-least(2)`; empty for the presets as they are."""


EXPECTED = Variation(TIES, "expected")
AS_IS = Variation(PRESETS, "")


def of_ties(definition: Definition) -> dict[Variation, Definition]:
    """The worst order of tied rows, the expected value over all orders where that is known, the best order."""
    rules = {Variation(TIES, name): rule for name, rule in TIE_RULES.items()}
    if definition.expectation is not Expectation.CLOSED_FORM:
        del rules[EXPECTED]
    found = {variation: with_changes(definition, {"order": "score", "ties": rule}) for variation, rule in rules.items()}
    return {variation: one for variation, one in found.items() if one}


def by_score(definition: Definition) -> Definition | None:
    """As it is, but ordered by score: where that is another number, the lists do not stand by falling score."""
    return with_changes(definition, {"order": "score", "ties": "given"})


def of_cutoffs(preset: Preset, metric: SpecLike, cutoffs: Sequence[int]) -> dict[Variation, Definition]:
    """The metric at each of these cutoffs at which the preset offers it."""
    by_cutoff = {k: preset.read(metric).at(k) for k in cutoffs}
    return {Variation(CUTOFFS, f"@{k}"): preset.define(spec)[0] for k, spec in by_cutoff.items() if preset.offers(spec)}


def of_thresholds(definition: Definition, thresholds: Sequence[float]) -> dict[Variation, Definition]:
    """An item being relevant from each of these grades on."""
    settings = [RELEVANT.validate(f"at-least({text_of(level)})") for level in thresholds]
    found = {setting: with_changes(definition, {"relevant": setting}) for setting in settings}
    return {Variation(THRESHOLDS, f"relevant={setting}"): one for setting, one in found.items() if one}


NOTHING = float("nan")
"""One object, so that rows with it are equal."""


@dataclass(frozen=True)
class Range:
    """From where to where a number goes."""

    kind: str
    """What varies: `presets`, `tie orders`, `cutoffs`, `thresholds`."""
    run: str
    lowest: float
    highest: float
    at: tuple[str, str]
    """The preset with the lowest number and that with the highest; one preset twice where all else varies."""
    presets: int
    """How many presets have such a range."""

    @property
    def span(self) -> float:
        """How different both are."""
        return self.highest - self.lowest


@dataclass(frozen=True, eq=False)
class VariedNumber:
    """One number under many definitions, by what was varied."""

    metric: str
    comparison: Comparison
    """The presets as they are."""
    cells: dict[tuple[str, Variation, str], Measured] = field(repr=False)
    """By run, variation and preset; what is not defined is not there."""
    left_out: dict[str, list[str]] = field(repr=False)
    """Why the best and the worst order of ties cannot be known → the presets."""

    @property
    def runs(self) -> list[str]:
        """Names of the runs; one nameless run is `""`."""
        return self.comparison.runs

    @cached_property
    def variations(self) -> list[Variation]:
        """In which ways presets were varied, besides being as they are."""
        return list(dict.fromkeys(variation for _, variation, _ in self.cells if variation != AS_IS))

    def mean(self, run: str, variation: Variation, preset: str) -> float:
        """One number; NaN where there is none."""
        cell = self.cells.get((run, variation, preset))
        return float("nan") if cell is None else cell.mean

    def grouped(self, run: str, variations: Sequence[Variation], digits: int = 4) -> dict[tuple[float, ...], list[str]]:
        """Presets by their rounded numbers for one run over these variations; without those that vary in none."""
        found: dict[tuple[float, ...], list[str]] = {}
        for preset in self.comparison.presets:
            row = [self.mean(run, one, preset) for one in variations]
            if np.isfinite(row[1:]).any() or np.isfinite(row).all():
                rounded = tuple(round(value, digits) if np.isfinite(value) else NOTHING for value in row)
                found.setdefault(rounded, []).append(preset)
        return dict(sorted(found.items()))

    def of_kind(self, kind: str) -> list[Variation]:
        """The variations of one kind."""
        return [AS_IS] if kind == PRESETS else [one for one in self.variations if one.kind == kind]

    @cached_property
    def kinds(self) -> list[str]:
        """What was varied, the presets first."""
        varied = {one.kind for one in self.variations}
        return [PRESETS, *(kind for kind in (TIES, CUTOFFS, THRESHOLDS) if kind in varied)]

    @cached_property
    def ranges(self) -> list[Range]:
        """How far the number goes, for each run, over each kind of variation."""
        found = (self._range(kind, run) for kind in self.kinds for run in self.runs)
        return [one for one in found if one is not None]

    def _range(self, kind: str, run: str) -> Range | None:
        means = {name: [self.mean(run, one, name) for one in self.of_kind(kind)] for name in self.comparison.presets}
        rows = {name: finite for name, row in means.items() if (finite := [mean for mean in row if np.isfinite(mean)])}
        if not rows:
            return None
        if kind == PRESETS:
            low, high = min(rows, key=lambda name: rows[name]), max(rows, key=lambda name: rows[name])
        else:
            low = high = max(rows, key=lambda name: max(rows[name]) - min(rows[name]))
        return Range(kind, run, min(rows[low]), max(rows[high]), (low, high), len(rows))

    @cached_property
    def flips(self) -> list[Flip]:
        """The pairs of runs that are in different order under different presets."""
        return flips(self.comparison, self.metric)

    @cached_property
    def tau(self) -> tuple[list[str], Numbers]:
        """The presets that give all runs a number, and Kendall's tau between their orders of the runs.

        Tau has shape (presets, presets). Needs SciPy.
        """
        found = scores(self.comparison, self.metric)
        return list(found), kendall(found)

    def firsts(self, kind: str) -> dict[str, int]:
        """Under how many definitions each run is first, alone; under `""` those where two or more share it."""
        counts = dict.fromkeys([*self.runs, ""], 0)
        for preset in self.comparison.presets:
            for variation in self.of_kind(kind):
                means = [self.mean(run, variation, preset) for run in self.runs]
                if np.isfinite(means).all():
                    best = min(means) if self.comparison.lower_is_better(self.metric, preset) else max(means)
                    first = [run for run, mean in zip(self.runs, means, strict=True) if mean == best]
                    counts[first[0] if len(first) == 1 else ""] += 1
        return counts
