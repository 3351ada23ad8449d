"""Evidently: whether any list is as long as the cutoff."""

from collections.abc import Callable, Sequence

import numpy as np

from rankconv.aggregation.exact_sum import ExactSum
from rankconv.aggregation.judged_cases import judged_policy
from rankconv.aggregation.means import MEAN
from rankconv.aggregation.special_case import Situation
from rankconv.data.arrays import Mask, Numbers
from rankconv.metrics.base import Ratio
from rankconv.metrics.beyond.distribution import LIST_OVERLAP
from rankconv.metrics.beyond.diversity import PAIR_DIVISOR
from rankconv.metrics.beyond.novelty import POPULARITY, UNSEEN
from rankconv.metrics.beyond.of_all_lists import ITEM_NUMBER, Shown, added
from rankconv.metrics.beyond.serendipity import SERENDIPITY_SUM
from rankconv.metrics.for_means import Terms
from rankconv.preparation.block import Block
from rankconv.preparation.expected import TieEffect


@judged_policy(
    "on-k-beyond-rankings", "no list is as long as k", after="on-no-rows-at-all", neutral="as-computed", at_cutoff=True
)
def _(s: Situation) -> Mask:
    return np.asarray(s.block.lengths >= (s.metric.k or 0))


@judged_policy(
    "on-k-beyond-ranks",
    "no row has rank k or a greater one",
    after="on-k-beyond-rankings",
    neutral="as-computed",
    at_cutoff=True,
)
def _(s: Situation) -> Mask:
    return _greatest_ranks(s) >= (s.metric.k or 0)


@judged_policy(
    "on-k-beyond-ranks-with-relevant",
    "no row of a user with a relevant label has rank k or a greater one",
    after="on-k-beyond-ranks",
    neutral="as-computed",
    at_cutoff=True,
)
def _(s: Situation) -> Mask:
    return (_greatest_ranks(s) >= (s.metric.k or 0)) & (s.block.relevant_count > 0)


def _greatest_ranks(s: Situation) -> Numbers:
    """The greatest rank that a row of each user has, shape (users,); 0 for an empty list."""
    if s.block.tie_rule is not TieEffect.SHARED:
        return s.block.lengths
    return np.asarray(np.where(s.block.listed, s.block.ranks, 0).max(axis=0, initial=0))


@MEAN.setting(
    "mean-of-parts",
    rule="the parts averaged, then combined",
    adds=Terms(("parts",), lambda users: [*users.parts]),
    rises=True,
    cite="evidently",
    says="the reported number is computed from the means of precision and of recall over the users counted",
    tex=r"\frac{(1 + b) \bar{P} \bar{R}^{*}}{b \bar{P} + \bar{R}^{*}}",
)
def _(sums: Sequence[ExactSum], combine: Callable[..., Ratio]) -> float:
    """As F of the mean precision and the mean recall, which is not the mean F."""
    return float(combine(*(np.array([part.total / part.number]) for part in sums)).value[0])


@POPULARITY.setting(
    "of-most-popular",
    rule="count / highest count",
    cite="evidently",
    says="its count in training over the highest count of an item",
    tex=r"\frac{c_j}{\max_i c_i}",
)
def _(counts: Numbers, block: Block, all_counts: Numbers) -> Numbers:
    """The most popular item has 1."""
    return np.asarray(counts / block.number(float(all_counts.max(initial=0))))


@UNSEEN.setting(
    "left-out", rule="its row does not count", leaves_out=True, says="items that are not in training are left out"
)
def _() -> float:
    """Neither in the sum nor in what it is divided by."""
    return 0.0


@PAIR_DIVISOR.setting("rows", rule="the rows read", cite="evidently", says="the number of rows read", tex="«rows»")
def _(rows: Numbers) -> Numbers:
    """Half the mean distance for each row beyond the first, so longer lists have more."""
    return rows


@ITEM_NUMBER.setting(
    "returned",
    rule="those in the lists",
    counted_by=(),
    says="the number of different items in the lists",
    tex="I_L",
    signs={"I_L": "the number of different items in the lists"},
)
def _(shown: Shown) -> float:
    """No item counts that nobody was shown."""
    return float(shown.items)


@LIST_OVERLAP.setting(
    "shared-of-k",
    rule="shared items / k",
    counted_by=("of",),
    cite="evidently",
    says="the number of items that they share over k, where k ({k}) is also the number that a list shares with itself",
    tex=r"\frac{|L_u \cap L_v|}{«k»}",
)
def _(shown: Shown) -> float:
    """Lists shorter than k take more than they give; without a cutoff k is the length of the longest list."""
    k = float(shown.k or shown.of.max(initial=0))
    return float(added(shown.counts**2) - shown.lists * k) / k if k else 0.0


@SERENDIPITY_SUM.setting(
    "rest-of-hits",
    rule="1 - sum over the hits of (1 - surprise)",
    cite="evidently",
    says="1 less the sum over the relevant items of 1 minus the surprise",
    tex=r"1 - \sum_{j=1}^{«rows»} r_j (1 - «serendipity-kind»)",
)
def _(block: Block, surprise: Numbers, hits: Numbers, scope: int | None) -> tuple[Numbers, Numbers]:
    """0/0 without hits, or history; below 0 where there are many hits."""
    missing = np.isnan(np.asarray(surprise, np.float64))
    expected = np.where((np.asarray(hits) > 0) & ~missing, (1 - surprise) * hits, 0)
    there = (block.count(hits).at(scope) > 0) & (block.sum(missing * np.asarray(block.listed)).at(scope) == 0)
    rest = 1 - block.sum(**{"expected of hits": expected}).at(scope)
    return np.where(there, rest, 0), np.where(there, 1.0, 0.0)
