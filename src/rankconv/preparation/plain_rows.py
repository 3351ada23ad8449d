"""Whose lists preparation leaves as they are, what it makes of each grade, and their rows before any preparation."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.data.matching import Kinds, Tables
from rankconv.preparation.facts import Compared, facts_of
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.registry import plain_where
from rankconv.preparation.row_block import judge
from rankconv.preparation.rows import UNKNOWN_ITEM, LabelRows, ListRows, WorkingBlock, working_blocks
from rankconv.preparation.tied_order import TiedOrder, TieRule


def plain_users(joined: Joined, preparation: Preparation, rows: int | None, ties: TieRule | None = None) -> Mask:
    """Whose lists every step of this preparation leaves as they are, shape (users,); ties by their rule excepted.

    The first `rows` rows are looked at, None for all; where rows are the labels, those below count too.
    """
    asked = {fact for setting in preparation.settings.values() for fact in plain_where(setting)} - {"always"}
    if ties is not None:
        asked = {"distinct lists" if fact == "distinct first rows" else fact for fact in asked - {"falling scores"}}
    return np.asarray(np.logical_and.reduce([_holds(joined, preparation, fact, rows) for fact in ("always", *asked)]))


def untied_users(joined: Joined, preparation: Preparation, rows: int | None) -> Mask:
    """Whose lists fall strictly by the scores that this preparation compares, shape (users,); `rows` as above."""
    return _holds(joined, preparation, "falling scores", rows)


def _holds(joined: Joined, preparation: Preparation, fact: str, rows: int | None) -> Mask:
    of_rows = fact in ("distinct first rows", "falling scores")
    if of_rows and preparation.settings["labels-used"].setting_type.traits.get("rows_are_labels"):
        rows = None
    return facts_of(joined).of(fact, None if rows is None else max(rows, preparation.filled_to), preparation.compared)


@dataclass(eq=False)
class JudgedLevels:
    """What one preparation makes of each grade that occurs; arrays of shape (levels + 1,), the first for no label."""

    grade: Numbers
    exists: Mask
    """Whether there is a label for the metrics: where the rows are the labels, also for a row without one."""
    relevant: Mask
    judged: Mask
    """Whether there is a judgment: no row is one."""
    refused: Mask
    known_rows: bool
    missed: Mask
    """Which labels follow below the list where their item was not returned."""
    scores: Compared
    """What is done to the scores of single rows."""

    @classmethod
    def of(cls, joined: Joined, preparation: Preparation) -> "JudgedLevels":
        """What the preparation makes of a label of each level, returned, and of an item without a label."""
        assert joined.levels is not None
        return cls.of_grades(joined, preparation, joined.levels.grades)

    @classmethod
    def of_grades(
        cls, joined: Joined, preparation: Preparation, grades: Numbers, elsewhere: Mask | None = None
    ) -> "JudgedLevels":
        """The labels with these grades after the preparation, shape (levels,); `elsewhere`: of other groups alone.

        It judges one user for the unlabelled item, one for each level, and one more for each level, who has the label
        and no list. The item of all of them is none of the data's. Rows that the preparation invents are none of
        theirs.
        """
        count, item = len(grades), UNKNOWN_ITEM
        labelled, each = np.arange(1, 2 * count + 1), np.arange(count + 1)
        rows = ListRows(each, each * 0 + item, each * 0, np.zeros(count + 1))
        rows.label = each - 1
        labels = LabelRows(labelled, labelled * 0 + item, np.concatenate([grades, grades]))
        labels.elsewhere = None if elsewhere is None else np.concatenate([elsewhere, elsewhere])
        users = np.zeros(2 * count + 1, np.int64)
        block = judge(WorkingBlock(joined, users, labels, rows, False, 1, codes=item + 1), preparation)
        known, labels, rows = block.known, block.judged.labels, block.judged.rows
        known = known.take(np.flatnonzero((known.user <= count) & (known.item == item)))
        grade, (exists, relevant, judged, missed) = np.zeros(count + 1), np.zeros((4, count + 1), bool)
        grade[known.user], exists[known.user], relevant[known.user] = known.grade, True, known.relevant
        judged[:] = block.judged.any_of(labels.exists & ~labels.in_pool, labels.user)[: count + 1]
        missed[1:] = block.judged.any_of(rows.label >= 0, rows.user)[count + 1 :]
        scores = replace(preparation.compared, ties_made=False)
        return cls(grade, exists, relevant, judged, block.refused[: count + 1], block.known_are_rows, missed, scores)

    @property
    def relevant_grade(self) -> Numbers:
        """The grade of the levels that are relevant, 0 of the others, shape (levels + 1,)."""
        return np.where(self.relevant, self.grade, 0.0)

    def allow(self, joined: Joined) -> Mask:
        """Whose labels this preparation takes, shape (users,): the others must be judged row by row."""
        facts = facts_of(joined)
        if not self.refused.any():
            return facts.of("always", None)
        return facts.of("never", None) if self.refused[0] else facts.no_label_of(np.flatnonzero(self.refused))

    @cached_property
    def signature(self) -> tuple[Any, ...]:
        """Equal for judgings that make the same of every label."""
        arrays = (self.grade, self.exists, self.relevant, self.judged, self.refused, self.missed)
        return (*(values.tobytes() for values in arrays), self.known_rows)


@dataclass(eq=False)
class PlainRows:
    """Lists and labels of a block of users before any preparation, for all judgings that are plain."""

    joined: Joined
    users: Codes
    rows: int | None
    """So many rows of each list are looked at; None for all."""
    tables: Tables = field(repr=False)
    """Where labels are looked up; empty, and empty again afterwards."""
    order: TiedOrder | None = None
    """How the rows stand where tied ones are ordered, or share what they are worth."""

    @cached_property
    def kinds(self) -> Kinds:
        """The kind of label at each rank, shape (K, users)."""
        return self.deep_kinds[: self.rows]

    @cached_property
    def deep_kinds(self) -> Kinds:
        """The kind of label at each rank and of all rows tied with those, shape (K or more, users)."""
        deep, listed = (self.rows, None) if self.order is None else (self.order.depth, self.order.items)
        return self.joined.kinds(self.users, deep, self.tables, listed)

    @property
    def ranked(self) -> Codes:
        """The item of each row, shape (users, K); the number of items where the list has ended."""
        return self.joined.ranked(self.users, self.rows, None if self.order is None else self.order.items)

    @cached_property
    def scores(self) -> Numbers:
        """The score of each row as given, shape (K, users); NaN where a list has ended."""
        return self.joined.scores(self.users, self.rows)

    @cached_property
    def whole_kinds(self) -> Kinds:
        """The kind of label at each rank of the whole lists, shape (K, users) with the K of these."""
        return self.kinds if self.rows is None else self.joined.kinds(self.users, None, self.tables)

    @cached_property
    def lengths(self) -> Numbers:
        """Rows of each whole list, shape (users,)."""
        return self.joined.list_counts[self.users].astype(np.float64)

    @cached_property
    def label_counts(self) -> Numbers:
        """Labels of each level, shape (levels + 1, users); 0 at level 0, which is no label."""
        return np.vstack([np.zeros(len(self.users)), self.joined.level_counts(self.users)])

    @cached_property
    def row_counts(self) -> Numbers:
        """Rows of each level in the whole lists, shape (levels + 1, users)."""
        counted = range(1, len(self.label_counts))
        counts = np.array([(self.whole_kinds == level).sum(axis=0) for level in counted], np.float64)
        counts = counts.reshape(-1, len(self.users))
        return np.vstack([self.lengths - counts.sum(axis=0), counts])

    @cached_property
    def label_rows(self) -> Codes:
        """How many label rows there are, whatever they are worth, shape (users,)."""
        return self.joined.label_counts[self.users]

    @cached_property
    def labels_by_kind(self) -> tuple[Codes, Kinds]:
        """The user of each label, as a place in the block, and its kind; both have shape (labels,)."""
        return self.joined.labels_by_kind(self.users)

    @property
    def labelled(self) -> Codes:
        """The item of each label, in the same order, shape (labels,)."""
        return self.joined.labels_of(self.users)

    def counts(self, levels: JudgedLevels) -> Numbers:
        """The labels that exist for the metrics, of each level, shape (levels + 1, users)."""
        if not levels.known_rows:
            return self.label_counts
        return self.row_counts + self._missed(levels) if levels.missed.any() else self.row_counts

    def list_lengths(self, levels: JudgedLevels, depth: int | None) -> Numbers:
        """Rows of the judged lists, shape (users,)."""
        missed = self._missed(levels).sum(axis=0) if levels.missed.any() else 0.0
        return np.minimum(self.lengths + missed, np.inf if depth is None else depth)

    def _missed(self, levels: JudgedLevels) -> Numbers:
        """The labels of each level that follow below the lists, shape (levels + 1, users)."""
        return np.where(levels.missed[:, None], self.label_counts - self.row_counts, 0.0)

    def working(self) -> Iterable[WorkingBlock]:
        """The rows in working blocks; these are kept for the next preparation, unless lists are cut and may be long."""
        return self._working if self.rows is None else working_blocks(self.joined, self.users)

    @cached_property
    def _working(self) -> list[WorkingBlock]:
        return list(working_blocks(self.joined, self.users))
