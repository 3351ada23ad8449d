"""The least score of a hit."""

from rankconv.data.arrays import Mask
from rankconv.preparation.registry import BLOCK, judged_by
from rankconv.preparation.rows import WorkingBlock
from rankconv.specs.convention import Convention

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


judged_by(SCORE_GATE)
