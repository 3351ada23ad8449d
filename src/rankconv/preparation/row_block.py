"""Lists that are judged row by row: the steps of preparation are carried out, and a block is what they leave."""

from collections.abc import Mapping

import numpy as np

from rankconv.data.arrays import Codes, Mask, Numbers, cached_array
from rankconv.data.ids import Ids
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.preparation.block import Block
from rankconv.preparation.cumulative import CumulativeSum
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.rows import Known, LabelRows, ListRows, Reason, WorkingBlock


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
    """Lists of which only the first rows were judged, as nobody looks at others: known is how long they are."""

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


NOTHING = np.empty(0, np.int64)
NO_NUMBERS = np.empty(0, np.float64)
TOTALS = ("lengths", "relevant_count", "non_relevant_count", "judged_count", "grade_sum", "label_count")
"""What blocks count of each list, shape (users,), and what adds up to that of all lists as one."""
MORE_TOTALS = ("in_rankings", "distinct hits", "lists")


class CountedBlock(RowBlock):
    """A block of one nameless user, whose rows stand for many; arrays of rows have shape (different rows,)."""

    def __init__(
        self,
        preparation: Preparation,
        rows: tuple[Numbers, Numbers, Mask, Numbers | None],
        times: Codes,
        totals: Mapping[str, float],
        refused: Mapping[str, str],
    ) -> None:
        """The `rows` by falling score: scores, grades, hits, and of how many groups they are hits, shape (rows,) each.

        `refused` tells by one word each what preparation did not allow, and what is wrong.
        """
        score, grade, hit, worth = rows
        listed = ListRows(np.zeros(len(score), np.int64), np.arange(len(score)), np.arange(len(score)), score)
        listed.label, listed.grade = np.full(len(score), -1), grade
        listed.judged = listed.relevant = hit
        listed.hits = worth
        judged = WorkingBlock(_no_data(), np.zeros(1, np.int64), LabelRows(NOTHING, NOTHING, NO_NUMBERS), listed, True)
        judged.known = Known(NOTHING, NO_NUMBERS, NOTHING > 0, NOTHING > 0, NOTHING, NOTHING)
        judged.reasons = [_reason(why) for why in refused.values()]
        judged.refused = np.array([bool(refused)])
        judged.label_rows = np.array([totals["label_count"]])
        judged.in_rankings = np.array([totals["in_rankings"] > 0])
        super().__init__(judged, hit, preparation)
        self._times, self._totals = times, totals

    def by_rank(self, values: Numbers) -> Numbers:
        return super().by_rank(values * self._times)

    def _total(self, name: str) -> Numbers:
        return np.array([float(self._totals[name])])

    @cached_array
    def depth(self) -> int:
        return len(self._times)

    @cached_array
    def lengths(self) -> Numbers:
        return self._total("lengths")

    @cached_array
    def relevant_count(self) -> Numbers:
        return self._total("relevant_count")

    @cached_array
    def non_relevant_count(self) -> Numbers:
        return self._total("non_relevant_count")

    @cached_array
    def judged_count(self) -> Numbers:
        return self._total("judged_count")

    @cached_array
    def grade_sum(self) -> Numbers:
        return self._total("grade_sum")

    @property
    def listed(self) -> Mask:
        return np.ones((len(self._times), 1), bool)

    @property
    def rows_by_rank(self) -> Numbers:
        return self._times[:, None].astype(np.float64)

    @cached_array
    def distinct_hits(self) -> CumulativeSum:
        return self.count(np.array([self._total("distinct hits")]))


def _reason(why: str) -> Reason:
    text = why.replace("{", "{{").replace("}", "}}")
    return Reason(np.zeros(1, np.int64), np.zeros(1, np.int64), text)


def _no_data() -> Joined:
    """Data without a row; of one item, that reasons may name, which name their own."""
    user, item = (Ids(np.array([""], object), "text") for _ in range(2))
    starts = np.zeros(2, np.int64)
    rankings = Run(user, item, starts, NOTHING, NO_NUMBERS)
    return Joined(Labels(user, item, starts, NOTHING, NO_NUMBERS), rankings, user, starts[:1], starts[:1])
