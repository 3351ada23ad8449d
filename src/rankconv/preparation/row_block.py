"""Lists that are judged row by row: the steps of preparation are carried out, and a block is what they leave."""

from rankconv.data.arrays import Mask, Numbers, cached_array
from rankconv.preparation.block import Block
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.rows import WorkingBlock


class RowBlock(Block):
    """A block whose rows were judged one by one."""

    def __init__(self, judged: WorkingBlock, hit: Mask, preparation: Preparation) -> None:
        super().__init__(judged.joined, judged.users, preparation, judged.in_rankings, judged.label_rows)
        self._left = judged, hit
        self.refused, self.reasons = judged.refused, judged.reasons
        self.known_are_rows, self.k = judged.known_rows, judged.k

    @property
    def _judged(self) -> tuple[WorkingBlock, Mask]:
        return self._left


class FirstRowsBlock(RowBlock):
    """Lists of which only the first rows were judged, as nobody looks at others: told is how long they are."""

    def __init__(self, judged: WorkingBlock, hit: Mask, preparation: Preparation, lengths: Numbers, first: int) -> None:
        """`lengths`, shape (users,), are those of the whole lists, of which the `first` rows were judged."""
        super().__init__(judged, hit, preparation)
        self._whole, self.as_given = lengths, first

    @cached_array
    def lengths(self) -> Numbers:
        return self._whole


def judged(block: WorkingBlock, preparation: Preparation) -> RowBlock:
    """The block after all steps, with its hits."""
    return RowBlock(block, preparation.settings["min-score"](block=block), preparation)


def judge(block: WorkingBlock, preparation: Preparation) -> RowBlock:
    """Apply the steps of one preparation to a block's rows, which it changes."""
    for step in preparation.steps:
        step.take(block)
    return judged(block, preparation)
