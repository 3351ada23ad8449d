"""A block of users whose tied rows share what they are worth; else judging leaves their lists as they are."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Numbers, shown
from rankconv.judging.block import Block, of_user
from rankconv.judging.cumulative import ByRank, CumulativeSum
from rankconv.judging.pipeline import Judging
from rankconv.judging.plain_block import PlainBlock
from rankconv.judging.plain_rows import JudgedLevels, PlainRows
from rankconv.judging.tied_order import Averages
from rankconv.questions.choice import Answer


class AveragedBlock(PlainBlock):
    """The judged lists of a block of users, each row being worth the mean of its tie."""

    def __init__(self, source: PlainRows, judging: Judging, k: int | None, levels: JudgedLevels) -> None:
        super().__init__(source, judging, k, levels)
        self.tie_rule = "averaged"

    @cached_property
    def _averages(self) -> Averages:
        assert self.source.order is not None
        return Averages.of(self.joined, self.users, self.source.order)

    def _averaged(self, of_level: NDArray[Any]) -> Numbers:
        """What the level of each row has, the mean over its tie, shape (K, users); `of_level` is of (levels + 1,)."""
        whole = of_level.astype(np.float64)[self.source.deep_kinds]
        return self._averages.of_each(whole)[: self.depth]

    @shown
    def hits_by_rank(self) -> Numbers:
        return self._if_passing(self._averaged(self._levels.relevant))

    @shown
    def misses_by_rank(self) -> Numbers:
        return self.listed - self._hits

    @shown
    def grades_so_far(self) -> CumulativeSum:
        return CumulativeSum(self, self._averaged(self._levels.grade))

    @shown
    def hit_grades_so_far(self) -> CumulativeSum:
        return CumulativeSum(self, self._if_passing(self._averaged(self._levels.relevant_grade)))

    def gains_by_rank(self, gain: Answer) -> Numbers:
        return self.once(_averaged_gains, gain)

    def returned_gains(self, gain: Answer, k: int | None) -> ByRank:
        return Block.returned_gains(self, gain, k)


def _averaged_gains(block: AveragedBlock, gain: Answer) -> Numbers:
    if of_user(gain):
        return block._averages.of_each(block.gains_of_users(gain, block.source.deep_kinds))[: block.depth]
    return block._averaged(block._gain_of_levels(gain))
