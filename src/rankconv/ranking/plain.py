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
from rankconv.ranking.matching import Kinds
from rankconv.ranking.rows import LabelRows, ListRows, Mask, Numbers, WorkingBlock
from rankconv.ranking.running import Running


class NotPlainError(Exception):
    """This must be judged row by row."""


def plain_users(joined: Joined, judging: Judging, rows: int | None) -> Mask:
    """Whose lists every step of this judging leaves as they are; `rows` of them are looked at, None for all."""
    told = {answer.option.traits.get("plain", "never") for answer in judging.answers.values()}
    facts = {fact for facts in told for fact in facts.split(", ")} - {"always"}
    return np.asarray(np.logical_and.reduce([joined.facts.of(fact, rows) for fact in ("always", *facts)]))


@dataclass(eq=False)
class JudgedLevels:
    """What one judging makes of each grade that occurs; arrays of shape (levels + 1,), the first for no label."""

    grade: Numbers
    exists: Mask
    """Whether there is a label for the metrics: where the rows are the labels, also for a row without one."""
    relevant: Mask
    refused: Mask
    known_rows: bool = False
    missed: bool = False
    """Whether the labels that were not returned stand below the list."""

    @classmethod
    def of(cls, joined: Joined, judging: Judging) -> "JudgedLevels":
        """Judged as so many users, each of whom was returned one item, which has the label, or none."""
        assert joined.levels is not None
        count = len(joined.levels.grades)
        labelled, each = np.arange(1, count + 1), np.arange(count + 1)
        rows = ListRows(each, each * 0, each * 0, np.zeros(count + 1))
        rows.label = each - 1
        labels = LabelRows(labelled, labelled * 0, joined.levels.grades.copy())
        block = judge(WorkingBlock(joined, each * 0, labels, rows, False, 1), judging)
        known, exists, relevant = block.known, np.zeros(count + 1, bool), np.zeros(count + 1, bool)
        grade = np.zeros(count + 1)
        grade[known.user], exists[known.user], relevant[known.user] = known.grade, True, known.relevant
        missed = judging.given("candidates").startswith("with-missed")
        return cls(grade, exists, relevant, block.refused, block.known_are_rows, missed)

    @property
    def signature(self) -> tuple[Any, ...]:
        """Equal for judgings that make the same of every label."""
        arrays = (self.grade, self.exists, self.relevant, self.refused)
        return (*(values.tobytes() for values in arrays), self.known_rows, self.missed)


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
    label_counts: Numbers = field(init=False)
    """Labels of each level, shape (levels + 1, users); no row has none."""

    def __post_init__(self) -> None:
        self.kinds, lengths = self.joined.kinds(self.users, self.rows)
        self.lengths = lengths.astype(np.float64)
        self.label_counts = np.vstack([np.zeros(len(self.users)), self.joined.level_counts(self.users)])

    @cached_property
    def row_counts(self) -> Numbers:
        """Rows of each level in the whole lists, shape (levels + 1, users)."""
        kinds = self.kinds if self.rows is None else self.joined.kinds(self.users, None)[0]
        counts = np.array([(kinds == level).sum(axis=0) for level in range(1, len(self.label_counts))], np.float64)
        counts = counts.reshape(-1, len(self.users))
        return np.vstack([self.lengths - counts.sum(axis=0), counts])

    def counts(self, levels: JudgedLevels) -> Numbers:
        """The labels that exist for the metrics, of each level, shape (levels + 1, users)."""
        if not levels.known_rows:
            return self.label_counts
        return np.vstack([self.row_counts[:1], self.label_counts[1:]]) if levels.missed else self.row_counts

    def list_lengths(self, levels: JudgedLevels, depth: int | None) -> Numbers:
        """Rows of the judged lists."""
        missed = (self.label_counts - self.row_counts)[1:].sum(axis=0) if levels.missed else 0.0
        return np.minimum(self.lengths + missed, np.inf if depth is None else depth)


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

    @cached_property
    def lengths(self) -> Numbers:
        return self._list_lengths

    @cached_property
    def relevant_count(self) -> Numbers:
        return self._sum_of(self._levels.relevant)

    @cached_property
    def non_relevant_count(self) -> Numbers:
        return self._sum_of(self._levels.exists & ~self._levels.relevant)

    @cached_property
    def judged_count(self) -> Numbers:
        return self._labels_of(self._levels.exists)

    @cached_property
    def grade_sum(self) -> Numbers:
        return self._sum_of(self._levels.grade)

    @cached_property
    def highest_grade(self) -> Numbers:
        highest = np.full(self.size, -np.inf)
        for count, exists, grade in zip(self._counts, self._levels.exists, self._levels.grade, strict=True):
            if exists:
                highest = np.where(count > 0, np.maximum(highest, grade), highest)
        return np.where(np.isinf(highest), 0.0, highest)

    def labels_above(self, level: float) -> Numbers:
        return self._labels_of(self._levels.exists & (self._levels.grade > level))

    # by rank

    @cached_property
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

    @cached_property
    def places(self) -> Numbers:
        return self.ranks_by_rank - 1

    def _gain_of_levels(self, gain: Answer) -> Numbers:
        levels = self._levels
        gains = np.zeros(len(levels.grade))
        there = np.flatnonzero(levels.exists)
        gains[there] = gain(grades=levels.grade[there], relevant=levels.relevant[there], level=self._level)
        return gains

    def gains_by_rank(self, gain: Answer) -> Numbers:
        return self.once(_plain_gains, gain)

    def ideal_gains(self, gain: Answer, ranks: int | None) -> Numbers:
        gains, exists = self._gain_of_levels(gain), self._levels.exists
        most = int((self.relevant_count + self.non_relevant_count).max(initial=0))
        best = np.zeros((most if ranks is None else min(ranks, most), self.size))
        place, end = np.arange(len(best))[:, None], np.zeros(self.size)
        for level in [at for at in np.argsort(-gains, kind="stable") if exists[at]]:
            start, end = end, end + self._counts[level]
            if gains[level]:
                best[(place >= start) & (place < end)] = gains[level]
        return best

    def given_gains(self, gain: Answer, ranks: int | None) -> Numbers:
        levels = self._levels
        if levels.known_rows or not levels.exists[1:].all():
            raise NotPlainError
        user, kind = self.joined.labels_by_kind(self.users)
        return self.stacked(self._gain_of_levels(gain)[kind], user, ranks)


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
