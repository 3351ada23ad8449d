"""A setting of a preparation convention: lists end where the score falls steeply, as the autocut of search engines."""

import numpy as np

import rankconv as rc
from rankconv import plugin


@rc.convention("max-depth").setting(
    "to-drop",
    rule="as far as no score is lower than the one above by more than `by`",
    needs=("scores",),
    says="a list ends where the score falls by more than {by}",
)
def to_drop(block: plugin.WorkingBlock, *, by: float) -> None:
    """Which rows stand above the first such fall of their list; the places are those of the prepared order."""
    rows = block.rows
    below = rows.user[1:] == rows.user[:-1]
    falls = np.append(0, np.cumsum(below & (rows.score[:-1] - rows.score[1:] > by)))[: len(rows.user)]
    first = np.cumsum(rows.counts(block.size)) - rows.counts(block.size)
    rows.take(falls == falls[first[rows.user]])
