"""Metrics of graded relevance: cumulative gain, DCG, ideal DCG, NDCG, and what one rank adds."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention, Setting
from rankconv.data.arrays import Codes, Numbers
from rankconv.metrics.base import Expectation, Metric, Ratio, TopKMetric
from rankconv.metrics.divisors import DCG_OF_IDEAL, DCG_OF_LIST, DIVISOR
from rankconv.metrics.gains import DISCOUNT, GAIN, discounted, discounted_rows
from rankconv.metrics.ideals import IDEAL, IDEAL_CUTOFF, NORMALIZATION
from rankconv.metrics.item_weights import RELEVANT_WEIGHTS, RELEVANT_WEIGHTS_TEX, WeighedMetric, weights_of_relevant
from rankconv.preparation.arithmetic import CumulativeSum
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.captions import said_as, shown_as_ideal
from rankconv.preparation.pipeline import Preparation

UNBOUNDED = (-np.inf, np.inf)


def gain_so_far(block: Block, gain: Setting) -> CumulativeSum:
    """Gains summed down to each rank, shape (ranks, users)."""
    return block.sum(gain=block.gains_by_rank(gain))


def dcg_so_far(block: Block, gain: Setting, discount: Setting) -> CumulativeSum:
    """Discounted gains summed down to each rank, shape (ranks, users)."""
    return block.sum(product=discounted_rows(block, block.gains_by_rank(gain), discount))


def dcg_of_ones(block: Block, discount: Setting, ranks: Codes) -> Numbers:
    """DCG of so many items of gain 1, shape (users,) as `ranks`."""
    weights = block.of_ranks(discount, int(ranks.max(initial=0)))
    total = np.concatenate([np.zeros((1, *weights.shape[1:])), np.cumsum(weights, axis=0)])
    return np.asarray(np.broadcast_to(total, (len(total), block.size))[ranks, np.arange(block.size)])


DCG_DENOMINATOR = Convention(
    "dcg-denominator",
    "Divisor of DCG, and of the ideal DCG too",
    reads=(*DIVISOR.reads, "discount", "weighed"),
    tells="users of different numbers of relevant labels",
)
"""A setting gives each user's divisor, shape (users,); None for 1. `weighed` is the block with the weights of items."""


@DCG_DENOMINATOR.setting("none", rule="not divided", formula_tells=True, no="", tex="")
def _(block: Block) -> None:
    """The sum itself."""


@DCG_DENOMINATOR.setting("by", rule="divided by that number", says="DCG is divided by {of}", tex=" / «of»")
def _(of: Annotated[Callable[[], Numbers], DIVISOR]) -> Numbers:
    """Such as `by(k)`; in a ratio of sums over users it weighs the users."""
    return of()


@DCG_DENOMINATOR.setting(
    "dcg-of-ones",
    rule="divided by the DCG of min(k, R) items of gain 1",
    cite="napkinxc",
    says="DCG is divided by that of an ideal list in which every relevant label gains 1",
    tex=" / D_1",
    signs={"D_1": "the DCG, down to the same rank, of a list of the relevant items alone, each of gain 1"},
)
def _(block: Block, k: int | None, discount: Setting) -> Numbers:
    """As if every relevant label weighed 1: what is left is the mean weight of the hits, by rank."""
    labels = block.relevant_count if k is None else np.minimum(block.relevant_count, k)
    return dcg_of_ones(block, discount, labels.astype(np.int64))


DCG_DENOMINATOR.setting(
    "relevant-weights",
    says="DCG is divided by the sum of the weights of the relevant labels",
    tex=f" / {RELEVANT_WEIGHTS_TEX}",
    **RELEVANT_WEIGHTS,
)(weights_of_relevant)


def _said_if_divided(by: Numbers | None, *_: Any) -> Iterator[tuple[str, Numbers]]:
    if by is not None:
        yield "DCG is divided by", by


@said_as(by=_said_if_divided)
def divisor_of_dcg(block: Block, metric: WeighedMetric) -> Numbers | None:
    """What the setting of `dcg-denominator` divides DCG by, shape (users,); None for 1."""
    setting, discount = metric.settings["dcg-denominator"], metric.settings["discount"]
    given = {"block": block, "k": metric.k, "scope": metric.scope, "inside": False, "discount": discount}
    by: Numbers | None = setting(**given, weighed=metric.weighed(block))
    return by


def _by_or_nothing(dcg: Numbers, by: Numbers) -> Numbers:
    """DCG by its divisor, 0 where that is 0, all of shape (users,): such a user adds nothing to sums over users."""
    return np.asarray(np.where(by == 0, 0.0, dcg / np.where(by == 0, 1.0, by)))


class _Discounted(WeighedMetric):
    """What DCG, its ideal and their ratio share."""

    linear = True
    splits: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    named_first: ClassVar[tuple[str, ...]] = ("gain", "discount")
    gain: Annotated[str, GAIN]
    discount: Annotated[str, DISCOUNT]

    def dcg(self, block: Block) -> Numbers:
        """DCG of the list, undivided, shape (users,)."""
        return self.weighed(block).once(dcg_so_far, self.settings["gain"], self.settings["discount"]).at(self.scope)


class _WithIdeal(_Discounted):
    """What ideal DCG and NDCG share."""

    named_first: ClassVar[tuple[str, ...]] = ("gain", "discount", "ideal")
    ideal: Annotated[str, IDEAL]
    ideal_cutoff: Annotated[str, IDEAL_CUTOFF]

    def ideal_dcg(self, block: Block) -> Numbers:
        """DCG of the ideal list, shape (users,)."""
        settings, block = self.settings, self.weighed(block)
        ideal = settings["ideal"]
        k = self.k if "k" in ideal.reads else None
        within_k = settings["ideal-cutoff"].traits.within_k
        ranks = (block.deepest or self.k) if within_k and self.k is not None else None
        gain, discount = settings["gain"], settings["discount"]
        best = block.once(ideal_so_far, gain, discount, ideal, k, ranks)
        return best.at_rows(settings["ideal-cutoff"](block=block, k=self.k))

    def expectation(self, preparation: Preparation) -> Expectation:
        """Of labels as given the order is that of the rows, where these are the labels."""
        as_given = self.settings["ideal"].traits.as_given and preparation.settings["labels-used"].traits.aligned_arrays
        return Expectation.RELEVANT_LAST if as_given else super().expectation(preparation)


@shown_as_ideal
def ideal_so_far(
    block: Block, gain: Setting, discount: Setting, ideal: Setting, k: int | None, ranks: int | None
) -> CumulativeSum:
    """DCG of the ideal list down to each rank, shape (ranks, users)."""
    return block.sum(discounted(block, ideal(block=block, gain=gain, k=k, ranks=ranks), discount))


class CG(TopKMetric):
    """Compute the sum of the gains of the list.

    The sum of the gains of the first k. Range: that of the gains.
    Source: Järvelin and Kekäläinen, TOIS 20(4), 2002.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": {"a": 3, "b": 2}}, {"u": ["b", "x", "a"]}, "cg@3")["cg@3"]
    5.0
    """

    name = "cg"
    cite = "jarvelin2002"
    rises = True
    formula = "sum of gain, ranks 1 to k"
    called = "cumulative gain"
    paper_names = ("CG",)
    says = "the sum of the gains of the items {here}"
    tex = r"\sum_{j=1}^{«K»} «gain»"
    linear = True
    splits = False
    range: ClassVar[tuple[float, float]] = UNBOUNDED
    gain: Annotated[str, GAIN]

    def per_user(self, block: Block) -> Ratio:
        return Ratio(block.once(gain_so_far, self.settings["gain"]).at(self.scope), np.ones(block.size))


class DCG(_Discounted):
    """Compute the sum of the gains of the list, discounted by rank.

    The sum of gain times discount over the first k, not divided unless `dcg-denominator` says so. Range: that of the
    gains.
    Source: Järvelin and Kekäläinen, TOIS 20(4), 2002; the discount from rank 1 on: Burges et al., ICML 2005.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": {"a": 3, "b": 2}}, {"u": ["b", "x", "a"]}, "dcg@3")["dcg@3"]
    3.5
    """

    name = "dcg"
    cite = "jarvelin2002"
    rises = True
    formula = "sum of gain · discount, ranks 1 to k"
    called = "DCG"
    paper_names = ("DCG",)
    says = "the sum of the discounted gains of the items {here}"
    tex = rf"{DCG_OF_LIST}«dcg-denominator»"
    dcg_denominator: Annotated[str, DCG_DENOMINATOR]

    def has_denominator(self) -> bool:
        return self.settings["dcg-denominator"].text != "none"

    def per_user(self, block: Block) -> Ratio:
        by = block.part(divisor_of_dcg, self)
        return Ratio(self.dcg(block), np.ones(block.size) if by is None else by)


class IdealDCG(_WithIdeal):
    """Compute the DCG of the ideal list.

    DCG of the ideal list: the denominator of NDCG. Range: that of the gains.
    Source: Järvelin and Kekäläinen, TOIS 20(4), 2002.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": {"a": 3}}, {"u": ["b", "x", "a"]}, "ideal_dcg@3")["ideal_dcg@3"]
    3.0
    """

    name = "ideal_dcg"
    cite = "jarvelin2002"
    spellings = ("idcg",)
    formula = "DCG of the ideal list"
    called = "ideal DCG"
    says = "the sum of the discounted gains of an ideal list"
    tex = DCG_OF_IDEAL

    def per_user(self, block: Block) -> Ratio:
        return Ratio(self.ideal_dcg(block), np.ones(block.size))


class NDCG(_WithIdeal):
    """Compute DCG divided by the DCG of the ideal list.

    DCG@k of the list divided by DCG of the ideal list. Range 0 to 1 where grades are not negative, nothing is
    repeated and the ideal is made of the labels. NaN where the ideal is 0 and no policy says otherwise.
    Source: Järvelin and Kekäläinen, TOIS 20(4), 2002.

    >>> import rankconv as rc
    >>> round(rc.evaluate({"u": {"a": 3, "b": 3}}, {"u": ["a", "x", "b"]}, "ndcg@3")["ndcg@3"], 4)
    0.9197
    """

    name = "ndcg"
    cite = "jarvelin2002"
    rises = True
    formula = "DCG@k / ideal DCG"
    called = "nDCG"
    paper_names: ClassVar[tuple[str, ...]] = ("nDCG",)
    says = "the sum of the discounted gains of the items {here} (DCG), divided by that of an ideal list"
    tex = rf"\frac{{{DCG_OF_LIST}«normalization»«dcg-denominator»}}{{{DCG_OF_IDEAL}«normalization»«dcg-denominator»}}"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    splits: ClassVar[bool] = True
    divides_gains: ClassVar[bool] = True
    normalization: Annotated[str, NORMALIZATION]
    dcg_denominator: Annotated[str, DCG_DENOMINATOR]

    def per_user(self, block: Block) -> Ratio:
        gains = {"gain": self.settings["gain"], "discount": self.settings["discount"]}
        least = self.settings["normalization"](block=self.weighed(block), k=self.k, **gains)
        found, best = self.dcg(block) - least, self.ideal_dcg(block) - least
        by = block.part(divisor_of_dcg, self)
        return Ratio(found, best) if by is None else Ratio(*(_by_or_nothing(one, by) for one in (found, best)))


class ScaledDCG(_Discounted):
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
