"""Settings of RecBole."""

from rankconv.data.arrays import Numbers
from rankconv.metrics.auc import WEIGHT
from rankconv.metrics.beyond.distribution import ENTROPY_DIVISOR
from rankconv.metrics.beyond.of_all_lists import ITEM_NUMBER, Shown
from rankconv.preparation.block import Block


@WEIGHT.setting(
    "positives",
    rule="the hits",
    formula_tells=True,
    cite="recbole",
    says="a user weighs as much as they have relevant items in their list",
)
def _(block: Block, k: int | None) -> Numbers:
    """As many as the user has in their list."""
    return block.hits_so_far.at(k)


@ENTROPY_DIVISOR.setting(
    "items",
    rule="the items shown",
    counted_by=(),
    cite="recbole",
    says="the number of different items shown",
    tex="I_L",
    signs={"I_L": "the number of different items in the lists"},
)
def _(shown: Shown) -> float:
    """Falls with the number of items."""
    return float(shown.items)


@ITEM_NUMBER.setting(
    "catalogue-and-one",
    rule="those of the catalogue, and one",
    needs=("catalogue",),
    counted_by=("catalogue",),
    cite="recbole",
    says="one more than the items of the catalogue",
    tex="(N + 1)",
)
def _(shown: Shown) -> float:
    """Where the padding of short lists has a number among the items."""
    return shown.of_all_data("catalogue") + 1
