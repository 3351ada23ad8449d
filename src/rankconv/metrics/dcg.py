"""Metrics of graded relevance: cumulative gain, DCG, ideal DCG, and NDCG."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention, Setting
from rankconv.data.arrays import Codes, Numbers
from rankconv.metrics.base import Ratio, TopKMetric
from rankconv.metrics.divisors import DCG_OF_IDEAL, DCG_OF_LIST, DIVISOR
from rankconv.metrics.gains import DISCOUNT, GAIN
from rankconv.metrics.ideals import IDEAL, IDEAL_CUTOFF, ideal_dcg
from rankconv.metrics.item_weights import RELEVANT_WEIGHTS, RELEVANT_WEIGHTS_TEX, WeighedMetric, weights_of_relevant
from rankconv.preparation.arithmetic import CumulativeSum, DiscountedList, RankValues
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.captions import said_as, shown_as
from rankconv.preparation.pipeline import Expectation, Preparation
from rankconv.preparation.ties import TieEffect

UNBOUNDED = (-np.inf, np.inf)


@shown_as("discount")
def discounts_of_rows(block: Block, discount: Setting, rows: int) -> Numbers:
    """The discounts of the first rows of a prepared list, shape (rows, 1); (K, users) where tied rows share a rank."""
    if block.tie_rule is not TieEffect.SHARED:
        return block.of_ranks(discount, rows)
    return block.at_ranks(discount, np.maximum(block.ranks, 1).astype(np.float64))


def discounted_rows(block: Block, gains: RankValues, discount: Setting) -> DiscountedList:
    """Gain times discount at the ranks of the prepared list, shape (ranks, users)."""
    return DiscountedList(gains, block.part(discounts_of_rows, discount, len(gains)))


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


NORMALIZATION = Convention(
    "normalization",
    "DCG that is mapped to 0",
    reads=("block", "gain", "discount", "k"),
    tells="a label with a negative grade",
)
"""A setting gives the DCG that counts as 0, shape (users,)."""


@NORMALIZATION.setting("max", rule="0", formula_tells=True, no="lower bound", tex="")
def _(block: Block) -> Numbers:
    """DCG / ideal DCG."""
    return np.zeros(block.size)


@NORMALIZATION.setting(
    "min-max",
    rule="the worst DCG: the lowest gains first",
    cite="fastml",
    sorts_labels=True,
    says="the DCG of the worst list is subtracted from both",
    tex=" - W",
    signs={
        "W": "the DCG, down to the same rank, of the worst list: all items by rising gain, where those without a label "
        "gain 0"
    },
)
def _(block: Block, gain: Setting, discount: Setting, k: int | None) -> Numbers:
    """(DCG - worst) / (ideal - worst). An item without a label has gain 0, and there are k of them at least."""
    worst = block.once(_worst_so_far, gain, discount)
    return worst.whole if k is None else worst.at_rows(k)


def _worst_so_far(block: Block, gain: Setting, discount: Setting) -> CumulativeSum:
    gains = block.gains_of_known(gain)
    if not block.aligned_arrays:
        gains = np.minimum(gains, 0)
    order = np.lexsort((np.asarray(gains, np.float64), block.known.user))
    worst = block.stacked(gains[order], block.known.user[order])
    return block.sum(block.discounted(worst, discount))


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


class DiscountedMetric(WeighedMetric):
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


class MetricWithIdeal(DiscountedMetric):
    """What ideal DCG and NDCG share."""

    named_first: ClassVar[tuple[str, ...]] = ("gain", "discount", "ideal")
    ideal: Annotated[str, IDEAL]
    ideal_cutoff: Annotated[str, IDEAL_CUTOFF]

    def expectation(self, preparation: Preparation) -> Expectation:
        """Of labels as given the order is that of the rows, where these are the labels."""
        as_given = self.settings["ideal"].traits.as_given and preparation.settings["labels-used"].traits.aligned_arrays
        return Expectation.RELEVANT_LAST if as_given else super().expectation(preparation)


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


class DCG(DiscountedMetric):
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


class IdealDCG(MetricWithIdeal):
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
        return Ratio(ideal_dcg(self.weighed(block), self.settings, self.k), np.ones(block.size))


class NDCG(MetricWithIdeal):
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
        found, best = self.dcg(block) - least, ideal_dcg(self.weighed(block), self.settings, self.k) - least
        by = block.part(divisor_of_dcg, self)
        return Ratio(found, best) if by is None else Ratio(*(_by_or_nothing(one, by) for one in (found, best)))
