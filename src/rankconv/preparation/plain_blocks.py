"""One block of users for each plain preparation; preparations with the same result for all rows share one."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Mask, Numbers, cached_array
from rankconv.data.attributes import NeedsWholeLists
from rankconv.preparation.block import Block, of_user
from rankconv.preparation.cumulative import ByRank, CumulativeSum
from rankconv.preparation.expected import ExpectedTies, TieEffect
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.plain_block import PlainBlock
from rankconv.preparation.plain_rows import JudgedLevels, PlainRows
from rankconv.specs.convention import Setting


class ExpectedBlock(PlainBlock):
    """The judged lists of a block of users, each row having the mean of what it would have in all orders of its tie.

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
    def _kinds_of_cells(self) -> NDArray[np.uint8]:
        return self.source.deep_kinds.T.ravel()

    @cached_property
    def _expected_ties(self) -> ExpectedTies:
        """The cells below the end of a list are ties of their own."""
        depth, scores = len(self.source.deep_kinds), self._scores
        new_list = np.arange(len(scores)) % max(depth, 1) == 0
        new_tie = new_list | np.append(True, scores[1:] != scores[:-1])[: len(scores)]
        if self.preparation.compared.ranked and self.joined.rankings.rank is not None:
            ranks = self.joined.ranks(self.users, depth).T.ravel()
            new_tie[1:] |= ranks[1:] != ranks[:-1]
        ties = ExpectedTies(new_list, new_tie, np.arange(self.depth)[:, None] + depth * np.arange(self.size))
        ties.sizes[ties.tie[self._ends]] += self._unread.sum(axis=1)
        return ties

    @cached_property
    def _ends(self) -> Codes:
        """The cell of a row in the tie at the end of each list that has unread rows there, shape (such users,)."""
        cut, depth = self.joined.rankings.form.cut, len(self.source.deep_kinds)
        if cut is None or depth < cut.rows:
            return np.zeros(0, np.int64)
        tied = np.append(cut.tied.any(axis=1), False)[self.joined.list_rows_of[self.users]]
        return np.flatnonzero(tied) * depth + cut.rows - 1

    @cached_property
    def _unread(self) -> Codes:
        """Rows of these ties that were not read, without a label and with a grade of 0, shape (such users, 2)."""
        cut = self.joined.rankings.form.cut
        if cut is None or not len(self._ends):
            return np.zeros((0, 2), np.int64)
        return cut.tied[self.joined.list_rows_of[self.users[self._ends // len(self.source.deep_kinds)]]]

    @cached_property
    def _labelled(self) -> Codes:
        """The cells of rows with a label, shape (labelled cells,)."""
        return np.flatnonzero(self._kinds_of_cells)

    @cached_property
    def _all(self) -> Codes:
        """The cells of all rows, shape (rows,)."""
        return np.flatnonzero(~np.isnan(self._scores))

    def _sums(self, of_level: NDArray[Any], of_hits: bool = False) -> Numbers:
        """The sum over each tie of what the level of each row has, or each row that can be a hit, shape (ties,).

        `of_level` has shape (levels + 1,).
        """
        cells = self._all if of_level[0] else self._labelled
        values = of_level.astype(np.float64)[self._kinds_of_cells[cells]]
        least = self.preparation.settings["min-score"].trait("above")
        if of_hits and least is not None and self.preparation.compared.lowest is None:
            values = np.where(self._scores[cells] > least, values, 0.0)
            self._refuse_unread()
        sums, unread = self._expected_ties.sums(cells, values), self._unread
        if len(unread):
            assert self.joined.levels is not None
            of_zero = of_level[1:][self.joined.levels.grades == 0].sum()
            sums[self._expected_ties.tie[self._ends]] += unread @ np.array([of_level[0], of_zero], np.float64)
        return sums

    def _refuse_unread(self) -> None:
        if len(self._unread):
            raise NeedsWholeLists

    def _means(self, of_level: NDArray[Any], of_hits: bool = False) -> Numbers:
        """The mean over the tie of each row that is read, shape (K, users), likewise."""
        return self._expected_ties.means(self._sums(of_level, of_hits))

    @cached_property
    def _hits_of_ties(self) -> Numbers:
        return self._sums(self._levels.relevant, of_hits=True)

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
    def misses_by_rank(self) -> Numbers:
        rows = self._sums(np.ones(len(self._levels.grade)))
        return self._expected_ties.means(rows - self._hits_of_ties)

    @cached_array
    def judged_by_rank(self) -> Numbers:
        return self._means(self._levels.exists)

    @cached_array
    def judged_misses_by_rank(self) -> Numbers:
        hits = self._sums(self._levels.exists & self._levels.relevant, of_hits=True)
        return self._expected_ties.means(self._sums(self._levels.exists) - hits)

    @cached_array
    def judged_for_anyone_by_rank(self) -> Numbers:
        self._refuse_unread()
        listed = self.joined.ranked(self.users, len(self.source.deep_kinds)).ravel()[self._all]
        judged = np.append(self.joined.labelled, False)[listed].astype(np.float64)
        return self._expected_ties.means(self._expected_ties.sums(self._all, judged))

    @cached_array
    def grades_by_rank(self) -> Numbers:
        return self._means(self._levels.grade)

    @cached_array
    def hit_grades_so_far(self) -> CumulativeSum:
        return CumulativeSum(self, self._means(self._levels.relevant_grade, of_hits=True))

    def gains_by_rank(self, gain: Setting) -> Numbers:
        return self.once(_expected_gains, gain)

    def returned_gains(self, gain: Setting, k: int | None) -> ByRank:
        return Block.returned_gains(self, gain, k)


def _expected_gains(block: ExpectedBlock, gain: Setting) -> Numbers:
    if not of_user(gain):
        return block._means(block._gain_of_levels(gain))
    block._refuse_unread()
    gains = block.gains_of_users(gain, block.source.deep_kinds).T.ravel()
    return block._expected_ties.means(block._expected_ties.sums(block._all, gains[block._all]))


class PlainBlocks:
    """The judged blocks of the users of these rows."""

    def __init__(
        self, source: PlainRows, levels: dict[Preparation, JudgedLevels], alone: Mapping[Preparation, Mask]
    ) -> None:
        """`alone` says for each preparation whose lists it leaves as they are, of all users, shape (users,)."""
        self._source, self._levels, self._alone = source, levels, alone
        self._blocks: dict[Any, PlainBlock] = {}
        self._left: dict[Preparation, bytes] = {}

    def judged(self, preparation: Preparation, k: int | None) -> PlainBlock:
        """The block under this preparation, for a metric with this cutoff."""
        levels, depth = self._levels[preparation], k if preparation.cut else None
        gate = preparation.given("min-score")
        same = levels.signature, levels.scores, preparation.given("relevant"), preparation.of_groups, gate
        key = (*same, depth, self._leaves(preparation))
        if key not in self._blocks:
            expected = self._source.order is not None and preparation.tie_rule is TieEffect.EXPECTED
            self._blocks[key] = (ExpectedBlock if expected else PlainBlock)(self._source, preparation, k, levels)
        return self._blocks[key]

    def _leaves(self, preparation: Preparation) -> bytes:
        """Whose lists the preparation leaves as they are; the single rows of all others are prepared in its own way.

        Empty where it leaves all.
        """
        if preparation not in self._left:
            alone = self._alone[preparation][self._source.users]
            self._left[preparation] = b"" if alone.all() else alone.tobytes()
        return self._left[preparation]
