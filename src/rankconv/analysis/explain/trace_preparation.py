"""Preparation one user's list step by step: what each step changed, in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from rankconv.analysis.explain.printed_rows import printed_rows
from rankconv.analysis.explain.rows import JudgedList
from rankconv.analysis.explain.snapshots import Snapshot, moment
from rankconv.analysis.explain.words import graded, listed, score, told
from rankconv.pages.cells import plural
from rankconv.preparation.block import Block
from rankconv.preparation.pipeline import Preparation, Step
from rankconv.preparation.row_block import judged
from rankconv.preparation.rows import WorkingBlock
from rankconv.preparation.steps.relevance import KNOWN, RELEVANT
from rankconv.preparation.ties import TieEffect


@dataclass(frozen=True)
class Change:
    """What one setting changed in the list or its labels."""

    convention: str
    setting: str
    words: str


def trace_preparation(block: WorkingBlock, preparation: Preparation) -> tuple[Block, JudgedList, list[Change]]:
    """Judge the block of one user; the block, its plain rows, and what was changed on the way."""
    changes: list[Change] = []
    before = moment(block)
    for step in preparation.steps:
        step.take(block)
        after = moment(block)
        changes += [
            Change(convention_name, preparation.given(convention_name), words)
            for convention_name, words in _told(step, before, after)
        ]
        before = after
    done = judged(block, preparation)
    plain = printed_rows(done)
    ends = [*_told_of_ties(plain, preparation), *_told_of_gate(plain)]
    return (
        done,
        plain,
        changes
        + [Change(convention_name, preparation.given(convention_name), words) for convention_name, words in ends],
    )


Told = Iterator[tuple[str, str]]
"""A convention, and what its setting changed."""


def _told(step: Step, before: Snapshot, after: Snapshot) -> Told:
    if step.convention_name == RELEVANT.name:
        yield from _told_of_relevant(before, after)
    elif step.convention_name == KNOWN.name:
        yield from _told_of_known(step, after)
    else:
        yield from ((step.convention_name, words) for words in told(step.setting, before, after))


def _told_of_relevant(before: Snapshot, after: Snapshot) -> Told:
    judged_labels = [label for label in after.labels if label.judged]
    low = [graded(label) for label in judged_labels if not label.relevant and label.grade > 0]
    high = [graded(label) for label in judged_labels if label.relevant and label.grade <= 0]
    if low:
        yield "relevant", f"not relevant: {listed(low)}"
    if high:
        yield "relevant", f"relevant all the same: {listed(high)}"
    gone = [one.item for one, now in zip(before.labels, after.labels, strict=True) if one.exists and not now.exists]
    if gone:
        yield "labels-used", f"{plural(len(gone), 'label')} of other grades not seen: {listed(gone)}"


def _told_of_known(step: Step, after: Snapshot) -> Told:
    returned = {row.item for row in after.rows}
    if step.setting.trait("rows_are_labels"):
        missed = [label.item for label in after.labels if label.judged and label.item not in returned]
        if missed:
            yield "labels-used", f"labels of items that were not returned are not seen: {listed(missed)}"
        labelled = {label.item for label in after.labels if label.judged}
        bare = [row.item for row in after.rows if row.item not in labelled]
        if bare:
            yield "labels-used", f"without a label, so grade 0: {listed(bare)}"
    elif step.setting.trait("labels_of_rows") and after.known > sum(label.judged for label in after.labels):
        yield "labels-used", f"a label stands once for each row of its item: {after.known} labels"


def _told_of_ties(plain: JudgedList, preparation: Preparation) -> Told:
    ties = [row.tie for at, row in enumerate(plain.rows) if row.tie[0] == at and len(row.tie) > 1]
    if not preparation.by_score and preparation.tie_rule is TieEffect.ORDER:
        return
    rule = preparation.settings["ties"].setting_type.rule
    for tie in ties:
        items, first = listed([plain.rows[at].item for at in tie]), plain.rows[tie[0]]
        if preparation.tie_rule is TieEffect.EXPECTED:
            yield "ties", f"tie group of {len(tie)} by expected values, ranks {tie[0] + 1} to {tie[-1] + 1}: {items}"
        elif preparation.tie_rule is TieEffect.SHARED:
            yield "ties", f"tie group of {len(tie)} shares rank {float(first.rank):g}: {items}"
        else:
            yield "ties", f"equal scores ({score(first.score)}), {rule}: {items}"


def _told_of_gate(plain: JudgedList) -> Told:
    kept = [f"{row.item} (score {score(row.score)})" for row in plain.rows if row.relevant and not row.hit]
    if kept:
        yield "min-score", f"relevant, and no hit because of the score: {listed(kept)}"
