"""Judging where it leaves the lists as they are: ranks are places, and what a row is worth is told by its label alone.

Such blocks need no steps row by row. Labels are judged by the same steps as ever, once for each grade that occurs.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from rankconv.choice import Answer
from rankconv.ranking.block import Block
from rankconv.ranking.ids import Codes
from rankconv.ranking.joined import Joined
from rankconv.ranking.judging import Judging, judge
from rankconv.ranking.levels import Levels
from rankconv.ranking.matching import Kinds
from rankconv.ranking.rows import LabelRows, ListRows, Mask, Numbers, WorkingBlock
from rankconv.ranking.running import Running


class NotPlainError(Exception):
    """This must be judged row by row."""


def is_plain(joined: Joined, judging: Judging) -> bool:
    """Whether every step of this judging leaves the lists of this data as they are."""
    if joined.levels is None:
        return False
    needed = {answer.option.traits.get("plain", "never") for answer in judging.answers.values()}
    return all(joined.facts.holds(fact) for fact in needed)


@dataclass(eq=False)
class JudgedLevels:
    """What one judging makes of each grade that occurs; arrays of shape (levels + 1,), the first for no label."""

    grade: Numbers
    exists: Mask
    relevant: Mask
    refused: Mask

    @classmethod
    def of(cls, joined: Joined, levels: Levels, judging: Judging) -> "JudgedLevels":
        """Judged as the labels of so many users, each with one label."""
        count = len(levels.grades)
        own = np.arange(count)
        nothing = np.empty(0, np.int64)
        rows = ListRows(nothing, nothing, nothing, np.empty(0))
        rows.label = nothing
        block = judge(WorkingBlock(joined, own, LabelRows(own, own * 0, levels.grades.copy()), rows, False), judging)
        one = cls(*(np.zeros(count + 1, kind) for kind in (np.float64, bool, bool, bool)))
        known = block.known
        one.grade[known.user + 1], one.exists[known.user + 1] = known.grade, True
        one.relevant[known.user + 1], one.refused[1:] = known.relevant, block.refused
        return one


@dataclass(eq=False)
class PlainRows:
    """Lists and labels of a block of users before any judging, for all judgings that are plain."""

    joined: Joined
    users: Codes
    rows: int | None
    """So many rows of each list are looked at; None for all."""
    kinds: Kinds = field(init=False)
    """The kind of label at each rank, shape (K, users)."""
    lengths: Numbers = field(init=False)
    """Rows of each whole list, shape (users,)."""
    counts: Numbers = field(init=False)
    """Labels of each level, shape (levels, users)."""

    def __post_init__(self) -> None:
        self.kinds, lengths = self.joined.kinds(self.users, self.rows)
        self.lengths = lengths.astype(np.float64)
        self.counts = self.joined.level_counts(self.users)


class PlainBlock(Block):
    """A judged block whose rows are places. What needs single rows is not here: it raises NotPlainError."""

    def __init__(self, source: PlainRows, judging: Judging, levels: JudgedLevels) -> None:
        self.users, self.judging, self.joined = source.users, judging, source.joined
        self.deepest = source.rows
        self._kinds, self._counts, self._levels = source.kinds, source.counts, levels
        if (self._counts[levels.refused[1:]] > 0).any():
            raise NotPlainError
        self.refused, self.reasons = np.zeros(self.size, bool), []
        self.in_rankings = source.lengths > 0
        self.label_count = self._counts.sum(axis=0)
        self.known_are_rows, self.tie_rule = False, "order"
        self.catalogue = float(source.joined.extra.catalogue or np.nan)
        self._level = float(judging.answers["relevant"].keywords.get("level", 0.0))
        self._once: dict[Any, Any] = {}
        self._whole_lengths = source.lengths

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(name) if name.startswith("__") else NotPlainError(name)

    # per user

    def _sum_of(self, of_level: NDArray[Any]) -> Numbers:
        """The sum over a user's labels of what each level has, shape (users,)."""
        total = np.zeros(self.size)
        for count, value in zip(self._counts, of_level[1:].tolist(), strict=True):
            if value:
                total += count * value
        return total

    @cached_property
    def lengths(self) -> Numbers:
        return self._whole_lengths

    @cached_property
    def relevant_count(self) -> Numbers:
        return self._sum_of(self._levels.relevant)

    @cached_property
    def non_relevant_count(self) -> Numbers:
        return self._sum_of(self._levels.exists & ~self._levels.relevant)

    @cached_property
    def judged_count(self) -> Numbers:
        return self._sum_of(self._levels.exists)

    @cached_property
    def grade_sum(self) -> Numbers:
        return self._sum_of(self._levels.grade)

    @cached_property
    def highest_grade(self) -> Numbers:
        highest = np.full(self.size, -np.inf)
        for count, exists, grade in zip(self._counts, self._levels.exists[1:], self._levels.grade[1:], strict=True):
            if exists:
                highest = np.where(count > 0, np.maximum(highest, grade), highest)
        return np.where(np.isinf(highest), 0.0, highest)

    def labels_above(self, level: float) -> Numbers:
        return self._sum_of(self._levels.exists & (self._levels.grade > level))

    # by rank

    @cached_property
    def depth(self) -> int:
        return len(self._kinds)

    def _of_rows(self, of_level: NDArray[Any]) -> Numbers:
        """What each level has, at the rank of each row of that level, shape (K, users)."""
        values = of_level.astype(np.float64)
        told = np.flatnonzero(values)
        if not len(told):
            return np.zeros(self._kinds.shape)
        if len(told) == len(values) - 1 and (values[1:] == 1).all():
            return np.asarray(self._kinds != 0, np.float64)
        return np.asarray(np.take(values, self._kinds))

    @cached_property
    def hits_by_rank(self) -> Numbers:
        return self._of_rows(self._levels.relevant)

    @cached_property
    def misses_by_rank(self) -> Numbers:
        return self.listed - self.hits_by_rank

    @cached_property
    def judged_by_rank(self) -> Numbers:
        return self._of_rows(self._levels.exists)

    @cached_property
    def judged_misses_by_rank(self) -> Numbers:
        return self._of_rows(self._levels.exists & ~self._levels.relevant)

    @cached_property
    def grades_by_rank(self) -> Numbers:
        return self._of_rows(self._levels.grade)

    @cached_property
    def grades_so_far(self) -> Running:
        return Running(self, self.grades_by_rank)

    def _gain_of_levels(self, gain: Answer) -> Numbers:
        levels = self._levels
        gains = np.zeros(len(levels.grade))
        there = np.flatnonzero(levels.exists)
        gains[there] = gain(grades=levels.grade[there], relevant=levels.relevant[there], level=self._level)
        return gains

    def gains_by_rank(self, gain: Answer) -> Numbers:
        return self.once(_plain_gains, gain)

    def ideal_gains(self, gain: Answer, ranks: int | None) -> Numbers:
        gains, exists = self._gain_of_levels(gain)[1:], self._levels.exists[1:]
        most = int(self.judged_count.max(initial=0))
        best = np.zeros((most if ranks is None else min(ranks, most), self.size))
        place, end = np.arange(len(best))[:, None], np.zeros(self.size)
        for level in [at for at in np.argsort(-gains, kind="stable") if exists[at]]:
            start, end = end, end + self._counts[level]
            if gains[level]:
                best[(place >= start) & (place < end)] = gains[level]
        return best


def _plain_gains(block: PlainBlock, gain: Answer) -> Numbers:
    gains = block._gain_of_levels(gain)
    if np.array_equal(gains, block._levels.relevant):
        return block.hits_by_rank
    return block._of_rows(gains)
