"""cute_ranking changes values above 1."""

import numpy as np

from rankconv.aggregation.special_case import Situation, policy
from rankconv.data.arrays import Mask, Numbers, below
from rankconv.metrics.divisors import DIVISOR
from rankconv.metrics.hit_rate import HIT_BY, R_PRECISION_AT
from rankconv.preparation.block import Block


@policy(
    "on-above-one",
    "has a value above 1",
    after="on-negative-denominator",
    neutral="as-computed",
    of_ratio=True,
    by_order=True,
)
def _(s: Situation) -> Mask:
    return np.asarray(np.any([below(part.denominator, part.numerator) for part in s.parts], axis=0))


@DIVISOR.setting(
    "labels-above",
    rule="labels with a grade above x",
    says="the number of labels with a grade above {level}",
    tex="R_{> «level»}",
    called="labels above {level}",
)
def _(block: Block, level: float) -> Numbers:
    """Counted by grade, whatever is relevant."""
    return block.labels_above(level)


@HIT_BY.setting(
    "grade-sum",
    rule="grades in the first k that sum to more than 0",
    reads_order=True,
    cite="cute_ranking",
    says="the grades of the items {here} sum to more than 0",
    tex=r"\mathbf{1}\left[\sum_{j=1}^{«K»} g_j > 0\right]",
)
def _(block: Block, scope: int | None) -> Numbers:
    """A negative grade can cancel a hit."""
    return block.grades_so_far.at(scope)


@R_PRECISION_AT.setting(
    "last-hit",
    rule="the rank of the last hit",
    counts_hits=True,
    cite="cute_ranking",
    says="the rank of the last relevant item",
    tex=r"\max\{j : r_j = 1\}",
    called="rank of the last hit",
)
def _(block: Block) -> Numbers:
    """Where the list has found all that it finds; 0 without a hit."""
    return np.asarray((block.hits_by_rank * block.ranks_down_to(block.depth)).max(axis=0, initial=0.0))
