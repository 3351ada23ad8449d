"""In which answers do two definitions differ, in general and on the data at hand?"""

from functools import cached_property

import numpy as np

from rankconv.averaging import CAUSES, DATA_CAUSES, JUDGED_CAUSES, Situation
from rankconv.data.arrays import Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.engine.measured import Measured
from rankconv.engine.scoring import state_of
from rankconv.judging.facts import Compared, facts_of
from rankconv.judging.row_block import judge
from rankconv.judging.rows import working_blocks
from rankconv.presets.definition import Definition

NOT_ASKED = "not asked"
OF_OFFERING = "cutoff"
"""Says in which form a metric is offered; it changes no number."""


def differing(ours: Definition, other: Definition) -> dict[str, tuple[str, str]]:
    """The questions that two definitions answer differently, with both answers; idle ones are left out.

    Two strategies under one name differ first in what they are.
    """
    idle = ours.idle().keys() & other.idle().keys()
    what = (ours.metric.name, other.metric.name)
    return ({"is": what} if what[0] != what[1] else {}) | {
        question: (answer, other.answers.get(question, NOT_ASKED))
        for question, answer in ours.answers.items()
        if question not in idle and question != OF_OFFERING and other.answers.get(question) != answer
    }


def differing_here(ours: Measured, other: Measured, data: "Facts") -> dict[str, tuple[str, str]]:
    """The same, without the answers that cannot matter on this data, because nothing in it asks for them."""
    return {
        question: answers
        for question, answers in differing(ours.definition, other.definition).items()
        if data.matters(question, ours, other)
    }


class Facts:
    """What labels and lists hold, as far as it decides which answers can matter."""

    def __init__(self, joined: Joined) -> None:
        self.joined = joined
        self._populations: dict[str, Mask] = {}

    def matters(self, question: str, ours: Measured, other: Measured) -> bool:
        """Whether these two answers to a question can make a difference on this data."""
        return not self.same(question, ours, other) or self.newly_concerned(question, ours, other)

    def same(self, question: str, ours: Measured, other: Measured) -> bool:
        """Whether these two answers to a question are bound to agree on this data."""
        if question in CAUSES:
            return not (_decided(question, ours) or _decided(question, other))
        if question in DATA_CAUSES or question in JUDGED_CAUSES:
            return not (_refused_by(question, ours) or _refused_by(question, other))
        match question:
            case "rows-needed":
                return not (_decided("too-few-rows", ours) or _decided("too-few-rows", other))
            case "nobody":
                return _somebody(ours) and _somebody(other)
            case "order" | "ties" | "score-width":
                return all(facts_of(self.joined).no_ties(one.definition.judging.compared) for one in (ours, other))
            case "negative":
                return not (self.grades < 0).any()
            case "grades" | "grades-allowed":
                return bool(np.isin(self.grades, (0, 1)).all())
            case "relevant":
                return self._judged_alike(ours, other)
            case "gain":
                return np.array_equal(self._gain(ours), self._gain(other))
            case "known":
                kinds = {ours.definition.answers["known"], other.definition.answers["known"]}
                return kinds == {"labels", "relevant"} and bool(
                    self._relevant(ours).all() and self._relevant(other).all()
                )
            case "ideal":
                kinds = {ours.definition.answers["ideal"], other.definition.answers["ideal"]}
                return kinds == {"labels", "catalogue"} and self.never_a_loss(ours) and self.never_a_loss(other)
            case "duplicates":
                return not self.repeats
            case "users":
                return np.array_equal(self._population(ours), self._population(other))
        return False

    @cached_property
    def grades(self) -> Numbers:
        """The different grades."""
        return np.unique(self.joined.labels.grade)

    @cached_property
    def repeats(self) -> bool:
        """Whether an item stands in a list more than once."""
        return not facts_of(self.joined).of("distinct lists", None).all()

    @cached_property
    def scores_fall(self) -> bool:
        """Whether every list stands strictly by falling score, also in single precision; or has no scores."""
        return facts_of(self.joined).no_ties(Compared())

    @cached_property
    def highest(self) -> Numbers:
        """The different highest grades of users; 0 for a user without labels."""
        labels = self.joined.labels
        found = np.zeros(len(self.joined.users))
        np.maximum.at(found, np.repeat(np.arange(len(labels.users)), labels.lengths), labels.grade)
        return np.unique(found)

    def _judged_alike(self, ours: Measured, other: Measured) -> bool:
        """Whether both find the same grades relevant in users with each highest grade."""
        grades, highests = self.grades, self.highest
        if "rows" in {one.definition.answers["known"] for one in (ours, other)}:
            # What is not labelled has grade 0 there, and a list may hold nothing else.
            grades, highests = np.union1d(grades, 0.0), np.union1d(highests, 0.0)
        cases = [(grades[grades <= highest], highest) for highest in highests]
        return all(np.array_equal(_relevant(ours, *case), _relevant(other, *case)) for case in cases)

    def _relevant(self, one: Measured) -> Mask:
        return _relevant(one, self.grades, self.grades.max(initial=0))

    def _gain(self, one: Measured) -> Numbers:
        answers = one.definition.metric.answers
        if "gain" not in answers:
            return self.grades
        level = one.definition.judging.answers["relevant"].keywords.get("level", 0.0)
        return np.asarray(answers["gain"](grades=self.grades, relevant=self._relevant(one), level=level), float)

    def never_a_loss(self, one: Measured) -> bool:
        """Whether no label has a gain below zero."""
        return bool((self.grades >= 0).all() and (self._gain(one) >= 0).all())

    def newly_concerned(self, question: str, ours: Measured, other: Measured) -> bool:
        """Whether it asks about special users whom one definition alone looks at: it decides once both look at them."""
        return question in CAUSES and (self._concerns(question, ours, other) or self._concerns(question, other, ours))

    def _concerns(self, cause: str, one: Measured, other: Measured) -> bool:
        users = np.flatnonzero(self._population(one) & ~self._population(other))
        metric, averaging = one.definition.metric, one.definition.averaging
        if one.refusals:
            return False
        for rows in working_blocks(self.joined, users):
            block = judge(rows.copy(metric.k), one.definition.judging)
            situation = Situation(block, metric, metric.per_user(block), float(averaging.given("rows-needed")))
            if CAUSES[cause].holds(situation).any():
                return True
        return False

    def _population(self, one: Measured) -> Mask:
        answer = one.definition.averaging.answers["users"]
        if answer.text not in self._populations:
            self._populations[answer.text] = np.asarray(answer(joined=self.joined))
        return self._populations[answer.text]


def _relevant(one: Measured, grades: Numbers, highest: float) -> Mask:
    highests = np.full(len(grades), highest)
    return np.asarray(one.definition.judging.answers["relevant"](grades=grades, highest=highests))


def _somebody(one: Measured) -> bool:
    return any(name != "outside" and not name.endswith(": skip") and count for name, count in one.counts.items())


def _decided(cause: str, one: Measured) -> bool:
    return bool(one.tally[state_of(cause)] > 0)


def _refused_by(cause: str, one: Measured) -> bool:
    return any(refusal.cause == cause for refusal in one.refusals)
