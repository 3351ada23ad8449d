"""A block of users whose lists preparation leaves as they are: a row has the grade of its label, and its place as rank.

Labels are judged by the same steps as ever, once for each grade that occurs. Single rows are judged where they are
requested, as scores are.
"""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Mask, Numbers, cached_array, within
from rankconv.preparation.block import Block, of_user
from rankconv.preparation.cumulative import ByRank, CumulativeSum, LazyRanks
from rankconv.preparation.expected import TieEffect
from rankconv.preparation.facts import facts_of
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.plain_rows import JudgedLevels, PlainRows
from rankconv.preparation.pooling import merged
from rankconv.preparation.row_block import judge
from rankconv.preparation.rows import NOTHING, Known, WorkingBlock
from rankconv.specs.convention import Setting


class PlainBlock(Block):
    """The judged lists of a block of users, given by how many rows and labels there are of each grade."""

    def __init__(self, source: PlainRows, preparation: Preparation, k: int | None, levels: JudgedLevels) -> None:
        super().__init__(source.joined, source.users, preparation, source.lengths > 0, source.label_rows)
        self.source, self.k, self._levels = source, k, levels
        self._depth = k if preparation.cut else None
        self.known_are_rows, self.tie_rule, self.keeps_ties = levels.known_rows, TieEffect.ORDER, False
        self.deepest = source.rows
        looks_deeper = levels.known_rows or levels.unretrieved.any() or source.order is not None
        self.as_given = None if looks_deeper else source.rows

    @cached_property
    def _judged(self) -> tuple[WorkingBlock, Mask]:
        """The rows of the first K ranks alone, which saves room, and which of them are hits, shape (rows,)."""
        parts = [self._first_rows(rows) for rows in self.source.working()]
        if len(parts) == 1:
            return parts[0]
        return merged([working for working, _ in parts], self.users), np.concatenate([hit for _, hit in parts])

    def _first_rows(self, rows: WorkingBlock) -> tuple[WorkingBlock, Mask]:
        block = judge(rows.copy(self.k), self.preparation)
        first = within(block.judged.rows.user) < self.depth
        if first.all():
            return block.judged, block.hit_rows
        block.judged.rows.take(first)
        return block.judged, block.hit_rows[first]

    @property
    def _kinds(self) -> NDArray[np.uint8]:
        """0 where a row has no label, else 1 + the level of its grade, shape (K, users)."""
        return self.source.kinds[: self._depth]

    @cached_array
    def _counts(self) -> Numbers:
        """The labels that exist, of each level, shape (levels + 1, users)."""
        return self.source.counts(self._levels)

    # per user

    def _sum_of(self, of_level: NDArray[Any]) -> Numbers:
        """The sum over a user's labels of what each level has, shape (users,)."""
        total = np.zeros(self.size)
        for count, value in zip(self._counts, of_level.tolist(), strict=True):
            if value:
                total += count * value
        return total

    def _labels_of(self, of_level: Mask) -> Numbers:
        """How many labels are of these levels, whatever exists for the metrics, shape (users,)."""
        return np.asarray(self.source.label_counts[of_level].sum(axis=0))

    @cached_array
    def lengths(self) -> Numbers:
        return self.source.list_lengths(self._levels, self._depth)

    @cached_array
    def relevant_count(self) -> Numbers:
        return self._sum_of(self._levels.relevant)

    @cached_array
    def non_relevant_count(self) -> Numbers:
        return self._sum_of(self._levels.exists & ~self._levels.relevant)

    @cached_array
    def non_zero_count(self) -> Numbers:
        return self._sum_of(self._levels.exists & (self._levels.grade != 0))

    @cached_array
    def judged_count(self) -> Numbers:
        return self._labels_of(self._levels.judged)

    @cached_array
    def grade_sum(self) -> Numbers:
        return self._sum_of_grades(self._levels.grade)

    @cached_array
    def relevant_grade_sum(self) -> Numbers:
        return self._sum_of_grades(self._levels.relevant_grade)

    def _sum_of_grades(self, grade: Numbers) -> Numbers:
        """The sum of the grades of each user's labels, shape (users,); `grade` has shape (levels + 1,).

        Fractions are rounded at each addition, so they are added in the order of the labels.
        """
        if (grade == np.round(grade)).all():
            return self._sum_of(grade)
        user, kind = self._known_kinds
        return np.bincount(user, weights=grade[kind], minlength=self.size).astype(np.float64)

    @cached_array
    def highest_grade(self) -> Numbers:
        highest = np.full(self.size, -np.inf)
        for count, exists, grade in zip(self._counts, self._levels.exists, self._levels.grade, strict=True):
            if exists:
                highest = np.where(count > 0, np.maximum(highest, grade), highest)
        return np.where(np.isinf(highest), 0.0, highest)

    def labels_above(self, level: float) -> Numbers:
        return self._labels_of(self._levels.judged & (self._levels.grade > level))

    # by rank

    @cached_array
    def depth(self) -> int:
        return len(self._kinds)

    def _of_rows(self, of_level: NDArray[Any]) -> Numbers:
        """What the level of each row has, shape (K, users); `of_level` has shape (levels + 1,)."""
        values = of_level.astype(np.float64)
        if not values.any():
            return np.zeros(self._kinds.shape)
        if values[0]:
            return np.where(self.listed, np.take(values, self._kinds), 0.0)
        if (values[1:] == 1).all():
            return np.asarray(self._kinds != 0, np.float64)
        return np.asarray(np.take(values, self._kinds))

    @cached_property
    def _passing(self) -> Mask | None:
        """Which rows have a score with which they can be hits, shape (K, users); None where all have one.

        Scores that were shifted have, or lists are not judged here.
        """
        least, compared = self.preparation.settings["min-score"].trait("above"), self.preparation.compared
        if least is None or compared.lowest is not None:
            return None
        with np.errstate(over="ignore"):
            scores = self.source.scores.astype(np.float32) if compared.narrow else self.source.scores
        passing = np.asarray(scores[: self._depth] > least)
        return None if (passing | ~self.listed).all() else passing

    def _if_passing(self, values: Numbers) -> Numbers:
        """Values of the rows that can be hits, 0 for the others, shape (K, users)."""
        return values if self._passing is None else np.where(self._passing, values, 0.0)

    @cached_property
    def _hits(self) -> Numbers:
        """1 for each row that is a hit, shape (K, users), also where the rows of a tie share what they are worth."""
        return self._if_passing(self._of_rows(self._levels.relevant))

    @cached_array
    def hits_by_rank(self) -> Numbers:
        return self._hits

    @cached_property
    def _never_repeats(self) -> bool:
        """Whether no list has an item twice among the rows that are read."""
        rows = self.source.rows if self.source.order is None else None
        return bool(facts_of(self.joined).of("distinct first rows", rows)[self.users].all())

    @cached_array
    def distinct_hits(self) -> CumulativeSum:
        return self.count(self._of_rows(self._levels.relevant)) if self._never_repeats else super().distinct_hits

    @cached_array
    def hit_items(self) -> CumulativeSum:
        return self.count(self._hits) if self._never_repeats else super().hit_items

    @cached_array
    def misses_by_rank(self) -> Numbers:
        return self.listed - self.hits_by_rank

    @cached_array
    def judged_by_rank(self) -> Numbers:
        return self._of_rows(self._levels.exists)

    @cached_array
    def judged_misses_by_rank(self) -> Numbers:
        exists, relevant = self._levels.exists, self._levels.relevant
        if self._passing is None:
            return self._of_rows(exists & ~relevant)
        return np.where(self._passing, self._of_rows(exists & ~relevant), self._of_rows(exists))

    @cached_array
    def has_unjudged(self) -> Mask:
        return np.asarray((self.listed & ~self._levels.judged[self._kinds]).any(axis=0))

    @cached_array
    def grades_by_rank(self) -> Numbers:
        return self._of_rows(self._levels.grade)

    @cached_array
    def grades_so_far(self) -> CumulativeSum:
        return CumulativeSum(self, self.grades_by_rank)

    @cached_array
    def hit_grades_so_far(self) -> CumulativeSum:
        return CumulativeSum(self, self._if_passing(self._of_rows(self._levels.relevant_grade)))

    @cached_array
    def in_pool_by_rank(self) -> Numbers:
        return np.zeros(self._kinds.shape)

    @property
    def _ranked(self) -> Codes:
        """The item of each row, shape (users, K); the number of items where the list has ended."""
        return self.source.ranked[:, : self.depth]

    @cached_array
    def judged_for_anyone_by_rank(self) -> Numbers:
        return np.append(self.joined.labelled, False)[self._ranked].T.astype(np.float64)

    @cached_array
    def items_by_rank(self) -> Codes:
        return np.where(self._ranked < len(self.joined.items), self._ranked, NOTHING).T

    @property
    def grades(self) -> Numbers:
        grade = np.where(self._levels.exists, self._levels.grade, np.nan)
        return np.where(self.listed, np.take(grade, self._kinds), np.nan).T

    @cached_array
    def places(self) -> Numbers:
        if self.source.order is not None:
            return super().places
        return np.where(self.listed, self.ranks_by_rank - 1, 0.0)

    def _gain_of_levels(self, gain: Setting) -> Numbers:
        levels = self._levels
        gains = np.zeros(len(levels.grade))
        there = np.flatnonzero(levels.exists)
        gains[there] = self.worth(gain, levels.grade[there], levels.relevant[there])
        return gains

    def gains_by_rank(self, gain: Setting) -> Numbers:
        return self.once(_plain_gains, gain)

    def gains_of_users(self, gain: Setting, kinds: NDArray[np.uint8]) -> Numbers:
        """The gain of rows of these kinds where it hangs on the user too, shape (ranks, users) as the kinds."""
        levels = self._levels
        rank, user = np.nonzero(levels.exists[kinds] & (np.arange(len(kinds))[:, None] < self.lengths))
        kind = kinds[rank, user]
        gains = np.zeros(kinds.shape)
        gains[rank, user] = self.worth(gain, levels.grade[kind], levels.relevant[kind], user)
        return gains

    def ideal_gains(self, gain: Setting, ranks: int | None) -> ByRank:
        if of_user(gain):
            return super().ideal_gains(gain, ranks)
        most = int((self.relevant_count + self.non_relevant_count).max(initial=0))
        ranks = most if ranks is None else min(ranks, most)
        return _falling(self._gain_of_levels(gain), self._counts, self._levels.exists, ranks)

    def returned_gains(self, gain: Setting, k: int | None) -> ByRank:
        if of_user(gain):
            return super().returned_gains(gain, k)
        counts = self.once(_returned_counts, k)
        return _falling(self._gain_of_levels(gain), counts, np.ones(len(counts), bool), len(self._kinds[:k]))

    def given_gains(self, gain: Setting, ranks: int | None) -> Numbers:
        if of_user(gain):
            return super().given_gains(gain, ranks)
        user, kind = self._known_kinds
        return self.stacked(self._gain_of_levels(gain)[kind], user, ranks)

    # by label

    @cached_array
    def _known_kinds(self) -> tuple[Codes, NDArray[np.uint8]]:
        """The user of each label that exists, as a place in the block, and its kind; both have shape (labels,).

        In the order of `labels-used`.
        """
        levels = self._levels
        if levels.known_rows and not levels.unretrieved.any():
            kinds = self.source.whole_kinds.T
            user, place = np.nonzero(np.arange(kinds.shape[1]) < self.source.lengths[:, None])
            return user, kinds[user, place]
        user, kind = self.source.labels_by_kind
        if levels.known_rows:
            return self.known.user, np.append(kind, 0)[self.known.label].astype(np.uint8)
        there = levels.exists[kind]
        return (user, kind) if there.all() else (user[there], kind[there])

    @cached_array
    def known(self) -> Known:
        if self._levels.known_rows:
            return super().known
        label = np.flatnonzero(self._levels.exists[self.source.labels_by_kind[1]])
        user, kind = self._known_kinds
        grade, relevant = self._levels.grade[kind], self._levels.relevant[kind]
        item = self.source.labelled[label]
        return Known(user, grade, relevant, np.zeros(len(user), bool), item, label)


def _returned_counts(block: PlainBlock, k: int | None) -> Numbers:
    """How many of the first k rows are of each level, shape (levels + 1, users)."""
    kinds = block._kinds[:k]
    labelled = np.array([(kinds == level).sum(axis=0) for level in range(1, len(block._counts))], np.float64)
    labelled = labelled.reshape(-1, block.size)
    return np.vstack([np.minimum(block.lengths, len(kinds)) - labelled.sum(axis=0), labelled])


def _falling(gains: Numbers, counts: Numbers, there: Mask, ranks: int) -> LazyRanks:
    """Gains by falling gain, shape (ranks, users); there are `counts` rows of each level, shape (levels + 1, users).

    Levels that are not `there` are left out. Where one level alone has a gain, users share a column.
    """
    order = np.argsort(-gains, kind="stable")
    falling = order[there[order]]
    worth = falling[: int(np.flatnonzero(gains[falling]).max(initial=-1)) + 1]
    if len(worth) == 1:
        ends, gain = np.minimum(counts[worth[0]], ranks).astype(np.int64), float(gains[worth[0]])
        return LazyRanks(lambda at: np.full((*np.arange(ranks)[at].shape, 1), gain), ranks, ends)
    return _steps(gains[worth], np.cumsum(counts[worth], axis=0), ranks)


def _steps(gains: Numbers, ends: NDArray[Any], ranks: int) -> LazyRanks:
    """Gains by rank, shape (ranks, users): each gain down to its end, then the next; ends are (gains, users)."""
    place = np.arange(ranks)[:, None]

    def of_rank(at: int | slice) -> Numbers:
        best: Numbers = np.zeros(np.broadcast_shapes(place[at].shape, ends.shape[1:]))
        for end, gain in zip(ends[::-1], gains[::-1].tolist(), strict=True):
            best = np.where(place[at] < end, gain, best)
        return best

    return LazyRanks(of_rank, ranks)


def _plain_gains(block: PlainBlock, gain: Setting) -> Numbers:
    if of_user(gain):
        return block.gains_of_users(gain, block._kinds)
    gains = block._gain_of_levels(gain)
    if block._passing is None and np.array_equal(gains, block._levels.relevant):
        return block.hits_by_rank
    return block._of_rows(gains)
