"""In which answers do two definitions differ, in general and on the data at hand?"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from rankconv.averaging import CAUSES, Situation
from rankconv.data.arrays import Codes
from rankconv.data.joined import Joined
from rankconv.engine.measured import Measured
from rankconv.judging.on_data import OnData
from rankconv.judging.row_block import judge
from rankconv.judging.rows import working_blocks
from rankconv.presets.definition import Definition, answers_of
from rankconv.questions.mattering import alike

NOT_ASKED = "not asked"


def differing(ours: Definition, other: Definition) -> dict[str, tuple[str, str]]:
    """The questions that two definitions answer differently, with both answers; idle ones are left out.

    Two strategies under one name differ first in what they are.
    """
    idle = ours.idle_rules.keys() & other.idle_rules.keys()
    what = (ours.metric.name, other.metric.name)
    return ({"is": what} if what[0] != what[1] else {}) | {
        question: (answer, other.answers.get(question, NOT_ASKED))
        for question, answer in ours.answers.items()
        if question not in idle and other.answers.get(question) != answer
    }


def differing_here(ours: Measured, other: Measured, data: "Differences") -> dict[str, tuple[str, str]]:
    """What two definitions answer differently, without the answers that nothing in the data asks for."""
    return {
        question: answers
        for question, answers in differing(ours.definition, other.definition).items()
        if data.matters(question, ours, other)
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

    def matters(self, question: str, ours: Measured, other: Measured) -> bool:
        """Whether the answers of the two to a question can make a difference on these data."""
        return not self.alike(question, ours, other) or self.newly_concerned(question, ours, other)

    def alike(self, question: str, ours: Measured, other: Measured) -> bool:
        """Whether the answers of the two to a question are bound to agree on these data."""
        return alike(question, self._of(ours), self._of(other))

    def _of(self, one: Measured) -> OnData:
        """What came out of a definition, looked at once for all questions."""
        known = self._on_data.get(id(one))
        if known is None:
            known = self._on_data[id(one)] = one, on_data(one, self.joined)
        return known[1]

    def newly_concerned(self, question: str, ours: Measured, other: Measured) -> bool:
        """Whether the question is about special users whom one definition alone looks at.

        It decides once both look at them.
        """
        return question in CAUSES and (self._concerns(question, ours, other) or self._concerns(question, other, ours))

    def _concerns(self, cause: str, one: Measured, other: Measured) -> bool:
        users = self._users_alone(one, other)
        if one.refusals or not len(users):
            return False
        found = situations(self.joined, one.definition, users)
        return any(bool(CAUSES[cause].holds(situation).any()) for situation in found)

    def _users_alone(self, one: Measured, other: Measured) -> Codes:
        """The users at whom one definition looks and the other does not, as codes, shape (users,)."""
        answers = [each.definition.averaging.answers["users"] for each in (one, other)]
        asked = (answers[0].text, answers[1].text)
        if asked not in self._alone:
            ours, others = (np.asarray(answer(joined=self.joined)) for answer in answers)
            self._alone[asked] = np.flatnonzero(ours & ~others)
        return self._alone[asked]


def situations(joined: Joined, definition: Definition, users: Codes) -> Iterator[Situation]:
    """What special cases are told by, block by block of these users, shape (users,), judged as the definition says."""
    metric, least = definition.metric, float(definition.averaging.given("min-rows"))
    for rows in working_blocks(joined, users):
        block = judge(rows.copy(metric.k), definition.applied)
        yield Situation(block, metric, metric.measure(block), least)


def on_data(one: Measured, joined: Joined) -> OnData:
    """What a definition gave on these data, as its questions look at it."""
    counted = (name != "outside" and not name.endswith(": skip") and count for name, count in one.counts.items())
    return OnData(answers_of(*one.definition.parts), joined, lambda cause: _decides(cause, one), any(counted))


def _decides(cause: str, one: Measured) -> bool:
    if cause in CAUSES:
        return one.decided(cause)
    return one.of_all == cause or any(refusal.cause == cause for refusal in one.refusals)
