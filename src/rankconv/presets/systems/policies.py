"""Policies that one system needs: its special users, its special data, and what a judgment could change (Phoenix)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rankconv.aggregation.data_policies import WholeData, data_policy, prepared_data_policy
from rankconv.aggregation.special_case import Situation, policy
from rankconv.data.arrays import Codes, Mask, Numbers, below, is_zero, within
from rankconv.metrics.base import Parts
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.row_block import prepare
from rankconv.preparation.ties import TieEffect
from rankconv.preparation.working_rows import LabelRows, WorkingBlock, match, working_block


@policy(
    "on-unjudged",
    "has an item without a judgment in the list",
    after="on-short-ranking",
    neutral="as-computed",
    reads_deep=True,
    whole_lists=True,
    by_order=True,
)
def has_unjudged(s: Situation) -> Mask:
    """Users with an unjudged item at any rank, shape (users,)."""
    return s.block.has_unjudged


@policy(
    "on-undetermined",
    "has a value that a judgment of an unjudged item in the list could change",
    after="on-unjudged",
    neutral="as-computed",
    of_ratio=True,
    reads_deep=True,
    whole_lists=True,
    by_order=True,
)
def _(s: Situation) -> Mask:
    unjudged = has_unjudged(s)  # where all lists make one, any of these items could change its value
    return unjudged if s.block.preparation.pools or not unjudged.any() else Trials(s).users


WORTH_TAKING_OUT = 0.8
"""The share of users still to be tried below which the others are taken out of the rows."""


class Trials:
    """The values under other judgments: every unjudged item of a list gets a grade, and the list is evaluated again.

    Tried are the grades 0, 1 and one above all others of the user, first for all unjudged items of a list, then 1 and
    the greatest for each alone, the others getting 0. A grade that the preparation does not take is no possible one.
    """

    def __init__(self, situation: Situation) -> None:
        self._metric, self._block, self._preparation = situation.metric, situation.block, situation.preparation
        self._value = situation.ratio.value
        rows, unjudged = self._block.prepared.rows, self._block.unjudged_rows
        width = len(self._block.joined.items)
        pairs = np.unique(rows.user[unjudged] * width + rows.item[unjudged])
        self._user, self._item = pairs // width, pairs % width
        self.users = np.zeros(self._block.size, bool)
        """Whose value depends on an unjudged item, shape (users,)."""
        tried, items = Tried.of(self._block, self._user, self._item), np.bincount(self._user, minlength=len(self.users))
        for least, grade in self._grades():
            tried = tried.without(self.users | (items < least))
            if len(tried.users):
                self.users[tried.users] |= self._differ(tried, grade)

    def _grades(self) -> Iterator[tuple[int, Numbers]]:
        """Grades for all unjudged items, shape (items,) each, and from how many items on they are new to a user."""
        level = float(self._preparation.settings["relevant"].keywords.get("level", 0))
        highest, place = np.maximum(self._block.highest_grade, max(level, 1.0))[self._user], within(self._user)
        grades = np.ones(len(place)), np.floor(highest) + 1
        for grade in (np.zeros(len(place)), *grades):
            yield 1, grade
        for one in range(int(place.max()) + 1):
            for grade in grades:
                yield max(one + 1, 2), np.where(place == one, grade, 0.0)  # of one item alone, all had it

    def _differ(self, tried: "Tried", grade: Numbers) -> Mask:
        """Whose value is another one with these grades of the unjudged items: shape (users that are tried,)."""
        block = prepare(tried.graded(grade, self._metric.k), self._preparation)
        found = self._metric.per_user(block)
        value = (found.ratio if isinstance(found, Parts) else found).value
        same = np.isclose(value, self._value[tried.users], rtol=1e-9, atol=1e-12, equal_nan=True)
        return np.asarray(~same & ~block.refused)


@dataclass(frozen=True, eq=False)
class Tried:
    """The rows before preparation of the users who are tried, with a label for each of their unjudged items."""

    users: Codes
    """Their places in the block."""
    rows: WorkingBlock
    pairs: Codes
    """Which of the block's unjudged items they have."""
    labels: Codes
    """The row of the label of each of these items, shape as `pairs`."""

    @classmethod
    def of(cls, block: Block, user: Codes, item: Codes) -> "Tried":
        """Of all users who have unjudged items; `user` and `item` have shape (items,)."""
        users, owner = np.unique(user, return_inverse=True)
        rows, width = working_block(block.joined, block.users[users]), len(block.joined.items)
        given = rows.labels
        kept = ~np.isin(given.user * width + given.item, owner * width + item)
        of_user = np.concatenate([given.user[kept], owner])
        labelled = np.concatenate([given.item[kept], item])
        grade = np.concatenate([given.grade[kept], np.zeros(len(item))])
        order = np.argsort(of_user, kind="stable")
        labels = LabelRows(of_user[order], labelled[order], grade[order])
        rows.rows.label = match(labels, rows.rows, width)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        made = WorkingBlock(block.joined, rows.users, labels, rows.rows, rows.scored)
        return cls(users, made, np.arange(len(item)), place[int(kept.sum()) :])

    def graded(self, grade: Numbers, k: int | None) -> WorkingBlock:
        """The rows with these grades; `grade`, shape (items,), has those of all unjudged items of the block."""
        rows = self.rows.copy(k)
        rows.labels.grade[self.labels] = grade[self.pairs]
        return rows

    def without(self, users: Mask) -> "Tried":
        """Without these users, shape (users of the block,), once they are enough for it to be worth the while."""
        kept = ~users[self.users]
        if kept.sum() >= WORTH_TAKING_OUT * len(kept):
            return self
        there = kept[self.rows.labels.user[self.labels]]
        new_place = np.cumsum(kept[self.rows.labels.user]) - 1
        return Tried(self.users[kept], self.rows.of(kept), self.pairs[there], new_place[self.labels[there]])


@prepared_data_policy(
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
    "has a ratio above 1",
    after="on-negative-denominator",
    neutral="as-computed",
    of_ratio=True,
    by_order=True,
)
def _(s: Situation) -> Mask:
    return np.asarray(np.any([below(part.denominator, part.numerator) for part in s.ratios], axis=0))


@prepared_data_policy(
    "on-k-beyond-rankings", "no list is as long as k", after="on-no-rows-at-all", neutral="as-computed", at_cutoff=True
)
def _(s: Situation) -> Mask:
    return np.asarray(s.block.lengths >= (s.metric.k or 0))


@prepared_data_policy(
    "on-k-beyond-ranks",
    "no row has rank k or a greater one",
    after="on-k-beyond-rankings",
    neutral="as-computed",
    at_cutoff=True,
)
def _(s: Situation) -> Mask:
    return _greatest_ranks(s) >= (s.metric.k or 0)


@prepared_data_policy(
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


@prepared_data_policy(
    "on-no-hits-at-all",
    "no user has a hit",
    after="on-zero-highest-grades",
    neutral="as-computed",
    by_order=True,
    reads_deep=True,
)
def _(s: Situation) -> Mask:
    return np.asarray(s.block.hits_so_far.whole > 0)


@prepared_data_policy(
    "on-no-hits-within-k-at-all",
    "no user has a hit within k",
    after="on-no-hits-at-all",
    neutral="as-computed",
    by_order=True,
)
def _(s: Situation) -> Mask:
    return np.asarray(s.block.hits_so_far.at(s.metric.scope) > 0)


@prepared_data_policy(
    "on-no-relevant-at-all", "no user has a relevant label", after="on-no-hits-at-all", neutral="as-computed"
)
def _(s: Situation) -> Mask:
    return np.asarray(s.block.relevant_count > 0)


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


@policy("on-few-relevant", "has fewer relevant labels than k", after="on-no-relevant", neutral="as-computed")
def _(s: Situation) -> Mask:
    return below(s.block.relevant_count, s.metric.k or 0)


@policy(
    "on-zero-grade-sum",
    "has grades that sum to zero",
    after="on-no-relevant",
    neutral="as-computed",
    reads_data=("grades",),
)
def _(s: Situation) -> Mask:
    return is_zero(s.block.grade_sum)


@policy(
    "on-equal-or-zero-scores",
    "has a list whose scores are all 0 or that of the row given first",
    after="on-undetermined",
    neutral="as-computed",
    reads_data=("order", "scores"),
    reads_deep=True,
    whole_lists=True,
)
def _(s: Situation) -> Mask:
    scores, listed = s.block.scores_by_rank, s.block.listed
    first = np.where(listed & (s.block.places == 0), scores, 0.0).sum(axis=0)
    return np.asarray(((scores == first) | (scores == 0) | ~listed).all(axis=0) & (s.block.lengths > 0))


@prepared_data_policy(
    "on-one-user-with-relevant",
    "only one user has a relevant label",
    after="on-no-hits-at-all",
    neutral="as-computed",
    when=lambda total, users: total == 1,
)
def _(s: Situation) -> Mask:
    return s.block.relevant_count > 0
