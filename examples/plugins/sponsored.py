"""A convention of your own, with a step before the list is ordered and one after its rows have their grades."""

import numpy as np

from rankconv import plugin

SPONSORED = plugin.Convention(
    "sponsored",
    "What is an item that was paid for?",
    reads=("block",),
    neutral="like-any-other",
    tells="an item whose id begins with ad-",
)


def paid_for(block: plugin.WorkingBlock) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which rows hold such an item, shape (rows,); a row that preparation invented has the id None."""
    return np.array([str(item).startswith("ad-") for item in block.item_ids], bool)


@SPONSORED.setting("like-any-other", rule="an item like any other", no="treatment of sponsored items of their own")
def _(block: plugin.WorkingBlock) -> None:
    """It is never carried out."""


@SPONSORED.setting("removed", rule="taken out of the list", says="sponsored items are taken out of the list")
def _(block: plugin.WorkingBlock) -> None:
    """The places close up before anything is counted."""
    block.rows.take(~paid_for(block))


@SPONSORED.setting("refused", rule="refused", says="a list with a sponsored item is not allowed")
def _(block: plugin.WorkingBlock) -> None:
    """What becomes of such users, `on-invalid` says."""
    rows = block.rows
    block.refuse(paid_for(block), rows.user, rows.item, "has the sponsored item {item} in the list (sponsored=refused)")


@SPONSORED.setting("no-hit", rule="never a hit", moment="graded", says="a sponsored item takes its rank and is no hit")
def _(block: plugin.WorkingBlock) -> None:
    """It keeps its grade, which gains read; relevance can be changed from `labels-used` on."""
    block.rows.relevant = block.rows.relevant & ~paid_for(block)


plugin.preparation_step(SPONSORED, after="exclude")
plugin.preparation_step(SPONSORED, after="labels-used", moment="graded")
