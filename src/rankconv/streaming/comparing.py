"""What differs between definitions on all users of files: a few users who show it, and digests of all values."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any, Unpack

import numpy as np

from rankconv.aggregation import POLICIES
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.ids import Ids
from rankconv.data.joined import Joined, rows_of
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.engine.aggregate import Aggregate, populations, reported
from rankconv.engine.metric_result import Measured
from rankconv.engine.plan import unmet
from rankconv.evaluation.differences import Differences, situations
from rankconv.evaluation.joining import SharedData
from rankconv.preparation.collapse import collapsed
from rankconv.preparation.facts import Compared, facts_of
from rankconv.preparation.registry import Fact, plain_where
from rankconv.presets.definition import Definition, settings_of
from rankconv.specs.parameters import Setting
from rankconv.streaming.files import Files, Paths, ReadOptions
from rankconv.streaming.parts import all_together
from rankconv.streaming.sums import check_summable

Place = tuple[str, str]
MeasuredCells = dict[tuple[str, str, str], Measured]
A_ROW = 64
"""Bytes of memory that a row of a witness takes, about."""


class Witnesses:
    """Users who show all that `Differences` asks of data, gathered while batches of all users go by.

    It asks whether something holds for all users, which grades there are, and whether some user is a special case:
    the first who shows it is enough.
    """

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self._definitions = definitions
        self._facts = _facts(definitions)
        self._cases = _cases(definitions)
        self._shown = set[Hashable]()
        self._grades, self._highest = np.empty(0), np.empty(0)
        self._found: list[Joined] = []

    def look(self, joined: Joined) -> None:
        """Keep those of these users who show what none did before."""
        witnesses = np.unique([*self._first_of_each(joined), *self._of_grades(joined)]).astype(np.int64)
        if len(witnesses):
            self._found.append(only(joined, witnesses))

    @property
    def bytes(self) -> int:
        """Bytes of memory that they take, about."""
        return sum(one.labels.row_count + one.rankings.row_count for one in self._found) * A_ROW

    @property
    def joined(self) -> Joined:
        """The data of those who were kept."""
        return all_together(self._found)

    def _first_of_each(self, joined: Joined) -> Iterator[int]:
        """The first user for each thing that none has shown before."""
        for key, who in self._masks(joined):
            if key not in self._shown and (users := np.flatnonzero(who())).size:
                self._shown.add(key)
                yield int(users[0])

    def _masks(self, joined: Joined) -> Iterator[tuple[Hashable, Callable[[], Mask]]]:
        """What can be shown, each with what finds who shows it, shape (users,)."""
        masks = populations(joined, self._definitions, None)
        for fact, compared, collapse in self._facts:
            facts = facts_of(collapsed(joined, {"collapse": collapse}))
            yield (
                (fact, compared, collapse),
                lambda facts=facts, fact=fact, compared=compared: ~facts.of(fact, None, compared),  # type: ignore[misc]
            )
        sides = [joined.label_counts > 0, joined.list_counts > 0, *masks.values()]
        kind = sum((side.astype(np.int64) << place for place, side in enumerate(sides)), np.zeros(len(sides[0]), int))
        for one in np.unique(kind).tolist():
            yield ("kind", one), lambda one=one: kind == one  # type: ignore[misc]
        for definition, other in self._cases:
            alone = masks[definition.aggregation.given("users")] & ~masks[other]
            if alone.any() and unmet(joined, definition) is None:
                yield from self._special(joined, definition, other, alone)

    def _special(
        self, joined: Joined, definition: Definition, other: str, alone: Mask
    ) -> Iterator[tuple[Hashable, Callable[[], Mask]]]:
        """The special cases among users of one definition alone, `alone`, shape (users,)."""
        policies = [one for one in POLICIES if (_case(definition, other), one) not in self._shown]
        found = dict.fromkeys(policies, np.zeros(len(alone), bool))
        for situation in situations(joined, definition, np.flatnonzero(alone)) if policies else ():
            for policy in policies:
                holds = np.zeros(len(alone), bool)
                holds[situation.block.users] = POLICIES[policy].holds(situation)
                found[policy] = found[policy] | holds
        for policy, users in found.items():
            yield (_case(definition, other), policy), lambda users=users: users  # type: ignore[misc]

    def _of_grades(self, joined: Joined) -> Iterator[int]:
        """A user for each grade, and for each highest grade of a user, that was not there before."""
        labels, facts = joined.labels, facts_of(joined)
        new, self._grades = np.setdiff1d(facts.grades, self._grades), np.union1d(self._grades, facts.grades)
        user_of = np.zeros(len(labels.users), np.int64)
        known = np.flatnonzero(joined.label_rows_of >= 0)
        user_of[joined.label_rows_of[known]] = known
        if len(new):
            rows = np.flatnonzero(np.isin(labels.grade, new))
            _, first = np.unique(labels.grade[rows], return_index=True)
            yield from user_of[np.searchsorted(labels.starts, rows[first], side="right") - 1].tolist()
        new, self._highest = np.setdiff1d(facts.highest, self._highest), np.union1d(self._highest, facts.highest)
        if len(new):
            highest = np.zeros(len(joined.users))
            np.maximum.at(highest, np.repeat(user_of, labels.lengths), labels.grade)
            yield from (int(np.flatnonzero(highest == one)[0]) for one in new.tolist())


def _facts(definitions: Sequence[Definition]) -> list[tuple[Fact, Compared | None, Setting]]:
    """What conventions ask of all users, or of their documents, to know that their settings change nothing."""
    found: dict[tuple[Fact, Compared | None, Setting], None] = {}
    for definition in definitions:
        settings = definition.applied.settings
        collapse = settings["collapse"]
        found |= {(fact, None, collapse): None for one in settings.values() for fact in plain_where(one)}
        compared = replace(Compared.of(settings_of(*definition.parts)), narrow=True, ties_made=False)
        found |= {("falling scores", one, collapse): None for one in (None, compared)}
    return list(found)


def _cases(definitions: Sequence[Definition]) -> list[tuple[Definition, str]]:
    """The definitions, one of each preparation, each with each differing setting of `users`."""
    users_settings = {one.aggregation.given("users") for one in definitions}
    found = {
        _case(one, other): (one, other)
        for one in definitions
        for other in sorted(users_settings - {one.aggregation.given("users")})
    }
    return list(found.values())


def _case(one: Definition, other: str) -> Hashable:
    return one.applied, one.metric, one.aggregation.given("min-rows"), one.aggregation.given("users"), other


def only(joined: Joined, users: Codes) -> Joined:
    """The data of these users, shape (users kept,), without what they had seen."""
    labels, rankings = joined.labels, joined.rankings
    labelled, ranked = (rows[users] for rows in (joined.label_rows_of, joined.list_rows_of))
    of_labels, at = _rows(labels, labelled)
    known = Labels(*of_labels, labels.grade[at])
    of_lists, at = _rows(rankings, ranked)
    score, rank = (None if numbers is None else numbers[at] for numbers in (rankings.score, rankings.rank))
    return Joined(
        known,
        Run(*of_lists, score, rank=rank),
        Ids(joined.users.values[users], joined.users.kind),
        np.where(labelled >= 0, np.cumsum(labelled >= 0) - 1, -1),
        np.where(ranked >= 0, np.cumsum(ranked >= 0) - 1, -1),
        replace(joined.extra, seen=None),
    )


def _rows(side: Labels | Run, owners: Codes) -> tuple[tuple[Ids, Ids, Codes, Codes], Codes]:
    """The users, items, starts and items of rows of those of these, shape (users,), who are on this side.

    And the places of these rows here, shape (rows,).
    """
    there = owners[owners >= 0]
    user, at = rows_of(side.starts, there)
    starts = np.append(0, np.cumsum(np.bincount(user, minlength=len(there))))
    used, item = np.unique(side.item[at], return_inverse=True)
    users, items = Ids(side.users.values[there], side.users.kind), Ids(side.items.values[used], side.items.kind)
    return (users, items, starts, item), at


class Digests:
    """A digest of the values of all users under each definition, while batches of them go by."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self._definitions = definitions
        self._of_each = [blake2b(digest_size=16) for _ in definitions]
        self._of_everybody = {
            (one.aggregation.given("users"), value): blake2b(digest_size=16)
            for one in definitions
            for value in _settings_for_all(one)
        }
        """Of the same value for everybody in the population, which some situations of all data give."""

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        """Take the values of these users, by the order of the definitions."""
        for digest, one in zip(self._of_each, found, strict=True):
            digest.update(_bytes(one.of_each[0]))
        masks = populations(joined, self._definitions, None) if self._of_everybody else {}
        for (users, value), digest in self._of_everybody.items():
            digest.update(_bytes(np.where(masks[users], np.frombuffer(value)[0], np.nan)))

    def of(self, one: Measured) -> bytes:
        """What tells the values of all users, and the mean, from those of another definition."""
        at = next(place for place, each in enumerate(self._definitions) if each is one.definition)
        digest = self._of_each[at]
        if one.of_all:
            digest = self._of_everybody[one.definition.aggregation.given("users"), _bytes_of(one.mean)]
        return digest.digest() + _bytes_of(one.mean)


def _settings_for_all(definition: Definition) -> list[bytes]:
    """What the definition may say of everybody, for what all data are."""
    settings = definition.aggregation.settings
    policies = [*definition.aggregation.data_policies, *definition.aggregation.judged_policies]
    return [_bytes_of(reported(definition, float(settings[one].keywords.get("value", np.nan)))) for one in policies]


def _bytes_of(value: float) -> bytes:
    return _bytes(np.array([value]))


def _bytes(values: Numbers) -> bytes:
    """Bytes of these values, shape (users,), equal where the values are: NaN equals NaN, and -0 equals 0."""
    return np.where(np.isnan(values), np.nan, values + 0.0).tobytes()


class OfAll(Differences):
    """What differs between definitions on all users, known from a few of them and from digests of all values."""

    def __init__(self, joined: Joined, digests: Digests) -> None:
        super().__init__(joined)
        self._digests = digests

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.joined, self._digests)

    def same(self, ours: Measured, other: Measured) -> bool:
        """Whether two definitions give every user and the mean the same number, and refuse none."""
        return self._digests.of(ours) == self._digests.of(other) and not (ours.refusals or other.refusals)


class Gathered:
    """Gathers what a comparison says of all users next to their numbers, while batches of them go by."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self._definitions = definitions
        self.begin(None)

    def begin(self, labelled: Ids | None) -> None:
        """Forget the users that there were."""
        self._witnesses, self._digests = Witnesses(self._definitions), Digests(self._definitions)

    @property
    def bytes(self) -> int:
        """Bytes of memory that grow with the users."""
        return self._witnesses.bytes

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        """Take the users of a batch, and what became of them under each definition."""
        self._witnesses.look(joined)
        self._digests.add(joined, found)

    @property
    def differences(self) -> OfAll:
        """What differs on all of them."""
        return OfAll(self._witnesses.joined, self._digests)


def measured_in_files(
    labels: Paths,
    runs: Mapping[str, Paths],
    table: Mapping[Place, Definition],
    memory: str | int,
    *,
    side_data: SharedData,
    **options: Unpack[ReadOptions],
) -> tuple[MeasuredCells, dict[str, Differences]]:
    """What each definition gives for each run, and what parts the definitions there.

    `side_data` is what is known of users and items, as `rc.Evaluator` takes it. Raises what `rc.evaluate` does with
    `memory=`.
    """
    each = {name: Gathered([*table.values()]) for name in runs}
    definitions = {f"{preset}:{name}": one for (name, preset), one in table.items()}
    check_summable(definitions, labelled=True)
    with Files.opened(labels, runs, memory, **options) as files:
        found = files.evaluate("", definitions, side_data, each)
    next(iter(found.values())).grades.warn()
    cells = {
        (run, *place): one
        for run, numbers in found.items()
        for place, one in zip(table, numbers.compute("collect").by_spec.values(), strict=True)
    }
    return cells, {run: one.differences for run, one in each.items()}
