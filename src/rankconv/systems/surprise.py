"""Settings of Surprise."""

from rankconv.preparation.rows import WorkingBlock
from rankconv.preparation.steps.depth import DEPTH


@DEPTH.setting(
    "score-at-least",
    rule="rows with at least this score",
    needs="scores",
    cite="surprise",
    says="only rows with a score of at least {least} are read",
)
def _(block: WorkingBlock, least: float) -> None:
    """A row below it is no recommendation, as where scores are predicted ratings; a row without a score is none."""
    block.rows.take(block.rows.score >= least)
