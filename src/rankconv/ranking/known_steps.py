"""Steps 4 and 5 of judging, carried out: which labels are relevant, which exist, and what they say of the rows."""

import numpy as np

from rankconv.choice import Answer
from rankconv.ranking.rows import Known, Numbers, WorkingBlock


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
