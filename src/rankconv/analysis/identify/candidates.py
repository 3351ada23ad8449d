"""The definitions of a family that give a value on these data, by sums over situations."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rankconv.aggregation import DATA_POLICIES, JUDGED_POLICIES, POLICIES, Aggregation, JudgedTotals
from rankconv.aggregation.judged_cases import WholeData
from rankconv.analysis.identify.circumstances import Circumstances, Effects, by_block, preparation_classes, within
from rankconv.analysis.identify.space import Family
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.engine.plan import Reader, has_all_needs, lacks
from rankconv.engine.run import run
from rankconv.metrics.base import Metric, Parts
from rankconv.preparation.block import Block
from rankconv.preparation.expected import TieEffect
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.plain_rows import plain_users


@dataclass(frozen=True, eq=False)
class Totals:
    """What is left of the users: for each different ratio and situation how many there are, and their sums."""

    codes: Codes
    """The situations that occur, shape (situations,)."""
    metrics: list[list[Metric]]
    """The metrics of each ratio: they give every user the same numerator and denominator."""
    counts: Numbers
    """Users, shape (ratios, situations)."""
    values: Numbers
    """The sums of their values."""
    numerators: Numbers
    """The sums of their numerators."""


@dataclass(eq=False)
class MetricGroup:
    """Metrics of one cutoff that read the lists of one preparation equally deep, and what the users came to so far."""

    preparation: Preparation
    metrics: Sequence[Metric]
    circumstances: Circumstances
    of_users: Codes = field(repr=False)
    """In which populations each user of the data is; 0 where in none."""
    seen_by: dict[str, JudgedTotals] = field(init=False)
    """By population."""
    _tallies: list["_Tally"] = field(init=False, repr=False, default_factory=list)

    def __post_init__(self) -> None:
        of_all, k = self.circumstances.of_all, self.metrics[0].k
        self.seen_by = {users: JudgedTotals(of_all, k) for users in self.circumstances.populations}

    def reader(self) -> Reader:
        """What it wants of the engine."""
        metric = self.metrics[0]
        return Reader(self.preparation, metric.k, metric.rows_read, self.of_users > 0, self.take)

    def take(self, block: Block, who: Mask) -> None:
        """Measure these users of a judged block under all metrics; `who` has shape (users of the block,)."""
        inside = np.flatnonzero(who)
        if not len(inside):
            return
        code = self.circumstances.of_block(block, self.metrics[0]) | self.of_users[block.users]
        tally = _Tally(inside, code[inside], self.circumstances.ratio_cells)
        for metric in self.metrics:
            tally.add(block, metric, self.circumstances)
        situation = by_block(block, self.metrics[0])
        for users, seen in self.seen_by.items():
            seen.add(situation, self.circumstances.holds(users, 0.0, code) & who)
        self._tallies.append(tally)

    @cached_property
    def totals(self) -> Totals:
        """All blocks together."""
        codes = np.unique(np.concatenate([np.empty(0, np.int64), *(tally.codes for tally in self._tallies)]))
        places = np.array([tally.places for tally in self._tallies], np.int64)
        places = places.reshape(len(self._tallies), len(self.metrics)).T
        ratios, of_metric = np.unique(places, axis=0, return_inverse=True)
        sums = np.zeros((3, len(ratios), len(codes)))
        for tally, ratio in zip(self._tallies, ratios.T, strict=True):
            sums[:, :, np.searchsorted(codes, tally.codes)] += tally.sums[:, ratio]
        metrics: list[list[Metric]] = [[] for _ in ratios]
        for metric, ratio in zip(self.metrics, of_metric.reshape(-1).tolist(), strict=True):
            metrics[ratio].append(metric)
        used = sums[0].any(axis=0)
        return Totals(codes[used], metrics, *sums[:, :, used])


class _Tally:
    """The different ratios of one block, each summed over the users of every situation."""

    def __init__(self, inside: Codes, codes: Codes, ratio_cells: int) -> None:
        self._inside = inside
        known, self._of_user = np.unique(codes, return_inverse=True)
        self._of_user = self._of_user * ratio_cells
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
            cells = self._of_user + circumstances.of_ratio(block, metric, found)[self._inside]
            columns = (None, ratio.value[self._inside], ratio.numerator[self._inside])
            counted = [np.bincount(cells, column, len(self.codes)) for column in columns]
            self._sums.append([np.asarray(each, np.float64) for each in counted])
        self.places.append(self._place_of[key])

    @property
    def sums(self) -> Numbers:
        """Users, values and numerators, shape (3, ratios, situations)."""
        return np.array(self._sums, np.float64).reshape(-1, 3, len(self.codes)).transpose(1, 0, 2)


FEW_ROWS = 200_000
"""With more rows than this, metrics with a setting that sorts all labels are not searched."""


@dataclass(frozen=True, eq=False)
class EquivalentDefinitions:
    """Definitions that are bound to give every user of this data the same: all of these, crossed."""

    preparations: Sequence[Preparation]
    metrics: Sequence[Metric]
    aggregations: Sequence[Aggregation]
    mean: float

    @property
    def count(self) -> int:
        """How many definitions there are."""
        return len(self.preparations) * len(self.metrics) * len(self.aggregations)


@dataclass(eq=False)
class Swept:
    """A family measured as a whole on one pair of labels and lists."""

    joined: Joined
    family: Family
    chosen: Mask | None = None
    aggregations: list[Aggregation] = field(init=False)
    """Those whose mean follows from sums; the others are measured one by one, for the presets that have them."""
    tried: int = field(init=False, default=0)
    """How many definitions were measured."""
    means: list[tuple[list[Preparation], MetricGroup, Effects, Numbers]] = field(init=False, default_factory=list)
    """For each group of metrics the means of its ratios under all averagings, shape (ratios, averagings)."""

    def __post_init__(self) -> None:
        self.aggregations = [one for one in self.family.aggregations if of_sums(one)]
        self._circumstances = Circumstances(self.aggregations)
        self._known_effects: dict[bytes, Effects] = {}
        self._of_users = self._circumstances.of_users(self.joined, self.chosen)
        if not self.aggregations:
            return
        for classes in self._together():
            groups = [(preparations, group) for preparations in classes for group in self._groups(preparations)]
            run(self.joined, [group.reader() for _, group in groups])
            for preparations, group in groups:
                self._average(preparations, group)

    def _together(self) -> list[list[list[Preparation]]]:
        """The classes that share their passes: those that need rows one by one; all others alone, to save memory."""
        by_rows: list[list[Preparation]] = []
        alone: list[list[Preparation]] = []
        for group in self._classes():
            plain = (
                self.joined.levels is not None and plain_users(self.joined, group[0], self.family.metrics[0].k).all()
            )
            (alone if plain else by_rows).append(group)
        return [by_rows, *([group] for group in alone)]

    def _classes(self) -> list[list[Preparation]]:
        if self.family.strategy.of_all_lists:
            return []
        preparations = [one for one in self.family.preparations if not one.pools and has_all_needs(self.joined, one)]
        return [
            sorted(group, key=lambda one: one.tie_rule is not TieEffect.ORDER)
            for group in preparation_classes(self.joined, preparations, self.family.strategy)
        ]

    def _groups(self, preparations: list[Preparation]) -> list[MetricGroup]:
        """The metrics that these data allow under these judgings, those together that read equally deep."""
        first, equivalent = preparations[0], dict[tuple[Preparation, int | None, int | None], list[Metric]]()
        for metric in self.family.near(preparations):
            fast = self._few_rows or not _sorts_labels(metric)
            if fast and _defined(first.tie_rule, metric) and self._have(metric.asks_for, first):
                applied = metric.expectation(first).applied_to(first)
                equivalent.setdefault((applied, metric.scope, metric.rows_read), []).append(metric)
        return [
            MetricGroup(preparation, metrics, self._circumstances, self._of_users)
            for (preparation, *_), metrics in equivalent.items()
        ]

    def _have(self, needs: Iterable[str], preparation: Preparation) -> bool:
        return not any(lacks(self.joined, need, preparation) for need in needs)

    @cached_property
    def _few_rows(self) -> bool:
        return self.joined.rankings.row_count + self.joined.labels.row_count <= FEW_ROWS

    def _average(self, preparations: list[Preparation], group: MetricGroup) -> None:
        totals = group.totals
        effects = self._effects(totals.codes)
        means = effects.means(totals.counts, totals.values, totals.numerators)
        for place, aggregation in enumerate(self.aggregations):
            all_settings = self._policies_of_all(aggregation, group)
            if all_settings is not None:
                means[:, place] = all_settings
        self.means.append((preparations, group, effects, means))
        measured = [metric for metrics in totals.metrics for metric in metrics]
        pairs = sum(len(equivalent) * len(there) for equivalent, there in _defined_together(preparations, measured))
        self.tried += pairs * len(self.aggregations)

    def _policies_of_all(self, aggregation: Aggregation, group: MetricGroup) -> float | None:
        """What an aggregation says where it decides for the data as a whole; NaN where it refuses it."""
        users = aggregation.given("users")
        for name in aggregation.active_policies([*DATA_POLICIES, *JUDGED_POLICIES]):
            if self._of_data[name] if name in DATA_POLICIES else group.seen_by[users].holds(name):
                return float(aggregation.settings[name].keywords.get("value", np.nan))
        return None

    @cached_property
    def _of_data(self) -> dict[str, bool]:
        """Which policies of the data as a whole hold."""
        data = WholeData.of(self.joined)
        return {name: policy.holds(data) for name, policy in DATA_POLICIES.items()}

    def _effects(self, codes: Codes) -> Effects:
        """What the averagings make of these situations, shape (situations,); computed once for all groups with them."""
        key = codes.tobytes()
        if key not in self._known_effects:
            self._known_effects[key] = Effects(self._circumstances, self.aggregations, codes)
        return self._known_effects[key]

    def between(self, intervals: Sequence[tuple[float, float]]) -> list[EquivalentDefinitions]:
        """All definitions whose mean is in one of the intervals."""
        found = []
        for preparations, group, effects, means in self.means:
            inside = within(means, intervals)
            for ratio in np.flatnonzero(inside.any(axis=1)).tolist():
                found += self._equivalents(
                    preparations, group, effects, ratio, means[ratio], np.flatnonzero(inside[ratio])
                )
        return found

    def _equivalents(
        self,
        preparations: list[Preparation],
        group: MetricGroup,
        effects: Effects,
        ratio: int,
        means: Numbers,
        places: Codes,
    ) -> list[EquivalentDefinitions]:
        signatures = effects.signatures(group.totals.counts[ratio] > 0)
        by_effect: dict[tuple[bytes, float], list[int]] = {}
        for place in places.tolist():
            by_effect.setdefault((signatures[place], float(means[place])), []).append(place)
        found = []
        closed, strategy = group.preparation.tie_rule is TieEffect.EXPECTED, self.family.strategy
        for defined, metrics in _defined_together(preparations, group.totals.metrics[ratio]):
            for (_, mean), equivalent in by_effect.items():
                aggregations = [self.aggregations[place] for place in equivalent]
                if closed:  # which is no expected value under the others
                    aggregations = [one for one in aggregations if not one.goes_by_order(strategy)]
                found += [EquivalentDefinitions(defined, metrics, aggregations, mean)] if aggregations else []
        return found


def _defined_together(
    preparations: Sequence[Preparation], metrics: Sequence[Metric]
) -> Iterator[tuple[list[Preparation], list[Metric]]]:
    """Judgings that make the same of this data, with the metrics that are defined under them.

    The first of the judgings was measured: a gain that reads its level says nothing of other levels.
    """
    measured = _level(preparations[0])
    by_kind: dict[tuple[TieEffect, bool], list[Preparation]] = {}
    for preparation in preparations:
        by_kind.setdefault((preparation.tie_rule, _level(preparation) == measured), []).append(preparation)
    for (rule, same_level), group in by_kind.items():
        there = [one for one in metrics if _defined(rule, one) and (same_level or not _reads_level(one))]
        if there:
            yield group, there


def _defined(rule: TieEffect, metric: Metric) -> bool:
    return rule is not TieEffect.SHARED or metric.shares_ranks


def _sorts_labels(metric: Metric) -> bool:
    """Whether a setting sorts all labels, which takes long where there are many."""
    return any(setting.setting_type.traits.get("sorts_labels") for setting in metric.settings.values())


def _level(preparation: Preparation) -> float:
    return float(preparation.settings["relevant"].keywords.get("level", 0.0))


def _reads_level(metric: Metric) -> bool:
    return any("level" in setting.reads for setting in metric.settings.values())


def of_sums(aggregation: Aggregation) -> bool:
    """Whether the mean follows from how many users are in which situation, and the sums of their values."""
    deep = aggregation.active_policies(
        name for cases in (POLICIES, JUDGED_POLICIES) for name, case in cases.items() if case.reads_deep
    )
    settings = aggregation.settings
    plain = settings["aggregate"].trait("share") and settings["aggregate"].reads == ("summed",)
    plain = plain and settings["report"].changes_nothing
    return bool(plain) and settings["round-user"].changes_nothing and not deep
