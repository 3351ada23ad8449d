"""A block of users whose tied rows have expected values; else judging leaves their lists as they are."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Numbers, shown
from rankconv.judging.block import Block, of_user
from rankconv.judging.cumulative import ByRank, CumulativeSum
from rankconv.judging.expected import ExpectedRows
from rankconv.judging.pipeline import Judging
from rankconv.judging.plain_block import PlainBlock
from rankconv.judging.plain_rows import JudgedLevels, PlainRows
from rankconv.judging.ties import TieEffect
from rankconv.questions.choice import Answer


class ExpectedBlock(PlainBlock):
    """The judged lists of a block of users, each row having the mean of what it would have in all orders of its tie.

    Values of rows are those of the rows that are read and of all that are tied with the last of them, list after list.
    """

    def __init__(self, source: PlainRows, judging: Judging, k: int | None, levels: JudgedLevels) -> None:
        super().__init__(source, judging, k, levels)
        self.tie_rule = TieEffect.EXPECTED

    @cached_property
    def _at_rows(self) -> tuple[Codes, Codes]:
        """The user and the place of each row, both of shape (rows,)."""
        places = np.arange(len(self.source.deep_kinds))
        user, place = np.nonzero(places < self.joined.list_counts[self.users][:, None])
        return user, place

    @shown
    def _scores(self) -> Numbers:
        """The score of each row that is compared, shape (rows,)."""
        assert self.source.order is not None
        user, place = self._at_rows
        return self.source.order.score[self.joined.rankings.starts[self.joined.list_rows_of[self.users]][user] + place]

    @shown
    def _expected_rows(self) -> ExpectedRows:
        return ExpectedRows(self._at_rows[0], [self._scores])

    def _of_level(self, of_level: NDArray[Any]) -> Numbers:
        """What the level of each row has, shape (rows,); `of_level` has shape (levels + 1,)."""
        user, place = self._at_rows
        return of_level.astype(np.float64)[self.source.deep_kinds[place, user]]

    def _of_hits(self, values: Numbers) -> Numbers:
        """Values of the rows that can be hits, 0 for the others, shape (rows,)."""
        least = self.judging.answers["score-gate"].trait("above")
        gated = least is not None and self.judging.compared.lowest is None
        return np.where(self._scores > least, values, 0.0) if gated else values

    @property
    def _hits_of_rows(self) -> Numbers:
        return self._of_hits(self._of_level(self._levels.relevant))

    def _read(self, of_rows: Numbers) -> Numbers:
        """Values of the rows that are read, shape (K, users), of those of all rows, (rows,)."""
        by_rank = np.zeros(self.source.deep_kinds.shape)
        by_rank[self._at_rows[::-1]] = of_rows
        return by_rank[: self.depth]

    def _expected_by_rank(self, of_rows: Numbers) -> Numbers:
        """The expected values, shape (K, users), of values of shape (rows,)."""
        return self._read(self._expected_rows.values(of_rows))

    @shown
    def hits_by_rank(self) -> Numbers:
        return self._expected_by_rank(self._hits_of_rows)

    @shown
    def hit_products_by_rank(self) -> Numbers:
        return self._read(self._expected_rows.products(self._hits_of_rows))

    @shown
    def hit_chances_by_rank(self) -> Numbers:
        return self._read(self._expected_rows.chances(self._hits_of_rows))

    @shown
    def misses_by_rank(self) -> Numbers:
        return self._expected_by_rank(1 - self._hits_of_rows)

    @shown
    def judged_by_rank(self) -> Numbers:
        return self._expected_by_rank(self._of_level(self._levels.exists))

    @shown
    def judged_misses_by_rank(self) -> Numbers:
        return self._expected_by_rank(self._of_level(self._levels.exists) * (1 - self._hits_of_rows))

    @shown
    def judged_for_anyone_by_rank(self) -> Numbers:
        user, place = self._at_rows
        listed = self.joined.ranked(self.users, len(self.source.deep_kinds))[user, place]
        return self._expected_by_rank(np.append(self.joined.labelled, False)[listed].astype(np.float64))

    @shown
    def grades_by_rank(self) -> Numbers:
        return self._expected_by_rank(self._of_level(self._levels.grade))

    @shown
    def hit_grades_so_far(self) -> CumulativeSum:
        return CumulativeSum(self, self._expected_by_rank(self._of_hits(self._of_level(self._levels.relevant_grade))))

    def gains_by_rank(self, gain: Answer) -> Numbers:
        return self.once(_expected_gains, gain)

    def returned_gains(self, gain: Answer, k: int | None) -> ByRank:
        return Block.returned_gains(self, gain, k)


def _expected_gains(block: ExpectedBlock, gain: Answer) -> Numbers:
    if of_user(gain):
        user, place = block._at_rows
        return block._expected_by_rank(block.gains_of_users(gain, block.source.deep_kinds)[place, user])
    return block._expected_by_rank(block._of_level(block._gain_of_levels(gain)))
