"""TorchRec takes a score of 0 as padding."""

from typing import Annotated

import numpy as np

from rankconv.aggregation.exact_sum import ExactSum
from rankconv.aggregation.means import MEAN
from rankconv.aggregation.special_case import Situation, policy
from rankconv.data.arrays import Mask
from rankconv.preparation.expected import Ties
from rankconv.preparation.rows import WorkingBlock
from rankconv.preparation.steps.depth import DEPTH
from rankconv.specs.parameters import Above


@policy(
    "on-equal-or-zero-scores",
    "has a list whose scores are all 0 or that of the row given first",
    after="on-undetermined",
    neutral="as-computed",
    reads_deep=True,
    whole_lists=True,
)
def _(s: Situation) -> Mask:
    scores, listed = s.block.scores_by_rank, s.block.listed
    first = np.where(listed & (s.block.places == 0), scores, 0.0).sum(axis=0)
    return np.asarray(((scores == first) | (scores == 0) | ~listed).all(axis=0) & (s.block.lengths > 0))


@MEAN.setting(
    "smoothed",
    rule="(sum + by) / (number + 2 · by)",
    rises=True,
    cite="torchrec",
    says="the reported number is the sum over the users counted plus {by}, divided by their number plus twice {by}",
    tex=r"\frac{«by» + \sum_{u \in U} m_u}{2 \cdot «by» + \left|U\right|}",
)
def _(summed: ExactSum, by: Annotated[float, Above(0)]) -> float:
    """Drawn to one half, the more so the fewer users there are."""
    return (summed.total + by) / (summed.number + 2 * by)


@DEPTH.setting(
    "cutoff-and-ties",
    rule="the metric's k, and all rows tied with the k-th",
    reads_cutoff=True,
    keeps_ties=True,
    plain="falling scores",
    says="rows below the cutoff are taken off before anything is computed, except those tied with the last one kept",
)
def _(block: WorkingBlock) -> None:
    """A tie at the border makes the list longer than k; metrics at k read all of it.

    Tied are rows of equal score that stand together, as they do where lists are ordered by score.
    """
    if block.k is not None:
        block.rows.take(Ties(block.rows.user, block.rows.score, block.rows.rank).first < block.k)
