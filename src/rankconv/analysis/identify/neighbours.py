"""The definitions that differ from a preset's in one or two settings, measured together.

A change of the preparation, one of the metric and one of the aggregation are crossed in pairs. Two changes of the
preparation are put together where no user is concerned by both, two of the aggregation situation by situation: the mean
then follows from what each changes alone.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations, islice, product

import numpy as np

from rankconv.aggregation import Aggregation
from rankconv.analysis.identify.changed_lists import ChangedLists
from rankconv.analysis.identify.changes import Change, Changes, Occurring, changed, changes
from rankconv.analysis.identify.effects import Circumstances, Effects, averages_sums
from rankconv.analysis.identify.list_states import equal_in_blocks, prepared_in_turn, state_hashes
from rankconv.analysis.identify.printed_value import Bounds, PrintedValue, within
from rankconv.analysis.identify.tallies import MetricValues, SituationSums, UserTally
from rankconv.conventions.setting_set import SettingSet
from rankconv.conventions.setting_table import equivalent
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.engine.needs import has_all_needs
from rankconv.metrics.base import Metric
from rankconv.preparation.facts import OnData
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.definition import Definition, idle_of, with_changes

MOST_PREPARED = 300
"""Of 300 users, so many preparations with a setting changed are tried; of more users fewer, of fewer users more."""
AS_LONG = 300
"""A preparation takes as long as the lists of so many users, whatever their number, besides the time for the lists."""
LOOKED_AT = 20_000
"""Of the highest values so many are looked at."""
MOST_ALONE = 100
"""So many definitions whose mean does not follow from sums over users are measured, one by one."""
Gaps = Mapping[tuple[SettingSet, SettingSet, SettingSet], float]
"""How far the value of definitions, by their parts, is from the number."""
EqualChanges = MutableMapping[Change, list[Changes]]
"""Other changes that make the same of these data as one."""
NEAR = 0.02
"""A change is the likelier the nearer the preset's value is; nearer than by this share of the number counts little."""


def _likeliest(
    joined: Joined, near: Sequence[Sequence[Definition]], likely: Sequence[float], settings: Occurring, most: int
) -> list[list[Change]]:
    """The changes that are tried of each preparation: of the likely ones first, in conventions with few settings.

    Those that are bound to make the same of these data are none.
    """
    preparations = [_OwnPreparation(joined, one[0]) for one in near]
    tried = [(place, one) for place, own in enumerate(preparations) for one in changes(own.preparation, settings)]
    tried.sort(key=lambda pair: -likely[pair[0]] / len(settings[pair[1][0]]))
    wanted: list[list[Change]] = [[] for _ in near]
    for place, change in islice((pair for pair in tried if preparations[pair[0]].differs(pair[1])), most):
        wanted[place].append(change)
    return wanted


class _OwnPreparation:
    """That of a definition, on these data."""

    def __init__(self, joined: Joined, definition: Definition) -> None:
        self.preparation, self._joined = definition.preparation, joined
        self._idle = idle_of(self.preparation, strategy=type(definition.metric))
        self._on_data = OnData(self.preparation.settings, joined)

    def differs(self, change: Change) -> bool:
        """Whether another setting may make something else of these data."""
        one = self.preparation.with_setting(*change)
        able = change[0] not in self._idle and not one.pools and has_all_needs(self._joined, one)
        return able and not equivalent(change[0], self._on_data, OnData(one.settings, self._joined))


@dataclass(frozen=True, eq=False)
class Neighbour:
    """Definitions of presets that are equal on these data, with settings changed, and what they come to."""

    bases: Sequence[Definition]
    changes: Changes
    equal_changes: EqualChanges
    value: float

    @property
    def definitions(self) -> Iterator[Definition]:
        """Those for which these settings, or such as make the same of these data, are possible together."""
        for several in product(*([(one,), *self.equal_changes.get(one, ())] for one in self.changes)):
            for base in self.bases:
                one = with_changes(base, dict(chain.from_iterable(several)))
                if one is not None and not one.needs:
                    yield one

    @property
    def definition(self) -> Definition | None:
        """The first of them; None where there is none."""
        return next(self.definitions, None)


@dataclass(frozen=True, eq=False)
class NearbyValues:
    """What definitions near equal ones of presets come to: changes of rows crossed with changes of columns."""

    bases: Sequence[Definition]
    rows: Sequence[Changes]
    columns: Sequence[Changes]
    values: Numbers
    """Shape (rows, columns)."""
    equal_changes: EqualChanges

    @cached_property
    def distances(self) -> Codes:
        """How many settings are changed, shape (rows, columns)."""
        rows, columns = (np.array([len(one) for one in some], np.int64) for some in (self.rows, self.columns))
        return np.asarray(rows[:, None] + columns)

    def where(self, chosen: Mask) -> Iterator[Neighbour]:
        """The definitions in these places, shape (rows, columns)."""
        return (self.at(row, column) for row, column in zip(*np.nonzero(chosen), strict=True))

    def at(self, row: int, column: int) -> Neighbour:
        """The definitions in one place."""
        changes = self.rows[row] + self.columns[column]
        return Neighbour(self.bases, changes, self.equal_changes, float(self.values[row, column]))


def _follows_from_sums(definition: Definition) -> bool:
    """Whether its mean follows from sums over users."""
    pools = definition.preparation.pools or definition.metric.of_all_lists
    return not pools and averages_sums(definition.aggregation)


def without_sums(presets: Sequence[Definition], settings: Occurring, gaps: Gaps) -> list[tuple[Definition, Change]]:
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


def gaps_to(number: PrintedValue, values: Sequence[Measured]) -> Gaps:
    """How far the value of each definition is from the number, and a little further."""
    room = NEAR * abs(number.values[0]) + 1e-9
    return {one.definition.setting_sets: number.gap(one.mean) + room for one in values}


@dataclass(frozen=True, eq=False)
class _Near:
    """Definitions that are equal on some lists, and what is near them."""

    bases: Sequence[Definition]
    lists: ChangedLists
    tallies: Mapping[Metric, UserTally]
    columns: Sequence[Changes]
    """Changes of the aggregation, the first one none."""
    effects: Effects
    """Theirs."""
    equal_changes: EqualChanges

    @property
    def _metric(self) -> Metric:
        return self.lists.same[self.bases[0].metric]

    @property
    def _unchanged(self) -> Effects:
        return self.effects.some(np.zeros(1, np.int64))

    def changed_lists(self) -> Iterator[NearbyValues]:
        """A change of the preparation with one of the aggregation; two of the preparation of different users."""
        own, changes = self.tallies[self._metric], self.lists.changes
        yield self._values(changes, self.columns, own.under(self.effects))
        pairs = self.lists.disjoint[self._metric]
        pairs = pairs[:, [changes[a][0][0] != changes[b][0][0] for a, b in pairs.T.tolist()]]
        if pairs.size:
            rows = [changes[a] + changes[b] for a, b in pairs.T.tolist()]
            yield self._values(rows, [()], own.of_both(*pairs).under(self._unchanged))

    def changed_metrics(self) -> Iterator[NearbyValues]:
        """A change of the metric, with one of the aggregation or of the preparation."""
        same, changes = self.lists.same, self.lists.changes
        several = dict[Metric, list[Change]]()
        for change, one in self.lists.changed_metrics[self.bases[0].metric]:
            several.setdefault(same[one], []).append(change)
        several.pop(self._metric, None)
        own_changes: list[Changes] = [(first,) for first, *_ in several.values()]
        self.equal_changes.update({first: [(one,) for one in others] for first, *others in several.values()})
        if several:
            first, *others = (self.tallies[one] for one in several)
            rows, count = first.stacked(others), len(changes)
            own, crossed = count * np.arange(len(several)), np.arange(count * len(several))
            yield self._values(own_changes, self.columns, rows.of(own).under(self.effects))
            both = [change + other for change in own_changes for other in changes[1:]]
            yield self._values(both, [()], rows.of(np.delete(crossed, own)).under(self._unchanged))

    def two_aggregations(self) -> Iterator[NearbyValues]:
        """Two changes of the aggregation."""
        own = self.tallies[self._metric].of(np.zeros(1, np.int64))
        here = own.occurring()
        effects, columns = self.effects.restricted_to(here), self.columns
        several = combinations((first for first, *_ in effects.kinds()), 2)
        pairs = [(a, b) for a, b in several if a and columns[a][0][0] != columns[b][0][0]]
        if pairs:
            both = effects.of_both(*np.array(pairs).T)
            changes = [columns[a] + columns[b] for a, b in pairs]
            yield self._values([()], changes, own.restricted_to(here).under(both))

    def _values(self, rows: Sequence[Changes], columns: Sequence[Changes], values: Numbers) -> NearbyValues:
        return NearbyValues(self.bases, rows, columns, values, self.equal_changes)


class Neighbours:
    """The definitions near those of presets, and of these first the ones that are near what is looked for.

    `settings` are what conventions are changed to, `gaps` how far presets are from what is looked for, `chosen` the
    users, shape (users,).
    """

    def __init__(
        self,
        joined: Joined,
        presets: Sequence[Definition],
        settings: Occurring,
        gaps: Gaps,
        *,
        chosen: Mask | None = None,
        tally: Callable[[MetricValues, int], UserTally] = SituationSums.of_values,
        prepared: int = MOST_PREPARED,
    ) -> None:
        self._joined, self._chosen, self._tally = joined, chosen, tally
        self.found = list[NearbyValues]()
        able = [one for one in presets if self._is_measured(one)]
        able.sort(key=lambda one: gaps.get(one.setting_sets, math.inf))
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
        users = np.arange(len(of_users)) if chosen is None else np.flatnonzero(chosen)
        near = self._prepared_equally(bases, users)
        often = Counter(one.setting_sets for one in able)
        likely = [
            sum(often[one.setting_sets] for one in some) / min(gaps.get(one.setting_sets, math.inf) for one in some)
            for some in near
        ]
        most = prepared * (300 + AS_LONG) // (len(of_users) + AS_LONG)
        wanted = _likeliest(joined, near, likely, settings, most)
        lists = [
            ChangedLists(joined, users, some, each, settings, situations, of_users)
            for some, each in zip(near, wanted, strict=True)
        ]
        lists = [one for one in lists if one.near]
        codes = np.unique(np.concatenate([np.empty(0, np.int64), *(one.codes for one in lists)]))
        effects = Effects.of(situations, aggregations, codes)
        for one in lists:
            self._average(one, effects, np.searchsorted(codes, one.codes))

    def _is_measured(self, definition: Definition) -> bool:
        """Whether its mean follows from sums over users."""
        return has_all_needs(self._joined, definition.preparation) and _follows_from_sums(definition)

    def measure_alone(self, several: Sequence[tuple[Definition, Change]]) -> None:
        """Measure definitions with one setting changed one by one."""
        made = ((base, change, with_changes(base, dict([change]))) for base, change in several)
        able = [(base, change, one) for base, change, one in made if one is not None and not one.needs]
        measured = measure(self._joined, [one for _, _, one in able], self._chosen)
        for (base, change, _), one in zip(able, measured, strict=True):
            if not one.refusals:
                self.found.append(NearbyValues([base], [(change,)], [()], np.array([[one.mean]]), {}))

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

    def _average(self, lists: ChangedLists, effects: Effects, here: Codes) -> None:
        """The values of definitions near those that prepare these lists, given the effects on situations.

        `here` are the places of the situations that occur, shape (situations,).
        """
        tallies = {metric: self._tally(one.at(lists.codes), len(lists.codes)) for metric, one in lists.values.items()}
        equal: dict[tuple[object, ...], list[Definition]] = {}
        for base in lists.near:
            several = self._changed[base.aggregation]
            nearby = effects.some(np.array([self._place_of[one] for _, one in several])).restricted_to(here)
            bases = equal.setdefault((lists.same[base.metric], *nearby.key), [])
            bases.append(base)
            if len(bases) == 1:
                kinds = [[several[place][0] for place in kind] for kind in nearby.kinds()]
                columns = [first for first, *_ in kinds]
                equal_changes = {**lists.equal_changes, **{first[0]: others for first, *others in kinds if first}}
                different = nearby.some(np.array([kind[0] for kind in nearby.kinds()]))
                near = _Near(bases, lists, tallies, columns, different, equal_changes)
                self.found += [*near.changed_lists(), *near.changed_metrics(), *near.two_aggregations()]

    @property
    def tried(self) -> int:
        """How many definitions were measured."""
        return sum(one.values.size for one in self.found)

    @property
    def values(self) -> tuple[Numbers, Codes]:
        """Every value that is a number, and in how many settings its definition is changed, shape (values,)."""
        values = np.concatenate([np.empty(0), *(one.values.reshape(-1) for one in self.found)])
        distances = np.concatenate([np.empty(0, np.int64), *(one.distances.reshape(-1) for one in self.found)])
        there = np.isfinite(values)
        return values[there], distances[there]

    def between(self, intervals: Sequence[Bounds]) -> list[Neighbour]:
        """The definitions whose value is in one of the intervals."""
        return [each for one in self.found for each in one.where(within(one.values, intervals))]

    def highest(self, most_equal: int) -> Iterator[Definition]:
        """The definitions, those of the highest values first; of equal values only so many, the least changed."""
        values, distances = (
            np.concatenate([each.reshape(-1) for each in some])
            for some in ([one.values for one in self.found], [one.distances for one in self.found])
        )
        starts = np.cumsum([0, *(one.values.size for one in self.found)])
        least = np.partition(values, -LOOKED_AT)[-LOOKED_AT] if len(values) > LOOKED_AT else -math.inf
        near = np.flatnonzero(values >= least)
        counts = Counter[float]()
        for place in near[np.lexsort((distances[near], -values[near].round(9)))].tolist():
            value = round(float(values[place]), 9)
            if counts[value] < most_equal:
                block = int(np.searchsorted(starts, place, "right")) - 1
                one = self.found[block]
                row, column = divmod(place - int(starts[block]), len(one.columns))
                for made in islice(one.at(row, column).definitions, most_equal - counts[value]):
                    counts[value] += 1
                    yield made
