"""What scores decide beside the order: ties of changed scores, and which rows can be hits."""

import numpy as np

from rankconv.data.arrays import Mask
from rankconv.preparation.registry import BLOCK, judged_by, step_after
from rankconv.preparation.rows import WorkingBlock
from rankconv.specs.convention import Convention

REGROUP = Convention(
    "score-transform", "Transformation of scores before ties are found", reads=BLOCK, tells="scores outside 0 to 1"
)
step_after("duplicates after-depth", REGROUP)


@REGROUP.setting("none", rule="no", rises=True, plain="always", no="change of scores")
def _(block: WorkingBlock) -> None:
    """Scores are tied where they are equal."""


@REGROUP.setting(
    "sigmoid32",
    rule="by a sigmoid in single precision, where a score lies outside 0 to 1",
    needs="scores",
    makes_ties=True,
    says="scores outside 0 to 1 pass a sigmoid in single precision, after which some are equal",
)
def _(block: WorkingBlock) -> None:
    """Of the rows that are left of a list; high scores become 1 and tie, whatever their order was."""
    rows = block.rows
    outside = block.any_of((rows.score < 0) | (rows.score > 1), rows.user)[rows.user]
    with np.errstate(over="ignore"):
        narrow = rows.score.astype(np.float32)
        squeezed = np.float32(1) / (np.float32(1) + np.exp(-narrow))
    rows.score = np.where(outside, squeezed.astype(np.float64), rows.score)


SCORE_GATE = Convention("min-score", "Least score of a hit", reads=BLOCK, tells="a hit with a score of 0 or below")
"""A setting gives which rows are hits, shape (rows,). Its trait `above` says the same of many lists at once: a relevant
row is a hit where its score is above this number."""


@SCORE_GATE.setting(
    "none", rule="a relevant row is a hit, whatever its score", plain="always", no="threshold on scores"
)
def _(block: WorkingBlock) -> Mask:
    """Scores only make the order."""
    return block.rows.relevant


@SCORE_GATE.setting(
    "positive",
    rule="a relevant row is a hit only with a score above 0",
    cite="torchmetrics",
    needs="scores",
    above=0.0,
    plain="scores not shifted to 0",
    says="a relevant item is a hit only if its score is above 0",
)
def _(block: WorkingBlock) -> Mask:
    """A row with score 0 or below is no hit; it still counts among the relevant ones."""
    return block.rows.relevant & (block.rows.score > 0)


judged_by(REGROUP, SCORE_GATE)
