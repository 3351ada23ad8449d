"""In which order rows of equal score stand, or what they share."""

from typing import Literal

import numpy as np

from rankconv.data.arrays import Codes, Numbers
from rankconv.preparation.expected import TieEffect
from rankconv.preparation.registry import BLOCK, judged_by
from rankconv.preparation.rows import NOTHING, WorkingBlock
from rankconv.preparation.steps.order import as_given, no_ties
from rankconv.specs.convention import Convention

TIES = Convention("ties", "Order of rows of equal score", reads=BLOCK, tells="tied scores")
"""A setting gives the key by which tied rows are ordered, smallest first, shape (rows,); None for the order given.

Its trait `orders_items` says the same of many lists at once: False where tied rows keep the order given, else a
function of the ids that gives the place of each item among tied ones, whole and not below 0, or None where these are
turned round. With `rising_grade` these places decide only between tied rows of one grade.
"""


@TIES.setting(
    "given",
    rule="as given",
    by_place=True,
    plain="always",
    orders_items=False,
    says="items of equal score keep the order given",
)
def _(block: WorkingBlock) -> None:
    """A stable sort: the order in which the rows came."""


@TIES.setting(
    "reversed",
    rule="the last given first",
    by_place=True,
    plain="always",
    orders_items=lambda items: None,
    says="items of equal score stand in the reverse of the order given",
)
def _(block: WorkingBlock) -> Codes:
    """As where an ascending sort is turned round."""
    return -block.rows.place


@TIES.setting(
    "item-ascending",
    rule="by item id as text, rising",
    plain="always",
    orders_items=lambda items: items.text_rank,
    says="items of equal score are ordered by their ids as text, rising",
)
def _(block: WorkingBlock) -> Codes:
    """Ids are compared as text, by code point."""
    return _text_rank(block)


@TIES.setting(
    "item-descending",
    rule="by item id as text, falling",
    cite="trec_eval-10",
    plain="always",
    orders_items=lambda items: len(items) - items.text_rank,
    says="items of equal score are ordered by their ids as text, falling",
)
def _(block: WorkingBlock) -> Codes:
    """Ids are compared as text, by code point; `9` is above `10`."""
    return -_text_rank(block)


@TIES.setting(
    "relevant-first",
    rule="by falling grade",
    plain="always",
    says="items of equal score stand by falling grade, the best order for them",
)
def _(block: WorkingBlock) -> Numbers:
    """The best order that the scores allow."""
    return -np.nan_to_num(block.rows.grade)


@TIES.setting(
    "relevant-last",
    rule="by rising grade",
    plain="always",
    says="items of equal score stand by rising grade, the worst order for them",
)
def _(block: WorkingBlock) -> Numbers:
    """The worst order that the scores allow."""
    return np.nan_to_num(block.rows.grade)


@TIES.setting(
    "relevant-last-then-item",
    rule="by rising grade, then by item id as text, rising",
    plain="always",
    orders_items=lambda items: items.text_rank,
    rising_grade=True,
    says="items of equal score stand by rising grade, the worst order for them, and those of one grade by their ids",
)
def _(block: WorkingBlock) -> Codes:
    """The worst order that the scores allow, the same however rows were sorted."""
    order = np.lexsort((_text_rank(block), np.nan_to_num(block.rows.grade)))
    key = np.empty(len(order), np.int64)
    key[order] = np.arange(len(order))
    return key


@TIES.setting(
    "expected",
    rule="the expected value over all their orders",
    cite="mcsherry2008",
    decides=TieEffect.EXPECTED,
    plain="falling scores",
    orders_items=False,
    says="items of equal score count by the metric's expected value over all their orders",
)
def _(block: WorkingBlock) -> None:
    """In closed form; without one `relevant-last-then-item`, or `item-ascending` if the metric reads no labels."""


@TIES.setting(
    "rank",
    rule="they share one rank",
    decides=TieEffect.SHARED,
    plain="falling scores",
    says="items of equal score share the {at} of their ranks",
)
def _(block: WorkingBlock, at: Literal["min", "max", "average", "average-floor"]) -> None:
    """The first rank is called optimistic, the last pessimistic (one threshold), the mean of both realistic.

    The middle one is the mean rounded down. Under the first one precision may be above 1.
    """


@TIES.setting(
    "undefined",
    rule="not defined by the system; taken as given",
    by_place=True,
    undefined=True,
    plain="always",
    orders_items=False,
    says="the order of items of equal score is left open, and they keep the order given",
)
def _(block: WorkingBlock) -> None:
    """The system leaves the order to chance or to its sort; the number may differ from ours within ties."""


def _text_rank(block: WorkingBlock) -> Codes:
    return block.by_item(block.joined.items.text_rank, NOTHING)


TIES.equivalent(no_ties)
TIES.idle("the list is not ordered by score", by="order")(as_given)
judged_by(TIES)
