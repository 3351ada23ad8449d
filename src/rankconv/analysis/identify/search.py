"""Find the definitions that give a printed number, for one metric on one set of users."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.analysis.identify.candidates import EquivalentDefinitions, Swept
from rankconv.analysis.identify.circumstances import (
    Chance,
    Counts,
    Interval,
    exchanged,
    looked_at,
    preparation_classes,
    span_of,
    within,
)
from rankconv.analysis.identify.printed_value import PrintedValue
from rankconv.analysis.identify.result import IdentifyResult, Nearest, Row
from rankconv.analysis.identify.space import Family, entries, every_preset, families, one_metric
from rankconv.data.arrays import Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.differences import Differences, differing, differing_here
from rankconv.engine.metric_result import Measured
from rankconv.engine.plan import has_all_needs
from rankconv.errors import MetricError
from rankconv.preparation.steps.relevance import RELEVANT
from rankconv.presets.definition import Definition
from rankconv.presets.heads import best_place, place
from rankconv.presets.registry import preset
from rankconv.specs.spec import SpecLike

MOST_MEASURED = 250
"""So many definitions are measured one by one; the others are further from all presets."""
EQUAL = 1e-12


@dataclass(eq=False)
class Found:
    """One definition whose number was measured."""

    one: Measured
    how: str
    distance: int
    count: int
    of_preset: bool = False
    times: int = 1
    """By what the number is multiplied before it is printed."""

    @property
    def rounds(self) -> bool:
        """Whether its definition rounds, so that the full value is not to be had."""
        settings = self.one.definition.aggregation.settings
        return not (settings["round-user"].changes_nothing and settings["round-mean"].changes_nothing)

    @property
    def value(self) -> float:
        """What was printed, in full."""
        return self.one.mean * self.times

    @property
    def preset(self) -> str:
        """The one whose definition it is, or is written with."""
        return self.one.definition.preset


def _likelier(one: Found) -> tuple[object, ...]:
    return (one.times != 1, not one.of_preset, one.distance, one.rounds, place(one.preset))


@dataclass(eq=False)
class Class:
    """Definitions that give every user the same."""

    members: list[Found] = field(default_factory=list)

    @property
    def best(self) -> Found:
        """The shortest, and one that does not round where there is one."""
        return min(self.members, key=_likelier)

    @property
    def presets(self) -> list[Found]:
        """Those that a preset has, as most people use it first."""
        return sorted((one for one in self.members if one.of_preset), key=lambda one: place(one.preset))

    def takes(self, found: Found) -> bool:
        """Whether this one gives the same to every user."""
        ours, theirs = (each.one.values * each.times for each in (self.members[0], found))
        return bool(np.allclose(ours, theirs, rtol=EQUAL, atol=EQUAL, equal_nan=True))


def of_presets(joined: Joined, named: Sequence[Definition], chosen: Mask | None) -> list[Measured]:
    """What the presets' own definitions give, without those that refuse the data.

    `chosen` restricts the population, shape (users,).
    """
    there = [one for one in named if has_all_needs(joined, one.preparation)]
    return [one for one in measure(joined, there, chosen) if not one.refusals and np.isfinite(one.mean)]


def measured_equals(
    joined: Joined,
    equivalent: Sequence[EquivalentDefinitions],
    near: Nearest,
    sought: PrintedValue,
    chosen: Mask | None,
) -> tuple[list[Found], int]:
    """The nearest definition of each group that is equal, measured; and how many groups were left off.

    `chosen` restricts the population, shape (users,).
    """
    groups = sorted(((near.least(one), one) for one in equivalent), key=lambda group: group[0].distance)
    looked_at = groups[:MOST_MEASURED]
    definitions = [near.stated(written.near, *written.parts) for written, _ in looked_at]
    found = []
    for (written, one), measured in zip(looked_at, measure(joined, definitions, chosen), strict=True):
        how = None if measured.refusals else sought.how(measured.mean)
        if how is not None:
            found.append(Found(measured, how, written.distance, one.count))
    return found, len(groups) - len(looked_at)


def classes(found: Sequence[Found], sought: PrintedValue) -> list[Class]:
    """Those that agree on every user together.

    Presets come first, of these what most people use; then the others, by how many settings differ from the nearest.
    """
    together: list[Class] = []
    for one in found:
        home = next((each for each in together if each.takes(one)), None)
        if home is None:
            home = Class()
            together.append(home)
        home.members.append(one)
    return sorted(together, key=lambda each: _order(each, sought))


def _order(one: Class, sought: PrintedValue) -> tuple[float, ...]:
    best = one.best
    known = best_place(member.preset for member in one.presets)
    rank = (best.times != 1, not one.presets, sought.rank(best.how), known, -len(one.presets), best.distance)
    return *rank, sought.gap(best.value)


def as_rows(
    joined: Joined, sorted_classes: Sequence[Class], chance: Chance | None = None, *, exchanged: bool = False
) -> list[Row]:
    """Each class as a row, against the one above it."""
    facts = Differences(joined)
    rows: list[Row] = []
    above: Measured | None = None
    for one in sorted_classes:
        best = one.best
        against = {} if above is None else differing_here(best.one, above, facts)
        row = _row(
            one, [f"{convention_name}={setting}" for convention_name, (setting, _) in against.items()], exchanged
        )
        rows.append(row if chance is None else replace(row, expected=chance.expected(row.distance + exchanged)))
        above = best.one
    return rows


def _row(one: Class, separating: list[str], exchanged: bool) -> Row:
    best = one.best
    own = [member.one.definition for member in one.presets if member.times == best.times]
    count = max(sum(member.count for member in one.members), len(own))
    return Row(
        definition=best.one.definition,
        value=best.value,
        times=best.times,
        how=best.how,
        preset_definitions=list({definition.text: definition for definition in own}.values()),
        count=count,
        distance=best.distance,
        separating=separating,
        open_conventions=_open(one),
        exchanged=exchanged,
    )


def _open(one: Class) -> list[str]:
    """In what its members differ, those first in which most of them do."""
    best = one.best.one.definition
    others = [member.one.definition for member in (one.presets or one.members)]
    found = Counter(convention_name for other in others for convention_name in differing(best, other))
    return [convention_name for convention_name, _ in found.most_common() if convention_name != "is"]


CUTOFFS = (None, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 100, 200, 500, 1000)
MANY_ROWS, FEW_CUTOFFS = 200_000, (None, 1, 5, 10, 20, 100)
"""On more rows than this fewer cutoffs are tried."""
MOST_LEVELS = 10


def elsewhere(joined: Joined, metric: SpecLike, sought: PrintedValue, chosen: Mask | None) -> list[Row]:
    """The presets that give the number at a usual cutoff, or where another grade is the lowest relevant one.

    `chosen` restricts the population, shape (users,).
    """
    variants = _different(joined, [*_at_other_cutoffs(joined, metric), *_at_other_levels(joined, metric)])
    measured = of_presets(joined, variants, chosen)
    found = [Found(one, how, 1, 1, of_preset=True) for one in measured if (how := sought.how(one.mean)) is not None]
    return as_rows(joined, classes(found, sought), Chance.of_presets(sought, (one.mean for one in measured)))


def _different(joined: Joined, definitions: Sequence[Definition]) -> list[Definition]:
    """One of those that prepare this data in the same way and are the same otherwise."""
    preparations = dict.fromkeys(one.preparation for one in definitions if has_all_needs(joined, one.preparation))
    class_of = {
        preparation: place
        for place, each in enumerate(preparation_classes(joined, list(preparations)))
        for preparation in each
    }
    known = [one for one in definitions if one.preparation in class_of]
    return list({(class_of[one.preparation], one.metric, one.aggregation): one for one in reversed(known)}.values())


def _at_other_cutoffs(joined: Joined, metric: SpecLike) -> list[Definition]:
    spec = one_metric(metric)
    rows = joined.rankings.row_count + joined.labels.row_count
    cutoffs = [k for k in (CUTOFFS if rows <= MANY_ROWS else FEW_CUTOFFS) if k not in spec.cutoffs]
    presets = every_preset()
    whole = entries(spec.at(None), presets) if None in cutoffs else []
    first, *others = (k for k in cutoffs if k is not None)
    at_first = entries(spec.at(first), presets)
    return [*whole, *at_first, *(_at(one, k) for k in others for one in at_first)]


def _at(one: Definition, k: int) -> Definition:
    """What is defined at one cutoff at another: a preset's settings are the same at all of them."""
    return replace(one, metric=one.metric.replace({}, k=k), requested_k=k)


def _at_other_levels(joined: Joined, metric: SpecLike) -> list[Definition]:
    grades = np.unique(joined.labels.grade)
    if not 1 < len(grades) <= MOST_LEVELS or any(
        convention_name == RELEVANT.name for convention_name, _ in one_metric(metric).settings
    ):
        return []
    parts = [(RELEVANT.name, f"at-least({grade:g})") for grade in grades[1:].tolist()]
    return [_but(one, pair) for one in entries(metric) for pair in parts]


def _but(one: Definition, setting: tuple[str, str]) -> Definition:
    made = preset(one.preset).definition(one.key, (*one.changed, setting), one.requested_k)
    return replace(made, requested_k=one.requested_k)


NEAREST = 5
EXCHANGED = 1
"""That labels and run are exchanged counts as one more convention."""


@dataclass(eq=False)
class Measurings:
    """One family on the data: as a whole, and the presets' own definitions one by one."""

    swept: Swept
    near: Nearest
    named: list[Measured]

    @classmethod
    def of(cls, joined: Joined, family: Family, mask: Mask | None) -> "Measurings":
        """One family measured on these data; `mask` restricts the population, shape (users,)."""
        return cls(Swept(joined, family, mask), Nearest(family.bases), of_presets(joined, family.named, mask))

    def equivalent(self, number: PrintedValue) -> list[EquivalentDefinitions]:
        """The groups of definitions whose number this seems to be."""
        return self.swept.between(number.intervals)

    def values(self, intervals: Sequence[Interval]) -> tuple[Numbers, Counts]:
        """The presets' means and those in the intervals, with their distances from a preset, shape (means,)."""
        found = [_means(self.named, 0)]
        by_aggregation = np.array([self.near.distances(one) for one in self.swept.aggregations])
        for preparations, group, _, means in self.swept.means:
            ratios, aggregations = np.nonzero(within(means, intervals))
            if len(ratios):
                by_preparation = np.min([self.near.distances(one) for one in preparations], axis=0)
                used, place = np.unique(ratios, return_inverse=True)
                equivalent = [group.totals.metrics[ratio] for ratio in used.tolist()]
                by_ratio = np.array([np.min([self.near.distances(one) for one in some], axis=0) for some in equivalent])
                each = by_preparation + by_ratio[place] + by_aggregation[aggregations]
                found.append((means[ratios, aggregations], each.min(axis=1)))
        values, counts = zip(*found, strict=True)
        return np.concatenate(values), np.concatenate(counts)

    @property
    def all_values(self) -> Numbers:
        """Every mean, shape (means,)."""
        return np.concatenate([_means(self.named, 0)[0], *(means.ravel() for *_, means in self.swept.means)])


class Search:
    """All definitions that a metric's name may mean, measured once, to be requested any number."""

    def __init__(self, joined: Joined, metric: SpecLike, mask: Mask | None) -> None:
        self.joined, self.variants, self.metric, self.mask = joined, metric, str(metric), mask
        self._families = families(metric)

    @cached_property
    def measured(self) -> list[Measurings]:
        """What each family gives, in the order of the families."""
        return [Measurings.of(self.joined, family, self.mask) for family in self._families]

    @cached_property
    def _turned(self) -> tuple[Joined, list[Measured]]:
        """The data with labels and run exchanged, and what presets give then; nothing for chosen users.

        Looked at only where no preset gives the number as the data are.
        """
        turned = exchanged(self.joined)
        named = [one for family in self._families for one in family.named] if self.mask is None else []
        return turned, of_presets(turned, named, None)

    @property
    def tried(self) -> int:
        """How many definitions were measured."""
        named = sum(len(one.swept.family.named) for one in self.measured)
        turned = len(self._turned[1]) if "_turned" in self.__dict__ else 0
        return sum(one.swept.tried for one in self.measured) + named + turned

    def result(self, number: PrintedValue) -> IdentifyResult:
        """The rows; where there are none, what comes closest and where else the number is found."""
        found = _matching([one for part in self.measured for one in part.named], number)
        turned, of_turned = (self.joined, []) if found else self._turned
        chance = self._chance(number, of_turned)
        left_off = 0
        for part in self.measured:
            more, too_many = measured_equals(self.joined, part.equivalent(number), part.near, number, self.mask)
            found, left_off = found + more, left_off + too_many
        rows = as_rows(self.joined, classes(found, number), chance)
        rows += as_rows(turned, classes(_matching(of_turned, number), number), chance, exchanged=True)
        fields = {} if rows else self._instead(number)
        return IdentifyResult(self.metric, number, rows, self.tried, len(self.joined.users), chance, left_off, **fields)

    def _chance(self, number: PrintedValue, turned: Sequence[Measured]) -> Chance:
        """How many matches an invented number has; of the presets `turned` holds the means of exchanged data."""
        near = looked_at(number, self._span)
        return Chance.of(number, self._span, [_means(turned, EXCHANGED), *(one.values(near) for one in self.measured)])

    @cached_property
    def _span(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        return span_of(np.concatenate([part.all_values for part in self.measured]))

    def _instead(self, number: PrintedValue) -> dict[str, Any]:
        """Where no definition gives the number: the presets that come closest, and where else it comes out."""
        named = [Found(one, "", 0, 0, of_preset=True) for part in self.measured for one in part.named]
        closest = sorted(classes(named, number), key=lambda one: number.gap(one.best.value))
        nearest = as_rows(self.joined, closest[:NEAREST])
        found = elsewhere(self.joined, self.variants, number, self.mask)
        if not found:
            self._check_range(number, nearest)
        return {"nearest": nearest, "elsewhere": found}

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


def _means(measured: Sequence[Measured], distance: int) -> tuple[Numbers, Counts]:
    """The means of presets' own definitions, each so far from them; both have shape (definitions,)."""
    return np.array([one.mean for one in measured], np.float64), np.full(len(measured), distance, np.int64)


def _matching(measured: list[Measured], number: PrintedValue) -> list[Found]:
    """The presets' own definitions that give the number."""
    parts = [(one, number.how(one.mean)) for one in measured]
    return [Found(one, how, 0, 0, of_preset=True) for one, how in parts if how is not None]
