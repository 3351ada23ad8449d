"""Judging: which list is judged, and what in it is relevant. Its steps are taken in the order of `STEPS`.

Importing the files of its questions registers them, in the order in which they are told.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.judging import list_steps, order_steps
from rankconv.judging.facts import Compared
from rankconv.judging.label_steps import KNOWN, RELEVANT
from rankconv.judging.registry import AT_ONCE, JUDGING, STEPS, Take, step_after
from rankconv.judging.rows import Known, WorkingBlock
from rankconv.questions.choice import Answer, Choice
from rankconv.questions.open_answers import OpenAnswers

REGISTERING = (list_steps, order_steps)
"""The files of the other questions, which register themselves as they are imported."""


class Judging(OpenAnswers):
    """The answers to every question about the list and its labels."""

    @classmethod
    def questions(cls) -> Mapping[str, Choice]:
        """The questions of judging by name, in the order in which they are told."""
        return JUDGING

    @property
    def reads_cutoff(self) -> bool:
        """Whether the judged list itself depends on the metric's cutoff."""
        return any(answer.option.traits.get("reads_cutoff") for answer in self.answers.values())

    @cached_property
    def compared(self) -> Compared:
        """Which scores are compared, and what was done to them before."""
        return Compared.of(self.answers)

    @property
    def cut(self) -> bool:
        """Whether lists are cut at the metric's k before anything is counted in them."""
        return bool(self.answers["depth"].option.traits.get("reads_cutoff"))

    @property
    def needs(self) -> dict[str, str]:
        """What the caller must give beside labels and lists: its name, and the answer that asks for it."""
        answers = self.answers.items()
        return {
            answer.option.traits["needs"]: f"{q}={answer.text}"
            for q, answer in answers
            if "needs" in answer.option.traits
        }

    @property
    def pools(self) -> bool:
        """Whether the lists of all users are put together."""
        return bool(self.answers["lists"].option.traits.get("pools"))

    @property
    def by_score(self) -> bool:
        """Whether scores decide the order, and ties are looked for."""
        return bool(self.answers["order"].option.traits.get("by_score"))

    @property
    def tie_rule(self) -> str:
        """What tied rows share: nothing (`order`), their gain (`averaged`) or a rank (`shared`)."""
        return str(self.answers["ties"].option.traits.get("rule_of_ranks", "order"))


@dataclass(frozen=True)
class Step:
    """One step of judging: the question that it answers, and what it does to the rows of a block."""

    question: str
    answer: Answer
    take: Callable[[WorkingBlock], None]


def steps(judging: Judging) -> Iterator[Step]:
    """The steps by which this judging changes something, in their order; who can be a hit is decided after them."""
    answers = judging.answers
    for place in STEPS.values():
        answer = answers[place.choice.name]
        nothing = answer.changes_nothing or answer.text == place.choice.neutral
        if place.take is not None:
            yield Step(place.choice.name, answer, _told(place.take, answers))
        elif answer.trait("when", AT_ONCE) == place.moment and not nothing:
            yield Step(place.choice.name, answer, _carried_out(answer))


def _told(take: Take, answers: Mapping[str, Answer]) -> Callable[[WorkingBlock], None]:
    return lambda block: take(block, answers)


def _carried_out(answer: Answer) -> Callable[[WorkingBlock], None]:
    return lambda block: answer(block=block)


def decide_relevant(block: WorkingBlock, answers: Mapping[str, Answer]) -> None:
    """Decide which labels are relevant, and whether the others exist."""
    labels, relevant, known = block.labels, answers["relevant"], answers["known"]
    block.known_rows = known() == "rows"
    highest = _highest_grades(block)
    labels.relevant = relevant(grades=labels.grade, highest=highest[labels.user]) & labels.exists & ~labels.in_pool
    if known() == "relevant":
        labels.exists &= labels.relevant
    zero = relevant(grades=np.zeros(block.size), highest=highest)
    block.unlabelled_relevant = zero if block.known_rows else np.zeros(block.size, bool)


def _highest_grades(block: WorkingBlock) -> Numbers:
    """The highest grade of each user, shape (users,), -inf without any.

    It is taken over the labels that exist; where rows are the labels, over the rows, an unjudged one having grade 0.
    """
    highest = np.full(block.size, -np.inf)
    labels, rows = block.labels, block.rows
    if block.known_rows:
        graded = np.append(labels.exists & ~labels.in_pool, False)[rows.label]
        np.maximum.at(highest, rows.user, np.where(graded, np.append(labels.grade, 0.0)[rows.label], 0.0))
    else:
        np.maximum.at(highest, labels.user[labels.exists], labels.grade[labels.exists])
    return highest


def grade_rows(block: WorkingBlock) -> None:
    """Give each ranked row the grade of its label; NaN where it has none."""
    labels, rows = block.labels, block.rows
    row, has = rows.label, rows.label >= 0
    has = has & np.append(labels.exists, False)[row]
    rows.judged = has & ~np.append(labels.in_pool, False)[row]
    rows.grade = np.where(rows.judged, np.append(labels.grade, 0.0)[row], 0.0 if block.known_rows else np.nan)
    rows.relevant = np.where(has, np.append(labels.relevant, False)[row], block.unlabelled_relevant[rows.user])
    if block.known_rows:
        rows.judged = np.ones(len(row), bool)


def settle_known(block: WorkingBlock, answers: Mapping[str, Answer]) -> None:
    """Give rows their grades, and settle which labels make R, the ideal and the sums."""
    grade_rows(block)
    labels, rows, known = block.labels, block.rows, answers["known"]
    if block.known_rows:
        at_end = np.append(labels.at_end, False)[rows.label]
        block.known = Known(rows.user, rows.grade, rows.relevant, at_end, rows.item, rows.label)
        return
    row = np.flatnonzero(labels.exists & ~labels.in_pool)
    if known() == "joined":
        rows_of_label = np.bincount(rows.label[rows.label >= 0], minlength=len(labels.user))
        row = np.repeat(row, np.maximum(rows_of_label[row], 1))
    block.known = Known(
        labels.user[row], labels.grade[row], labels.relevant[row], labels.at_end[row], labels.item[row], row
    )


step_after("duplicates weighed", RELEVANT, take=decide_relevant)
step_after("relevant", KNOWN, take=settle_known)
