"""Policies that one system needs: its special users, and its special data."""

import numpy as np

from rankconv.aggregation.judged_cases import WholeData, data_policy, judged_policy
from rankconv.aggregation.special_case import Situation, policy
from rankconv.data.arrays import Mask, Numbers, below, is_zero
from rankconv.preparation.ties import TieEffect


@judged_policy(
    "on-zero-highest-grades",
    "the highest grades of all users sum to zero",
    after="on-k-beyond-ranks-with-relevant",
    neutral="as-computed",
    when=lambda total, users: total == 0 and users > 0,
)
def _(s: Situation) -> Numbers:
    return s.block.highest_grade


@policy(
    "on-above-one",
    "has a value above 1",
    after="on-negative-denominator",
    neutral="as-computed",
    of_ratio=True,
    by_order=True,
)
def _(s: Situation) -> Mask:
    return np.asarray(np.any([below(part.denominator, part.numerator) for part in s.parts], axis=0))


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


@data_policy("on-one-user", "there is only one user", neutral="as-computed")
def _(data: WholeData) -> bool:
    return data.users == 1


@policy("on-zero-value", "has a value of 0", after="on-above-one", neutral="as-computed", of_ratio=True, by_order=True)
def _(s: Situation) -> Mask:
    return is_zero(s.ratio.numerator)


@judged_policy(
    "on-no-hits-at-all",
    "no user has a hit",
    after="on-zero-highest-grades",
    neutral="as-computed",
    by_order=True,
    reads_deep=True,
)
def _(s: Situation) -> Mask:
    return np.asarray(s.block.hits_so_far.whole > 0)


@policy(
    "on-unretrieved-relevant",
    "has a relevant item that is not in the list",
    after="on-no-hits",
    neutral="as-computed",
    by_order=True,
    reads_deep=True,
)
def _(s: Situation) -> Mask:
    return below(s.block.distinct_hits.at(s.metric.scope), s.block.relevant_count)


@policy("on-zero-grade-sum", "has grades that sum to zero", after="on-no-relevant", neutral="as-computed")
def _(s: Situation) -> Mask:
    return is_zero(s.block.grade_sum)


@policy(
    "on-equal-or-zero-scores",
    "has a list whose scores are all 0 or that of the row given first",
    after="on-undetermined",
    neutral="as-computed",
    reads_deep=True,
    whole_lists=True,
)
def _(s: Situation) -> Mask:
    scores, listed = s.block.scores_by_rank, s.block.listed
    first = np.where(listed & (s.block.places == 0), scores, 0.0).sum(axis=0)
    return np.asarray(((scores == first) | (scores == 0) | ~listed).all(axis=0) & (s.block.lengths > 0))


@judged_policy(
    "on-one-user-with-relevant",
    "only one user has a relevant label",
    after="on-no-hits-at-all",
    neutral="as-computed",
    when=lambda total, users: total == 1,
)
def _(s: Situation) -> Mask:
    return s.block.relevant_count > 0
