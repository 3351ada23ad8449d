"""The definition that a program implements: the one that gives its replies to all vectors of a metric."""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from rankconv.analysis.identify.candidates import EquivalentDefinitions, Nearest, at_cutoff, entries, every_preset
from rankconv.analysis.identify.search import Search
from rankconv.conformance.harness import Reply
from rankconv.conformance.vectors import Case
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.presets.definition import Definition
from rankconv.specs.setting_set import SettingSet

MOST_MEASURED = 20
"""So many definitions are measured on all vectors, the nearest to a preset first."""


class Replied(NamedTuple):
    """A vector and what the harness says of it."""

    case: Case
    reply: Reply


@dataclass(frozen=True)
class Difference:
    """Where a reply differs from the values of a definition."""

    vector: str
    user: str
    """Empty for the mean."""
    replied: float
    expected: float


@dataclass(frozen=True)
class Implemented:
    """The definition that agrees with most replies of a metric."""

    definition: Definition
    presets: list[str]
    """The presets that agree with all replies; empty where none does."""
    differences: list[Difference] = field(default_factory=list)
    """The first one of each vector that differs."""

    @property
    def differing(self) -> set[str]:
        """The vectors that differ."""
        return {one.vector for one in self.differences}


def implemented(replied: Sequence[Replied], deadline: float) -> Implemented | None:
    """Return what agrees with most of these replies to the vectors of one metric; None where nothing can be measured.

    Presets first; where none agrees with all replies, the definitions that `identify` searches, until the deadline.
    """
    named = _presets(replied)
    if not named:
        return None
    found = held_to(list(named.values()), replied)
    agreeing = [name for name, one in zip(named, found, strict=True) if not one.differences]
    if agreeing:
        return Implemented(named[agreeing[0]][0], agreeing)
    near = [[at_cutoff(one, each.case.vector.k) for each in replied] for one in _near(replied, deadline)]
    return min([*found, *held_to(near, replied)], key=lambda one: len(one.differences))


def held_to(several: Sequence[Sequence[Definition]], replied: Sequence[Replied]) -> list[Implemented]:
    """Return where the replies differ from definitions; each is a list with the definition of each vector."""
    differences: list[list[Difference]] = [[] for _ in several]
    for place, (case, reply) in enumerate(replied):
        measured = measure(case.joined, [definitions[place] for definitions in several], None)
        for found, one in zip(differences, measured, strict=True):
            found += list(_differences(case, reply, one))[:1]
    return [Implemented(one[0], [], found) for one, found in zip(several, differences, strict=True)]


def _presets(replied: Sequence[Replied]) -> dict[str, list[Definition]]:
    """The definition of each preset for each vector, of presets that have the metric at all of its cutoffs."""
    offered: dict[str, dict[str, Definition]] = {}
    presets, specs = every_preset(), {one.case.spec for one in replied}
    for spec in specs:
        for definition in entries(spec, presets):
            if not definition.needs:
                offered.setdefault(definition.preset, {})[spec] = definition
    return {
        name: [by_spec[one.case.spec] for one in replied]
        for name, by_spec in offered.items()
        if by_spec.keys() == specs
    }


def _differences(case: Case, reply: Reply, measured: Measured) -> Iterator[Difference]:
    """The users, then the mean, of which the reply is not what was measured."""
    tolerance = float(case.vector.tolerance)
    refused = bool(measured.refusals)
    users = case.joined.users.values.tolist()
    values = dict(zip(users, measured.values.tolist(), strict=True))
    if reply.has_users and not measured.definition.pools:
        for user in dict.fromkeys([*users, *reply.users]):
            ours = math.nan if refused else values.get(user, math.nan)
            theirs = reply.users.get(user, math.nan)
            if not _equal(ours, theirs, tolerance):
                yield Difference(case.vector.id, user, theirs, ours)
    ours = math.nan if refused else measured.mean
    if reply.mean is not None and not _equal(ours, reply.mean, tolerance):
        yield Difference(case.vector.id, "", reply.mean, ours)


def _equal(ours: float, theirs: float, tolerance: float) -> bool:
    if math.isnan(ours) or math.isnan(theirs):
        return math.isnan(ours) and math.isnan(theirs)
    return ours == theirs or abs(ours - theirs) <= tolerance * max(1.0, abs(ours))


class _Group(NamedTuple):
    """Definitions, all of these crossed, that give the same means of the vectors looked at."""

    near: Nearest
    preparations: frozenset[SettingSet]
    metrics: frozenset[SettingSet]
    aggregations: frozenset[SettingSet]

    def narrowed(self, other: "_Group") -> "_Group":
        return _Group(
            self.near,
            self.preparations & other.preparations,
            self.metrics & other.metrics,
            self.aggregations & other.aggregations,
        )

    @property
    def is_empty(self) -> bool:
        return not (self.preparations and self.metrics and self.aggregations)


def _near(replied: Sequence[Replied], deadline: float) -> Iterator[Definition]:
    """The definitions that give the means of all vectors at one cutoff, the nearest to a preset first."""
    with_mean = [one for one in replied if one.reply.mean is not None and math.isfinite(one.reply.mean)]
    if not with_mean:
        return
    cutoffs = [one.case.vector.k for one in with_mean]
    k = max(cutoffs, key=cutoffs.count)
    own = sorted((one for one in with_mean if one.case.vector.k == k), key=lambda one: -len(one.case.data.run))
    common: dict[int, list[_Group]] = {}
    for first, (case, reply) in enumerate(own):
        if time.monotonic() > deadline:
            break
        tolerance = float(case.vector.tolerance)
        assert reply.mean is not None
        between = [(reply.mean - tolerance, reply.mean + tolerance)]
        for family, part in enumerate(Search(case.joined, case.spec, None).measured):
            groups = [_group(part.near, one) for one in part.swept.between(between)]
            pairs = groups if not first else [a.narrowed(b) for a in common[family] for b in groups]
            common[family] = [one for one in pairs if not one.is_empty]
    nearest = [
        (one.near, one.near.least(EquivalentDefinitions([*one.preparations], [*one.metrics], [*one.aggregations], 0.0)))  # type: ignore[arg-type]
        for groups in common.values()
        for one in groups
    ]
    nearest.sort(key=lambda pair: pair[1].distance)
    for near, written in nearest[:MOST_MEASURED]:
        yield near.stated(written.near, *written.parts)


def _group(near: Nearest, one: EquivalentDefinitions) -> _Group:
    return _Group(near, *map(frozenset, (one.preparations, one.metrics, one.aggregations)))  # type: ignore[arg-type]
