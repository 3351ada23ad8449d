"""Lists that are judged row by row: the steps of preparation are carried out, and a block is what they leave."""

from collections.abc import Mapping

import numpy as np

from rankconv.data.arrays import Codes, Mask, Numbers, set_readonly
from rankconv.data.ids import Ids
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.preparation.block import Block
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


def judge(block: WorkingBlock, preparation: Preparation, kind: type[RowBlock] = RowBlock) -> RowBlock:
    """Apply the steps of one preparation to a block's rows, which it changes."""
    for step in preparation.steps:
        step.take(block)
    return kind(block, preparation.settings["min-score"](block=block), preparation)


_NONE = np.empty(0, np.int64)
_NO_NUMBERS = np.empty(0, np.float64)
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
        judged = WorkingBlock(_no_data(), np.zeros(1, np.int64), LabelRows(_NONE, _NONE, _NO_NUMBERS), listed, True)
        judged.known = Known(_NONE, _NO_NUMBERS, _NONE > 0, _NONE > 0, _NONE, _NONE)
        judged.reasons = [_reason(why) for why in refused.values()]
        judged.refused = np.array([bool(refused)])
        judged.label_rows = np.array([totals["label_count"]])
        judged.in_rankings = np.array([totals["in_rankings"] > 0])
        super().__init__(judged, hit, preparation)
        self._times = times
        counted = {name: set_readonly(np.array([float(number)])) for name, number in totals.items()}
        self.depth, self.lengths, self.judged_count = len(times), counted["lengths"], counted["judged_count"]
        self.relevant_count, self.non_relevant_count = counted["relevant_count"], counted["non_relevant_count"]
        self.grade_sum, self.distinct_hits = counted["grade_sum"], self.count(counted["distinct hits"][None])

    def by_rank(self, values: Numbers) -> Numbers:
        return super().by_rank(values * self._times)

    @property
    def listed(self) -> Mask:
        return np.ones((self.depth, 1), bool)

    @property
    def rows_by_rank(self) -> Numbers:
        return self._times[:, None].astype(np.float64)


def _reason(why: str) -> Reason:
    text = why.replace("{", "{{").replace("}", "}}")
    return Reason(np.zeros(1, np.int64), np.zeros(1, np.int64), text)


def _no_data() -> Joined:
    """Data without a row; of one item, that reasons may name, which name their own."""
    user, item = (Ids(np.array([""], object), "text") for _ in range(2))
    starts = np.zeros(2, np.int64)
    rankings = Run(user, item, starts, _NONE, _NO_NUMBERS)
    return Joined(Labels(user, item, starts, _NONE, _NO_NUMBERS), rankings, user, starts[:1], starts[:1])
