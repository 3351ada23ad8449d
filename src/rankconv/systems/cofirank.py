"""Settings of CofiRank."""

import numpy as np

from rankconv.preparation.rows import WorkingBlock
from rankconv.preparation.steps.candidates import CANDIDATES


@CANDIDATES.setting(
    "labelled-only",
    rule="those returned that have a label",
    labelled_only=True,
    says="items without a label are taken out of the list",
)
def _(block: WorkingBlock) -> None:
    """Every other item is taken out of the list."""
    exists = np.append(block.labels.exists & ~block.labels.in_pool, False)
    block.rows.take(exists[block.rows.label])
