"""How popular an item is: what is counted in training, by what it is divided, what an item counts that is not there.

Read by metrics of popularity and of novelty.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankconv.data.arrays import Mask, Numbers
from rankconv.data.train import Train
from rankconv.metrics.base import Metric
from rankconv.preparation.block import Block
from rankconv.specs.convention import Convention

COUNTED = "c_j"
SIGNS = {
    "c_j": "how often the item at rank j was counted in training",
    "T": "the sum of the counts of all items in training",
    "U": "the number of users in training",
}

ITEM_COUNT = Convention("item-count", "Count of an item in training", reads=("train",), tells="a repeated interaction")
"""A setting gives the count of each item, shape (items,)."""


@ITEM_COUNT.setting("users", rule="users who have it", says="each user of training counts once for an item")
def _(train: Train) -> Numbers:
    """A repeated interaction adds nothing."""
    return train.users


@ITEM_COUNT.setting("interactions", rule="interactions", says="each interaction of training counts for its item")
def _(train: Train) -> Numbers:
    """A repeated interaction counts again."""
    return train.interactions


POPULARITY = Convention(
    "popularity",
    "Popularity of an item from its count",
    reads=("counts", "block", "train", "all_counts"),
    phrase=True,
    tells="training with more than one user",
)
"""A setting gives the popularity of rows whose items have these `counts`, both of shape (K, users).

`all_counts` are those of all items, shape (items,)."""


@POPULARITY.setting("count", rule="the count itself", says="its count in training", tex=COUNTED)
def _(counts: Numbers) -> Numbers:
    """It grows with the data."""
    return counts


@POPULARITY.setting(
    "share",
    rule="count / sum of all counts",
    says="its count in training over the sum of all counts",
    tex=r"\frac{c_j}{T}",
)
def _(counts: Numbers, block: Block, all_counts: Numbers) -> Numbers:
    """The probability that an interaction is with this item."""
    return np.asarray(counts / block.number(float(all_counts.sum())))


@POPULARITY.setting(
    "user-share",
    rule="count / users",
    says="its count in training over the number of users there",
    tex=r"\frac{c_j}{U}",
)
def _(counts: Numbers, block: Block, train: Train) -> Numbers:
    """The probability that a user has it, where users are counted."""
    return np.asarray(counts / block.number(float(train.user_count)))


UNSEEN = Convention(
    "unseen-item",
    "Items that are not in training",
    reads=("all_counts",),
    tells="an item that is returned and not in training",
)
"""A setting gives the count that such an item is taken to have."""


@UNSEEN.number(rule="its count is this number", least=0, says="an item that is not in training counts as {value}")
def _(value: float) -> float:
    """0 is what it is; 1 is the least that an item of training has."""
    return value


@dataclass(frozen=True, eq=False)
class Counted:
    """What training says of the rows of a block; arrays have shape (K, users)."""

    popularity: Numbers
    counts: Mask
    """Which rows count at all."""
    adds: Mask
    """Which rows add something."""


def counted(metric: Metric, block: Block) -> Counted:
    """The popularity of the item of each row, as the settings of the metric have it."""
    train, settings = block.joined.once(Train), metric.settings
    all_counts = np.asarray(settings["item-count"](train=train))
    found = np.append(all_counts, 0.0)[block.items_by_rank]
    unseen, setting = block.listed & (found == 0), settings["unseen-item"]
    found = block.numbers(np.where(unseen, setting(all_counts=all_counts), found))
    block.show(**{"count in training": found})
    given: dict[str, Any] = {"counts": found, "block": block, "train": train, "all_counts": all_counts}
    listed = np.asarray(block.listed)
    return Counted(
        np.asarray(settings["popularity"](**given)),
        listed & ~unseen if setting.trait("leaves_out") else listed,
        listed & ~unseen if setting.trait("leaves_out") or setting.trait("adds_nothing") else listed,
    )
