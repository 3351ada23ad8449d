"""From definitions that may give the number to rows: measured one by one, those that agree on every user together."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rankconv.analysis.identify.candidates import EquivalentDefinitions
from rankconv.analysis.identify.circumstances import Chance
from rankconv.analysis.identify.printed_value import PrintedValue
from rankconv.analysis.identify.result import Nearest, Row
from rankconv.data.arrays import Mask
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.differences import Differences, differing, differing_here
from rankconv.engine.metric_result import Measured
from rankconv.engine.plan import has_all_needs
from rankconv.presets.definition import Definition
from rankconv.presets.order import best_place, place

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
