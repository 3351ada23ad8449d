"""Which definitions of a family give the number on this data? Found by sums over situations, not yet one by one."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rankconv.ask.identify.alike import judging_classes
from rankconv.ask.identify.batch import MetricGroup
from rankconv.ask.identify.chance import within
from rankconv.ask.identify.circumstances import Circumstances, Effects
from rankconv.ask.identify.space import Family
from rankconv.averaging import CAUSES, DATA_CAUSES, JUDGED_CAUSES, Averaging
from rankconv.averaging.data_cases import WholeData
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.engine.plan import has_all_needs, lacks
from rankconv.engine.run import run
from rankconv.judging.pipeline import Judging
from rankconv.judging.plain_rows import plain_users
from rankconv.judging.ties import TieEffect
from rankconv.metrics.base import Metric

FEW_ROWS = 200_000
"""With more rows than this, metrics with an answer that sorts all labels are not searched."""


@dataclass(frozen=True, eq=False)
class Alike:
    """Definitions that are bound to give every user of this data the same: all of these, crossed."""

    judgings: Sequence[Judging]
    metrics: Sequence[Metric]
    averagings: Sequence[Averaging]
    mean: float

    @property
    def count(self) -> int:
        """How many definitions there are."""
        return len(self.judgings) * len(self.metrics) * len(self.averagings)


@dataclass(eq=False)
class Swept:
    """A family measured as a whole on one pair of labels and lists."""

    joined: Joined
    family: Family
    chosen: Mask | None = None
    averagings: list[Averaging] = field(init=False)
    """Those whose mean follows from sums; the others are asked one by one, for the presets that have them."""
    tried: int = field(init=False, default=0)
    """How many definitions were measured."""
    means: list[tuple[list[Judging], MetricGroup, Effects, Numbers]] = field(init=False, default_factory=list)
    """For each group of metrics the means of its ratios under all averagings, shape (ratios, averagings)."""

    def __post_init__(self) -> None:
        self.averagings = [one for one in self.family.averagings if of_sums(one)]
        self._circumstances = Circumstances(self.averagings)
        self._known_effects: dict[bytes, Effects] = {}
        self._of_users = self._circumstances.of_users(self.joined, self.chosen)
        if not self.averagings:
            return
        for classes in self._together():
            groups = [(judgings, group) for judgings in classes for group in self._groups(judgings)]
            run(self.joined, [group.reader() for _, group in groups])
            for judgings, group in groups:
                self._average(judgings, group)

    def _together(self) -> list[list[list[Judging]]]:
        """The classes that share their passes: those that need rows one by one; all others alone, to save memory."""
        by_rows: list[list[Judging]] = []
        alone: list[list[Judging]] = []
        for group in self._classes():
            plain = (
                self.joined.levels is not None and plain_users(self.joined, group[0], self.family.metrics[0].k).all()
            )
            (alone if plain else by_rows).append(group)
        return [by_rows, *([group] for group in alone)]

    def _classes(self) -> list[list[Judging]]:
        if self.family.strategy.of_all_lists:
            return []
        judgings = [one for one in self.family.judgings if not one.pools and has_all_needs(self.joined, one)]
        return [
            sorted(group, key=lambda one: one.tie_rule is not TieEffect.ORDER)
            for group in judging_classes(self.joined, judgings, self.family.strategy)
        ]

    def _groups(self, judgings: list[Judging]) -> list[MetricGroup]:
        """The metrics that these data allow under these judgings, those together that read equally deep."""
        first, alike = judgings[0], dict[tuple[Judging, int | None, int | None], list[Metric]]()
        for metric in self.family.near(judgings):
            fast = self._few_rows or not _sorts_labels(metric)
            if fast and _defined(first.tie_rule, metric) and self._have(metric.asks_for, first):
                applied = metric.expectation(first).applied_to(first)
                alike.setdefault((applied, metric.scope, metric.rows_read), []).append(metric)
        return [
            MetricGroup(judging, metrics, self._circumstances, self._of_users)
            for (judging, *_), metrics in alike.items()
        ]

    def _have(self, needs: Iterable[str], judging: Judging) -> bool:
        return not any(lacks(self.joined, need, judging) for need in needs)

    @cached_property
    def _few_rows(self) -> bool:
        return self.joined.rankings.row_count + self.joined.labels.row_count <= FEW_ROWS

    def _average(self, judgings: list[Judging], group: MetricGroup) -> None:
        totals = group.totals
        effects = self._effects(totals.codes)
        means = effects.means(totals.counts, totals.values, totals.numerators)
        for place, averaging in enumerate(self.averagings):
            told = self._told_of_all(averaging, group)
            if told is not None:
                means[:, place] = told
        self.means.append((judgings, group, effects, means))
        measured = [metric for metrics in totals.metrics for metric in metrics]
        pairs = sum(len(alike) * len(there) for alike, there in _defined_together(judgings, measured))
        self.tried += pairs * len(self.averagings)

    def _told_of_all(self, averaging: Averaging, group: MetricGroup) -> float | None:
        """What an averaging says where it answers for the data as a whole; NaN where it refuses it."""
        users = averaging.given("users")
        for name in averaging.asked([*DATA_CAUSES, *JUDGED_CAUSES]):
            if self._of_data[name] if name in DATA_CAUSES else group.seen_by[users].holds(name):
                return float(averaging.answers[name].keywords.get("value", np.nan))
        return None

    @cached_property
    def _of_data(self) -> dict[str, bool]:
        """Which causes of the data as a whole hold."""
        data = WholeData.of(self.joined)
        return {name: cause.holds(data) for name, cause in DATA_CAUSES.items()}

    def _effects(self, codes: Codes) -> Effects:
        """What the averagings make of these situations, shape (situations,); computed once for all groups with them."""
        key = codes.tobytes()
        if key not in self._known_effects:
            self._known_effects[key] = Effects(self._circumstances, self.averagings, codes)
        return self._known_effects[key]

    def between(self, intervals: Sequence[tuple[float, float]]) -> list[Alike]:
        """All definitions whose mean lies in one of the intervals."""
        found = []
        for judgings, group, effects, means in self.means:
            inside = within(means, intervals)
            for ratio in np.flatnonzero(inside.any(axis=1)).tolist():
                found += self._alike(judgings, group, effects, ratio, means[ratio], np.flatnonzero(inside[ratio]))
        return found

    def _alike(
        self, judgings: list[Judging], group: MetricGroup, effects: Effects, ratio: int, means: Numbers, places: Codes
    ) -> list[Alike]:
        signatures = effects.signatures(group.totals.counts[ratio] > 0)
        by_effect: dict[tuple[bytes, float], list[int]] = {}
        for place in places.tolist():
            by_effect.setdefault((signatures[place], float(means[place])), []).append(place)
        found = []
        closed, strategy = group.judging.tie_rule is TieEffect.EXPECTED, self.family.strategy
        for defined, metrics in _defined_together(judgings, group.totals.metrics[ratio]):
            for (_, mean), alike in by_effect.items():
                averagings = [self.averagings[place] for place in alike]
                if closed:  # which is no expected value under the others
                    averagings = [one for one in averagings if not one.goes_by_order(strategy)]
                found += [Alike(defined, metrics, averagings, mean)] if averagings else []
        return found


def _defined_together(
    judgings: Sequence[Judging], metrics: Sequence[Metric]
) -> Iterator[tuple[list[Judging], list[Metric]]]:
    """Judgings that make the same of this data, with the metrics that are defined under them.

    The first of the judgings was measured: a gain that reads its level says nothing of other levels.
    """
    measured = _level(judgings[0])
    by_kind: dict[tuple[TieEffect, bool], list[Judging]] = {}
    for judging in judgings:
        by_kind.setdefault((judging.tie_rule, _level(judging) == measured), []).append(judging)
    for (rule, same_level), group in by_kind.items():
        there = [one for one in metrics if _defined(rule, one) and (same_level or not _reads_level(one))]
        if there:
            yield group, there


def _defined(rule: TieEffect, metric: Metric) -> bool:
    return rule is not TieEffect.SHARED or metric.shares_ranks


def _sorts_labels(metric: Metric) -> bool:
    """Whether an answer sorts all labels, which takes long where there are many."""
    return any(answer.option.traits.get("sorts_labels") for answer in metric.answers.values())


def _level(judging: Judging) -> float:
    return float(judging.answers["relevant"].keywords.get("level", 0.0))


def _reads_level(metric: Metric) -> bool:
    return any("level" in answer.reads for answer in metric.answers.values())


def of_sums(averaging: Averaging) -> bool:
    """Whether the mean follows from how many users are in which situation, and the sums of their values."""
    deep = averaging.asked(name for cases in (CAUSES, JUDGED_CAUSES) for name, case in cases.items() if case.reads_deep)
    answers = averaging.answers
    plain = answers["aggregate"].trait("share") and answers["aggregate"].reads == ("summed",)
    plain = plain and answers["report"].changes_nothing
    return bool(plain) and answers["round-user"].changes_nothing and not deep
