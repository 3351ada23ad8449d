"""Settings of metrics of groups of items that one system needs."""

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.metrics.beyond.of_all_lists import added
from rankconv.metrics.groups.exposure import EXPOSURE_OF
from rankconv.metrics.groups.spread import GROUP_SPREAD, Sides
from rankconv.preparation.blocks.block import Block


@EXPOSURE_OF.setting(
    "all-rows-if-relevant",
    rule="all rows of a list with a relevant row",
    cite="fair_trec_2022",
    says="items of a list that has a relevant item",
    tex=r"\left[\sum_i r_i > 0\right]",
)
def _(block: Block) -> Numbers:
    """Without a relevant row the list is taken to have no exposure."""
    return np.broadcast_to((block.hits_by_rank > 0).any(axis=0).astype(np.float64), (block.depth, block.size))


@GROUP_SPREAD.setting(
    "max-from-mean",
    rule="the greatest absolute difference to the mean",
    cite="fairranktune",
    says="the greatest absolute difference of the value of a group to their mean",
    tex=r"\max_g \left|v_g - \mu_h(v_h)\right|",
)
def _(rates: Numbers) -> Sides:
    """That of the group furthest out."""
    return abs(rates - added(rates) / len(rates)).max(), 1.0


@GROUP_SPREAD.setting(
    "mean-from-mean",
    rule="the mean absolute difference to the mean",
    cite="fairranktune",
    says="the mean absolute difference of the values of the groups to their mean",
    tex=r"\frac{1}{|G|} \sum_g \left|v_g - \mu_h(v_h)\right|",
)
def _(rates: Numbers) -> Sides:
    """The mean absolute deviation."""
    return added(abs(rates - added(rates) / len(rates))), float(len(rates))


@GROUP_SPREAD.setting(
    "length",
    rule="the square root of the sum of the squares",
    cite="fairranktune",
    says="the square root of the sum of the squared values of the groups",
    tex=r"\sqrt{\sum_g v_g^2}",
)
def _(rates: Numbers) -> Sides:
    """It grows with the values, also where all are equal."""
    return np.sqrt(added(rates**2)), 1.0
