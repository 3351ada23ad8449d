"""Judging: which list is judged, and what in it is relevant. One list of steps, always in this order.

Nothing about labels, order, ties, duplicates or depth is decided anywhere else.
"""

from typing import Annotated

from rankconv.ranking.block import Block
from rankconv.ranking.label_steps import (
    DUPLICATE_LABELS,
    GRADES,
    GRADES_ALLOWED,
    KNOWN,
    NEGATIVE,
    RELEVANT,
    decide_relevant,
    gather_known,
    grade_rows,
)
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
    def tie_rule(self) -> str:
        """What tied rows share: nothing (`order`), their gain (`averaged`) or a rank (`shared`)."""
        return str(TIES(self.ties).option.traits.get("rule_of_ranks", "order"))


def judge(block: WorkingBlock, judging: Judging) -> Block:
    """Apply the steps of one judging to a block's rows, which it changes."""

    def step(question: str, moment: str = "at once") -> None:
        answer = judging.answers[question]
        if answer.option.traits.get("when", "at once") == moment:
            answer(block=block)

    step("duplicate-labels")
    step("grades")
    step("negative")
    step("candidates")
    step("drop")
    step("duplicates", "before-order")
    if judging.answers["duplicates"].option.traits.get("weighs"):
        block.rows.weight = block.rows.occurrences(block.items).astype(float)
    decide_relevant(block, judging.answers["relevant"], judging.answers["known"])
    grade_rows(block)
    gather_known(block, judging.answers["known"])
    step("negative", "known")
    step("grades-allowed")
    step("score-width")
    put_in_order(block, judging.answers["order"], judging.answers["ties"])
    step("unjudged", "before-depth")
    step("depth")
    step("duplicates", "in-depth")
    step("unjudged", "after-depth")
    step("duplicates", "after-depth")
    step("regroup")
    hits = judging.answers["score-gate"](block=block)
    return Block(block, hits, judging)
