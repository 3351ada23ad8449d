"""The settings in which two definitions differ, in general and on these data."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np

from rankconv.aggregation import POLICIES, Situation
from rankconv.data.arrays import Codes
from rankconv.data.joined import Joined
from rankconv.engine.metric_result import Measured
from rankconv.preparation.collapse import collapsed
from rankconv.preparation.facts import OnData
from rankconv.preparation.row_block import judge
from rankconv.preparation.rows import working_blocks
from rankconv.preparation.ties import reads_order
from rankconv.presets.definition import Definition, settings_of
from rankconv.specs.table import equivalent

NOT_READ = "not read"


def differing(ours: Definition, other: Definition) -> dict[str, tuple[str, str]]:
    """The conventions that two definitions set differently, with both settings; idle ones are left out.

    Two strategies under one name differ first in what they are.
    """
    idle = ours.idle_rules.keys() & other.idle_rules.keys()
    what = (ours.metric.name, other.metric.name)
    return ({"is": what} if what[0] != what[1] else {}) | {
        convention_name: (setting, other.settings.get(convention_name, NOT_READ))
        for convention_name, setting in ours.settings.items()
        if convention_name not in idle and other.settings.get(convention_name) != setting
    }


def differing_here(ours: Measured, other: Measured, data: "Differences") -> dict[str, tuple[str, str]]:
    """What two definitions set differently, without the settings that nothing in the data asks for."""
    return {
        convention_name: settings
        for convention_name, settings in differing(ours.definition, other.definition).items()
        if data.matters(convention_name, ours, other)
    }


class Differences:
    """Which differences between definitions can matter on one pair of labels and lists."""

    def __init__(self, joined: Joined) -> None:
        self.joined = joined
        self._on_data: dict[int, tuple[Measured, OnData]] = {}
        self._alone: dict[tuple[str, str], Codes] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """What was looked at is looked at anew in another process."""
        return type(self), (self.joined,)

    def same(self, ours: Measured, other: Measured) -> bool:
        """Whether two definitions give every user and the mean the same number, and refuse none."""
        numbers, others = (np.append(one.values, one.mean) for one in (ours, other))
        return np.array_equal(numbers, others, equal_nan=True) and not (ours.refusals or other.refusals)

    def matters(self, convention_name: str, ours: Measured, other: Measured) -> bool:
        """Whether the settings of the two to a convention can make a difference on these data."""
        return not self.equivalent(convention_name, ours, other) or self.newly_concerned(convention_name, ours, other)

    def equivalent(self, convention_name: str, ours: Measured, other: Measured) -> bool:
        """Whether the settings of the two to a convention are bound to agree on these data.

        A policy or a step that depends on the order may leave one of them without expected values over orders of ties.
        """
        both, sides = (self._of(ours), self._of(other)), (ours.definition, other.definition)
        if sides[0].expectation is not sides[1].expectation:
            falls = set[bool]()
            if convention_name in POLICIES:
                policy = POLICIES[convention_name]
                falls = {policy.may_fall(type(one.metric), one.aggregation.settings[convention_name]) for one in sides}
            elif convention_name in sides[0].preparation.settings and not equivalent("ties", *both):
                falls = {any(map(reads_order, one.preparation.settings[convention_name].each)) for one in sides}
            if len(falls) > 1:
                return False
        return equivalent(convention_name, *both)

    def _of(self, one: Measured) -> OnData:
        """What came out of a definition, looked at once for all conventions."""
        known = self._on_data.get(id(one))
        if known is None:
            known = self._on_data[id(one)] = one, on_data(one, self.joined)
        return known[1]

    def newly_concerned(self, convention_name: str, ours: Measured, other: Measured) -> bool:
        """Whether the convention is about special users of one definition alone.

        It decides once both look at them.
        """
        return convention_name in POLICIES and (
            self._concerns(convention_name, ours, other) or self._concerns(convention_name, other, ours)
        )

    def _concerns(self, policy: str, one: Measured, other: Measured) -> bool:
        users = self._users_alone(one, other)
        if one.refusals or not len(users):
            return False
        found = situations(self.joined, one.definition, users)
        return any(bool(POLICIES[policy].holds(situation).any()) for situation in found)

    def _users_alone(self, one: Measured, other: Measured) -> Codes:
        """The users that one definition counts and the other does not, as codes, shape (users,)."""
        settings = [each.definition.aggregation.settings["users"] for each in (one, other)]
        texts = (settings[0].text, settings[1].text)
        if texts not in self._alone:
            ours, others = (np.asarray(setting(joined=self.joined)) for setting in settings)
            self._alone[texts] = np.flatnonzero(ours & ~others)
        return self._alone[texts]


def situations(joined: Joined, definition: Definition, users: Codes) -> Iterator[Situation]:
    """What decides special cases, block by block of these users, shape (users,), judged as the definition says."""
    metric, least = definition.metric, float(definition.aggregation.given("min-rows"))
    for rows in working_blocks(collapsed(joined, definition.applied.settings), users):
        block = judge(rows.copy(metric.k), definition.applied)
        yield Situation(block, metric, metric.measure(block), least)


def on_data(one: Measured, joined: Joined) -> OnData:
    """What a definition gave on these data, as its conventions look at it."""
    counted = (name != "outside" and not name.endswith(": skip") and count for name, count in one.counts.items())
    return OnData(settings_of(*one.definition.parts), joined, lambda policy: _decides(policy, one), any(counted))


def _decides(policy: str, one: Measured) -> bool:
    if policy in POLICIES:
        return one.decided(policy)
    return one.of_all == policy or any(refusal.policy == policy for refusal in one.refusals)


Named = Mapping[str, Sequence[Measured]]
"""What was measured under each name: one number per run."""
Means = tuple[float, ...]


@dataclass(frozen=True)
class Step:
    """The fewest settings that are between a group and the one below it."""

    upper: str
    """The member of the group in which they are so."""
    lower: str
    """The member of the group below that is most like it."""
    settings: list[str]
    """Those of `upper`, as convention=setting."""


@dataclass(frozen=True)
class Group:
    """Names that share their numbers."""

    means: Means
    """Rounded, one per run."""
    names: list[str]
    step: Step | None = None
    """What parts them from the next lower numbers; None for the lowest."""


def means(named: Named, digits: int) -> dict[Means, list[str]]:
    """The names by what they give for the runs, from lowest to highest; without those that give no number."""
    found: dict[Means, list[str]] = {}
    for name, measured in named.items():
        numbers = tuple(round(float(one.mean), digits) for one in measured)
        if not np.isnan(numbers).any():
            found.setdefault(numbers, []).append(name)
    return dict(sorted(found.items()))


def group(named: Named, facts: Sequence[Differences], digits: int = 4) -> list[Group]:
    """The names by their numbers, from lowest to highest, with the step up from each to the next."""
    found = list(means(named, digits).items())
    steps = [_step(named, facts, upper, lower) for (_, lower), (_, upper) in pairwise(found)]
    return [Group(*one, step) for one, step in zip(found, [None, *steps][: len(found)], strict=True)]


def _step(named: Named, facts: Sequence[Differences], uppers: list[str], lowers: list[str]) -> Step:
    pairs = (Step(upper, lower, between(named[upper], named[lower], facts)) for upper, lower in product(uppers, lowers))
    return min(pairs, key=lambda step: len(step.settings))


def between(ours: Sequence[Measured], others: Sequence[Measured], facts: Sequence[Differences]) -> list[str]:
    """The settings of ours that differ and can matter for one of the runs."""
    runs, one, other = list(zip(ours, others, facts, strict=True)), ours[0].definition, others[0].definition
    found = [
        f"{convention_name}={setting}"
        for convention_name, (setting, _) in differing(one, other).items()
        if any(data.matters(convention_name, *pair) for *pair, data in runs)
    ]
    if one.k != other.k:
        found.append("no cutoff" if one.k is None else f"@{one.k}")
    return found
