"""How much of a list a user has not had before."""

from typing import ClassVar

import numpy as np

from rankconv.data.train import Train
from rankconv.metrics.base import Ratio
from rankconv.metrics.beyond.rows import OfRows
from rankconv.preparation.block import Block


class NewToUser(OfRows):
    """Compute the share of the list that the user does not have in training.

    Rows of the first k whose item is in no interaction of this user; one who is not in training has had nothing. Range
    0 to 1. No end is the better one. NaN for an empty list. Needs `train=`.
    Source: RePlay 0.22.0, replay/metrics/novelty.py.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["c"]}, {"u": ["a", "b"]}, "new_to_user@2", train={"u": ["a"]})["new_to_user@2"]
    0.5
    """

    name = "new_to_user"
    formula = "rows that the user has not had in training, / row-denominator"
    called = "share of new items"
    says = "the number of items {here} that the user has not had in training, divided by {row-denominator}"
    tex = r"\frac{1}{«row-denominator»} \sum_{j=1}^{«rows»} (1 - t_j)"
    signs: ClassVar[dict[str, str]] = {"t_j": "1 if the user has the item at rank j in training, else 0"}
    needs: ClassVar[tuple[str, ...]] = ("train",)

    def per_user(self, block: Block) -> Ratio:
        had = block.joined.once(Train).had(block.users, block.items_by_rank)
        new = np.asarray(block.listed) & ~had
        return self.over_rows(block, new.astype(np.float64), np.asarray(block.listed, np.float64), "new")
