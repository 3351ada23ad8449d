"""Match the values of candidates with a printed number, and rank the matches."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.analysis.identify.candidates import (
    at_cutoff,
    entries,
    every_preset,
    families,
    one_metric,
    preparation_classes,
)
from rankconv.analysis.identify.printed_value import Chance, Interval, PrintedValue, looked_at, span_of
from rankconv.analysis.identify.result import IdentifyResult, Match, Row
from rankconv.analysis.identify.values import Swept, means, of_presets
from rankconv.data.arrays import Mask
from rankconv.data.joined import Joined, join
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.engine.plan import has_all_needs
from rankconv.evaluation.differences import Differences, differing_here
from rankconv.preparation.steps.labels import RELEVANT
from rankconv.presets.definition import Definition
from rankconv.presets.folders import best_place
from rankconv.presets.registry import preset
from rankconv.progress import Bar
from rankconv.specs.spec import SpecLike

MOST_MEASURED = 250
"""So many definitions are measured one by one; the others are further from all presets."""
EQUAL = 1e-12
"""Two values that differ by less are the same."""
CUTOFFS = (None, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 100, 200, 500, 1000)
MANY_ROWS, FEW_CUTOFFS = 200_000, (None, 1, 5, 10, 20, 100)
"""On more rows than this fewer cutoffs are tried."""
MOST_LEVELS = 10
NEAREST = 5
EXCHANGED = OTHER_LEVEL = 1
"""That labels and run are exchanged, or another grade is the lowest relevant one, counts as one more convention."""


def likeliest(number: PrintedValue) -> Callable[[Row], tuple[object, ...]]:
    """Sorts presets first, of these what most people use; then by how many settings differ from the nearest."""

    def key(row: Row) -> tuple[object, ...]:
        of_presets = row.of_presets
        known = best_place(one.definition.preset for one in of_presets)
        of_level = row.distance if of_presets else 0
        rank = not of_presets, of_level, number.rank(row.how), known, -len(of_presets), row.distance
        return *rank, number.gap(row.value)

    return key


def by_gap(number: PrintedValue) -> Callable[[Row], tuple[object, ...]]:
    """Sorts by how far the value is from the number, and equal ones as `likeliest` does."""
    key = likeliest(number)
    return lambda row: (number.gap(row.value), *key(row))


def rows_of(
    joined: Joined,
    matches: Sequence[Match],
    key: Callable[[Row], Any],
    chance: Chance | None = None,
    *,
    exchanged: bool = False,
    most: int | None = None,
) -> list[Row]:
    """Those that agree on every user as one row, the first ones by the key, each against the one above it."""
    groups: list[list[Match]] = []
    for one in matches:
        own = next((group for group in groups if _agree(group[0].measured, one.measured)), None)
        if own is None:
            groups.append([one])
        else:
            own.append(one)
    facts, rows = Differences(joined), sorted((Row(group, exchanged) for group in groups), key=key)[:most]
    for at, row in enumerate(rows):
        above = differing_here(row.best.measured, rows[at - 1].best.measured, facts) if at else {}
        separating = [f"{name}={setting}" for name, (setting, _) in above.items()]
        expected = math.nan if chance is None else chance.expected(row.distance + exchanged)
        rows[at] = replace(row, separating=separating, expected=expected)
    return rows


def _agree(one: Measured, other: Measured) -> bool:
    """Whether both give the same to every user."""
    return bool(np.allclose(one.values, other.values, rtol=EQUAL, atol=EQUAL, equal_nan=True))


def matching(measured: Sequence[Measured], number: PrintedValue, distance: int = 0) -> list[Match]:
    """Those of the presets' own definitions that give the number."""
    return [Match(one, how, distance) for one in measured if (how := number.how(one.mean)) is not None]


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
    return rows_of(joined, found, likeliest(number), Chance.of_presets(number, means(measured)))


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


class Search:
    """All definitions that a metric's name may mean, measured once, to be requested any number."""

    def __init__(self, joined: Joined, metric: SpecLike, mask: Mask | None, bar: Bar | None = None) -> None:
        self._bar = bar
        self.joined, self.variants, self.metric, self.mask = joined, metric, str(metric), mask
        self._families = families(metric)

    @cached_property
    def measured(self) -> list[Swept]:
        """What each family gives, in the order of the families."""
        return [Swept(self.joined, family, self.mask, self._bar) for family in self._families]

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
        return sum(map(len, more)) + sum(one.tried + len(one.family.named) for one in self.measured)

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
        rows = rows_of(self.joined, found, likeliest(number), chance)
        rows += rows_of(turned, matching(of_turned, number), likeliest(number), chance, exchanged=True)
        nearest, others = ([], []) if rows else self._instead(number)
        users = len(self.joined.users)
        return IdentifyResult(self.metric, number, rows, self.tried, users, chance, left_off, nearest, others)

    def _measured_equals(self, part: Swept, number: PrintedValue) -> tuple[list[Match], int]:
        """The nearest definition of each group that is equal, measured; and how many groups were left off."""
        groups = part.nearest(number.intervals)
        nearest = groups[:MOST_MEASURED]
        definitions = [part.near.closest_definition(one) for _, one in nearest]
        found = []
        for (distance, one), measured in zip(nearest, measure(self.joined, definitions, self.mask), strict=True):
            how = None if measured.refusals else number.how(measured.mean)
            if how is not None:
                found.append(Match(measured, how, distance, one.count, of_preset=False))
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
        named = [Match(one, "") for part in self.measured for one in part.named]
        nearest = rows_of(self.joined, named, by_gap(number), most=NEAREST)
        return nearest, elsewhere(self.joined, self.variants, number, self.mask)
