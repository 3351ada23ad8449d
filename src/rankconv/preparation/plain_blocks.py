"""One block of users for each plain preparation; preparations with the same result for all rows share one."""

from collections.abc import Mapping
from typing import Any

from rankconv.data.arrays import Mask
from rankconv.preparation.expected_block import ExpectedBlock
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.plain_block import PlainBlock
from rankconv.preparation.plain_rows import JudgedLevels, PlainRows
from rankconv.preparation.ties import TieEffect


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
