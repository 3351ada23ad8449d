"""One block of users under every judging that is plain; those that make the same of each label share it."""

from typing import Any

from rankconv.judging.averaged_block import AveragedBlock
from rankconv.judging.pipeline import Judging
from rankconv.judging.plain_block import PlainBlock
from rankconv.judging.plain_rows import JudgedLevels, PlainRows


class PlainBlocks:
    """The judged blocks of the users of these rows."""

    def __init__(self, source: PlainRows, levels: dict[Judging, JudgedLevels]) -> None:
        self._source, self._levels = source, levels
        self._blocks: dict[Any, PlainBlock] = {}

    def judged(self, judging: Judging, k: int | None) -> PlainBlock:
        """The block under this judging, for a metric with this cutoff."""
        levels, depth = self._levels[judging], k if judging.cut else None
        key = (levels.signature, levels.scores, judging.given("relevant"), judging.of_groups, depth)
        if key not in self._blocks:
            averaged = self._source.order is not None and judging.tie_rule == "averaged"
            self._blocks[key] = (AveragedBlock if averaged else PlainBlock)(self._source, judging, k, levels)
        return self._blocks[key]
