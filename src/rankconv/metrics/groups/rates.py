"""What groups of items have of lists: rows, hits, exposure."""

import numpy as np

from rankconv.conventions.convention import Context, Convention, Setting
from rankconv.conventions.traits import Lack, Traits
from rankconv.data.arrays import Mask, Numbers
from rankconv.metrics.gains import GAIN
from rankconv.metrics.groups.exposure import EXPOSURE, exposure_of_rows
from rankconv.metrics.groups.item_groups import ItemGroups
from rankconv.preparation.blocks.block import Block


class RateTraits(Traits):
    """What else is stated of the settings of what a group has."""

    mean_of_item: bool = False
    """The rows of an item count by their mean, so that each item counts once."""
    of_exposure: bool = False
    """It reads the exposure of ranks."""
    of_gain: bool = False
    """It reads the gain of rows."""


GROUP_RATE = Convention(
    "group-rate",
    "What a group has of the lists",
    reads=("block", "exposure", "gain", "groups", "read"),
    phrase=True,
    tells="groups with other shares of the rows and of the hits",
    traits=RateTraits,
)
"""A setting gives what each row adds to the group of its item, shape (K, users); `read` are the rows that are read."""

NAMED = "reo, rsp, popreo, poprsp (presets elliot and warprec_fairness), exp (preset fairranktune)"


@GROUP_RATE.setting(
    "refuse",
    rule="to be said",
    says="what a group has",
    lacking=lambda joined, settings: Lack(
        "what a group has is not said",
        f"Take a metric that says it: {NAMED}; or write group-rate=hits, group-rate-over=relevant-of-group.",
    ),
)
def _(block: Block) -> Numbers:
    """Spreads of different rates have nothing in common."""
    return np.full((block.depth, block.size), np.nan)


@GROUP_RATE.setting("rows", rule="rows", says="the number of items {here} that are in it", tex="1")
def _(block: Block) -> Numbers:
    """How often its items are listed."""
    return np.ones((block.depth, block.size))


@GROUP_RATE.setting(
    "distinct-rows",
    rule="different items of each list",
    cite="elliot",
    says="the number of different items {here} that are in it",
    tex="1",
)
def _(block: Block) -> Numbers:
    """A repeated item counts once in a list."""
    return block.first_by_rank


@GROUP_RATE.setting("hits", rule="hits", says="the number of relevant items {here} that are in it", tex="r_j")
def _(block: Block) -> Numbers:
    """How often its items are listed for a user who finds them relevant."""
    return block.hits_by_rank


@GROUP_RATE.setting(
    "exposure",
    rule="the exposure of its rows",
    of_exposure=True,
    says="the sum over the items {here} that are in it of the exposure of their rank, {exposure}",
    tex="«exposure»",
)
def _(block: Block, exposure: Setting) -> Numbers:
    """Rows near the top count more."""
    return np.asarray(exposure_of_rows(exposure, block))


@GROUP_RATE.setting(
    "pairs",
    rule="the share of pairs with an item of another group in which it is above, of each list",
    cite="fairranktune",
    says="the share of the pairs of one of its items and one of another group {here} in which its own is above",
    tex=r"\frac{|\{i > j: i \notin G\}|}{n_g (n - n_g)}",
)
def _(block: Block, groups: ItemGroups, read: Mask) -> Numbers:
    """Half where a group is spread evenly over the list."""
    items = block.items_by_rank
    rows = (read & (groups.shares[items] > 0).any(axis=2)).astype(np.float64)
    found, length = np.zeros(items.shape), rows.sum(axis=0)
    below = length - np.cumsum(rows, axis=0)
    for share in groups.shares.T:
        own = share[items] * rows
        number = own.sum(axis=0)
        pairs = number * (length - number)
        others = below - (number - np.cumsum(own, axis=0))
        found += np.where(own > 0, others / np.where(pairs > 0, pairs, 1), 0)
    return found


@GROUP_RATE.setting(
    "gain-of-items",
    rule="the mean gain of each of its items",
    cite="deldjoo2021",
    mean_of_item=True,
    of_gain=True,
    says="the sum over its items of their mean gain {here}",
    tex=r"\bar{g}_i",
)
def _(block: Block, gain: Setting) -> Numbers:
    """An item that is listed often counts once."""
    return block.gains_by_rank(gain)


@EXPOSURE.idle("what groups have is not exposure", "group-rate")
def _(context: Context) -> bool:
    """Whether no exposure is read."""
    rate = context.settings.get("group-rate")
    return rate is not None and not RateTraits.of(rate).of_exposure


@GAIN.idle("what groups have is not gain", "group-rate")
def _(context: Context) -> bool:
    """Whether no gain is read."""
    rate = context.settings.get("group-rate")
    return rate is not None and not RateTraits.of(rate).of_gain
