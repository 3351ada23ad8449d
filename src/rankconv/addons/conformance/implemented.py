"""The definition that a program implements: the one that gives its replies to all vectors of a metric."""

import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from typing_extensions import TypedDict

from rankconv.addons.conformance.together import VectorsTogether
from rankconv.addons.conformance.vectors import Replied, Reply, VectorCase
from rankconv.aggregation import POLICIES
from rankconv.analysis.identify.candidates import at_cutoff, entries, every_preset, settings_to
from rankconv.analysis.identify.changes import Occurring, occurring, with_one_changed
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.presets.definition import Definition
from rankconv.presets.preset_registry import preset
from rankconv.rendering.pages.cells import finite

TURNS, NEAREST = 3, 12
"""How often settings of the nearest definitions are changed on all vectors together, and of how many."""
MOST_CHANGED, FOLLOWED = 2, 3
"""How often single ones are changed on each vector before that, and of how many definitions."""
VALUES = ("0", "1")
"""What policies are tried with."""
OF_MEANS = ("scope", "aggregate", "on-no-users", "report", "round-mean")
"""What decides the mean alone: users' values say nothing of it."""
LOOKED_AT, MOST_MEASURED = 3, 10
"""So many differing vectors, those of most rows, decide which changes are measured on all, and how many are."""


class DifferenceData(TypedDict):
    """Where a reply differs from the values of a definition."""

    vector: str
    user: str
    """Empty for the mean."""
    replied: float | None
    """The value that the program gives; null for none."""
    expected: float | None
    """The value of the definition; null for none."""


@dataclass(frozen=True)
class Difference:
    """Where a reply differs from the values of a definition."""

    vector: str
    user: str
    """Empty for the mean."""
    replied: float
    """NaN for no value."""
    expected: float

    def to_dict(self) -> DifferenceData:
        """Return plain data; NaN is None, as JSON has it."""
        expected, replied = finite(self.expected), finite(self.replied)
        return {"vector": self.vector, "user": self.user, "replied": replied, "expected": expected}


@dataclass(frozen=True)
class Implemented:
    """The definition that agrees with most replies of a metric."""

    definition: Definition
    presets: list[str]
    """The presets that agree with all replies; empty where none does."""
    differences: list[Difference] = field(default_factory=list)
    search_ended: bool = False
    """Whether the time limit ended the search."""

    @property
    def differing(self) -> dict[str, Difference]:
        """The vectors that differ, each with its first difference."""
        return {one.vector: one for one in reversed(self.differences)}

    @property
    def distance(self) -> tuple[int, int, int]:
        """Sorts the nearest first."""
        return len(self.differing), len(self.differences), len(self.definition.changed)


@dataclass
class SearchLimit:
    """The time after which no further step of a search begins."""

    deadline: float
    ended_a_search: bool = False

    def passed(self) -> bool:
        """Whether the step that would come now is not begun."""
        self.ended_a_search = self.ended_a_search or time.monotonic() > self.deadline
        return self.ended_a_search


def implemented(replied: Sequence[Replied], deadline: float) -> Implemented | None:
    """Return what agrees with most of these replies to the vectors of one metric; None where no preset has the metric.

    Presets first. Where none agrees with all replies, single settings of the nearest are changed; then one or two of
    each preset at once, as `identify` does, on all vectors of a cutoff together; and what agrees with most is changed
    again. Without a mean in the replies, nothing is changed that decides means alone.
    """
    named = _presets(replied)
    if not named:
        return None
    found = held_to(list(named.values()), replied)
    agreeing = [name for name, one in zip(named, found, strict=True) if not one.differences]
    if agreeing:
        offering = [name for name in agreeing if all(preset(name).offers(case.spec) for case, _ in replied)]
        return Implemented(named[[*offering, *agreeing][0]][0], offering)
    settings = _settings(found, () if means_tested(replied) else OF_MEANS)
    vectors = VectorsTogether.by_cutoff(replied)
    nearest, followed, limit = _different(found), found, SearchLimit(deadline)
    for turn in range(TURNS + 1):
        nearest = _changed_in_turn(nearest, settings, replied, limit)
        if not nearest[0].differences or turn == TURNS or limit.passed():
            break
        differing = Counter(vector for one in nearest for vector in one.differing)
        own = max(vectors, key=lambda one: sum(differing[vector] for vector in one.names))
        near = own.nearest({one.definition: len(one.differences) for one in [*nearest, *followed]}, settings)
        nearest = _different([*nearest, *held_to([_at(one, replied) for one in near], replied)])
        followed = nearest
    return replace(nearest[0], search_ended=limit.ended_a_search)


def _changed_in_turn(
    nearest: list[Implemented], settings: Occurring, replied: Sequence[Replied], limit: SearchLimit
) -> list[Implemented]:
    """The nearest definitions, with one setting changed after the other as long as more replies agree."""
    for _ in range(MOST_CHANGED):
        if not nearest[0].differences or limit.passed():
            break
        better = [other for one in nearest[:FOLLOWED] for other in _better(one, settings, replied)]
        nearest = _different([*nearest, *better])
        if not better:
            break
    return nearest


def _settings(found: Sequence[Implemented], untested: Sequence[str]) -> Occurring:
    """What conventions are changed to: settings of presets, usual ones, and values for the users of policies."""
    known = occurring((one.definition for one in found), untested)
    values = dict.fromkeys(POLICIES, VALUES)
    return {name: settings_to(name, [*settings, *values.get(name, ())]) for name, settings in known.items()}


def means_tested(replied: Sequence[Replied]) -> bool:
    """Whether some reply says what the mean is, or that there is none."""
    return any(reply.mean is not None for _, reply in replied)


def held_to(several: Sequence[Sequence[Definition]], replied: Sequence[Replied]) -> list[Implemented]:
    """Return where the replies differ from definitions; each is a list with the definition of each vector."""
    differences: list[list[Difference]] = [[] for _ in several]
    for place, (case, reply) in enumerate(replied):
        measured = measure(case.joined, [definitions[place] for definitions in several], None)
        for found, one in zip(differences, measured, strict=True):
            found += _differences(case, reply, one)
    return [Implemented(one[0], [], found) for one, found in zip(several, differences, strict=True)]


def _different(found: Iterable[Implemented], most: int = NEAREST) -> list[Implemented]:
    """The nearest that differ from the replies in different places."""
    kinds: dict[str, Implemented] = {}
    for one in sorted(found, key=lambda each: each.distance):
        kinds.setdefault(str(one.differences), one)  # as text, in which NaN is NaN
    return list(kinds.values())[:most]


def _better(one: Implemented, settings: Occurring, replied: Sequence[Replied]) -> list[Implemented]:
    """What one more setting makes of a definition, where fewer of the replies differ of some vectors that do.

    Of those that leave the same differences the least changed is measured on all replies.
    """
    wrong = [each for each in replied if each.case.vector.id in one.differing]
    looked_at = sorted(wrong, key=lambda each: -len(each.case.data.run))[:LOOKED_AT]
    before, *found = held_to(
        [_at(each, looked_at) for each in (one.definition, *with_one_changed(one.definition, settings))], looked_at
    )
    kept = _different((each for each in found if len(each.differences) < len(before.differences)), MOST_MEASURED)
    return held_to([_at(each.definition, replied) for each in kept], replied)


def _at(definition: Definition, replied: Sequence[Replied]) -> list[Definition]:
    """The definition at the cutoff of each vector."""
    return [at_cutoff(definition, one.case.vector.k) for one in replied]


def _presets(replied: Sequence[Replied]) -> dict[str, list[Definition]]:
    """The definition of each preset for each vector, of presets that have the metric at the cutoff of the first.

    One that lacks another cutoff has its settings there too, but comes last, and is not named.
    """
    offered: dict[str, dict[str, Definition]] = {}
    presets, specs = every_preset(), dict.fromkeys(one.case.spec for one in replied)
    for spec in specs:
        for definition in entries(spec, presets):
            if not definition.needs:
                offered.setdefault(definition.preset, {})[spec] = definition
    first, *_ = specs
    return {
        name: [by_spec.get(case.spec) or at_cutoff(by_spec[first], case.vector.k) for case, _ in replied]
        for name, by_spec in sorted(offered.items(), key=lambda pair: len(specs) - len(pair[1]))
        if first in by_spec
    }


def _differences(case: VectorCase, reply: Reply, measured: Measured) -> Iterator[Difference]:
    """The users, then the mean, of which the reply is not what was measured.

    A definition that pools has no users' values: with a mean that is compared alone, without one nothing agrees.
    """
    tolerance, refused = float(case.vector.tolerance), bool(measured.refusals)
    pools = measured.definition.pools
    if reply.has_users and not (pools and reply.mean is not None):
        values = {} if pools else dict(zip(case.joined.users.values.tolist(), measured.shown.tolist(), strict=True))
        for user in dict.fromkeys([*values, *reply.users]):
            ours, theirs = math.nan if refused else values.get(user, math.nan), reply.users.get(user, math.nan)
            if not _equal(ours, theirs, tolerance):
                yield Difference(case.vector.id, user, theirs, ours)
    ours = math.nan if refused else measured.mean
    if reply.mean is not None and not _equal(ours, reply.mean, tolerance):
        yield Difference(case.vector.id, "", reply.mean, ours)


def _equal(ours: float, theirs: float, tolerance: float) -> bool:
    if math.isnan(ours) or math.isnan(theirs):
        return math.isnan(ours) and math.isnan(theirs)
    if math.isinf(ours) or math.isinf(theirs):
        return ours == theirs
    return abs(ours - theirs) <= tolerance * max(1.0, abs(ours))
