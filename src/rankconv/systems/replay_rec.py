"""Settings of RePlay."""

import numpy as np

from rankconv.aggregation import USERS
from rankconv.data.arrays import Mask, Numbers, log2
from rankconv.data.joined import Joined
from rankconv.data.train import Train
from rankconv.metrics.beyond.novelty import ITEM_NOVELTY
from rankconv.preparation.block import Block
from rankconv.preparation.rows import WorkingBlock
from rankconv.preparation.steps.ties import TIES


@USERS.setting(
    "in-training",
    rule="users with a row in training",
    needs=("train",),
    spans_users=False,
    cite="replay_rec",
    says="all users with a row in training are evaluated who have a label or a ranked item",
)
def _(joined: Joined) -> Mask:
    """Users of labels, rankings or `users=`; none where no training data were given."""
    return joined.once(Train).has_users if joined.extra.train is not None else joined.label_counts < 0


@ITEM_NOVELTY.setting(
    "share-of-most",
    rule="-log2(p) / log2(users)",
    cite="replay_rec",
    says="-log2(p)/log2(number of users of training)",
    tex=r"-\frac{\log_2 «popularity»}{\log_2 U}",
)
def _(popularity: Numbers, block: Block, train: Train) -> Numbers:
    """1 for an item that a single user has."""
    return np.asarray(-log2(popularity) / block.numbers(log2(np.array([train.user_count])))[0])


@TIES.setting(
    "number-descending",
    rule="by item id as a number, falling",
    cite="replay_rec",
    needs="item ids that are numbers",
    plain="always",
    orders_items=lambda items: np.nan_to_num(len(items) - items.number_rank, nan=len(items) + 1.0),
    says="items of equal score are ordered by their ids as numbers, falling",
)
def _(block: WorkingBlock) -> Numbers:
    """Ids must be numbers, also where they are written as text."""
    return -block.by_item(block.joined.items.number_rank, np.inf)
