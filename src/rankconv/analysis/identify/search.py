"""Match the values of candidates with a printed number, and rank the matches."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rankconv.analysis.identify.candidates import (
    Family,
    Nearest,
    at_cutoff,
    entries,
    every_preset,
    families,
    one_metric,
    preparation_classes,
)
from rankconv.analysis.identify.printed_value import Chance, Interval, PrintedValue, looked_at, span_of, within
from rankconv.analysis.identify.result import IdentifyResult, Row
from rankconv.analysis.identify.values import Swept
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined, join
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.engine.plan import has_all_needs
from rankconv.errors import MetricError
from rankconv.evaluation.differences import Differences, differing, differing_here
from rankconv.preparation.steps.labels import RELEVANT
from rankconv.presets.definition import Definition
from rankconv.presets.folders import best_place, place
from rankconv.presets.registry import preset
from rankconv.progress import Bar
from rankconv.specs.spec import SpecLike

MOST_MEASURED = 250
"""So many definitions are measured one by one; the others are further from all presets."""
EQUAL = 1e-12
CUTOFFS = (None, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 100, 200, 500, 1000)
MANY_ROWS, FEW_CUTOFFS = 200_000, (None, 1, 5, 10, 20, 100)
"""On more rows than this fewer cutoffs are tried."""
MOST_LEVELS = 10
NEAREST = 5
EXCHANGED = OTHER_LEVEL = 1
"""That labels and run are exchanged, or another grade is the lowest relevant one, counts as one more convention."""


@dataclass(frozen=True, eq=False)
class Found:
    """One definition whose number was measured, and how that was printed as the number that is looked for."""

    one: Measured
    how: str
    distance: int = 0
    count: int = 0
    of_preset: bool = True
    times: int = 1
    """By what the number is multiplied before it is printed."""

    @property
    def value(self) -> float:
        """What was printed, in full."""
        return self.one.mean * self.times

    @property
    def preset(self) -> str:
        """The one whose definition it is, or is written with."""
        return self.one.definition.preset

    @property
    def less_likely(self) -> tuple[object, ...]:
        """Sorts the likelier first; of these the shorter, and one that does not round before one that does."""
        settings = self.one.definition.aggregation.settings
        rounds = not (settings["round-user"].changes_nothing and settings["round-mean"].changes_nothing)
        return self.times != 1, not self.of_preset, self.distance, rounds, place(self.preset)


@dataclass(eq=False)
class Class:
    """Definitions that give every user the same."""

    members: list[Found] = field(default_factory=list)

    @property
    def best(self) -> Found:
        """The likeliest."""
        return min(self.members, key=lambda one: one.less_likely)

    @property
    def presets(self) -> list[Found]:
        """Those that a preset has, as most people use it first."""
        return sorted((one for one in self.members if one.of_preset), key=lambda one: place(one.preset))

    def takes(self, found: Found) -> bool:
        """Whether this one gives the same to every user."""
        ours, theirs = (each.one.values * each.times for each in (self.members[0], found))
        return bool(np.allclose(ours, theirs, rtol=EQUAL, atol=EQUAL, equal_nan=True))

    def less_likely(self, number: PrintedValue) -> tuple[float, ...]:
        """Sorts presets first, of these what most people use; then by how many settings differ from the nearest."""
        best, presets = self.best, self.presets
        known = best_place(one.preset for one in presets)
        of_level = best.distance if presets else 0
        rank = (best.times != 1, not presets, of_level, number.rank(best.how), known, -len(presets), best.distance)
        return *rank, number.gap(best.value)

    @property
    def open_conventions(self) -> list[str]:
        """In what its members differ, those first in which most of them do."""
        best = self.best.one.definition
        others = [one.one.definition for one in (self.presets or self.members)]
        found = Counter(name for other in others for name in differing(best, other))
        return [name for name, _ in found.most_common() if name != "is"]


def classes(found: Sequence[Found], number: PrintedValue) -> list[Class]:
    """Those that agree on every user together, the likeliest first."""
    together: list[Class] = []
    for one in found:
        home = next((each for each in together if each.takes(one)), None)
        if home is None:
            together.append(Class([one]))
        else:
            home.members.append(one)
    return sorted(together, key=lambda each: each.less_likely(number))


def as_rows(
    joined: Joined, sorted_classes: Sequence[Class], chance: Chance | None = None, *, exchanged: bool = False
) -> list[Row]:
    """Each class as a row, against the one above it."""
    facts, rows = Differences(joined), list[Row]()
    above: Measured | None = None
    for one in sorted_classes:
        best = one.best
        against = {} if above is None else differing_here(best.one, above, facts)
        above = best.one
        key = best.times, best.distance
        own = [member.one.definition for member in one.presets if (member.times, member.distance) == key]
        row = Row(
            definition=best.one.definition,
            value=best.value,
            times=best.times,
            how=best.how,
            preset_definitions=list({definition.text: definition for definition in own}.values()),
            count=max(sum(member.count for member in one.members), len(own)),
            distance=best.distance,
            separating=[f"{name}={setting}" for name, (setting, _) in against.items()],
            open_conventions=one.open_conventions,
            exchanged=exchanged,
            expected=math.nan if chance is None else chance.expected(best.distance + exchanged),
        )
        rows.append(row)
    return rows


def of_presets(joined: Joined, named: Sequence[Definition], chosen: Mask | None) -> list[Measured]:
    """What the presets' own definitions give, without those that refuse the data.

    `chosen` restricts the population, shape (users,).
    """
    there = [one for one in named if has_all_needs(joined, one.preparation)]
    return [one for one in measure(joined, there, chosen) if not one.refusals and np.isfinite(one.mean)]


def means(measured: Sequence[Measured]) -> Numbers:
    """The mean of each, shape (definitions,)."""
    return np.array([one.mean for one in measured], np.float64)


def matching(measured: Sequence[Measured], number: PrintedValue, distance: int = 0) -> list[Found]:
    """Those of the presets' own definitions that give the number."""
    parts = [(one, number.how(one.mean)) for one in measured]
    return [Found(one, how, distance) for one, how in parts if how is not None]


def exchanged(joined: Joined) -> Joined:
    """What was returned as labels of grade 1, and the labels as lists by falling grade.

    >>> import rankconv as rc
    >>> turned = exchanged(rc.join({"u": ["a", "b"]}, {"u": ["a", "x", "y"]}))
    >>> rc.evaluate(turned, "recall")["recall"], rc.evaluate(turned, "precision")["precision"]
    (0.3333333333333333, 0.5)
    """
    labels, run = joined.labels, joined.rankings
    owner = np.repeat(np.arange(len(labels.users)), labels.lengths)
    order = np.lexsort((-labels.grade, owner))
    returned = Labels(run.users, run.items, run.starts, run.item, np.ones(len(run.item)), run.source)
    lists = Run(labels.users, labels.items, labels.starts, labels.item[order], None, labels.source)
    return join(returned, lists)


def elsewhere(joined: Joined, metric: SpecLike, number: PrintedValue, chosen: Mask | None) -> list[Row]:
    """The presets that give the number at a usual cutoff; `chosen` restricts the population, shape (users,)."""
    measured = of_presets(joined, _different(joined, [*_at_other_cutoffs(joined, metric)]), chosen)
    found = matching(measured, number, distance=1)
    return as_rows(joined, classes(found, number), Chance.of_presets(number, means(measured)))


def _different(joined: Joined, definitions: Sequence[Definition]) -> list[Definition]:
    """One of those that prepare this data in the same way and are the same otherwise."""
    preparations = dict.fromkeys(one.preparation for one in definitions if has_all_needs(joined, one.preparation))
    groups = enumerate(preparation_classes(joined, list(preparations)))
    class_of = {preparation: at for at, group in groups for preparation in group}
    known = [one for one in definitions if one.preparation in class_of]
    return list({(class_of[one.preparation], one.metric, one.aggregation): one for one in reversed(known)}.values())


def _at_other_cutoffs(joined: Joined, metric: SpecLike) -> Iterator[Definition]:
    spec, presets = one_metric(metric), every_preset()
    many = joined.rankings.row_count + joined.labels.row_count > MANY_ROWS
    cutoffs = [k for k in (FEW_CUTOFFS if many else CUTOFFS) if k not in spec.cutoffs]
    if None in cutoffs:
        yield from entries(spec.at(None), presets)
    of_lists = [k for k in cutoffs if k is not None]
    at_first = entries(spec.at(of_lists[0]), presets)
    for k in of_lists:  # a preset's settings are the same at all of them
        yield from (at_cutoff(one, k) for one in at_first)


def _at_other_levels(joined: Joined, metric: SpecLike) -> Iterator[Definition]:
    grades, fixed = np.unique(joined.labels.grade), dict(one_metric(metric).settings)
    if 1 < len(grades) <= MOST_LEVELS and RELEVANT.name not in fixed:
        for one in entries(metric):
            for grade in grades[1:].tolist():
                changed = (*one.changed, (RELEVANT.name, f"at-least({grade:g})"))
                yield preset(one.preset).definition(one.key, changed, one.requested_k)


class Measurings:
    """One family on the data: as a whole, and the presets' own definitions one by one."""

    def __init__(self, joined: Joined, family: Family, mask: Mask | None, bar: Bar | None) -> None:
        """`mask` restricts the population, shape (users,)."""
        self.family, self.swept, self.near = family, Swept(joined, family, mask, bar), Nearest(family.bases)
        self.named = of_presets(joined, family.named, mask)

    def values(self, intervals: Sequence[Interval]) -> tuple[Numbers, Codes]:
        """The presets' means and those in the intervals, with their distances from a preset, shape (means,)."""
        values, distances = [means(self.named)], [np.zeros(len(self.named), np.int64)]
        by_aggregation = np.array([self.near.distances(one) for one in self.swept.aggregations])
        for group in self.swept.averaged:
            ratios, aggregations = np.nonzero(within(group.means, intervals))
            if len(ratios):
                used, at = np.unique(ratios, return_inverse=True)
                by_ratio = np.array([self.near.closest(group.metrics[ratio]) for ratio in used.tolist()])
                each = self.near.closest(group.preparations) + by_ratio[at] + by_aggregation[aggregations]
                values.append(group.means[ratios, aggregations])
                distances.append(each.min(axis=1))
        return np.concatenate(values), np.concatenate(distances)

    @property
    def all_values(self) -> Numbers:
        """Every mean, shape (means,)."""
        return np.concatenate([means(self.named), *(group.means.ravel() for group in self.swept.averaged)])


class Search:
    """All definitions that a metric's name may mean, measured once, to be requested any number."""

    def __init__(self, joined: Joined, metric: SpecLike, mask: Mask | None, bar: Bar | None = None) -> None:
        self._bar = bar
        self.joined, self.variants, self.metric, self.mask = joined, metric, str(metric), mask
        self._families = families(metric)

    @cached_property
    def measured(self) -> list[Measurings]:
        """What each family gives, in the order of the families."""
        return [Measurings(self.joined, family, self.mask, self._bar) for family in self._families]

    @cached_property
    def _turned(self) -> tuple[Joined, list[Measured]]:
        """The data with labels and run exchanged, and what presets give then; nothing for chosen users.

        Looked at only where no preset gives the number as the data are.
        """
        turned = exchanged(self.joined)
        named = [one for family in self._families for one in family.named] if self.mask is None else []
        return turned, of_presets(turned, named, None)

    @cached_property
    def _leveled(self) -> list[Measured]:
        """What presets give where another grade is the lowest relevant one; looked at as exchanged data are."""
        definitions = _different(self.joined, [*_at_other_levels(self.joined, self.variants)])
        return of_presets(self.joined, definitions, self.mask)

    @property
    def tried(self) -> int:
        """How many definitions were measured."""
        more = [self._turned[1], self._leveled] if "_turned" in self.__dict__ else []
        return sum(map(len, more)) + sum(one.swept.tried + len(one.family.named) for one in self.measured)

    def result(self, number: PrintedValue) -> IdentifyResult:
        """The rows; where there are none, what comes closest and where else the number is found."""
        found = matching([one for part in self.measured for one in part.named], number)
        turned, of_turned = (self.joined, []) if found else self._turned
        leveled = [] if found else self._leveled
        chance = self._chance(number, of_turned, leveled)
        found = found + matching(leveled, number, distance=OTHER_LEVEL)
        left_off = 0
        for part in self.measured:
            more, too_many = self._measured_equals(part, number)
            found, left_off = found + more, left_off + too_many
        rows = as_rows(self.joined, classes(found, number), chance)
        rows += as_rows(turned, classes(matching(of_turned, number), number), chance, exchanged=True)
        nearest, others = ([], []) if rows else self._instead(number)
        users = len(self.joined.users)
        return IdentifyResult(self.metric, number, rows, self.tried, users, chance, left_off, nearest, others)

    def _measured_equals(self, part: Measurings, number: PrintedValue) -> tuple[list[Found], int]:
        """The nearest definition of each group that is equal, measured; and how many groups were left off."""
        groups = [(part.near.least(one), one) for one in part.swept.between(number.intervals)]
        groups.sort(key=lambda group: group[0].distance)
        nearest = groups[:MOST_MEASURED]
        definitions = [part.near.stated(written.near, *written.parts) for written, _ in nearest]
        found = []
        for (written, one), measured in zip(nearest, measure(self.joined, definitions, self.mask), strict=True):
            how = None if measured.refusals else number.how(measured.mean)
            if how is not None:
                found.append(Found(measured, how, written.distance, one.count, of_preset=False))
        return found, len(groups) - len(nearest)

    def _chance(self, number: PrintedValue, turned: Sequence[Measured], leveled: Sequence[Measured]) -> Chance:
        """How many matches an invented number has; of presets also on exchanged data, and at other levels."""
        near = looked_at(number, self._span)
        kinds = (turned, EXCHANGED), (leveled, OTHER_LEVEL)
        of_presets = [(means(some), np.full(len(some), distance, np.int64)) for some, distance in kinds]
        value, distance = zip(*of_presets, *(one.values(near) for one in self.measured), strict=True)
        return Chance.of(number, self._span, np.concatenate(value), np.concatenate(distance))

    @cached_property
    def _span(self) -> Interval:
        """The lowest and the highest value."""
        return span_of(np.concatenate([part.all_values for part in self.measured]))

    def _instead(self, number: PrintedValue) -> tuple[list[Row], list[Row]]:
        """Where no definition gives the number: the presets that come closest, and where else it comes out."""
        named = [Found(one, "") for part in self.measured for one in part.named]
        closest = sorted(classes(named, number), key=lambda one: number.gap(one.best.value))
        nearest = as_rows(self.joined, closest[:NEAREST])
        found = elsewhere(self.joined, self.variants, number, self.mask)
        if not found:
            self._check_range(number, nearest)
        return nearest, found

    def _check_range(self, number: PrintedValue, nearest: list[Row]) -> None:
        """A number beyond what the metric can be is a mistake of the convention, not of the data."""
        ranges = [family.strategy.range for family in self._families]
        low, high = min(each[0] for each in ranges), max(each[1] for each in ranges)
        if any(low <= value <= high for value in number.values):
            return
        raise MetricError(
            f"{self.metric} cannot be {number.text}: it is between {low:g} and {high:g}, but where items are "
            "repeated, grades are negative, the ideal list leaves labels out or a sum is taken for the mean, and no "
            "registered definition gives it on these data",
            allowed=f"The nearest is {nearest[0].value:.6g} ({nearest[0].spec})" if nearest else "",
            do="Check the number, or use the metric any.",
        )
