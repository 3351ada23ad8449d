"""TorchMetrics: grades that sum to zero, and scores outside 0 to 1."""

import numpy as np

from rankconv.aggregation.special_case import Situation, policy
from rankconv.data.arrays import Mask, is_zero
from rankconv.preparation.registry import BLOCK, judged_by, step_after
from rankconv.preparation.rows import WorkingBlock
from rankconv.specs.convention import Convention


@policy("on-zero-grade-sum", "has grades that sum to zero", after="on-no-relevant", neutral="as-computed")
def _(s: Situation) -> Mask:
    return is_zero(s.block.grade_sum)


SCORE_TRANSFORM = Convention(
    "score-transform",
    "Transformation of scores before ties are found",
    reads=BLOCK,
    tells="scores outside 0 to 1",
    neutral="none",
)
judged_by(SCORE_TRANSFORM, after="max-depth")
step_after("subtopics", SCORE_TRANSFORM)


@SCORE_TRANSFORM.setting("none", rule="no", rises=True, plain="always", no="change of scores")
def _(block: WorkingBlock) -> None:
    """Scores are tied where they are equal."""


@SCORE_TRANSFORM.setting(
    "sigmoid32",
    rule="by a sigmoid in single precision, where a score is outside 0 to 1",
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
