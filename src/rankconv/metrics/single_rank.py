"""What one rank adds, where a text prints the terms of a sum."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.metrics.base import Metric, Ratio
from rankconv.metrics.gain import UNBOUNDED
from rankconv.metrics.gains import DISCOUNT, GAIN
from rankconv.preparation.block import Block


class DiscountedGain(Metric):
    """Compute what the item at rank k adds to DCG.

    Gain times discount of that one item; of the last one without a cutoff. 0 beyond the list. Range: that of the gains.
    Source: Järvelin and Kekäläinen, TOIS 20(4), 2002, where DCG is built up from it.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": {"a": 3, "b": 2}}, {"u": ["b", "x", "a"]}, "discounted_gain@3")["discounted_gain@3"]
    1.5
    """

    name = "discounted_gain"
    cite = "jarvelin2002"
    formula = "gain · discount at rank k"
    says = "the discounted gain of the item at {rank}"
    tex = r"\frac{«gain»}{«discount»}, \quad j = «K»"
    linear = True
    splits: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = UNBOUNDED
    gain: Annotated[str, GAIN]
    discount: Annotated[str, DISCOUNT]

    def per_user(self, block: Block) -> Ratio:
        gains = np.vstack([np.zeros(block.size), block.gains_by_rank(self.settings["gain"])])
        last = block.lengths.astype(np.int64)
        rank = last if self.scope is None else np.where(last < self.scope, 0, self.scope)
        weights = np.broadcast_to(block.of_ranks(self.settings["discount"], len(gains)), gains.shape)
        user = np.arange(block.size)
        return Ratio(gains[rank, user] * weights[rank - 1, user], np.ones(block.size))  # at rank 0 nothing is gained
