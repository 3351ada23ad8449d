"""Blocks of users whose lists preparation leaves as they are: a row has the grade of its label, its place as rank.

Labels are prepared by the same steps as ever, once for each grade that occurs. Single rows are prepared where they are
requested, as scores are.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.conventions.convention import Setting
from rankconv.data.arrays import Codes, Mask, Numbers, begins, cached_array, within
from rankconv.data.attributes import NeedsWholeLists
from rankconv.data.matching import LabelKinds
from rankconv.preparation.arithmetic import CumulativeSum, RankValues
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.grade_table import PlainRows, PreparedLevels
from rankconv.preparation.blocks.label_block import (
    GradedLabels,
    Judgments,
    JudgmentValues,
    falling,
    of_user,
    sum_per_user,
)
from rankconv.preparation.blocks.row_block import merged, prepare
from rankconv.preparation.facts import facts_of
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.tie_draws import RepeatedTie, TiedFactors, TieDraws
from rankconv.preparation.ties import ExpectedTies, TieEffect
from rankconv.preparation.working_rows import NOTHING, KnownLabels, WorkingBlock


class GradeTableBlock(Block):
    """The prepared lists of a block of users, given by how many rows and labels there are of each grade."""

    def __init__(self, source: PlainRows, preparation: Preparation, k: int | None, levels: PreparedLevels) -> None:
        super().__init__(source.joined, source.users, preparation, source.lengths > 0, source.label_rows)
        self.source, self.k, self._levels = source, k, levels
        self._depth = k if preparation.cut else None
        self.aligned_arrays, self.tie_rule, self.keeps_ties = levels.aligned_arrays, TieEffect.ORDER, False
        self.deepest = source.rows
        looks_deeper = levels.aligned_arrays or levels.unretrieved.any() or source.order is not None
        self.as_given = None if looks_deeper else source.rows

    @cached_property
    def _prepared(self) -> tuple[WorkingBlock, Mask]:
        """The rows of the first K ranks alone, which saves room, and which of them are hits, shape (rows,)."""
        parts = [self._first_rows(rows) for rows in self.source.working()]
        if len(parts) == 1:
            return parts[0]
        return merged([working for working, _ in parts], self.users), np.concatenate([hit for _, hit in parts])

    def _first_rows(self, rows: WorkingBlock) -> tuple[WorkingBlock, Mask]:
        block = prepare(rows.copy(self.k), self.preparation)
        first = within(block.prepared.rows.user) < self.depth
        if first.all():
            return block.prepared, block.hit_rows
        block.prepared.rows.take(first)
        return block.prepared, block.hit_rows[first]

    @property
    def _kinds(self) -> LabelKinds:
        """0 where a row has no label, else 1 + the level of its grade, shape (K, users)."""
        return self.source.kinds[: self._depth]

    @cached_array
    def _counts(self) -> Numbers:
        """The labels that exist, of each level, shape (levels + 1, users)."""
        return self.source.counts(self._levels)

    # per user

    @cached_array
    def lengths(self) -> Numbers:
        return self.source.list_lengths(self._levels, self._depth)

    def _sum_of_labels(self, of_label: Callable[[GradedLabels], NDArray[Any]]) -> Numbers:
        """The sum over each user's labels, shape (users,)."""
        values = np.where(self._levels.exists, of_label(self._levels), 0.0)
        if (values != np.rint(values)).any():
            user, kind = self._known_kinds
            return sum_per_user(user, values[kind], self.size)
        total = np.zeros(self.size)
        for count, value in zip(self._counts, values.tolist(), strict=True):
            if value:
                total += count * value
        return total

    @cached_array
    def highest_grade(self) -> Numbers:
        there = self._levels.exists[:, None] & (self._counts > 0)
        highest = np.where(there, self._levels.grade[:, None], -np.inf).max(axis=0)
        return np.where(np.isinf(highest), 0.0, highest)

    def labels_above(self, level: float) -> Numbers:
        return np.asarray(self.source.label_counts[self._levels.judged & (self._levels.grade > level)].sum(axis=0))

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

    def _of_levels(self, of_rows: JudgmentValues | None, of_hits: JudgmentValues | None) -> tuple[Numbers, Numbers]:
        """What rows of each level add, and what they add more where they are hits, shape (levels + 1,) each."""
        levels = self._levels
        judgments = Judgments(levels.grade, levels.exists, np.ones(len(levels.grade)))
        rows, hits = (np.zeros(len(levels.grade)) if of is None else 1.0 * of(judgments) for of in (of_rows, of_hits))
        return rows, np.where(levels.relevant, hits, 0.0)

    def _values_by_rank(self, of_rows: JudgmentValues | None = None, of_hits: JudgmentValues | None = None) -> Numbers:
        rows, hits = self._of_levels(of_rows, of_hits)
        if not hits.any() or self._passing is None:
            return self._of_rows(rows + hits)
        return np.where(self._passing, self._of_rows(rows + hits), self._of_rows(rows))

    @cached_property
    def _least(self) -> float | None:
        """The score above which a row can be a hit; None where any score will do, or lists are not prepared here."""
        least: float | None = self.preparation.settings["min-score"].traits.hits_above
        return least if self.preparation.compared.lowest is None else None  # scores that were shifted are above

    @cached_property
    def _passing(self) -> Mask | None:
        """Which rows have a score with which they can be hits, shape (K, users); None where all have one."""
        if self._least is None:
            return None
        with np.errstate(over="ignore"):
            narrow = self.preparation.compared.narrow
            scores = self.source.scores.astype(np.float32) if narrow else self.source.scores
        passing = np.asarray(scores[: self._depth] > self._least)
        return None if (passing | ~self.listed).all() else passing

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
        if not self._never_repeats:
            return super().hit_items
        return self.count(GradeTableBlock._values_by_rank(self, of_hits=lambda row: row.hits))

    @cached_array
    def has_unjudged(self) -> Mask:
        return np.asarray((self.listed & ~self._levels.judged[self._kinds]).any(axis=0))

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

    # gains

    def _gain_of_levels(self, gain: Setting) -> Numbers:
        levels = self._levels
        gains = np.zeros(len(levels.grade))
        there = np.flatnonzero(levels.exists)
        gains[there] = self.worth(gain, levels.grade[there], levels.relevant[there])
        return gains

    def _find_gains(self, gain: Setting) -> Numbers:
        if of_user(gain):
            return self._gains_of_users(gain, self._kinds)
        return self._of_rows(self._gain_of_levels(gain))

    def _gains_of_users(self, gain: Setting, kinds: LabelKinds) -> Numbers:
        """The gain of rows of these kinds where it hangs on the user too, shape (ranks, users) as the kinds."""
        levels = self._levels
        rank, user = np.nonzero(levels.exists[kinds] & (np.arange(len(kinds))[:, None] < self.lengths))
        kind = kinds[rank, user]
        gains = np.zeros(kinds.shape)
        gains[rank, user] = self.worth(gain, levels.grade[kind], levels.relevant[kind], user)
        return gains

    def ideal_gains(self, gain: Setting, ranks: int | None) -> RankValues:
        if of_user(gain):
            return super().ideal_gains(gain, ranks)
        most = int((self.relevant_count + self.non_relevant_count).max(initial=0))
        ranks = most if ranks is None else min(ranks, most)
        return falling(self._gain_of_levels(gain), self._counts, self._levels.exists, ranks)

    def relevant_gains(self, gain: Setting, ranks: int | None) -> RankValues:
        if of_user(gain):
            return super().relevant_gains(gain, ranks)
        most = int(self.relevant_count.max(initial=0))
        there = self._levels.exists & self._levels.relevant
        return falling(self._gain_of_levels(gain), self._counts, there, most if ranks is None else min(ranks, most))

    def returned_gains(self, gain: Setting, k: int | None) -> RankValues:
        if of_user(gain):
            return super().returned_gains(gain, k)
        counts = self.once(_returned_counts, k)
        return falling(self._gain_of_levels(gain), counts, np.ones(len(counts), bool), len(self._kinds[:k]))

    def given_gains(self, gain: Setting, ranks: int | None) -> Numbers:
        if of_user(gain):
            return super().given_gains(gain, ranks)
        user, kind = self._known_kinds
        return self.stacked(self._gain_of_levels(gain)[kind], user, ranks)

    # by label

    @cached_array
    def _known_kinds(self) -> tuple[Codes, LabelKinds]:
        """The user of each label that exists, as a place in the block, and its kind; both have shape (labels,).

        In the order of `labels-used`.
        """
        levels = self._levels
        if levels.aligned_arrays and not levels.unretrieved.any():
            kinds = self.source.whole_kinds.T
            user, place = np.nonzero(np.arange(kinds.shape[1]) < self.source.lengths[:, None])
            return user, kinds[user, place]
        user, kind = self.source.labels_by_kind
        if levels.aligned_arrays:
            return self.known.user, np.append(kind, 0)[self.known.label].astype(np.uint8)
        there = levels.exists[kind]
        return (user, kind) if there.all() else (user[there], kind[there])

    @cached_array
    def known(self) -> KnownLabels:
        if self._levels.aligned_arrays:
            return super().known
        label = np.flatnonzero(self._levels.exists[self.source.labels_by_kind[1]])
        user, kind = self._known_kinds
        grade, relevant = self._levels.grade[kind], self._levels.relevant[kind]
        return KnownLabels(user, grade, relevant, np.zeros(len(user), bool), self.source.labelled[label], label)


def _returned_counts(block: GradeTableBlock, k: int | None) -> Numbers:
    """How many of the first k rows are of each level, shape (levels + 1, users)."""
    kinds = block._kinds[:k]
    labelled = np.array([(kinds == level).sum(axis=0) for level in range(1, len(block._counts))], np.float64)
    labelled = labelled.reshape(len(block._counts) - 1, block.size)
    return np.vstack([np.minimum(block.lengths, len(kinds)) - labelled.sum(axis=0), labelled])


class ExpectedBlock(GradeTableBlock):
    """Lists of which each row has the mean of what it would have in all orders of its tie.

    Looked at are the rows that are read and all that are tied with the last of them: the cells of an array of shape
    (users, depth), given by their number. Values of some of them have the shape of these numbers.
    """

    def __init__(self, source: PlainRows, preparation: Preparation, k: int | None, levels: PreparedLevels) -> None:
        super().__init__(source, preparation, k, levels)
        self.tie_rule = TieEffect.EXPECTED

    @cached_property
    def _scores(self) -> Numbers:
        """The score of each cell that is compared, shape (cells,); NaN where the list has ended."""
        scores = self.joined.scores(self.users, len(self.source.deep_kinds)).T.ravel()
        with np.errstate(over="ignore"):
            return scores.astype(np.float32).astype(np.float64) if self.preparation.compared.narrow else scores

    @cached_property
    def _cells(self) -> LabelKinds:
        """The kind of each cell, shape (cells,)."""
        return self.source.deep_kinds.T.ravel()

    @cached_property
    def _expected_ties(self) -> ExpectedTies:
        """The cells below the end of a list are ties of their own."""
        depth, scores = len(self.source.deep_kinds), self._scores
        new_list, tied_by = np.arange(len(scores)) % max(depth, 1) == 0, [scores]
        if self.preparation.compared.ranked and self.joined.rankings.rank is not None:
            tied_by.append(self.joined.ranks(self.users, depth).T.ravel())
        read = np.arange(self.depth)[:, None] + depth * np.arange(self.size)
        ties = ExpectedTies(new_list, new_list | begins(*tied_by), read)
        ends, unread = self._unread
        ties.sizes[ties.tie[ends]] += unread.sum(axis=1)
        return ties

    @cached_property
    def _unread(self) -> tuple[Codes, Codes]:
        """Lists with unread rows in the tie at their end: the cell of a row there, and how many of them it has.

        Of shape (lists,) and (lists, 2): rows without a label and with a grade of 0.
        """
        cut, depth = self.joined.rankings.form.cut, len(self.source.deep_kinds)
        if cut is None or depth < cut.rows:
            return np.zeros(0, np.int64), np.zeros((0, 2), np.int64)
        lists = self.joined.list_rows_of[self.users]
        users = np.flatnonzero(np.append(cut.tied.any(axis=1), False)[lists])
        return users * depth + cut.rows - 1, cut.tied[lists[users]]

    @cached_property
    def _labelled(self) -> Codes:
        """The cells of rows with a label, shape (labelled cells,)."""
        return np.flatnonzero(self._cells)

    @cached_property
    def _all(self) -> Codes:
        """The cells of all rows, shape (rows,)."""
        return np.flatnonzero(~np.isnan(self._scores))

    def _sums(self, of_level: Numbers, of_hits: bool = False) -> Numbers:
        """The sum over each tie of what the level of each row has, or each row that can be a hit, shape (ties,).

        `of_level` has shape (levels + 1,).
        """
        cells, (ends, unread) = self._all if of_level[0] else self._labelled, self._unread
        values = of_level[self._cells[cells]]
        if of_hits and self._least is not None:
            values = np.where(self._scores[cells] > self._least, values, 0.0)
            self._refuse_unread()
        sums = self._expected_ties.sums(cells, values)
        if len(unread):
            worth = np.array([of_level[0], self._of_zero(of_level)], np.float64)
            sums[self._expected_ties.tie[ends]] += unread @ worth
        return sums

    def _refuse_unread(self) -> None:
        if len(self._unread[0]):
            raise NeedsWholeLists

    def _values_by_rank(self, of_rows: JudgmentValues | None = None, of_hits: JudgmentValues | None = None) -> Numbers:
        rows, hits = self._of_levels(of_rows, of_hits)
        sums = self._sums(rows) if of_hits is None else self._sums(hits, of_hits=True)
        if of_rows is not None and of_hits is not None:
            sums = self._sums(rows) + sums
        return self._expected_ties.means(sums)

    @cached_property
    def _hits_of_ties(self) -> Numbers:
        return self._sums(self._of_levels(None, lambda row: row.hits)[1], of_hits=True)

    @cached_array
    def hits_by_rank(self) -> Numbers:
        return self._expected_ties.means(self._hits_of_ties)

    @cached_array
    def hit_products_by_rank(self) -> Numbers:
        return self._expected_ties.products(self._hits_of_ties, self._hits_of_ties)

    @cached_array
    def hit_chances_by_rank(self) -> Numbers:
        return self._expected_ties.chances(self._hits_of_ties)

    @cached_array
    def tie_draws(self) -> TieDraws:
        ties = self._expected_ties
        return TieDraws(ties.place.astype(np.float64), ties.sizes[ties.read].astype(np.float64), self.chances)

    def tied_factors(self, gain: Setting) -> TiedFactors:
        ties, cells, (_, unread) = self._expected_ties, self._all, self._unread
        if of_user(gain):
            self._refuse_unread()
            gains = self._gains_of_users(gain, self.source.deep_kinds).T.ravel()[cells]
        else:
            of_level = self._gain_of_levels(gain)
            if len(unread) and (of_level[0] or self._of_zero(of_level)):
                raise NeedsWholeLists
            gains = of_level[self._cells[cells]]
        there = gains != 0
        return TiedFactors.of(ties.read, len(ties.sizes), ties.tie[cells[there]], 1 - gains[there])

    def _of_zero(self, of_level: Numbers) -> float:
        """What rows with a grade of 0 have, `of_level` being of shape (levels + 1,)."""
        assert self.joined.levels is not None
        return float(of_level[1:][self.joined.levels.grades == 0].sum())

    @cached_array
    def repeated_ties(self) -> list[RepeatedTie]:
        """None of which the later rows differ: such lists are prepared row by row."""
        return []

    @cached_array
    def judged_for_anyone_by_rank(self) -> Numbers:
        self._refuse_unread()
        listed = self.joined.ranked(self.users, len(self.source.deep_kinds)).ravel()[self._all]
        judged = np.append(self.joined.labelled, False)[listed].astype(np.float64)
        return self._expected_ties.means(self._expected_ties.sums(self._all, judged))

    def _find_gains(self, gain: Setting) -> Numbers:
        if not of_user(gain):
            return self._expected_ties.means(self._sums(self._gain_of_levels(gain)))
        self._refuse_unread()
        gains = self._gains_of_users(gain, self.source.deep_kinds).T.ravel()[self._all]
        return self._expected_ties.means(self._expected_ties.sums(self._all, gains))

    def returned_gains(self, gain: Setting, k: int | None) -> RankValues:
        return Block.returned_gains(self, gain, k)
