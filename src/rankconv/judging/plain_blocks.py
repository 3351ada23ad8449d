"""One block of users under every judging that is plain; those that make the same of each label and list share it."""

from collections.abc import Mapping
from typing import Any

from rankconv.data.arrays import Mask
from rankconv.judging.expected_block import ExpectedBlock
from rankconv.judging.pipeline import Judging
from rankconv.judging.plain_block import PlainBlock
from rankconv.judging.plain_rows import JudgedLevels, PlainRows
from rankconv.judging.ties import TieEffect


class PlainBlocks:
    """The judged blocks of the users of these rows."""

    def __init__(self, source: PlainRows, levels: dict[Judging, JudgedLevels], alone: Mapping[Judging, Mask]) -> None:
        """`alone` says for each judging whose lists it leaves as they are, of all users, shape (users,)."""
        self._source, self._levels, self._alone = source, levels, alone
        self._blocks: dict[Any, PlainBlock] = {}
        self._left: dict[Judging, bytes] = {}

    def judged(self, judging: Judging, k: int | None) -> PlainBlock:
        """The block under this judging, for a metric with this cutoff."""
        levels, depth = self._levels[judging], k if judging.cut else None
        gate = judging.given("min-score")
        same = levels.signature, levels.scores, judging.given("relevant"), judging.of_groups, gate
        key = (*same, depth, self._leaves(judging))
        if key not in self._blocks:
            expected = self._source.order is not None and judging.tie_rule is TieEffect.EXPECTED
            self._blocks[key] = (ExpectedBlock if expected else PlainBlock)(self._source, judging, k, levels)
        return self._blocks[key]

    def _leaves(self, judging: Judging) -> bytes:
        """Whose lists of these the judging leaves as they are; the single rows of all others it judges in its own way.

        Empty where it leaves all.
        """
        if judging not in self._left:
            alone = self._alone[judging][self._source.users]
            self._left[judging] = b"" if alone.all() else alone.tobytes()
        return self._left[judging]
