"""Sums of gains that are divided by no ideal list: scaled DCG, the mean gain, and what one rank adds."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention
from rankconv.metrics.base import Metric, Ratio, TopKMetric
from rankconv.metrics.dcg import UNBOUNDED, DiscountedMetric, dcg_of_ones, gain_so_far
from rankconv.metrics.divisors import DCG_OF_LIST, DIVISOR
from rankconv.metrics.gains import DISCOUNT, GAIN
from rankconv.preparation.blocks.block import Block


class ScaledDCG(DiscountedMetric):
    """Compute DCG divided by the DCG of k items of gain 1.

    DCG@k divided by the sum of the discounts of ranks 1 to k, also where the list is shorter. Range 0 to 1 where
    gains are in it, as with `gain=linear-over(h)`. Without a cutoff k is the length of the list.
    Source: Moffat et al., CIKM 2013, as cwl_eval has it (SDCG).

    >>> import rankconv as rc
    >>> spec = "scaled_dcg(gain=linear-over(4))@1"
    >>> rc.evaluate({"u": {"a": 2}}, {"u": ["a"]}, spec)[spec]
    0.5
    """

    name = "scaled_dcg"
    cite = "moffat2013"
    rises = True
    spellings = ("sdcg",)
    formula = "DCG@k / sum of discount, ranks 1 to k"
    called = "scaled DCG"
    says = "the sum of the discounted gains of the items {here}, divided by that of {as_many} items of gain 1"
    tex = rf"\frac{{{DCG_OF_LIST}}}{{\sum_{{j=1}}^{{«k»}} 1 / «discount»}}"
    splits: ClassVar[bool] = True

    def per_user(self, block: Block) -> Ratio:
        ranks = block.lengths.astype(np.int64) if self.k is None else np.full(block.size, self.k)
        return Ratio(self.dcg(block), dcg_of_ones(block, self.settings["discount"], ranks))


GAIN_DENOMINATOR = Convention("gain-denominator", "Divisor of the sum of gains", options_of=DIVISOR)


class GainMean(TopKMetric):
    """Compute the mean gain of the items of the list.

    The gains of the first k, summed and divided by the setting of `gain-denominator`. Range: that of the gains.
    Source: CatBoost 1.2.10, AverageGain.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": {"a": 3, "b": 2}}, {"u": ["b", "x", "a"]}, "gain_mean@2")["gain_mean@2"]
    1.0
    """

    name = "gain_mean"
    rises = True
    formula = "sum of gain, ranks 1 to k, / gain-denominator"
    called = "mean gain"
    says = "the sum of the gains of the items {here}, divided by {gain-denominator}"
    tex = r"\frac{\sum_{j=1}^{«K»} «gain»}{«gain-denominator»}"
    linear = True
    range: ClassVar[tuple[float, float]] = UNBOUNDED
    gain: Annotated[str, GAIN]
    gain_denominator: Annotated[str, GAIN_DENOMINATOR]

    def per_user(self, block: Block) -> Ratio:
        total = block.once(gain_so_far, self.settings["gain"]).at(self.scope)
        return Ratio(total, self.divided_by("gain-denominator", block))


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
