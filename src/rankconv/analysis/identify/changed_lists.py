"""The lists of presets with a setting of their preparation changed, and metrics measured on all of them at once."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from rankconv.aggregation import Situation
from rankconv.analysis.identify.changes import Change, Changes, Occurring, changed
from rankconv.analysis.identify.effects import Circumstances
from rankconv.analysis.identify.list_states import ListStates, equal_in_blocks, prepared_with_changes
from rankconv.analysis.identify.tallies import MetricValues
from rankconv.data.arrays import Codes
from rankconv.data.joined import Joined
from rankconv.engine.needs import has_all_needs, lacks
from rankconv.metrics.base import Metric, Parts, Ratio
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.ties import TieEffect
from rankconv.presets.definition import Definition


class ChangedLists:
    """Definitions that prepare these data in the same way, and what is prepared with a setting changed."""

    def __init__(
        self,
        joined: Joined,
        users: Codes,
        near: Sequence[Definition],
        wanted: Sequence[Change],
        settings: Occurring,
        situations: Circumstances,
        of_users: Codes,
    ) -> None:
        """`users` are looked at, shape (looked at,); `of_users` has the populations of each user as bits."""
        self._joined, self._users, self._settings = joined, users, settings
        self._circumstances, self._of_users = situations, of_users
        self.near = [one for one in near if self._is_able(one.metric, one)]
        self.changes: list[Changes] = []
        """What is changed under each preparation: first nothing."""
        self.equal_changes: dict[Change, list[Changes]] = {}
        """Other changes that prepare the same."""
        self.values: dict[Metric, MetricValues] = {}
        """Of the metrics of these definitions and those with a setting changed; of several that give the same, one."""
        self.same: dict[Metric, Metric] = {}
        """For each metric that one."""
        if self.near:
            self._measure(*self._prepared(wanted))

    @cached_property
    def changed_metrics(self) -> dict[Metric, list[tuple[Change, Metric]]]:
        """For each metric what a change of a setting makes of it."""
        own, known = dict[Metric, list[tuple[Change, Metric]]](), self.near[0]
        for metric in dict.fromkeys(one.metric for one in self.near):
            several = changed(metric, self._settings)
            own[metric] = [(change, one) for change, one in several if self._is_able(one, known)]
        return own

    @cached_property
    def codes(self) -> Codes:
        """The situations that occur, shape (situations,)."""
        return np.unique(np.concatenate([np.unique(one.situations) for one in self.values.values()]))

    @cached_property
    def disjoint(self) -> dict[Metric, Codes]:
        """For the metric of each definition the pairs of changes that concern different users, shape (2, pairs)."""
        own = {self.same[one] for one in self.changed_metrics}
        return {metric: self.values[metric].disjoint() for metric in own}

    def _is_able(self, metric: Metric, near: Definition) -> bool:
        """Whether the data have what a metric asks for, and these lists are those that it reads."""
        same = metric == near.metric or replace(near, metric=metric).applied == near.applied
        return same and not any(lacks(self._joined, need, near.preparation) for need in metric.asks_for)

    def _prepared(self, wanted: Sequence[Change]) -> tuple[list[ListStates], list[list[int]]]:
        """The lists of all users in each way, and the ways of each group of lists; none repeats another."""
        own, users = self.near[0], self._users
        changes: dict[Preparation, Changes] = {own.applied: ()}
        for change in wanted:
            one = own.preparation.with_setting(*change)
            if not one.pools and has_all_needs(self._joined, one):
                closed = one.tie_rule is TieEffect.EXPECTED
                changes.setdefault(replace(own, preparation=one).applied if closed else one, (change,))
        first, *others = changes
        equal: dict[tuple[object, ...], ListStates] = {}
        found: dict[tuple[int, int], list[Changes]] = {}
        for preparation, block in prepared_with_changes(self._joined, users, own.metric.k, first, others):
            key = equal_in_blocks(block, by_level=True)
            way = list(equal).index(key) if key in equal else len(equal), equal.setdefault(key, ListStates()).add(block)
            found.setdefault(way, []).append(changes[preparation])
        ways = [[way for group, way in found if group == place] for place in range(len(equal))]
        of_ways = [found[place, way] for place, several in enumerate(ways) for way in several]
        self.changes = [first for first, *_ in of_ways]
        self.equal_changes = {one[0]: others for (one, *others) in of_ways if one}
        return list(equal.values()), ways

    def _measure(self, several: Sequence[ListStates], ways: Sequence[Sequence[int]]) -> None:
        """Measure the metrics on each group of lists; of those that give the same on the first group, one."""
        unchanged = {one: own for own, changes in self.changed_metrics.items() for _, one in changes}
        unchanged = {own: own for own in self.changed_metrics} | {
            one: own for one, own in unchanged.items() if one not in self.changed_metrics
        }
        parts: dict[Metric, list[MetricValues]] = {}
        for place, (states, way) in enumerate(zip(several, ways, strict=True)):
            measured, at = _MeasuredBlock(states.block, self._circumstances, self._of_users), np.array(states.ways)[way]
            if not place:
                found = {metric: measured.values(metric, own) for metric, own in unchanged.items()}
                same: dict[tuple[bytes, ...], Metric] = {}
                self.same = {metric: same.setdefault(values.key, metric) for metric, values in found.items()}
                parts = {metric: [found[metric].of(at)] for metric in same.values()}
            else:
                for metric, before in parts.items():
                    before.append(measured.values(metric, self.same[unchanged[metric]]).of(at))
        self.values = {metric: MetricValues.stacked(each) for metric, each in parts.items()}


class _MeasuredBlock:
    """Prepared lists, and the situations that they alone decide."""

    def __init__(self, block: Block, circumstances: Circumstances, of_users: Codes) -> None:
        self._block, self._circumstances = block, circumstances
        self._of_users = of_users[block.users]
        self._of_lists: dict[int | None, Codes] = {}
        self._of_other_labels: dict[Metric, Codes] = {}

    def values(self, metric: Metric, own: Metric) -> MetricValues:
        """What a metric gives each list, of shape (lists,).

        `own` is that without changed settings: what other labels would change is taken to be the same.
        """
        block, circumstances = self._block, self._circumstances
        with np.errstate(over="ignore", invalid="ignore"):  # as in an evaluation
            found = metric.measure(block)
        ratio = found.ratio if isinstance(found, Parts) else found
        if metric.scope not in self._of_lists:
            every = Ratio(np.ones(block.size), np.ones(block.size))
            plain = Situation(block, metric, every, 0.0, block.preparation)
            self._of_lists[metric.scope] = circumstances.of_block(plain) | self._of_users
        situation = Situation(block, metric, found, 0.0, block.preparation)
        if own not in self._of_other_labels:
            self._of_other_labels[own] = circumstances.of_other_labels(situation)
        situations = self._of_lists[metric.scope] | circumstances.of_block(situation, by_ratio=True)
        return MetricValues(situations | self._of_other_labels[own], circumstances.columns(ratio))
