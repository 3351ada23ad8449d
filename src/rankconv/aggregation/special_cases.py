"""The special cases of a user, each its own convention; asked in this order, the first that decides wins."""

import numpy as np

from rankconv.aggregation.special_case import Situation, policy
from rankconv.data.arrays import Mask, Numbers, below, is_zero
from rankconv.preparation.block import Block
from rankconv.preparation.on_data import undecided
from rankconv.specs.convention import Convention, Told


@policy("on-invalid", "has grades, labels or a list that the system does not take", of_preparation=True)
def _(s: Situation) -> Mask:
    return s.block.refused


@policy("on-no-ranking", "has no ranked row in the input")
def _(s: Situation) -> Mask:
    return ~s.block.in_rankings


@policy("on-nothing-judged", "has no judgment at all")
def _(s: Situation) -> Mask:
    return is_zero(s.block.judged_count)


@policy("on-empty-ranking", "has an empty list after preparation")
def _(s: Situation) -> Mask:
    return is_zero(s.block.lengths)


@policy("on-too-few-rows", "has fewer rows than min-rows asks for", says="has {min-rows}", needs_rows=True)
def _(s: Situation) -> Mask:
    return below(s.block.lengths, s.rows_needed)


ROWS_NEEDED = Convention(
    "min-rows",
    "How many rows must a list have, for on-too-few-rows?",
    reads=(),
    phrase=True,
    tells="a list of few rows",
)


@ROWS_NEEDED.number(rule="so many", least=0, says="fewer than {value} rows")
def _(value: float) -> float:
    """0 means that no list is too short."""
    return value


@ROWS_NEEDED.idle("on-too-few-rows says formula", by="on-too-few-rows")
def _(told: Told) -> bool:
    return bool(told.trait("on-too-few-rows", "by_formula"))


ROWS_NEEDED.alike(undecided("on-too-few-rows"))


@policy("on-short-ranking", "has fewer rows than k")
def _(s: Situation) -> Mask:
    return below(s.block.lengths, s.metric.k or 0)


@policy(
    "on-equal-scores", "has a list whose scores are all alike", neutral="as-computed", reads_deep=True, whole_lists=True
)
def _(s: Situation) -> Mask:
    return _alike(s.block, or_zero=False)


@policy(
    "on-equal-or-zero-scores",
    "has a list whose scores are all 0 or that of the row given first",
    neutral="as-computed",
    reads_deep=True,
    whole_lists=True,
)
def _(s: Situation) -> Mask:
    return _alike(s.block, or_zero=True)


def _alike(block: Block, or_zero: bool) -> Mask:
    """Whose list has rows and no score but that of the row given first, shape (users,); or also 0, read as padding."""
    scores, listed = block.scores_by_rank, block.listed
    first = np.where(listed & (block.places == 0), scores, 0.0).sum(axis=0)
    alike = (scores == first) | (scores == 0) if or_zero else scores == first
    return np.asarray((alike | ~listed).all(axis=0) & (block.lengths > 0))


@policy("on-no-labels", "has no label row")
def _(s: Situation) -> Mask:
    return is_zero(s.block.label_count)


@policy("on-no-relevant", "has no relevant label")
def _(s: Situation) -> Mask:
    return is_zero(s.block.relevant_count)


@policy("on-zero-grade-sum", "has grades that sum to zero")
def _(s: Situation) -> Mask:
    return is_zero(s.block.grade_sum)


@policy("on-no-non-relevant", "has no label that is not relevant")
def _(s: Situation) -> Mask:
    return is_zero(s.block.non_relevant_count)


@policy("on-no-hits", "has no hit within k", by_order=True)
def _(s: Situation) -> Mask:
    return is_zero(s.block.hits_so_far.at(s.metric.scope))


@policy("on-unretrieved-relevant", "has a relevant item that is not in the list", by_order=True, reads_deep=True)
def _(s: Situation) -> Mask:
    return below(s.block.distinct_hits.at(s.metric.scope), s.block.relevant_count)


@policy("on-negative-denominator", "has a denominator below zero", of_ratio=True)
def _(s: Situation) -> Mask:
    return below(s.ratio.denominator, 0)


@policy("on-above-one", "has a value above 1", of_ratio=True, by_order=True)
def _(s: Situation) -> Mask:
    return np.asarray(np.any([below(part.denominator, part.numerator) for part in s.parts], axis=0))


@policy("on-zero-value", "has a value of 0", of_ratio=True, by_order=True)
def _(s: Situation) -> Mask:
    return is_zero(s.ratio.numerator)


@policy("on-nonzero-over-zero", "has x/0", says="has a value of x/0", of_ratio=True)
def _(s: Situation) -> Mask:
    zero = is_zero(s.ratio.denominator)
    return zero & ~_nothing(s.ratio.numerator) if zero.any() else zero


@policy(
    "on-zero-division",
    "has 0/0",
    says="has a value of 0/0",
    otherwise="a value of 0/0 is NaN, and makes the mean NaN",
    of_ratio=True,
    of_undefined=True,
)
def _(s: Situation) -> Mask:
    zero = is_zero(s.ratio.denominator)
    return zero & _nothing(s.ratio.numerator) if zero.any() else zero


def _nothing(numerator: Numbers) -> Mask:
    return is_zero(numerator) | np.isnan(numerator)
