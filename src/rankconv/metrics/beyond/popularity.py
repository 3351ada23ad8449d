"""How popular the items of a list are."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.metrics.base import Ratio
from rankconv.metrics.beyond.counted import ITEM_COUNT, POPULARITY, SIGNS, UNSEEN, counted
from rankconv.metrics.beyond.rows import OfRows
from rankconv.preparation.block import Block


class AveragePopularity(OfRows):
    """Compute the mean popularity of the items of the list.

    The mean over the first k of the popularity that an item has in training: its count, or a share. At least 0. No
    end is the better one: popular items are often liked, and known anyway. NaN for an empty list. Needs `train=`.
    Source: Yin, Cui, Li, Yao and Chen, Challenging the long tail recommendation, VLDB 2012; the forms as presets cite
    them.

    >>> import rankconv as rc
    >>> train = {"u": ["a", "b"], "v": ["a"]}
    >>> rc.evaluate({"u": ["c"]}, {"u": ["a", "b"]}, "popularity@2", train=train)["popularity@2"]
    1.5
    """

    name = "popularity"
    cite = "yin2012"
    spellings = ("arp",)
    formula = "sum of the popularity of the items, / row-denominator"
    called = "average popularity"
    written = ("ARP",)
    says = (
        "the sum over the items {here} of the popularity of an item, which is {popularity}, divided by "
        "{row-denominator}"
    )
    tex = r"\frac{1}{«row-denominator»} \sum_{j=1}^{«rows»} «popularity»"
    signs = SIGNS
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    needs: ClassVar[tuple[str, ...]] = ("train",)
    item_count: Annotated[str, ITEM_COUNT]
    popularity: Annotated[str, POPULARITY]
    unseen_item: Annotated[str, UNSEEN]

    def per_user(self, block: Block) -> Ratio:
        counts_of = counted(self, block)
        return self.over_rows(
            block, counts_of.popularity * counts_of.adds, counts_of.counts.astype(np.float64), "popularity"
        )
