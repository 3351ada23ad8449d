"""Settings of LensKit."""

from typing import Annotated

import numpy as np

from rankconv.data.arrays import Numbers, power
from rankconv.metrics.beyond.novelty import POPULARITY
from rankconv.metrics.beyond.of_all_lists import ROW_WEIGHT
from rankconv.preparation.block import Block
from rankconv.specs.parameters import Above


@POPULARITY.setting(
    "quantile",
    rule="the rank of the count among the items of training, by their number",
    cite="lenskit",
    says="its rank by rising count among the items of training, mean ranks for equal counts, over their number",
    tex="F(c_j)",
    signs={"F": "the mean rank of a count among those of training, by their number"},
)
def _(counts: Numbers, block: Block, all_counts: Numbers) -> Numbers:
    """1 for the most popular item alone, 0 for one that is not in training."""
    there = np.sort(all_counts[all_counts > 0])
    wanted = np.asarray(counts, np.float64)
    below, upto = (np.searchsorted(there, wanted, side=side) for side in ("left", "right"))
    ranks = np.where(upto > below, (below + upto + 1) / 2, below)
    return np.asarray(block.numbers(ranks) / block.number(float(len(there))))


@ROW_WEIGHT.setting(
    "geometric",
    rule="patience^(rank - 1)",
    counted_by=("rank",),
    cite="lenskit",
    says="the row at rank j weighs {patience}^(j - 1)",
    tex="«patience»^{j - 1}",
)
def _(ranks: Numbers, *, patience: Annotated[float, Above(0)]) -> Numbers:
    """As the reader of RBP."""
    return np.asarray(power(patience, ranks - 1))
