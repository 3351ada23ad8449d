"""Judging: which list is judged, and what in it is relevant. One list of steps, always in this order.

Nothing about labels, order, ties, duplicates or depth is decided anywhere else.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.judging.facts import Compared
from rankconv.judging.label_steps import DUPLICATE_LABELS, GRADES, GRADES_ALLOWED, KNOWN, NEGATIVE, RELEVANT
from rankconv.judging.list_steps import CANDIDATES, DEPTH, DROP, DUPLICATES, UNJUDGED
from rankconv.judging.order_steps import LISTS, ORDER, REGROUP, SCORE_GATE, SCORE_WIDTH, TIES, put_in_order
from rankconv.judging.rows import Known, WorkingBlock
from rankconv.questions.answer_set import AnswerSet
from rankconv.questions.choice import Answer


class Judging(AnswerSet):
    """The answers to every question about the list and its labels, in the order in which they are applied."""

    grades: Annotated[str, GRADES]
    negative: Annotated[str, NEGATIVE]
    grades_allowed: Annotated[str, GRADES_ALLOWED]
    relevant: Annotated[str, RELEVANT]
    known: Annotated[str, KNOWN]
    duplicate_labels: Annotated[str, DUPLICATE_LABELS]
    candidates: Annotated[str, CANDIDATES]
    drop: Annotated[str, DROP]
    duplicates: Annotated[str, DUPLICATES]
    order: Annotated[str, ORDER]
    score_width: Annotated[str, SCORE_WIDTH]
    ties: Annotated[str, TIES]
    unjudged: Annotated[str, UNJUDGED]
    depth: Annotated[str, DEPTH]
    regroup: Annotated[str, REGROUP]
    score_gate: Annotated[str, SCORE_GATE]
    lists: Annotated[str, LISTS]

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
        return str(TIES(self.ties).option.traits.get("rule_of_ranks", "order"))


@dataclass(frozen=True)
class Step:
    """One step of judging: the question that it answers, and what it does to the rows of a block."""

    question: str
    answer: Answer
    take: Callable[[WorkingBlock], None]


def steps(judging: Judging) -> Iterator[Step]:
    """The steps that this judging takes, in their order; only who can be a hit is decided after them."""
    answers = judging.answers

    def asked(question: str, moment: str = "at once") -> Iterator[Step]:
        answer = answers[question]
        if answer.option.traits.get("when", "at once") == moment:
            yield Step(question, answer, lambda block: answer(block=block))

    def always(question: str, take: Callable[[WorkingBlock], None]) -> Iterator[Step]:
        yield Step(question, answers[question], take)

    yield from asked("duplicate-labels")
    yield from asked("grades")
    yield from asked("negative")
    yield from asked("candidates")
    yield from asked("drop")
    yield from asked("duplicates", "before-order")
    if answers["duplicates"].option.traits.get("weighs"):
        yield from always("duplicates", weigh_rows)
    yield from always("relevant", lambda block: decide_relevant(block, answers["relevant"], answers["known"]))
    yield from always("known", lambda block: settle_known(block, answers["known"]))
    yield from asked("negative", "known")
    yield from asked("grades-allowed")
    yield from asked("score-width")
    yield from always("order", lambda block: put_in_order(block, answers["order"], answers["ties"]))
    yield from asked("unjudged", "before-depth")
    yield from asked("depth")
    yield from asked("duplicates", "in-depth")
    yield from asked("unjudged", "after-depth")
    yield from asked("duplicates", "after-depth")
    yield from asked("regroup")


def weigh_rows(block: WorkingBlock) -> None:
    """Each row weighs as much as rows hold its item."""
    block.rows.weight = block.rows.occurrences(block.items).astype(float)


def settle_known(block: WorkingBlock, known: Answer) -> None:
    """Steps 4 and 5 end here: rows get their grades, and it is settled which labels exist."""
    grade_rows(block)
    gather_known(block, known)


# steps 4 and 5, carried out: which labels are relevant, which exist, and what they say of the rows


def decide_relevant(block: WorkingBlock, relevant: Answer, known: Answer) -> None:
    """Steps 4 and 5: which labels are relevant, and whether the others exist."""
    labels = block.labels
    block.known_rows = known() == "rows"
    highest = _highest_grades(block)
    labels.relevant = relevant(grades=labels.grade, highest=highest[labels.user]) & labels.exists & ~labels.in_pool
    if known() == "relevant":
        labels.exists &= labels.relevant
    zero = relevant(grades=np.zeros(block.size), highest=highest)
    block.unlabelled_relevant = zero if block.known_rows else np.zeros(block.size, bool)


def _highest_grades(block: WorkingBlock) -> Numbers:
    """The highest grade of each user: of the rows where they are the labels, an unjudged one having grade 0."""
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


def gather_known(block: WorkingBlock, known: Answer) -> None:
    """Step 5: the labels that make R, the ideal and the sums."""
    labels, rows = block.labels, block.rows
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
