"""The mean of every candidate of a family on given data, from sums over users in the same situation."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rankconv.aggregation import DATA_POLICIES, POLICIES, PREPARED_DATA_POLICIES, Aggregation, PreparedTotals, Situation
from rankconv.aggregation.data_policies import WholeData
from rankconv.aggregation.means import MeanTraits
from rankconv.analysis.identify.candidates import (
    CandidateFamily,
    EquivalentDefinitions,
    NearestDefinitions,
    defined_together,
    is_defined,
)
from rankconv.analysis.identify.changes import ChangedFamily
from rankconv.analysis.identify.list_states import ListStates, alike_in_blocks, prepared_in_turn
from rankconv.analysis.identify.printed_value import Bounds, within
from rankconv.basics.progress import Bar
from rankconv.conventions.convention import CONVENTIONS
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.engine.plan import BlockReader, ProgressCallback, has_all_needs, lacks, run
from rankconv.metrics.base import Metric, Parts, Ratio
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.grade_table import plain_users
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.ties import TieEffect
from rankconv.presets.definition import Definition

NOT_ROUNDED = "none"
PolicyRows = tuple[str, float]
"""A policy, and the rows that it needs where it asks for some; or a population, and 0."""


def policies_of(aggregation: Aggregation) -> list[PolicyRows]:
    """The policies that it sets, in the order in which they apply."""
    rows = float(aggregation.given("min-rows"))
    return [(policy, rows if POLICIES[policy].needs_rows else 0.0) for policy in aggregation.policies]


class Circumstances:
    """All situations that some aggregation reads; a situation is a code, with one bit for each fact that holds."""

    def __init__(self, aggregations: Sequence[Aggregation]) -> None:
        policies = sorted({one for aggregation in aggregations for one in policies_of(aggregation)})
        self.of_all = sorted({name for aggregation in aggregations for name in aggregation.prepared_data_policies})
        """The situations of all prepared lists that some aggregation reads."""
        self.populations = sorted({aggregation.given("users") for aggregation in aggregations})
        roundings = {one.given("round-user"): one.settings["round-user"] for one in aggregations}
        self.roundings = {text: roundings[text] for text in sorted(roundings, key=lambda text: text != NOT_ROUNDED)}
        """How values of users are rounded; first not at all, where that occurs."""
        self._of_block = [one for one in policies if not POLICIES[one[0]].of_ratio]
        self._of_ratio = [one for one in policies if POLICIES[one[0]].of_ratio]
        names = [*self._of_ratio, *self._of_block, *((users, 0.0) for users in self.populations)]
        self._bit = {name: 1 << place for place, name in enumerate(names)}
        self.ratio_cells = 1 << len(self._of_ratio)
        """How many different situations there are that a ratio decides; they are the lowest bits."""

    def of_users(self, joined: Joined, chosen: Mask | None) -> Codes:
        """In which populations each user of the data is, as bits, shape (users,); 0 where in none."""
        codes = np.zeros(len(joined.users), np.int64)
        for users in self.populations:
            mask = CONVENTIONS["users"](users)(joined=joined)
            codes |= np.where(mask if chosen is None else mask & chosen, self._bit[users, 0.0], 0)
        return codes

    def of_block(self, situation: Situation, *, by_ratio: bool = False) -> Codes:
        """Which policies hold for each user by the prepared lists alone, or by the ratio, as bits, shape (users,)."""
        codes = np.zeros(situation.block.size, np.int64)
        for policy, rows in self._of_ratio if by_ratio else self._of_block:
            holds = POLICIES[policy].holds(replace(situation, rows_needed=rows))
            codes |= np.where(holds, self._bit[policy, rows], 0)
        return codes

    def holds(self, name: str, rows: float, codes: Codes) -> Mask:
        """In which of these situations a policy or a population holds, shape as `codes`."""
        return np.asarray(codes & self._bit[name, rows], bool)


@dataclass(eq=False)
class Effects:
    """What aggregations make of each situation; arrays of shape (effects, situations).

    Aggregations that make the same of every situation have one effect.
    """

    aggregations: list[list[Aggregation]]
    """Those of each effect."""
    counted: Numbers
    by_value: Numbers
    by_numerator: Numbers
    refused: Numbers
    constant: Numbers
    rounding: Codes
    """Which of the roundings of users' values each has, shape (effects,)."""
    sums: Mask
    """Whether the number is a sum, shape (effects,)."""
    nobody: Numbers
    """The number of no users, shape (effects,)."""
    rounds: Mask
    """Whether the mean is rounded, shape (effects,)."""

    @classmethod
    def of(cls, circumstances: Circumstances, aggregations: Sequence[Aggregation], codes: Codes) -> "Effects":
        """Find out what each aggregation makes of these situations."""
        roundings = list(circumstances.roundings)
        same: dict[tuple[Hashable, ...], list[Aggregation]] = {}
        found = dict[tuple[Hashable, ...], tuple[Numbers, int]]()
        for aggregation in aggregations:
            rows = _decided(aggregation, circumstances, codes)
            key = rows.tobytes(), *_beyond_users(aggregation)
            same.setdefault(key, []).append(aggregation)
            found[key] = rows, roundings.index(aggregation.given("round-user"))
        several = np.array([rows for rows, _ in found.values()]).reshape(len(found), 5, len(codes))
        counted, by_value, by_numerator, refused, constant = several.transpose(1, 0, 2)
        settings = [one.settings for one, *_ in same.values()]
        return cls(
            list(same.values()),
            counted,
            by_value,
            by_numerator,
            refused,
            constant,
            np.array([rounding for _, rounding in found.values()], np.int64),
            np.array([MeanTraits.of(one["aggregate"]).share == "whole" for one in settings], bool),
            np.array([one["on-no-users"]() for one in settings], np.float64),
            np.array([not one["round-mean"].changes_nothing for one in settings], bool),
        )

    def some(self, effects: Codes, situations: Codes) -> "Effects":
        """These effects on these situations."""
        at = np.ix_(effects, situations)
        return Effects(
            [self.aggregations[place] for place in effects.tolist()],
            self.counted[at],
            self.by_value[at],
            self.by_numerator[at],
            self.refused[at],
            self.constant[at],
            self.rounding[effects],
            self.sums[effects],
            self.nobody[effects],
            self.rounds[effects],
        )

    def means(self, sums: Numbers) -> Numbers:
        """The mean of each ratio under each aggregation, shape (ratios, effects); NaN where there is none.

        The sums have shape (3 or more, ratios, situations): users, and the sums of their numerators, and of their
        values rounded in each way. NaN and infinity, which a product would carry into every mean, are taken as 0 and
        make NaN of the means that read them.
        """
        counts, numerators, *several = sums
        number = counts @ self.counted.T
        total = np.nan_to_num(numerators, posinf=0, neginf=0) @ self.by_numerator.T
        total += counts @ self.constant.T
        refused = counts @ self.refused.T > 0
        for place, values in enumerate(several):
            by_value = (self.by_value * (self.rounding == place)[:, None]).T
            total += np.nan_to_num(values, posinf=0, neginf=0) @ by_value
            refused |= (counts * ~np.isfinite(values)) @ by_value > 0
        with np.errstate(divide="ignore", invalid="ignore"):
            means = np.where(self.sums, total, total / number)
        for place in np.flatnonzero(self.rounds).tolist():
            means[:, place] = self.aggregations[place][0].settings["round-mean"](values=means[:, place])
        means = np.where(number == 0, self.nobody, means)
        return np.where(refused, np.nan, means)

    def signatures(self, there: Mask) -> list[bytes]:
        """For each effect what it makes of the situations that occur, `there`, shape (situations,).

        Equal where each user gets the same.
        """
        effects = (self.counted, self.by_value, self.by_numerator, self.constant)
        rows = np.column_stack([*(effect[:, there] for effect in effects), self.sums, self.rounding])
        return [row.tobytes() for row in rows]


def _decided(aggregation: Aggregation, circumstances: Circumstances, codes: Codes) -> Numbers:
    """Who counts, by the value, by the numerator, is refused, and by which number, shape (5, situations)."""
    counted, by_value, by_numerator, refused, constant = rows = np.zeros((5, len(codes)))
    rounding = aggregation.settings["round-user"]
    open_still = circumstances.holds(aggregation.given("users"), 0.0, codes)
    counted[:] = open_still
    for policy, needed in policies_of(aggregation):
        here = open_still & circumstances.holds(policy, needed, codes)
        open_still = open_still & ~here
        setting = aggregation.settings[policy]
        if setting.traits.skips:
            counted[here] = 0
        elif setting.traits.undivided and rounding.changes_nothing:
            by_numerator[here] = 1 / setting.keywords.get("by", 1.0)
        elif "value" in setting.keywords:
            constant[here] = rounding(values=np.array([setting.keywords["value"]]))[0]
        else:  # or the sums do not have it: numerators that are rounded
            refused[here] = 1
    by_value[:] = open_still
    return rows


def _beyond_users(aggregation: Aggregation) -> tuple[Hashable, ...]:
    """Its settings that act on more than one user: how their values become a number, and what says one for all."""
    of_all = aggregation.active_policies([*DATA_POLICIES, *PREPARED_DATA_POLICIES])
    names = ("users", "aggregate", "round-user", "round-mean", "on-no-users", *of_all)
    return tuple((name, aggregation.given(name)) for name in names)


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
        found = metric.measure(block)
        ratio = found.ratio if isinstance(found, Parts) else found
        key = (ratio.numerator.tobytes(), ratio.denominator.tobytes())
        if key not in self._place_of:
            self._place_of[key] = len(self._sums)
            cells = (
                self._of_user
                + circumstances.of_block(Situation(block, metric, found, 0.0), by_ratio=True)[self._inside]
            )
            values = ratio.value[self._inside]
            roundings = circumstances.roundings.values()
            rounded = (values if one.changes_nothing else one(values=values) for one in roundings)
            columns = (None, ratio.numerator[self._inside], *rounded)
            self._sums.append([np.bincount(cells, column, len(self.codes)).astype(np.float64) for column in columns])
        self.places.append(self._place_of[key])

    @property
    def sums(self) -> Numbers:
        """Users, numerators, and values rounded in each way, shape (2 + roundings, ratios, situations)."""
        return np.array(self._sums, np.float64).transpose(1, 0, 2)


@dataclass(frozen=True, eq=False)
class TalliedRatios:
    """Sums over users in each situation, of each different ratio."""

    codes: Codes
    """The situations, shape (situations,)."""
    places: Sequence[int]
    """For each metric the place of its ratio."""
    sums: Numbers
    """Users, numerators, and values rounded in each way, shape (2 + roundings, ratios, situations)."""


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
    tallies: list[_RatioTally | TalliedRatios] = field(init=False, repr=False, default_factory=list)

    def __post_init__(self) -> None:
        of_all, k = self.circumstances.of_all, self.metrics[0].k
        self.seen_by = {users: PreparedTotals(of_all, k) for users in self.circumstances.populations}

    def reader(self) -> BlockReader:
        """What it wants of the engine."""
        metric = self.metrics[0]
        return BlockReader(self.applied, metric.k, metric.rows_read, self.of_users > 0, self._take)

    def _take(self, block: Block, who: Mask) -> None:
        """Measure these users of a prepared block under all metrics; `who` has shape (users of the block,)."""
        inside = np.flatnonzero(who)
        if not len(inside):
            return
        situation = Situation(block, self.metrics[0], Ratio(np.ones(block.size), np.ones(block.size)), 0.0)
        code = self.circumstances.of_block(situation) | self.of_users[block.users]
        tally = _RatioTally(inside, code[inside], self.circumstances.ratio_cells)
        for metric in self.metrics:
            tally.add(block, metric, self.circumstances)
        for users, seen in self.seen_by.items():
            seen.add(situation, self.circumstances.holds(users, 0.0, code) & who)
        self.tallies.append(tally)

    def totals(self) -> tuple[Codes, list[list[Metric]], Numbers]:
        """The situations that occur, the metrics of each different ratio, and the sums of all blocks.

        The sums have shape (2 + roundings, ratios, situations): users, their numerators, and their values.
        """
        if len(self.tallies) == 1 and isinstance(self.tallies[0], TalliedRatios):
            return self._of_one(self.tallies[0])
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

    def _of_one(self, tally: TalliedRatios) -> tuple[Codes, list[list[Metric]], Numbers]:
        metrics: list[list[Metric]] = [[] for _ in range(tally.sums.shape[1])]
        for metric, place in zip(self.metrics, tally.places, strict=True):
            metrics[place].append(metric)
        return tally.codes, metrics, tally.sums


def measure_states(joined: Joined, groups: Sequence[MetricGroup], of_users: Codes) -> None:
    """Measure groups of metrics of one cutoff together: each prepared list that several preparations make once.

    `of_users` says in which populations each user of the data is, as bits, shape (users,).
    """
    by_level = any("level" in setting.reads for one in _metrics_of(groups) for setting in one.settings.values())
    by_preparation: dict[Preparation, list[MetricGroup]] = {}
    for group in groups:
        by_preparation.setdefault(group.applied, []).append(group)
    alike: dict[tuple[object, ...], tuple[ListStates, list[tuple[MetricGroup, int]]]] = {}
    k = groups[0].metrics[0].k
    for preparation, block in prepared_in_turn(joined, np.flatnonzero(of_users), k, by_preparation):
        states, wanted = alike.setdefault(alike_in_blocks(block, by_level=by_level), (ListStates(), []))
        way = states.add(block)
        wanted += [(group, way) for group in by_preparation[preparation]]
    for states, wanted in alike.values():
        measured = MeasuredStates(states.block, states.ways, of_users)
        for scope in dict.fromkeys(group.metrics[0].scope for group, _ in wanted):
            measured.tally([(group, way) for group, way in wanted if group.metrics[0].scope == scope])


def _metrics_of(groups: Iterable[MetricGroup]) -> list[Metric]:
    return list(dict.fromkeys(metric for group in groups for metric in group.metrics))


@dataclass(frozen=True, eq=False)
class MeasuredStates:
    """Prepared lists in one block, of which each way to prepare takes one for each user."""

    block: Block
    ways: Sequence[Codes]
    """For each way the place of each user's list, shape (users,)."""
    of_users: Codes
    """In which populations each user of the data is, as bits, shape (users of the data,)."""

    def tally(self, wanted: Sequence[tuple[MetricGroup, int]]) -> None:
        """Measure groups of metrics that look equally deep, each under one of the ways."""
        circumstances, metrics = wanted[0][0].circumstances, _metrics_of(group for group, _ in wanted)
        situation = Situation(self.block, metrics[0], Ratio(np.ones(self.block.size), np.ones(self.block.size)), 0.0)
        code = circumstances.of_block(situation) | self.of_users[self.block.users]
        self._look_at_all(situation, code, wanted)
        known, of_state = np.unique(code, return_inverse=True)
        codes = (known[:, None] | np.arange(circumstances.ratio_cells)).reshape(-1)
        ratio_of, columns = _measured_ratios(metrics, self.block, circumstances, of_state)
        ways_of: list[dict[int, None]] = [{} for _ in columns]
        for group, way in wanted:
            for metric in group.metrics:
                ways_of[ratio_of[metric]][way] = None
        sums = [self._summed(list(ways), ratio, len(codes)) for ways, ratio in zip(ways_of, columns, strict=True)]
        used = np.logical_or.reduce([each[0].any(axis=0) for each in sums])
        codes, sums = codes[used], [each[:, :, used] for each in sums]
        at = [{way: place for place, way in enumerate(ways)} for ways in ways_of]
        for group, way in wanted:
            ratios = [ratio_of[metric] for metric in group.metrics]
            place_of = {ratio: place for place, ratio in enumerate(dict.fromkeys(ratios))}
            own = np.stack([sums[ratio][:, at[ratio][way]] for ratio in place_of], axis=1)
            group.tallies.append(TalliedRatios(codes, [place_of[ratio] for ratio in ratios], own))

    def _look_at_all(self, situation: Situation, code: Codes, wanted: Sequence[tuple[MetricGroup, int]]) -> None:
        """What the lists of each way add up to, in each population."""
        circumstances, found = wanted[0][0].circumstances, dict[int, dict[str, PreparedTotals]]()
        inside = {users: circumstances.holds(users, 0.0, code) for users in circumstances.populations}
        values = PreparedTotals(circumstances.of_all, situation.metric.k).values(situation)
        for group, way in wanted:
            if way not in found:
                found[way] = group.seen_by
                for users, seen in group.seen_by.items():
                    there = self.ways[way][inside[users][self.ways[way]]]
                    seen.add_values({name: of_states[there] for name, of_states in values.items()}, len(there))
            group.seen_by = found[way]

    def _summed(self, ways: Sequence[int], ratio: "_RatioColumns", cells: int) -> Numbers:
        """The sums of one ratio under these ways, shape (2 + roundings, ways, situations)."""
        sums = np.empty((1 + len(ratio.columns), len(ways), cells))
        for start in range(0, len(ways), AT_ONCE):
            states = np.array([self.ways[way] for way in ways[start : start + AT_ONCE]])
            count = len(states)
            at = (ratio.cells[states] + cells * np.arange(count)[:, None]).reshape(-1)
            sums[0, start : start + count] = np.bincount(at, minlength=count * cells).reshape(count, cells)
            for place, column in enumerate(ratio.columns, 1):
                summed = np.bincount(at, column[states].reshape(-1), count * cells)
                sums[place, start : start + count] = summed.reshape(count, cells)
        return sums


class _RatioColumns(NamedTuple):
    """One ratio of every list."""

    cells: Codes
    """The situation of each, as a place among all, shape (lists,)."""
    columns: list[Numbers]
    """Numerators, and values rounded in each way, each of shape (lists,)."""


AT_ONCE = 64
"""So many ways to prepare are summed at once."""


def _measured_ratios(
    metrics: Sequence[Metric], block: Block, circumstances: Circumstances, of_state: Codes
) -> tuple[dict[Metric, int], list[_RatioColumns]]:
    """For each metric the place of its ratio, and the different ratios.

    `of_state` is the place of each list's situation among those that lists alone decide, shape (lists,).
    """
    places, columns, ratio_of = dict[tuple[bytes, bytes], int](), list[_RatioColumns](), dict[Metric, int]()
    for metric in metrics:
        found = metric.measure(block)
        ratio = found.ratio if isinstance(found, Parts) else found
        key = ratio.numerator.tobytes(), ratio.denominator.tobytes()
        if key not in places:
            places[key] = len(columns)
            by_ratio = circumstances.of_block(Situation(block, metric, found, 0.0), by_ratio=True)
            values, roundings = ratio.value, circumstances.roundings.values()
            rounded = [values if one.changes_nothing else one(values=values) for one in roundings]
            cells = of_state * circumstances.ratio_cells + by_ratio
            columns.append(_RatioColumns(cells, [np.asarray(ratio.numerator, np.float64), *rounded]))
        ratio_of[metric] = places[key]
    return ratio_of, columns


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
    places: Codes
    """Of its effects among all, shape (effects,)."""
    effects: Effects
    means: Numbers
    """Shape (ratios, effects)."""

    def between(self, intervals: Sequence[Bounds]) -> Iterator[EquivalentDefinitions]:
        """All definitions whose mean is in one of the intervals."""
        inside = within(self.means, intervals)
        for ratio in np.flatnonzero(inside.any(axis=1)).tolist():
            signatures = self.effects.signatures(self.counts[ratio] > 0)
            by_effect: dict[tuple[bytes, float], list[Aggregation]] = {}
            for place in np.flatnonzero(inside[ratio]).tolist():
                effect = signatures[place], float(self.means[ratio, place])
                by_effect.setdefault(effect, []).extend(self.effects.aggregations[place])
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
    return [one for one in measure(joined, there, chosen) if not one.refusals and np.isfinite(one.mean)]


def means(measured: Sequence[Measured]) -> Numbers:
    """The mean of each, shape (definitions,)."""
    return np.array([one.mean for one in measured], np.float64)


FEW_ROWS_TOGETHER = 10_000
"""Up to so many rows of labels and lists all preparations are measured together, which is faster."""
FEW_ROWS = 200_000
"""With more rows than this, metrics with a setting that sorts all labels, which takes long, are not searched."""


Holding = dict[str, set[str]]
"""For each population the policies of the data as a whole whose situation they are in."""


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
    family: CandidateFamily | ChangedFamily
    chosen: Mask | None = None
    bar: Bar | None = None
    aggregations: list[Aggregation] = field(init=False)
    """Those whose mean follows from sums; the others are measured one by one, for the presets that have them."""
    tried: int = field(init=False, default=0)
    """How many definitions were measured."""
    near: NearestDefinitions = field(init=False)
    averaged: list[Averaged] = field(init=False, default_factory=list)
    _every_effect: Effects = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.near = NearestDefinitions(self.family.bases)
        self.aggregations = [one for one in self.family.aggregations if self.family.follows_from_sums(one)]
        self._circumstances = Circumstances(self.aggregations)
        of_users = self._circumstances.of_users(self.joined, self.chosen)
        if not self.aggregations or self.family.strategy.of_all_lists:
            return
        if self.joined.rankings.row_count + self.joined.labels.row_count <= FEW_ROWS_TOGETHER:
            every = [group for classes in self._passes() for some in classes for group in self._groups(some, of_users)]
            if every:
                measure_states(self.joined, every, of_users)
            self._average([(group, *group.totals()) for group in every])
            return
        passes, before, every = self._passes(), 0, list[MetricGroup]()
        for classes in passes:
            groups = [group for preparations in classes for group in self._groups(preparations, of_users)]
            report = self.bar and _in_passes(self.bar, before, len(classes), sum(map(len, passes)))
            run(self.joined, [group.reader() for group in groups], report)
            before += len(classes)
            every += groups
        self._average([(group, *group.totals()) for group in every])

    def _passes(self) -> list[list[list[Preparation]]]:
        """The classes that share their passes: those that need rows one by one; all others alone, to save memory."""
        by_rows: list[list[Preparation]] = []
        alone: list[list[list[Preparation]]] = []
        for group in self.family.classes(self.joined):
            first, *others = sorted(group, key=lambda one: one.tie_rule is not TieEffect.ORDER)
            if self.joined.levels is not None and plain_users(self.joined, first, self.family.k).all():
                alone.append([[first, *others]])
            else:
                by_rows.append([first, *others])
        return [by_rows, *alone]

    def _groups(self, preparations: Sequence[Preparation], of_users: Codes) -> list[MetricGroup]:
        """The metrics that these data allow under these preparations, those together that read equally deep.

        `of_users` are the populations of each user as bits, shape (users,).
        """
        first, equivalent = preparations[0], dict[tuple[Preparation, int | None, int | None], list[Metric]]()
        few = self.joined.rankings.row_count + self.joined.labels.row_count <= FEW_ROWS
        for metric in self.family.near(preparations):
            fast = few or not any(setting.traits.sorts_labels for setting in metric.settings.values())
            able = not any(lacks(self.joined, need, first) for need in metric.asks_for)
            if fast and able and is_defined(first.tie_rule, metric):
                applied = metric.expectation(first).applied_to(first)
                equivalent.setdefault((applied, metric.scope, metric.rows_read), []).append(metric)
        return [
            MetricGroup(preparations, applied, metrics, self._circumstances, of_users)
            for (applied, *_), metrics in equivalent.items()
        ]

    def _average(self, groups: Sequence[tuple[MetricGroup, Codes, list[list[Metric]], Numbers]]) -> None:
        """The means of each group, given its situations, the metrics of each ratio, and the sums over users."""
        codes = np.unique(np.concatenate([np.empty(0, np.int64), *(codes for _, codes, *_ in groups)]))
        self._every_effect = Effects.of(self._circumstances, self.aggregations, codes)
        effect_of = {one: place for place, some in enumerate(self._every_effect.aggregations) for one in some}
        aggregations = dict[tuple[Preparation, ...], Codes]()
        averaged = dict[tuple[bytes, ...], tuple[Effects, Numbers]]()
        holding = dict[int, Holding]()
        for group, own, metrics, sums in groups:
            wanted = tuple(group.preparations)
            if wanted not in aggregations:
                near = self.family.aggregations_near(wanted)
                aggregations[wanted] = np.array(sorted({effect_of[one] for one in near if one in effect_of}), np.int64)
            places = aggregations[wanted]
            key = places.tobytes(), own.tobytes(), sums.tobytes()
            if key not in averaged:
                some = self._every_effect.some(places, np.searchsorted(codes, own))
                averaged[key] = some, some.means(sums)
            effects, means = averaged[key]
            if id(group.seen_by) not in holding:
                holding[id(group.seen_by)] = self._holding(group)
            for_all = self._said_for_all(effects, holding[id(group.seen_by)])
            if for_all:
                means = means.copy()
                means[:, list(for_all)] = list(for_all.values())
            closed = group.applied.tie_rule is TieEffect.EXPECTED
            self.averaged.append(Averaged(group.preparations, closed, metrics, sums[0], places, effects, means))
            together = defined_together(group.preparations, [metric for each in metrics for metric in each])
            count = sum(map(len, effects.aggregations))
            self.tried += count * sum(len(some) * len(there) for some, there in together)

    def _holding(self, group: MetricGroup) -> "Holding":
        return {users: seen.holding | self._policies_of_data for users, seen in group.seen_by.items()}

    def _said_for_all(self, effects: Effects, holding: "Holding") -> dict[int, float]:
        """What aggregations say where they decide for the data as a whole, by place; NaN where they refuse them."""
        if not any(holding.values()):
            return {}
        found = {}
        for column, (aggregation, *_) in enumerate(effects.aggregations):
            here = holding[aggregation.given("users")]
            name = next((name for name in self._policies_for_all[aggregation] if name in here), None)
            if name is not None:
                found[column] = float(aggregation.settings[name].keywords.get("value", np.nan))
        return found

    @cached_property
    def _policies_for_all(self) -> dict[Aggregation, list[str]]:
        """For each aggregation the policies of the data as a whole that it sets."""
        every = [*DATA_POLICIES, *PREPARED_DATA_POLICIES]
        return {one: one.active_policies(every) for one in self.aggregations}

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
        if not self.averaged:
            return values[0], distances[0]
        every = self._every_effect.aggregations
        by_effect = np.array([self.near.closest(some)[places] for some in every], np.int16)
        for group in self.averaged:
            closest = self.near.closest(group.preparations)[places].astype(np.int16)
            by_aggregation = by_effect[group.places]
            for metrics, means in zip(group.metrics, group.means, strict=True):
                of_metrics = closest + self.near.closest(metrics)[places].astype(np.int16)
                there = np.isfinite(means)
                values.append(means[there])
                distances.append((by_aggregation + of_metrics).min(axis=1)[there].astype(np.int64))
        return np.concatenate(values), np.concatenate(distances)
