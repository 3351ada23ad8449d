"""The definitions that differ from a preset's in one or two settings, measured together.

A change of the preparation, one of the metric and one of the aggregation are crossed in pairs. Two changes of the
preparation are put together where no user is concerned by both, two of the aggregation situation by situation: the mean
then follows from what each changes alone.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from rankconv.aggregation import Aggregation
from rankconv.analysis.identify.changed_lists import ChangedLists
from rankconv.analysis.identify.changes import Change, Changes, Occurring, changed, changes
from rankconv.analysis.identify.effects import Circumstances, Effects, averages_sums
from rankconv.analysis.identify.list_states import alike_in_blocks, prepared_in_turn, state_hashes
from rankconv.analysis.identify.printed_value import Bounds, within
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.engine.plan import has_all_needs
from rankconv.metrics.base import Metric
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.definition import Definition, with_changes

MOST_PREPARED = 300
"""Of 300 users, so many preparations with a setting changed are tried; of more users fewer, of fewer users more."""
AS_LONG = 300
"""A preparation takes as long as the lists of so many users, whatever their number, besides the time for the lists."""


def _likeliest(
    preparations: Sequence[Preparation], presets: Sequence[int], settings: Occurring, users: int
) -> list[list[Change]]:
    """The changes that are tried of each preparation: first those of many presets, in conventions with few settings."""
    tried = [(place, one) for place, own in enumerate(preparations) for one in changes(own, settings)]
    tried.sort(key=lambda pair: -presets[pair[0]] / len(settings[pair[1][0]]))
    wanted: list[list[Change]] = [[] for _ in preparations]
    for place, change in tried[: MOST_PREPARED * (300 + AS_LONG) // (users + AS_LONG)]:
        wanted[place].append(change)
    return wanted


@dataclass(frozen=True, eq=False)
class Neighbour:
    """A preset's definition with settings changed, and the mean that follows from sums over users."""

    base: Definition
    changes: Changes
    mean: float

    @property
    def definition(self) -> Definition | None:
        """The definition itself; None where these settings are not possible together."""
        return with_changes(self.base, dict(self.changes))


@dataclass(frozen=True, eq=False)
class NearbyMeans:
    """Means of definitions near one of a preset: changes of rows crossed with changes of columns."""

    base: Definition
    rows: Sequence[Changes]
    columns: Sequence[Changes]
    means: Numbers
    """Shape (rows, columns)."""

    @cached_property
    def distances(self) -> Codes:
        """How many settings are changed, shape (rows, columns)."""
        rows, columns = (np.array([len(one) for one in some], np.int64) for some in (self.rows, self.columns))
        return np.asarray(rows[:, None] + columns)

    def between(self, intervals: Sequence[Bounds]) -> Iterator[Neighbour]:
        """The definitions whose mean is in one of the intervals."""
        for row, column in zip(*np.nonzero(within(self.means, intervals)), strict=True):
            yield Neighbour(self.base, self.rows[row] + self.columns[column], float(self.means[row, column]))


class Neighbours:
    """The definitions near those of presets; `chosen` are the users, shape (users,)."""

    def __init__(
        self, joined: Joined, presets: Sequence[Definition], settings: Occurring, chosen: Mask | None = None
    ) -> None:
        self._joined, self.found = joined, list[NearbyMeans]()
        able = [one for one in presets if self._is_measured(one)]
        bases = list({one.setting_sets: one for one in reversed(able)}.values())
        if not bases:
            return
        self._changed: dict[Aggregation, list[tuple[Changes, Aggregation]]] = {}
        """Each aggregation of presets, first as it is, then with each setting changed."""
        for own in dict.fromkeys(one.aggregation for one in bases):
            several = [((change,), one) for change, one in changed(own, settings) if averages_sums(one)]
            self._changed[own] = [((), own), *several]
        aggregations = list(dict.fromkeys(one for several in self._changed.values() for _, one in several))
        self._place_of = {one: place for place, one in enumerate(aggregations)}
        situations = Circumstances(aggregations)
        of_users = situations.of_users(joined, chosen)
        groups = self._alike(bases, np.flatnonzero(of_users))
        often = Counter(one.setting_sets for one in able)
        counts = [sum(often[one.setting_sets] for one in near) for near in groups]
        wanted = _likeliest([one[0].preparation for one in groups], counts, settings, len(of_users))
        lists = [
            ChangedLists(joined, near, some, settings, situations, of_users)
            for near, some in zip(groups, wanted, strict=True)
        ]
        lists = [one for one in lists if one.near]
        codes = np.unique(np.concatenate([np.empty(0, np.int64), *(one.codes for one in lists)]))
        effects = Effects.of(situations, aggregations, codes)
        for one in lists:
            self._average(one, effects.on(np.searchsorted(codes, one.codes)))

    def _is_measured(self, definition: Definition) -> bool:
        """Whether its mean follows from sums over users."""
        preparation, metric = definition.preparation, definition.metric
        allowed = not preparation.pools and not metric.of_all_lists and has_all_needs(self._joined, preparation)
        return allowed and averages_sums(definition.aggregation)

    def _alike(self, bases: Sequence[Definition], users: Codes) -> list[list[Definition]]:
        """The definitions, those together that prepare these data alike for one metric with its cutoff."""
        by_applied: dict[tuple[type[Metric], int | None], dict[Preparation, list[Definition]]] = {}
        for one in bases:
            of_metric = by_applied.setdefault((type(one.metric), one.k), {})
            of_metric.setdefault(one.applied, []).append(one)
        groups: dict[tuple[object, ...], list[Definition]] = {}
        for (strategy, k), of_metric in by_applied.items():
            for preparation, block in prepared_in_turn(self._joined, users, k, of_metric):
                key = strategy, k, state_hashes(block).tobytes(), alike_in_blocks(block, by_level=True)
                groups.setdefault(key, []).extend(of_metric[preparation])
        return list(groups.values())

    def _average(self, lists: ChangedLists, effects: Effects) -> None:
        """The means of definitions near those that prepare these lists, given the effects on their situations."""
        sums = {metric: values.sums(lists.codes) for metric, values in lists.values.items()}
        done = set[tuple[object, ...]]()
        for base in lists.near:
            several, own = self._changed[base.aggregation], sums[lists.same[base.metric]]
            nearby = effects.some(np.array([self._place_of[one] for _, one in several]))
            key = lists.same[base.metric], *nearby.key
            if key not in done:
                done.add(key)
                columns = [each for each, _ in several]
                self._add(base, lists.changes, columns, nearby.means(own))
                self._average_changed_metrics(base, lists, sums, columns, nearby)
                self._average_two_preparations(base, lists, own, nearby)
                self._average_two_aggregations(base, columns, own[:, :1], nearby)

    def _average_changed_metrics(
        self,
        base: Definition,
        lists: ChangedLists,
        sums: Mapping[Metric, Numbers],
        columns: Sequence[Changes],
        nearby: Effects,
    ) -> None:
        """A change of the metric, with one of the aggregation or of the preparation."""
        several = {lists.same[one]: (change,) for change, one in reversed(lists.changed_metrics[base.metric])}
        several.pop(lists.same[base.metric], None)
        if several:
            rows = list(several.values())
            together = np.stack([sums[one] for one in several], axis=1)
            self._add(base, rows, columns, nearby.means(together[:, :, 0]))
            crossed = [change + other for change in rows for other in lists.changes[1:]]
            of_lists = together[:, :, 1:].reshape(len(together), -1, together.shape[-1])
            self._add(base, crossed, [()], nearby.some(np.zeros(1, np.int64)).means(of_lists))

    def _average_two_preparations(self, base: Definition, lists: ChangedLists, own: Numbers, nearby: Effects) -> None:
        """Two changes of the preparation, no user being concerned by both."""
        pairs = lists.apart[lists.same[base.metric]]
        first, second = pairs[:, [lists.changes[a][0][0] != lists.changes[b][0][0] for a, b in pairs.T.tolist()]]
        with np.errstate(invalid="ignore"):  # of values that are infinite
            both = own[:, first] + own[:, second] - own[:, :1]
        rows = [lists.changes[a] + lists.changes[b] for a, b in zip(first.tolist(), second.tolist(), strict=True)]
        self._add(base, rows, [()], nearby.some(np.zeros(1, np.int64)).means(both))

    def _average_two_aggregations(
        self, base: Definition, columns: Sequence[Changes], own: Numbers, nearby: Effects
    ) -> None:
        """Two changes of the aggregation."""
        here = np.flatnonzero(own[0, 0])
        effects = nearby.on(here)
        different = effects.different()
        pairs = [(a, b) for a, b in combinations(different.tolist(), 2) if a and columns[a][0][0] != columns[b][0][0]]
        if pairs:
            first, second = np.array(pairs).T
            both = effects.of_both(first, second)
            self._add(base, [()], [columns[a] + columns[b] for a, b in pairs], both.means(own[:, :, here]))

    def _add(self, base: Definition, rows: Sequence[Changes], columns: Sequence[Changes], means: Numbers) -> None:
        if means.size:
            self.found.append(NearbyMeans(base, rows, columns, means))

    @property
    def tried(self) -> int:
        """How many definitions were measured."""
        return sum(one.means.size for one in self.found)

    @property
    def values(self) -> tuple[Numbers, Codes]:
        """Every mean that is a number, and in how many settings its definition is changed, shape (means,)."""
        values = np.concatenate([np.empty(0), *(one.means.reshape(-1) for one in self.found)])
        distances = np.concatenate([np.empty(0, np.int64), *(one.distances.reshape(-1) for one in self.found)])
        there = np.isfinite(values)
        return values[there], distances[there]

    def between(self, intervals: Sequence[Bounds]) -> list[Neighbour]:
        """The definitions whose mean is in one of the intervals."""
        return [each for one in self.found for each in one.between(intervals)]
