"""Judging where it leaves the lists as they are: ranks are places, and what a row is worth is told by its label alone.

Such blocks need no steps row by row. Labels are judged by the same steps as ever, once for each grade that occurs.
"""

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from rankconv.choice import Answer
from rankconv.ranking.block import Block
from rankconv.ranking.fixed import shown
from rankconv.ranking.ids import Codes
from rankconv.ranking.judging import Judging
from rankconv.ranking.plain_rows import JudgedLevels, PlainRows
from rankconv.ranking.rows import Mask, Numbers
from rankconv.ranking.running import ByRank, Made, Running


class NotPlainError(Exception):
    """This must be judged row by row."""


class PlainBlock(Block):
    """A judged block whose rows are places. What needs single rows is not here: it raises NotPlainError."""

    def __init__(self, source: PlainRows, judging: Judging, levels: JudgedLevels, depth: int | None) -> None:
        self.users, self.judging, self.joined = source.users, judging, source.joined
        self.deepest = source.rows
        self._kinds, self._counts, self._levels = source.kinds[:depth], source.counts(levels), levels
        self._label_counts = source.label_counts
        if (self._counts[levels.refused] > 0).any() or (self._label_counts[levels.refused] > 0).any():
            raise NotPlainError
        self.refused, self.reasons = np.zeros(self.size, bool), []
        self.in_rankings = source.lengths > 0
        self.label_count = self._label_counts.sum(axis=0)
        self.known_are_rows, self.tie_rule = levels.known_rows, "order"
        self.catalogue = float(source.joined.extra.catalogue or np.nan)
        self._level = float(judging.answers["relevant"].keywords.get("level", 0.0))
        self._once: dict[Any, Any] = {}
        self._list_lengths = source.list_lengths(levels, depth)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(name) if name.startswith("__") else NotPlainError(name)

    # per user

    def _sum_of(self, of_level: NDArray[Any]) -> Numbers:
        """The sum over a user's labels of what each level has, shape (users,)."""
        total = np.zeros(self.size)
        for count, value in zip(self._counts, of_level.tolist(), strict=True):
            if value:
                total += count * value
        return total

    def _labels_of(self, of_level: Mask) -> Numbers:
        """How many labels are of these levels, whatever exists for the metrics, shape (users,)."""
        return np.asarray(self._label_counts[of_level].sum(axis=0))

    @shown
    def lengths(self) -> Numbers:
        return self._list_lengths

    @shown
    def relevant_count(self) -> Numbers:
        return self._sum_of(self._levels.relevant)

    @shown
    def non_relevant_count(self) -> Numbers:
        return self._sum_of(self._levels.exists & ~self._levels.relevant)

    @shown
    def judged_count(self) -> Numbers:
        return self._labels_of(self._levels.exists)

    @shown
    def grade_sum(self) -> Numbers:
        grade = self._levels.grade
        if (grade == np.round(grade)).all():
            return self._sum_of(grade)
        if self._levels.known_rows:
            raise NotPlainError
        user, kind = self.joined.labels_by_kind(self.users)  # fractions are rounded at each step, so in their order
        return np.bincount(user, weights=grade[kind], minlength=self.size).astype(np.float64)

    @shown
    def highest_grade(self) -> Numbers:
        highest = np.full(self.size, -np.inf)
        for count, exists, grade in zip(self._counts, self._levels.exists, self._levels.grade, strict=True):
            if exists:
                highest = np.where(count > 0, np.maximum(highest, grade), highest)
        return np.where(np.isinf(highest), 0.0, highest)

    def labels_above(self, level: float) -> Numbers:
        return self._labels_of(self._levels.exists & (self._levels.grade > level))

    # by rank

    @shown
    def depth(self) -> int:
        return len(self._kinds)

    def _of_rows(self, of_level: NDArray[Any]) -> Numbers:
        """What each level has, at the rank of each row of that level, shape (K, users)."""
        values = of_level.astype(np.float64)
        if not values.any():
            return np.zeros(self._kinds.shape)
        if values[0]:
            return np.where(self.listed, np.take(values, self._kinds), 0.0)
        if (values[1:] == 1).all():
            return np.asarray(self._kinds != 0, np.float64)
        return np.asarray(np.take(values, self._kinds))

    @shown
    def hits_by_rank(self) -> Numbers:
        return self._of_rows(self._levels.relevant)

    @shown
    def misses_by_rank(self) -> Numbers:
        return self.listed - self.hits_by_rank

    @shown
    def judged_by_rank(self) -> Numbers:
        return self._of_rows(self._levels.exists)

    @shown
    def judged_misses_by_rank(self) -> Numbers:
        return self._of_rows(self._levels.exists & ~self._levels.relevant)

    @shown
    def grades_by_rank(self) -> Numbers:
        return self._of_rows(self._levels.grade)

    @shown
    def grades_so_far(self) -> Running:
        return Running(self, self.grades_by_rank)

    @shown
    def places(self) -> Numbers:
        return np.where(self.listed, self.ranks_by_rank - 1, 0.0)

    def _gain_of_levels(self, gain: Answer) -> Numbers:
        levels = self._levels
        gains = np.zeros(len(levels.grade))
        there = np.flatnonzero(levels.exists)
        gains[there] = self.worth(gain, levels.grade[there], levels.relevant[there])
        return gains

    def gains_by_rank(self, gain: Answer) -> Numbers:
        return self.once(_plain_gains, gain)

    def ideal_gains(self, gain: Answer, ranks: int | None) -> ByRank:
        most = int((self.relevant_count + self.non_relevant_count).max(initial=0))
        ranks = most if ranks is None else min(ranks, most)
        return _falling(self._gain_of_levels(gain), self._counts, self._levels.exists, ranks)

    def returned_gains(self, gain: Answer, k: int | None) -> ByRank:
        counts = self.once(_returned_counts, k)
        return _falling(self._gain_of_levels(gain), counts, np.ones(len(counts), bool), len(self._kinds[:k]))

    def given_gains(self, gain: Answer, ranks: int | None) -> Numbers:
        levels = self._levels
        if levels.known_rows or not levels.exists[1:].all():
            raise NotPlainError
        user, kind = self.joined.labels_by_kind(self.users)
        return self.stacked(self._gain_of_levels(gain)[kind], user, ranks)


def _returned_counts(block: PlainBlock, k: int | None) -> Numbers:
    """How many of the first k rows are of each level, shape (levels + 1, users)."""
    kinds = block._kinds[:k]
    labelled = np.array([(kinds == level).sum(axis=0) for level in range(1, len(block._counts))], np.float64)
    labelled = labelled.reshape(-1, block.size)
    return np.vstack([np.minimum(block.lengths, len(kinds)) - labelled.sum(axis=0), labelled])


def _falling(gains: Numbers, counts: Numbers, there: Mask, ranks: int) -> Made:
    """Lists by falling gain, of so many rows of each level, shape (levels + 1, users), as far as the level is there.

    Those of users who have as many rows of the one level that is worth something are the same.
    """
    order = np.argsort(-gains, kind="stable")
    falling = order[there[order]]
    worth = falling[: int(np.flatnonzero(gains[falling]).max(initial=-1)) + 1]
    if len(worth) == 1:
        column = np.minimum(counts[worth[0]], ranks).astype(np.int64)
        return _steps(gains[worth], np.arange(column.max(initial=-1) + 1)[None, :], ranks, column)
    return _steps(gains[worth], np.cumsum(counts[worth], axis=0), ranks)


def _steps(gains: Numbers, ends: NDArray[Any], ranks: int, column: Codes | None = None) -> Made:
    """Lists that have each gain down to where it ends, and then the next; `ends` has shape (gains, lists)."""
    place = np.arange(ranks)[:, None]

    def of_rank(at: int | slice) -> Numbers:
        best: Numbers = np.zeros(np.broadcast_shapes(place[at].shape, ends.shape[1:]))
        for end, gain in zip(ends[::-1], gains[::-1].tolist(), strict=True):
            best = np.where(place[at] < end, gain, best)
        return best

    return Made(of_rank, ranks, column)


def _plain_gains(block: PlainBlock, gain: Answer) -> Numbers:
    gains = block._gain_of_levels(gain)
    if np.array_equal(gains, block._levels.relevant):
        return block.hits_by_rank
    return block._of_rows(gains)


class PlainBlocks:
    """One block of users under every judging that is plain; those that make the same of each label share it."""

    def __init__(self, source: PlainRows, levels: dict[Judging, JudgedLevels]) -> None:
        self._source, self._levels = source, levels
        self._blocks: dict[Any, PlainBlock] = {}

    def judged(self, judging: Judging, k: int | None) -> PlainBlock:
        """The block under this judging, for a metric with this cutoff."""
        levels = self._levels[judging]
        depth = k if judging.given("depth") == "cutoff" else None
        key = (levels.signature, judging.given("relevant"), depth)
        if key not in self._blocks:
            self._blocks[key] = PlainBlock(self._source, judging, levels, depth)
        return self._blocks[key]
