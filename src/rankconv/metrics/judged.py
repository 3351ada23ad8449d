"""Metrics of TREC: of incomplete judgments, how much of a list was judged, and precision at levels of recall."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention, Setting
from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Ratio, TopKMetric
from rankconv.metrics.divisors import DIVISOR
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.in_ties import at_hits
from rankconv.preparation.captions import said_as, shown_as

BPREF_DENOMINATOR = Convention(
    "bpref-denominator",
    "Divisor of the judged misses above a hit",
    reads=("block",),
    phrase=True,
    tells="a user with fewer labels that are not relevant than relevant ones",
)
"""A setting gives each user's divisor, shape (users,)."""


@BPREF_DENOMINATOR.setting(
    "min",
    rule="min(R, N), N being the judged items that are not relevant",
    says="min(R, N)",
    tex=r"\min(R, \bar{R})",
    called="min(R, N)",
)
def _(block: Block) -> Numbers:
    """So that few judgments on either side do not shrink the range."""
    return np.minimum(block.relevant_count, block.non_relevant_count)


@BPREF_DENOMINATOR.setting("relevant", rule="R", cite="tensorflow_ranking", tex="R", called="R")
def _(block: Block) -> Numbers:
    """The first paper's form."""
    return block.relevant_count


BPREF_NONE_ABOVE = Convention("bpref-none-above", "Value of a hit without a judged miss above it")


@BPREF_NONE_ABOVE.setting("as-computed", rule="what the formula gives: 1, or 1 - 0/0", no="")
def _() -> float:
    """0/0 where no miss was judged."""
    return np.nan


@BPREF_NONE_ABOVE.number(rule="this number", says="a relevant item without such an item above contributes {value}")
def _(value: float) -> float:
    """Also where nothing is judged not relevant."""
    return value


BPREF_ZERO_DIVISION = Convention(
    "bpref-zero-division", "Share of the judged misses above a hit in bpref, where its divisor is 0"
)


@BPREF_ZERO_DIVISION.number(rule="this number", says="0/0 in that sum is {value}")
def _(value: float) -> float:
    """Subtracted from 1, so with 0 a hit counts 1. It is 0/0 where min(R, N) is, as no item was judged not relevant."""
    return value


@BPREF_ZERO_DIVISION.setting("nan", rule="NaN", cite="ranx", says="0/0 in that sum is NaN")
def _() -> float:
    """The user's bpref is then NaN."""
    return np.nan


def _said_divisor(most: Numbers, block: Block, setting: Setting) -> Iterator[tuple[str, Numbers]]:
    yield setting.traits.called or "divisor", most


@said_as(by=_said_divisor)
def divisor_of_bpref(block: Block, setting: Setting) -> Numbers:
    """What judged misses above a hit are divided by, shape (users,)."""
    return np.asarray(setting(block=block))


@shown_as("misses above")
def judged_misses_above(block: Block) -> Numbers:
    """Rows above each that are judged and no hit, shape (K, users)."""
    return block.count(block.judged_misses_by_rank).above


class BPref(TopKMetric):
    """Compute how seldom a judged non-relevant item is ranked above a relevant one.

    For each hit, 1 less the share of judged misses above it, at most R of them; summed and divided by R. Items
    without a judgment are passed over. Range 0 to 1. NaN without relevant labels.
    Source: Buckley and Voorhees, SIGIR 2004; the corrected form of trec_eval, m_bpref.c.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": {"a": 1, "b": 1, "x": 0, "y": 0}}, {"u": ["a", "x", "?", "b"]}, "bpref")["bpref"]
    0.75
    """

    name = "bpref"
    closed_form = True
    cite = "buckley2004"
    formula = "sum over hits of 1 - min(judged misses above, R) / bpref-denominator, / R"
    says = (
        "the sum over the relevant items {here} of 1 less min(m, R) / {bpref-denominator}, divided by R, where m "
        "is the number of judged items above that are not relevant, R the number of relevant labels and N the "
        "number of labels that are not relevant"
    )
    tex = r"\frac{1}{R} \sum_{j=1}^{«K»} r_j \left(1 - \frac{\min(m_j, R)}{«bpref-denominator»}\right)"
    bpref_denominator: Annotated[str, BPREF_DENOMINATOR]
    bpref_none_above: Annotated[str, BPREF_NONE_ABOVE]
    bpref_zero_division: Annotated[str, BPREF_ZERO_DIVISION]

    def per_user(self, block: Block) -> Ratio:
        most = block.part(divisor_of_bpref, self.settings["bpref-denominator"])
        if block.averages_ties:
            kept = at_hits(block, lambda rank, above: self._worth(block, above, most), self.scope, count_misses=True)
        else:
            above = block.part(judged_misses_above)
            kept = np.where(block.hits_by_rank > 0, self._worth(block, above, most), 0.0)
        return Ratio(block.sum(counts=kept).at(self.scope), block.relevant_count)

    def _worth(self, block: Block, above: Numbers, most: Numbers) -> Numbers:
        """What a hit with so many judged misses above is worth, shape as `above`; `most`, shape (users,), divides."""
        by = np.broadcast_to(most, above.shape)
        share = np.minimum(above, block.relevant_count) / np.where(by > 0, by, 1.0)
        worth, alone = (
            1 - np.where(by > 0, share, self.settings["bpref-zero-division"]()),
            self.settings["bpref-none-above"](),
        )
        return worth if np.isnan(alone) else np.where(above == 0, alone, worth)


@shown_as("hits above", "other", "pooled")
def pool_above(block: Block) -> tuple[Numbers, Numbers, Numbers]:
    """Hits, judged misses, and pooled rows without a judgment above each row, each of shape (K, users)."""
    other = block.count(block.judged_misses_by_rank).above
    return block.hits_so_far.above, other, block.count(block.in_pool_by_rank).above


@said_as("e")
def smoothing(block: Block) -> float:
    """What is added to each class, so that the first judged item does not decide alone."""
    return 0.00001


class InferredAP(TopKMetric):
    """Compute average precision inferred from a judged sample of the pool.

    The expected precision at each hit: the share of pooled items above it times the share of relevant ones among
    those judged. Pooled items that were not judged are labels with a negative grade under `negative: in-pool`.
    Range 0 to 1. NaN without relevant labels. Source: Yilmaz and Aslam, CIKM 2006.

    >>> import rankconv as rc
    >>> round(rc.evaluate({"u": {"a": 1, "x": 0}}, {"u": ["x", "a"]}, "inferred_ap")["inferred_ap"], 4)
    0.5
    """

    name = "inferred_ap"
    why_no_expectation = "the worth of a hit hangs on two counts of rows above it"
    spellings = ("infap",)
    cite = "yilmaz2006"
    formula = "sum over hits of 1/j + (j-1)/j · (pooled above)/(j-1) · (relevant + e)/(judged above + 2e), / R"
    called = "inferred average precision"
    says = (
        "the precision to be expected at each relevant item {here} if the pool were judged as its judged sample "
        "was, summed and divided by the number of relevant labels"
    )
    tex = (
        r"\frac{1}{R} \sum_{j=1}^{«K»} r_j \left(\frac{1}{j} + \frac{d_j}{j} \cdot "
        r"\frac{H_{j-1} + \epsilon}{H_{j-1} + m_j + 2 \epsilon}\right), \quad \epsilon = 10^{-5}"
    )

    def per_user(self, block: Block) -> Ratio:
        rank, (relevant, other, pooled), e = block.ranks_by_rank, block.part(pool_above), block.part(smoothing)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (relevant + e) / (relevant + other + 2 * e)
            expected = 1 / rank + (rank - 1) / rank * ((relevant + other + pooled) / (rank - 1)) * share
        worth = np.where(rank == 1, 1.0, expected)
        kept = np.where(block.hits_by_rank > 0, worth, 0.0)
        return Ratio(block.sum(expected=kept).at(self.scope), block.relevant_count)


JUDGED_DENOMINATOR = Convention("judged-denominator", "Divisor of the number of (un)judged items", options_of=DIVISOR)
JUDGED_SCOPE = Convention("judged-scope", "Users whose judgment makes an item judged", reads=("block",))
"""A setting gives 1 for each judged row, shape (K, users)."""


@JUDGED_SCOPE.setting(
    "user", rule="labels of the same user", says="an item is judged if the same user has a label for it"
)
def _(block: Block) -> Numbers:
    """A label of this user and item."""
    return block.judged_by_rank


@JUDGED_SCOPE.setting(
    "collection",
    rule="labels of any user",
    cite="beir",
    spans_users=True,
    says="an item is judged if any user has a label for it",
)
def _(block: Block) -> Numbers:
    """An item that any user has a label for counts as judged for all."""
    return block.judged_for_anyone_by_rank


class _ShareOfJudged(TopKMetric):
    """What the shares of judged and of unjudged items have in common."""

    linear: ClassVar[bool] = True
    judged_denominator: Annotated[str, JUDGED_DENOMINATOR]
    judged_scope: Annotated[str, JUDGED_SCOPE]

    def judged(self, block: Block) -> Numbers:
        """Judged rows within the cutoff, shape (users,)."""
        return block.count(judged=self.settings["judged-scope"](block=block)).at(self.scope)

    def over(self, count: Numbers, block: Block) -> Ratio:
        """The number of these rows, shape (users,), over the setting of `judged-denominator`."""
        return Ratio(count, self.divided_by("judged-denominator", block))


class JudgedShare(_ShareOfJudged):
    """Compute the share of the list that is judged.

    Judged rows in the first k, divided by the setting of `judged-denominator`. Range 0 to 1. A metric of a list
    that was hardly judged says little. Source: ir_measures, Judged@k.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": {"a": 1, "x": 0}}, {"u": ["a", "?", "x"]}, "judged_share@2")["judged_share@2"]
    0.5
    """

    name = "judged_share"
    spellings = ("judged",)
    formula = "judged@k / judged-denominator"
    called = "share of judged items"
    says = "the number of judged items {here} divided by {judged-denominator}"
    tex = r"\frac{\sum_{j=1}^{«K»} q_j}{«judged-denominator»}"

    def per_user(self, block: Block) -> Ratio:
        return self.over(self.judged(block), block)


class UnjudgedShare(_ShareOfJudged):
    """Compute the share of the list that is unjudged.

    Rows without a judgment in the first k, divided by the setting of `judged-denominator`; a "hole". Range 0 to 1,
    0 is best. Source: Thakur et al., NeurIPS 2021 (BEIR); trec_eval 10, m_unj.c.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": {"a": 1, "x": 0}}, {"u": ["a", "?", "x"]}, "unjudged_share@3")["unjudged_share@3"]
    0.3333333333333333
    """

    name = "unjudged_share"
    cite = "thakur2021"
    spellings = ("hole",)
    lower_is_better: ClassVar[bool] = True
    formula = "unjudged@k / judged-denominator"
    called = "share of unjudged items"
    says = "the number of items {here} without a judgment, divided by {judged-denominator}"
    tex = r"\frac{\sum_{j=1}^{«rows»} (1 - q_j)}{«judged-denominator»}"

    def per_user(self, block: Block) -> Ratio:
        return self.over(block.length_at(self.scope) - self.judged(block), block)
