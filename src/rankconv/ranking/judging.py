"""Judging: which list is judged, and what in it is relevant. One list of steps, always in this order.

Nothing about labels, order, ties, duplicates or depth is decided anywhere else.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated

from rankconv.choice import Answer
from rankconv.ranking.block import Block
from rankconv.ranking.known_steps import decide_relevant, gather_known, grade_rows
from rankconv.ranking.label_steps import DUPLICATE_LABELS, GRADES, GRADES_ALLOWED, KNOWN, NEGATIVE, RELEVANT
from rankconv.ranking.list_steps import CANDIDATES, DEPTH, DROP, DUPLICATES, UNJUDGED
from rankconv.ranking.order_steps import LISTS, ORDER, REGROUP, SCORE_GATE, SCORE_WIDTH, TIES, put_in_order
from rankconv.ranking.rows import WorkingBlock
from rankconv.stated import Answers


class Judging(Answers):
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


def judged(block: WorkingBlock, judging: Judging) -> Block:
    """The block after all steps, with its hits."""
    return Block(block, judging.answers["score-gate"](block=block), judging)


def judge(block: WorkingBlock, judging: Judging) -> Block:
    """Apply the steps of one judging to a block's rows, which it changes."""
    for step in steps(judging):
        step.take(block)
    return judged(block, judging)
