"""The blocks of users whose lists preparation leaves as they are, one for each different preparation, ties averaged."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, Mask, Numbers, begins, cached_array
from rankconv.data.attributes import NeedsWholeLists
from rankconv.data.matching import Kinds
from rankconv.preparation.arithmetic import ByRank
from rankconv.preparation.block import Block
from rankconv.preparation.grade_table import JudgedLevels, PlainRows
from rankconv.preparation.grade_table_block import GradeTableBlock
from rankconv.preparation.label_block import Values, of_user
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.ties import ExpectedTies, TieEffect
from rankconv.specs.convention import Setting


class ExpectedBlock(GradeTableBlock):
    """Lists of which each row has the mean of what it would have in all orders of its tie.

    Looked at are the rows that are read and all that are tied with the last of them: the cells of an array of shape
    (users, depth), given by their number. Values of some of them have the shape of these numbers.
    """

    def __init__(self, source: PlainRows, preparation: Preparation, k: int | None, levels: JudgedLevels) -> None:
        super().__init__(source, preparation, k, levels)
        self.tie_rule = TieEffect.EXPECTED

    @cached_property
    def _scores(self) -> Numbers:
        """The score of each cell that is compared, shape (cells,); NaN where the list has ended."""
        scores = self.joined.scores(self.users, len(self.source.deep_kinds)).T.ravel()
        with np.errstate(over="ignore"):
            return scores.astype(np.float32).astype(np.float64) if self.preparation.compared.narrow else scores

    @cached_property
    def _cells(self) -> Kinds:
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
            assert self.joined.levels is not None
            of_zero = of_level[1:][self.joined.levels.grades == 0].sum()
            sums[self._expected_ties.tie[ends]] += unread @ np.array([of_level[0], of_zero], np.float64)
        return sums

    def _refuse_unread(self) -> None:
        if len(self._unread[0]):
            raise NeedsWholeLists

    def _values_by_rank(self, of_rows: Values | None = None, of_hits: Values | None = None) -> Numbers:
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

    def returned_gains(self, gain: Setting, k: int | None) -> ByRank:
        return Block.returned_gains(self, gain, k)


class GradeTableBlocks:
    """The judged blocks of the users of these rows; preparations with the same result for all rows share one."""

    def __init__(
        self, source: PlainRows, levels: dict[Preparation, JudgedLevels], alone: Mapping[Preparation, Mask]
    ) -> None:
        """`alone` says for each preparation whose lists it leaves as they are, of all users, shape (users,)."""
        self._source, self._levels, self._alone = source, levels, alone
        self._blocks: dict[Any, GradeTableBlock] = {}
        self._left: dict[Preparation, bytes] = {}

    def judged(self, preparation: Preparation, k: int | None) -> GradeTableBlock:
        """The block under this preparation, for a metric with this cutoff."""
        levels, depth = self._levels[preparation], k if preparation.cut else None
        gate = preparation.given("min-score")
        same = levels.signature, levels.scores, preparation.given("relevant"), preparation.of_groups, gate
        key = (*same, depth, self._leaves(preparation))
        if key not in self._blocks:
            expected = self._source.order is not None and preparation.tie_rule is TieEffect.EXPECTED
            self._blocks[key] = (ExpectedBlock if expected else GradeTableBlock)(self._source, preparation, k, levels)
        return self._blocks[key]

    def _leaves(self, preparation: Preparation) -> bytes:
        """Whose lists the preparation leaves as they are; the single rows of all others are prepared in its own way.

        Empty where it leaves all.
        """
        if preparation not in self._left:
            alone = self._alone[preparation][self._source.users]
            self._left[preparation] = b"" if alone.all() else alone.tobytes()
        return self._left[preparation]
