"""The definitions that differ from a preset's in one or two settings, measured together.

A change of the preparation, one of the metric and one of the aggregation are crossed in pairs. Two changes of the
preparation are put together where no user is concerned by both, two of the aggregation situation by situation: the mean
then follows from what each changes alone.
"""

import math
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
from rankconv.analysis.identify.list_states import equal_in_blocks, prepared_in_turn, state_hashes
from rankconv.analysis.identify.printed_value import Bounds, PrintedValue, within
from rankconv.conventions.setting_set import SettingSet
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.engine.plan import has_all_needs
from rankconv.metrics.base import Metric
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.definition import Definition, with_changes

MOST_PREPARED = 300
"""Of 300 users, so many preparations with a setting changed are tried; of more users fewer, of fewer users more."""
AS_LONG = 300
"""A preparation takes as long as the lists of so many users, whatever their number, besides the time for the lists."""


MOST_ALONE = 100
"""So many definitions whose mean does not follow from sums over users are measured, one by one."""
Gaps = Mapping[tuple[SettingSet, ...], float]
"""How far the value of definitions, by their parts, is from the number."""
NEAR = 0.02
"""A change is the likelier the nearer the preset's value is; nearer than by this share of the number counts little."""


def _likeliest(
    preparations: Sequence[Preparation], likely: Sequence[float], settings: Occurring, users: int
) -> list[list[Change]]:
    """The changes that are tried of each preparation: of the likely ones first, in conventions with few settings."""
    tried = [(place, one) for place, own in enumerate(preparations) for one in changes(own, settings)]
    tried.sort(key=lambda pair: -likely[pair[0]] / len(settings[pair[1][0]]))
    wanted: list[list[Change]] = [[] for _ in preparations]
    for place, change in tried[: MOST_PREPARED * (300 + AS_LONG) // (users + AS_LONG)]:
        wanted[place].append(change)
    return wanted


@dataclass(frozen=True, eq=False)
class Neighbour:
    """Definitions of presets that are equal on these data, with settings changed, and their mean."""

    bases: Sequence[Definition]
    changes: Changes
    mean: float

    @property
    def definition(self) -> Definition | None:
        """The first for which these settings are possible together; None where there is none."""
        made = (with_changes(one, dict(self.changes)) for one in self.bases)
        return next((one for one in made if one is not None), None)


@dataclass(frozen=True, eq=False)
class NearbyMeans:
    """Means of definitions near those of presets that are equal: changes of rows crossed with changes of columns."""

    bases: Sequence[Definition]
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
            yield Neighbour(self.bases, self.rows[row] + self.columns[column], float(self.means[row, column]))


def _follows_from_sums(definition: Definition) -> bool:
    """Whether its mean follows from sums over users."""
    pools = definition.preparation.pools or definition.metric.of_all_lists
    return not pools and averages_sums(definition.aggregation)


def _without_sums(presets: Sequence[Definition], settings: Occurring, gaps: Gaps) -> list[tuple[Definition, Change]]:
    """Changes of definitions whose means do not follow from sums, and those that make them so; the nearest first."""
    different = list({one.setting_sets: one for one in reversed(presets) if not one.needs}.values())
    pairs = list[tuple[Definition, Change]]()
    for one in different:
        if not _follows_from_sums(one):
            pairs += [(one, change) for part in one.setting_sets for change in changes(part, settings)]
        else:
            pairs += [(one, change) for change, other in changed(one.aggregation, settings) if not averages_sums(other)]
    pairs.sort(key=lambda pair: gaps.get(pair[0].setting_sets, math.inf) * len(settings[pair[1][0]]))
    return pairs[:MOST_ALONE]


def _gaps(number: PrintedValue, values: Sequence[Measured]) -> Gaps:
    """How far the value of each definition is from the number, and a little further."""
    room = NEAR * abs(number.values[0]) + 1e-9
    return {one.definition.setting_sets: number.gap(one.mean) + room for one in values}


class Neighbours:
    """The definitions near those of presets, and of these first the ones whose value is near the number.

    `values` are those of the presets that have one, `chosen` the users, shape (users,).
    """

    def __init__(
        self,
        joined: Joined,
        presets: Sequence[Definition],
        settings: Occurring,
        number: PrintedValue,
        values: Sequence[Measured],
        chosen: Mask | None = None,
    ) -> None:
        self._joined, self.found = joined, list[NearbyMeans]()
        gaps = _gaps(number, values)
        self._measure_alone(_without_sums(presets, settings, gaps), chosen)
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
        groups = self._prepared_equally(bases, np.flatnonzero(of_users))
        often = Counter(one.setting_sets for one in able)
        likely = [
            sum(often[one.setting_sets] for one in near) / min(gaps.get(one.setting_sets, math.inf) for one in near)
            for near in groups
        ]
        wanted = _likeliest([one[0].preparation for one in groups], likely, settings, len(of_users))
        lists = [
            ChangedLists(joined, near, some, settings, situations, of_users)
            for near, some in zip(groups, wanted, strict=True)
        ]
        lists = [one for one in lists if one.near]
        codes = np.unique(np.concatenate([np.empty(0, np.int64), *(one.codes for one in lists)]))
        effects = Effects.of(situations, aggregations, codes)
        for one in lists:
            self._average(one, effects.restricted_to(np.searchsorted(codes, one.codes)))

    def _is_measured(self, definition: Definition) -> bool:
        """Whether its mean follows from sums over users."""
        return has_all_needs(self._joined, definition.preparation) and _follows_from_sums(definition)

    def _measure_alone(self, several: Sequence[tuple[Definition, Change]], chosen: Mask | None) -> None:
        """Definitions with one setting changed, measured one by one."""
        made = ((base, change, with_changes(base, dict([change]))) for base, change in several)
        able = [(base, change, one) for base, change, one in made if one is not None and not one.needs]
        measured = measure(self._joined, [one for _, _, one in able], chosen)
        for (base, change, _), one in zip(able, measured, strict=True):
            if not one.refusals:
                self._add([base], [(change,)], [()], np.array([[one.mean]]))

    def _prepared_equally(self, bases: Sequence[Definition], users: Codes) -> list[list[Definition]]:
        """The definitions, those together that prepare these data in the same way for one metric with its cutoff."""
        by_applied: dict[tuple[type[Metric], int | None], dict[Preparation, list[Definition]]] = {}
        for one in bases:
            of_metric = by_applied.setdefault((type(one.metric), one.k), {})
            of_metric.setdefault(one.applied, []).append(one)
        groups: dict[tuple[object, ...], list[Definition]] = {}
        for (strategy, k), of_metric in by_applied.items():
            for preparation, block in prepared_in_turn(self._joined, users, k, of_metric):
                key = strategy, k, state_hashes(block).tobytes(), equal_in_blocks(block, by_level=True)
                groups.setdefault(key, []).extend(of_metric[preparation])
        return list(groups.values())

    def _average(self, lists: ChangedLists, effects: Effects) -> None:
        """The means of definitions near those that prepare these lists, given the effects on their situations."""
        sums = {metric: values.sums(lists.codes) for metric, values in lists.values.items()}
        equal: dict[tuple[object, ...], list[Definition]] = {}
        for base in lists.near:
            several, own = self._changed[base.aggregation], sums[lists.same[base.metric]]
            nearby = effects.some(np.array([self._place_of[one] for _, one in several]))
            bases = equal.setdefault((lists.same[base.metric], *nearby.key), [])
            bases.append(base)
            if len(bases) == 1:
                columns = [each for each, _ in several]
                self._add(bases, lists.changes, columns, nearby.means(own))
                self._average_changed_metrics(bases, lists, sums, columns, nearby)
                self._average_two_preparations(bases, lists, own, nearby)
                self._average_two_aggregations(bases, columns, own[:, :1], nearby)

    def _average_changed_metrics(
        self,
        bases: Sequence[Definition],
        lists: ChangedLists,
        sums: Mapping[Metric, Numbers],
        columns: Sequence[Changes],
        nearby: Effects,
    ) -> None:
        """A change of the metric, with one of the aggregation or of the preparation."""
        several = {lists.same[one]: (change,) for change, one in reversed(lists.changed_metrics[bases[0].metric])}
        several.pop(lists.same[bases[0].metric], None)
        if several:
            rows = list(several.values())
            together = np.stack([sums[one] for one in several], axis=1)
            self._add(bases, rows, columns, nearby.means(together[:, :, 0]))
            crossed = [change + other for change in rows for other in lists.changes[1:]]
            of_lists = together[:, :, 1:].reshape(len(together), -1, together.shape[-1])
            self._add(bases, crossed, [()], nearby.some(np.zeros(1, np.int64)).means(of_lists))

    def _average_two_preparations(
        self, bases: Sequence[Definition], lists: ChangedLists, own: Numbers, nearby: Effects
    ) -> None:
        """Two changes of the preparation, no user being concerned by both."""
        pairs = lists.disjoint[lists.same[bases[0].metric]]
        first, second = pairs[:, [lists.changes[a][0][0] != lists.changes[b][0][0] for a, b in pairs.T.tolist()]]
        with np.errstate(invalid="ignore"):  # of values that are infinite
            both = own[:, first] + own[:, second] - own[:, :1]
        rows = [lists.changes[a] + lists.changes[b] for a, b in zip(first.tolist(), second.tolist(), strict=True)]
        self._add(bases, rows, [()], nearby.some(np.zeros(1, np.int64)).means(both))

    def _average_two_aggregations(
        self, bases: Sequence[Definition], columns: Sequence[Changes], own: Numbers, nearby: Effects
    ) -> None:
        """Two changes of the aggregation."""
        here = np.flatnonzero(own[0, 0])
        effects = nearby.restricted_to(here)
        different = effects.different()
        pairs = [(a, b) for a, b in combinations(different.tolist(), 2) if a and columns[a][0][0] != columns[b][0][0]]
        if pairs:
            first, second = np.array(pairs).T
            both = effects.of_both(first, second)
            self._add(bases, [()], [columns[a] + columns[b] for a, b in pairs], both.means(own[:, :, here]))

    def _add(
        self, bases: Sequence[Definition], rows: Sequence[Changes], columns: Sequence[Changes], means: Numbers
    ) -> None:
        if means.size:
            self.found.append(NearbyMeans(bases, rows, columns, means))

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
