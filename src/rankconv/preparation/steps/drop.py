"""Which items are taken out of lists before anything else."""

import numpy as np

from rankconv.data.arrays import among
from rankconv.preparation.on_data import leaving_lists
from rankconv.preparation.registry import BLOCK, judged_by, step_after
from rankconv.preparation.rows import NOTHING, WorkingBlock
from rankconv.specs.convention import Convention

DROP = Convention(
    "exclude",
    "Items removed from the list first",
    reads=BLOCK,
    tells="an item whose id is the user's",
    combine=True,
)
step_after("candidates", DROP)


@DROP.setting("none", rule="none", plain="always", no="item taken out beforehand")
def _(block: WorkingBlock) -> None:
    """The list keeps every item."""


@DROP.setting(
    "identical-ids",
    rule="the item whose id is the user's",
    cite="beir",
    plain="no item named as user",
    says="an item whose id is that of the user is taken out of the list",
)
def _(block: WorkingBlock) -> None:
    """A query that is itself a document does not find itself."""
    own = block.joined.item_named_as_user[block.users]
    block.rows.take(block.rows.item != np.where(own >= 0, own, -2)[block.rows.user])


@DROP.setting(
    "seen",
    rule="the items in `seen=`",
    needs="seen",
    plain="no seen item",
    says="items that the user had seen before are taken out of the list",
)
def _(block: WorkingBlock) -> None:
    """Items that the user met in training, as given by the caller."""
    seen = block.joined.extra.seen
    assert seen is not None
    keys = block.users[block.rows.user] * block.items + block.rows.item
    block.rows.take((block.rows.item == NOTHING) | ~among(keys, seen))


DROP.equivalent(leaving_lists(DROP.name))


judged_by(DROP)
