"""The mean of every candidate of a family on given data, from sums over users in the same situation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rankconv.aggregation import DATA_POLICIES, PREPARED_DATA_POLICIES, Aggregation, PreparedTotals, Situation
from rankconv.aggregation.data_policies import WholeData
from rankconv.analysis.identify.candidates import (
    CandidateFamily,
    EquivalentDefinitions,
    NearestDefinitions,
    defined_together,
    is_defined,
    mean_follows_from_sums,
    preparation_classes,
)
from rankconv.analysis.identify.effects import Circumstances, Effects
from rankconv.analysis.identify.printed_value import Bounds, within
from rankconv.basics.progress import Bar, current_bar, stage
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.engine.needs import has_all_needs, lack_of, lacks
from rankconv.engine.plan import BlockReader, ProgressCallback, run
from rankconv.metrics.base import Metric, Parts, Ratio
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.grade_table import plain_users
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.ties import TieEffect
from rankconv.presets.definition import Definition


class _RatioTally:
    """The different ratios of one block, each summed over the users of every situation."""

    def __init__(self, inside: Codes, codes: Codes, ratio_cells: int) -> None:
        self._inside = inside
        known, of_user = np.unique(codes, return_inverse=True)
        self._of_user = of_user * ratio_cells
        self.codes = (known[:, None] | np.arange(ratio_cells)).reshape(-1)
        """The situations, shape (situations,)."""
        self.places: list[int] = []
        """For each metric the place of its ratio."""
        self._place_of: dict[tuple[bytes, bytes], int] = {}
        self._sums: list[list[Numbers]] = []

    def add(self, block: Block, metric: Metric, circumstances: Circumstances) -> None:
        """The next metric."""
        with np.errstate(over="ignore", invalid="ignore"):  # as in an evaluation
            found = metric.measure(block)
        ratio = found.ratio if isinstance(found, Parts) else found
        key = (ratio.numerator.tobytes(), ratio.denominator.tobytes())
        if key not in self._place_of:
            self._place_of[key] = len(self._sums)
            cells = (
                self._of_user
                + circumstances.of_block(Situation(block, metric, found, 0.0, block.preparation), by_ratio=True)[
                    self._inside
                ]
            )
            columns = (None, *(column[self._inside] for column in circumstances.columns(ratio)))
            self._sums.append([np.bincount(cells, column, len(self.codes)).astype(np.float64) for column in columns])
        self.places.append(self._place_of[key])

    @property
    def sums(self) -> Numbers:
        """Users, numerators, and values rounded in each way, shape (2 or more, ratios, situations)."""
        return np.array(self._sums, np.float64).transpose(1, 0, 2)


@dataclass(eq=False)
class MetricGroup:
    """Metrics of one cutoff that read the lists of one preparation equally deep, and what the users came to so far."""

    preparations: Sequence[Preparation]
    """Those that make the same of these data; the first is measured."""
    applied: Preparation
    metrics: Sequence[Metric]
    circumstances: Circumstances
    of_users: Codes = field(repr=False)
    """In which populations each user of the data is, shape (users,); 0 where in none."""
    tallies: list[_RatioTally] = field(init=False, repr=False, default_factory=list)

    def __post_init__(self) -> None:
        of_all, k = self.circumstances.of_all, self.metrics[0].k
        self.seen_by = {users: PreparedTotals(of_all, k) for users in self.circumstances.populations}

    def reader(self) -> BlockReader:
        """What it wants of the engine."""
        metric = self.metrics[0]
        users, by_row, copied = self.of_users > 0, bool(metric.weighing), metric.looks_at_subtopics(self.applied)
        return BlockReader(self.applied, metric.k, metric.rows_read, users, self._take, by_row, copied)

    def _take(self, block: Block, who: Mask) -> None:
        """Measure these users of a prepared block under all metrics; `who` has shape (users of the block,)."""
        inside = np.flatnonzero(who)
        if not len(inside):
            return
        every = Ratio(np.ones(block.size), np.ones(block.size))
        situation = Situation(block, self.metrics[0], every, 0.0, self.applied)
        code = self.circumstances.of_block(situation) | self.of_users[block.users]
        tally = _RatioTally(inside, code[inside], self.circumstances.ratio_cells)
        for metric in self.metrics:
            tally.add(block, metric, self.circumstances)
        for users, seen in self.seen_by.items():
            seen.add(situation, self.circumstances.holds(users, 0.0, code) & who)
        self.tallies.append(tally)

    def totals(self) -> tuple[Codes, list[list[Metric]], Numbers]:
        """The situations that occur, the metrics of each different ratio, and the sums of all blocks.

        The sums have shape (2 or more, ratios, situations): users, numerators, and values rounded in each way.
        """
        codes = np.unique(np.concatenate([np.empty(0, np.int64), *(tally.codes for tally in self.tallies)]))
        places = np.array([tally.places for tally in self.tallies], np.int64)
        places = places.reshape(len(self.tallies), len(self.metrics)).T
        ratios, of_metric = np.unique(places, axis=0, return_inverse=True)
        sums = np.zeros((2 + len(self.circumstances.roundings), len(ratios), len(codes)))
        for tally, ratio in zip(self.tallies, ratios.T, strict=True):
            sums[:, :, np.searchsorted(codes, tally.codes)] += tally.sums[:, ratio]
        metrics: list[list[Metric]] = [[] for _ in ratios]
        for metric, ratio in zip(self.metrics, of_metric.reshape(-1).tolist(), strict=True):
            metrics[ratio].append(metric)
        used = sums[0].any(axis=0)
        return codes[used], metrics, sums[:, :, used]


@dataclass(frozen=True, eq=False)
class Averaged:
    """The means of a group of metrics under all aggregations."""

    preparations: Sequence[Preparation]
    closed: bool
    """Whether they are expected values over the orders of ties, as far as a user's policies allow them."""
    metrics: list[list[Metric]]
    """The metrics of each ratio: they give every user the same numerator and denominator."""
    counts: Numbers
    """Users, shape (ratios, situations)."""
    aggregations: Sequence[Aggregation]
    effects: Effects
    """What each of them makes of the situations."""
    means: Numbers
    """Shape (ratios, aggregations)."""

    def between(self, intervals: Sequence[Bounds]) -> Iterator[EquivalentDefinitions]:
        """All definitions whose mean is in one of the intervals."""
        inside = within(self.means, intervals)
        for ratio in np.flatnonzero(inside.any(axis=1)).tolist():
            signatures = self.effects.signatures(self.counts[ratio] > 0)
            by_effect: dict[tuple[bytes, float], list[Aggregation]] = {}
            for place in np.flatnonzero(inside[ratio]).tolist():
                effect = signatures[place], float(self.means[ratio, place])
                by_effect.setdefault(effect, []).append(self.aggregations[place])
            for preparations, metrics in defined_together(self.preparations, self.metrics[ratio]):
                for (_, mean), aggregations in by_effect.items():
                    if self.closed:  # which is no expected value under the others
                        aggregations = [one for one in aggregations if not one.goes_by_order(metrics[0])]
                    if aggregations:
                        yield EquivalentDefinitions(preparations, metrics, aggregations, mean)


def of_presets(joined: Joined, named: Sequence[Definition], chosen: Mask | None) -> list[Measured]:
    """What the presets' own definitions give, without those that refuse the data.

    `chosen` restricts the population, shape (users,).
    """
    there = [one for one in named if has_all_needs(joined, one.preparation)]
    measured = measure(joined, there, chosen, report=current_bar())
    return [one for one in measured if not one.refusals and np.isfinite(one.mean)]


def means(measured: Sequence[Measured]) -> Numbers:
    """The mean of each, shape (definitions,)."""
    return np.array([one.mean for one in measured], np.float64)


FEW_ROWS = 200_000
"""With more rows than this, metrics with a setting that sorts all labels, which takes long, are not searched."""


class ListProgress(NamedTuple):
    """The lists of all users, as often as they are prepared, and how many of them were."""

    to_do: int
    done: int


def _in_passes(bar: Bar, before: int, here: int, of_all: int) -> ProgressCallback:
    """What is called in a pass over all users, in which so many of all preparations are made, after those `before`."""

    def report(readers: Sequence[BlockReader]) -> None:
        users, to_do = max(one.to_do for one in readers), sum(one.to_do for one in readers)
        done = here * users * sum(one.done for one in readers) // max(to_do, 1)
        bar([ListProgress(of_all * users, before * users + done)])

    return report


@dataclass(eq=False)
class Swept:
    """A family measured as a whole on one pair of labels and lists; `chosen` are the users, shape (users,)."""

    joined: Joined
    family: CandidateFamily
    chosen: Mask | None = None
    aggregations: list[Aggregation] = field(init=False)
    """Those whose mean follows from sums; the others are measured one by one, for the presets that have them."""
    tried: int = field(init=False, default=0)
    """How many definitions were measured."""
    near: NearestDefinitions = field(init=False)
    averaged: list[Averaged] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.near = NearestDefinitions(self.family.bases)
        self.aggregations = [one for one in self.family.aggregations if mean_follows_from_sums(one)]
        self._circumstances = Circumstances(self.aggregations)
        self._effects: dict[bytes, Effects] = {}

    def search(self) -> None:
        """Measure all of them; what was measured stays where it is interrupted."""
        of_users = self._circumstances.of_users(self.joined, self.chosen)
        if not self.aggregations or self.family.strategy.of_all_lists:
            return
        passes, before, bar = self._passes(), 0, stage("Searching definitions", "lists")
        for classes in passes:
            groups = [group for preparations in classes for group in self._groups(preparations, of_users)]
            report = bar and _in_passes(bar, before, len(classes), sum(map(len, passes)))
            run(self.joined, [group.reader() for group in groups], report)
            before += len(classes)
            for group in groups:
                self.average(group)

    def _passes(self) -> list[list[list[Preparation]]]:
        """The classes that share their passes: those that need rows one by one; all others alone, to save memory."""
        preparations = [one for one in self.family.preparations if not one.pools and has_all_needs(self.joined, one)]
        by_rows: list[list[Preparation]] = []
        alone: list[list[list[Preparation]]] = []
        for group in preparation_classes(self.joined, preparations, self.family.strategy):
            first, *others = sorted(group, key=lambda one: one.tie_rule is not TieEffect.ORDER)
            k = self.family.metrics[0].k
            if self.joined.levels is not None and plain_users(self.joined, first, k).all():
                alone.append([[first, *others]])
            else:
                by_rows.append([first, *others])
        return [by_rows, *alone]

    def _groups(self, preparations: Sequence[Preparation], of_users: Codes) -> list[MetricGroup]:
        """The metrics that these data allow under these preparations, those together that read equally deep.

        `of_users` are the populations of each user as bits, shape (users,).
        """
        first, equivalent = preparations[0], dict[tuple[Any, ...], list[Metric]]()
        few = self.joined.rankings.row_count + self.joined.labels.row_count <= FEW_ROWS
        for metric in self.family.near(preparations):
            fast = few or not any(setting.traits.sorts_labels for setting in metric.settings.values())
            able = not any(lacks(self.joined, need, first) for need in metric.asks_for)
            able = able and lack_of(self.joined, metric) is None
            if fast and able and is_defined(first.tie_rule, metric):
                applied = metric.expectation(first).applied_to(first)
                equivalent.setdefault((applied, metric.scope, metric.rows_read, metric.weighing), []).append(metric)
        return [
            MetricGroup(preparations, applied, metrics, self._circumstances, of_users)
            for (applied, *_), metrics in equivalent.items()
        ]

    def average(self, group: MetricGroup) -> None:
        """Add the means of these metrics."""
        codes, metrics, sums = group.totals()
        key = codes.tobytes()
        if key not in self._effects:
            self._effects[key] = Effects.of(self._circumstances, self.aggregations, codes)
        effects = self._effects[key]
        means = effects.means(sums)
        for place, aggregation in enumerate(self.aggregations):
            for_all = self._policy_of_all(aggregation, group)
            if for_all is not None:
                means[:, place] = for_all
        closed = group.applied.tie_rule is TieEffect.EXPECTED
        together = defined_together(group.preparations, [metric for each in metrics for metric in each])
        tried = len(self.aggregations) * sum(len(some) * len(there) for some, there in together)
        self.averaged.append(Averaged(group.preparations, closed, metrics, sums[0], self.aggregations, effects, means))
        self.tried += tried

    def _policy_of_all(self, aggregation: Aggregation, group: MetricGroup) -> float | None:
        """What an aggregation says where it decides for the data as a whole; NaN where it refuses it."""
        seen = group.seen_by[aggregation.given("users")]
        for name in aggregation.active_policies([*DATA_POLICIES, *PREPARED_DATA_POLICIES]):
            if name in self._policies_of_data if name in DATA_POLICIES else seen.holds(name):
                return float(aggregation.settings[name].keywords.get("value", np.nan))
        return None

    @cached_property
    def _policies_of_data(self) -> set[str]:
        """Which policies of the data as a whole hold."""
        data = WholeData.of(self.joined)
        return {name for name, policy in DATA_POLICIES.items() if policy.holds(data)}

    def between(self, intervals: Sequence[Bounds]) -> list[EquivalentDefinitions]:
        """All definitions whose mean is in one of the intervals."""
        return [one for averaged in self.averaged for one in averaged.between(intervals)]

    def nearest(self, intervals: Sequence[Bounds]) -> list[tuple[int, EquivalentDefinitions]]:
        """These definitions with how far they are from a preset, the nearest first."""
        found = [(self.near.distance(one), one) for one in self.between(intervals)]
        return sorted(found, key=lambda pair: pair[0])

    @cached_property
    def values(self) -> tuple[Numbers, Codes]:
        """Every mean that is a number, and the distance of each from a preset, shape (means,)."""
        values, distances = [np.empty(0)], [np.empty(0, np.int64)]
        places = self.near.different
        by_aggregation = np.array([self.near.distances(one)[places] for one in self.aggregations], np.int16)
        for group in self.averaged:
            closest = self.near.closest(group.preparations)[places].astype(np.int16)
            for metrics, means in zip(group.metrics, group.means, strict=True):
                of_metrics = closest + self.near.closest(metrics)[places].astype(np.int16)
                there = np.isfinite(means)
                values.append(means[there])
                distances.append((by_aggregation + of_metrics).min(axis=1)[there].astype(np.int64))
        return np.concatenate(values), np.concatenate(distances)
