"""How new the items of a list are to the world: the rarer in training, the more novel."""

from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.data.elementary import log
from rankconv.data.train import Train
from rankconv.metrics.base import Ratio
from rankconv.metrics.beyond.counted import ITEM_COUNT, POPULARITY, SIGNS, UNSEEN, Counted, counted
from rankconv.metrics.beyond.rows import ROW_WEIGHT, OfRows
from rankconv.preparation.block import Block
from rankconv.specs.convention import Convention
from rankconv.specs.parameters import LogBase, Within

ITEM_NOVELTY = Convention(
    "item-novelty",
    "Novelty of an item from its popularity",
    reads=("block", "popularity", "train"),
    phrase=True,
    tells="training with more than one user",
)
"""A setting gives the novelty of rows of this popularity p, both of shape (K, users)."""


@ITEM_NOVELTY.setting(
    "self-information",
    rule="-log_base(p)",
    says="-{base:log}(p{epsilon:? + })",
    tex=r"-«base:log»\left(«popularity»«epsilon:? + »\right)",
)
def _(popularity: Numbers, *, base: LogBase, epsilon: Annotated[float, Within(0, 1)] = 0) -> Numbers:
    """The information, in bits with base 2, of knowing that a user, or an interaction, has this item."""
    return np.asarray(-log(popularity + epsilon if epsilon else popularity, base))


NOVEL_ROWS = Convention(
    "novelty-rows", "Rows whose novelty is added", reads=("block",), phrase=True, tells="a list with hits and misses"
)
"""A setting gives 1 for each such row, shape (K, users)."""


@NOVEL_ROWS.setting("all", rule="all", says="items", tex="")
def _(block: Block) -> Numbers:
    """Relevant or not."""
    return np.ones((block.depth, block.size))


class Novelty(OfRows):
    """Compute the mean novelty of the items of the list.

    The mean over the first k of the novelty of an item of popularity p: its self-information -log(p), or 1 - p. With
    p the share of users it is mean inverse user frequency (MIUF); with relevant rows, weighted by rank, the expected
    free discovery (EFD) and the expected popularity complement (EPC). At least 0, at most 1 for 1 - p. No end is the
    better one. NaN for an empty list. Needs `train=`.
    Source: Zhou et al., PNAS 107(10), 2010; Vargas and Castells, RecSys 2011; the forms as presets cite them.

    >>> import rankconv as rc
    >>> train = {"u": ["a", "b"], "v": ["a"]}
    >>> rc.evaluate({"u": ["c"]}, {"u": ["a", "b"]}, "novelty@2", train=train)["novelty@2"]
    0.5
    """

    name = "novelty"
    cite = "vargas2011"
    spellings = ("miuf",)
    formula = "sum of weight · novelty of the items, / row-denominator"
    says = (
        "the sum over the {novelty-rows} {here} of the novelty of an item, which is {item-novelty}, p being "
        "{popularity}, divided by {row-denominator}"
    )
    tex = r"\frac{1}{«row-denominator»} \sum_{j=1}^{«rows»} «novelty-rows» «row-weight» \cdot «item-novelty»"
    signs = SIGNS
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    needs: ClassVar[tuple[str, ...]] = ("train",)
    item_count: Annotated[str, ITEM_COUNT]
    popularity: Annotated[str, POPULARITY] = "user-share"
    unseen_item: Annotated[str, UNSEEN]
    item_novelty: Annotated[str, ITEM_NOVELTY]
    novelty_rows: Annotated[str, NOVEL_ROWS]
    row_weight: Annotated[str, ROW_WEIGHT]

    def per_user(self, block: Block) -> Ratio:
        counts_of, settings = counted(self, block), self.settings
        weights = block.of_ranks(settings["row-weight"], block.depth) * counts_of.counts
        with np.errstate(divide="ignore", invalid="ignore"):
            given: dict[str, Any] = {"popularity": _above_zero(block, counts_of), "block": block}
            novelty = settings["item-novelty"](train=block.joined.once(Train), **given)
            worth = novelty * weights * settings["novelty-rows"](block=block)
        block.show(novelty=np.where(counts_of.adds, novelty, 0))
        added = np.where(counts_of.adds, worth, 0)
        return self.over_rows(block, added, weights, "added")


def _above_zero(block: Block, counts_of: Counted) -> Numbers:
    """The popularity of each row, and 1 in rows that add nothing, whose logarithm nobody reads; shape (K, users)."""
    return np.where(counts_of.adds, counts_of.popularity, block.numbers(np.ones((1, 1))))
