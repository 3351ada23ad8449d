"""The first rows of plain lists, in the order that ties have."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankconv.conventions.convention import Setting
from rankconv.conventions.traits import Fact
from rankconv.data.arrays import Codes, Mask, Numbers, begins, take_ownership
from rankconv.data.attributes import NeedsWholeLists
from rankconv.data.joined import Joined
from rankconv.data.matching import ItemIndex, LabelKinds, Tables
from rankconv.data.ordering import is_sorted, matrices
from rankconv.preparation.blocks.row_block import prepare
from rankconv.preparation.facts import Compared, facts_of
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.ties import TieTraits
from rankconv.preparation.working_rows import UNKNOWN_ITEM, LabelRows, ListRows, WorkingBlock, working_blocks

_BITS = 15
"""A place in a list takes so many bits, the number of a tie in it as many, and the key of an item the others of 64."""
_ITEM_BITS = 26
"""The place of an item among all takes so many of these, where rows stand by grade first."""


class TieRule(NamedTuple):
    """What decides how tied rows stand."""

    ties: Setting
    narrow: bool
    """Whether scores are compared in single precision."""
    ranked: bool
    """Whether ranks distinguish rows of equal score."""

    @classmethod
    def of(cls, preparation: Preparation) -> "TieRule | None":
        """The rule of this preparation; None where tied rows must be prepared one by one."""
        ties, compared = preparation.settings["ties"], preparation.compared
        moves = TieTraits.of(ties).orders_items is not None
        known = (moves or TieTraits.of(ties).keeps_order) and not (compared.extended or compared.ties_made)
        if not (preparation.by_score and known) or preparation.keeps_ties:
            return None
        if moves and preparation.settings["labels-used"].traits.aligned_arrays:
            return None  # labels stand as rows were given, and rows no longer do
        return cls(ties, compared.narrow, compared.ranked)

    @property
    def by_grade(self) -> bool:
        """Whether the rows of a tie stand by rising grade, and only those of one grade by their items."""
        return TieTraits.of(self.ties).rising_grade


@dataclass(frozen=True, eq=False)
class TiedOrder:
    """The first rows of all lists as a tie rule has them."""

    depth: int | None
    """So many rows of each list: those that are read, and all that are tied with the last of them; None for all."""
    items: ItemIndex | None
    """Their items; None where they stand as given."""

    @classmethod
    def of(cls, joined: Joined, rule: TieRule, rows: int | None, grades: Numbers) -> "TiedOrder | None":
        """The first rows of each list, `rows` of which are read; None where lists do not stand by falling score.

        `grades` are those of a row without a label and of one with a label of each level, shape (levels + 1,).
        """
        score, starts = joined.rankings.score, joined.rankings.starts
        too_many = rule.by_grade and len(joined.items) >= 1 << _ITEM_BITS
        if score is None or int(np.diff(starts).max(initial=0)) >= 1 << _BITS or too_many:
            return None
        with np.errstate(over="ignore"):
            compared = score.astype(np.float32).astype(np.float64) if rule.narrow else score
        if not is_sorted(starts, compared, falling=True):
            return None
        rank = joined.rankings.rank if rule.ranked else None
        tie = compared if rank is None else -np.cumsum(begins(compared, rank), dtype=np.float64)
        depth = None if rows is None else _through_ties(starts, tie, rows)
        ranks_of = TieTraits.of(rule.ties).orders_items
        if ranks_of is None:
            return cls(depth, None)
        rising = np.unique(grades, return_inverse=True)[1].astype(np.uint64) if rule.by_grade else None
        return cls(depth, _ordered(joined, tie, ranks_of(joined.items), depth, rising))


def _through_ties(starts: Codes, score: Numbers, rows: int) -> int:
    """How many rows of a list hold its first `rows` and all that are tied with the last of them; the most of any list.

    `score` has shape (rows of all lists,), `starts` (lists + 1,).
    """
    deepest, lengths = rows, np.diff(starts)
    long = np.flatnonzero(lengths > deepest)
    while len(long):
        next_to = starts[long] + deepest
        long = long[score[next_to] == score[next_to - 1]]
        deepest += len(long) > 0
        long = long[lengths[long] > deepest]
    return deepest


def _ordered(
    joined: Joined,
    score: Numbers,
    rank_of: Codes | Numbers | None,
    depth: int | None,
    grades: NDArray[np.uint64] | None,
) -> ItemIndex:
    """The items of the first rows of each list, in common codes, tied ones by the rank of each item.

    Number of tie, key and place are sorted as one number. `score` has shape (rows of all lists,), `rank_of`
    (items,), None where tied rows are turned round; `grades` say in which
    order rows without a label and with one of each level stand, shape (levels + 1,), None where labels do not matter.
    """
    tables, user_of = Tables(), np.zeros(len(joined.rankings.users), np.int64)
    listed_users = np.flatnonzero(joined.list_rows_of >= 0)
    user_of[joined.list_rows_of[listed_users]] = listed_users
    starts = joined.rankings.starts
    lengths = np.diff(starts)
    begin = np.append(0, np.cumsum(lengths if depth is None else np.minimum(lengths, depth)))
    found, listed = np.empty(int(begin[-1]), np.int32), joined.list_item
    for some in matrices(starts, depth):
        scores, codes = some.take(score, np.nan), some.take(listed, 0)  # no row is tied with what follows the last
        both = np.zeros(codes.shape, np.uint64)
        np.cumsum(scores[:, 1:] != scores[:, :-1], axis=1, out=both[:, 1:])
        place = np.arange(some.width, dtype=np.uint64)
        key = place[::-1] if rank_of is None else rank_of[codes].astype(np.uint64)
        if grades is not None:
            kinds = joined.kinds(user_of[some.lists], some.width, tables).T
            key = key | (grades[kinds] << np.uint64(_ITEM_BITS))
        both = (both << np.uint64(64 - _BITS)) | (key << np.uint64(_BITS)) | place
        both.sort(axis=1)
        places = (both & np.uint64((1 << _BITS) - 1)).astype(np.int64)
        at = begin[some.lists][:, None] + np.arange(some.width)
        there = at < begin[some.lists + 1][:, None]
        found[at[there]] = np.take_along_axis(codes, places, axis=1)[there]
    return ItemIndex(len(joined.items), joined.labels.item, take_ownership(begin), take_ownership(found))


def plain_users(joined: Joined, preparation: Preparation, rows: int | None, ties: TieRule | None = None) -> Mask:
    """Whose lists every step of this preparation leaves as they are, shape (users,); ties by their rule excepted.

    The first `rows` rows are looked at, None for all; where rows are the labels, those below count too.
    """
    facts = preparation.plain_facts
    if ties is not None:
        whole: dict[Fact, Fact] = {"distinct first rows": "distinct lists", "falling scores": "always"}
        facts = frozenset(whole.get(fact, fact) for fact in facts)
    return np.asarray(np.logical_and.reduce([_holds(joined, preparation, fact, rows) for fact in facts]))


def untied_users(joined: Joined, preparation: Preparation, rows: int | None) -> Mask:
    """Whose lists fall strictly by the scores that this preparation compares, shape (users,); `rows` as above."""
    return _holds(joined, preparation, "falling scores", rows)


def _holds(joined: Joined, preparation: Preparation, fact: Fact, rows: int | None) -> Mask:
    of_rows = fact in ("distinct first rows", "falling scores")
    if of_rows and preparation.settings["labels-used"].traits.aligned_arrays:
        rows = None
    return facts_of(joined).of(fact, None if rows is None else max(rows, preparation.filled_to), preparation.compared)


@dataclass(eq=False)
class PreparedLevels:
    """What one preparation makes of each grade that occurs; arrays of shape (levels + 1,), the first for no label."""

    grade: Numbers
    exists: Mask
    """Whether there is a label for the metrics: where the rows are the labels, also for a row without one."""
    relevant: Mask
    judged: Mask
    """Whether there is a judgment: no row is one."""
    refused: Mask
    aligned_arrays: bool
    unretrieved: Mask
    """Which labels follow below the list where their item was not returned."""
    scores: Compared
    """What is done to the scores of single rows."""

    @classmethod
    def of(cls, joined: Joined, preparation: Preparation) -> "PreparedLevels":
        """What the preparation makes of a label of each level, returned, and of an item without a label.

        It prepares one user for the unlabelled item, one for each level, and one more for each level, who has the label
        and no list. The item of all of them is none of the data's. Rows that the preparation invents are none of
        theirs.
        """
        assert joined.levels is not None
        grades = joined.levels.grades
        count, item = len(grades), UNKNOWN_ITEM
        labelled, each = np.arange(1, 2 * count + 1), np.arange(count + 1)
        rows = ListRows(each, each * 0 + item, each * 0, np.zeros(count + 1))
        rows.label = each - 1
        labels = LabelRows(labelled, labelled * 0 + item, np.concatenate([grades, grades]))
        users = np.zeros(2 * count + 1, np.int64)
        block = prepare(WorkingBlock(joined, users, labels, rows, False, 1, codes=item + 1), preparation)
        known, labels, rows = block.known, block.prepared.labels, block.prepared.rows
        known = known.take(np.flatnonzero((known.user <= count) & (known.item == item)))
        grade, (exists, relevant, judged, unretrieved) = np.zeros(count + 1), np.zeros((4, count + 1), bool)
        grade[known.user], exists[known.user], relevant[known.user] = known.grade, True, known.relevant
        judged[:] = block.prepared.any_of(labels.exists & ~labels.in_pool, labels.user)[: count + 1]
        unretrieved[1:] = block.prepared.any_of(rows.label >= 0, rows.user)[count + 1 :]
        scores = replace(preparation.compared, ties_made=False)
        return cls(
            grade, exists, relevant, judged, block.refused[: count + 1], block.aligned_arrays, unretrieved, scores
        )

    def allow(self, joined: Joined) -> Mask:
        """Whose labels this preparation takes, shape (users,): the others must be prepared row by row."""
        facts = facts_of(joined)
        if self.refused[0]:
            return facts.of("never")
        return facts.no_label_of(np.flatnonzero(self.refused)) if self.refused.any() else facts.of("always")

    @cached_property
    def signature(self) -> tuple[Any, ...]:
        """Equal for preparations that make the same of every label."""
        arrays = (self.grade, self.exists, self.relevant, self.judged, self.refused, self.unretrieved)
        return (*(values.tobytes() for values in arrays), self.aligned_arrays)


@dataclass(eq=False)
class PlainRows:
    """Lists and labels of a block of users before any preparation, for all preparations that are plain."""

    joined: Joined
    users: Codes
    rows: int | None
    """So many rows of each list are looked at; None for all."""
    tables: Tables = field(repr=False)
    """Where labels are looked up; empty, and empty again afterwards."""
    order: TiedOrder | None = None
    """How the rows stand where tied ones are ordered, or share what they are worth."""

    @cached_property
    def kinds(self) -> LabelKinds:
        """The kind of label at each rank, shape (K, users)."""
        return self.deep_kinds[: self.rows]

    @cached_property
    def deep_kinds(self) -> LabelKinds:
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
    def whole_kinds(self) -> LabelKinds:
        """The kind of label at each rank of the whole lists, shape (K, users) with the K of these."""
        self._refuse_cut()
        return self.kinds if self.rows is None else self.joined.kinds(self.users, None, self.tables)

    @cached_property
    def lengths(self) -> Numbers:
        """Rows of each whole list, shape (users,)."""
        return self.joined.list_lengths[self.users].astype(np.float64)

    @cached_property
    def label_counts(self) -> Numbers:
        """Labels of each level, shape (levels + 1, users); 0 at level 0, which is no label."""
        return np.vstack([np.zeros(len(self.users)), self.joined.level_counts(self.users)])

    @cached_property
    def row_counts(self) -> Numbers:
        """Rows of each level in the whole lists, shape (levels + 1, users)."""
        counts = self.joined.listed_level_counts(self.users)
        if counts is None:
            counted = range(1, len(self.label_counts))
            counts = np.array([(self.whole_kinds == level).sum(axis=0) for level in counted], np.float64)
            counts = counts.reshape(len(counted), len(self.users))
        return np.vstack([self.lengths - counts.sum(axis=0), counts])

    @cached_property
    def label_rows(self) -> Codes:
        """How many label rows there are, whatever they are worth, shape (users,)."""
        return self.joined.label_lengths[self.users]

    @cached_property
    def labels_by_kind(self) -> tuple[Codes, LabelKinds]:
        """The user of each label, as a place in the block, and its kind; both have shape (labels,)."""
        self._refuse_cut_labels()
        return self.joined.labels_by_kind(self.users)

    @property
    def labelled(self) -> Codes:
        """The item of each label, in the same order, shape (labels,)."""
        self._refuse_cut_labels()
        return self.joined.labels_of(self.users)

    def counts(self, levels: PreparedLevels) -> Numbers:
        """The labels that exist for the metrics, of each level, shape (levels + 1, users)."""
        if not levels.aligned_arrays:
            return self.label_counts
        return self.row_counts + self._unretrieved(levels) if levels.unretrieved.any() else self.row_counts

    def list_lengths(self, levels: PreparedLevels, depth: int | None) -> Numbers:
        """Rows of the prepared lists, shape (users,)."""
        unretrieved = self._unretrieved(levels).sum(axis=0) if levels.unretrieved.any() else 0.0
        return np.minimum(self.lengths + unretrieved, np.inf if depth is None else depth)

    def _unretrieved(self, levels: PreparedLevels) -> Numbers:
        """The labels of each level that follow below the lists, shape (levels + 1, users)."""
        return np.where(levels.unretrieved[:, None], self.label_counts - self.row_counts, 0.0)

    def working(self) -> Iterable[WorkingBlock]:
        """The rows in working blocks; these are kept for the next preparation, unless lists are cut and may be long."""
        self._refuse_cut()
        return self._working if self.rows is None else working_blocks(self.joined, self.users)

    def _refuse_cut(self) -> None:
        if self.joined.rankings.form.cut is not None:
            raise NeedsWholeLists

    def _refuse_cut_labels(self) -> None:
        if self.joined.labels.form.labels_cut is not None:
            raise NeedsWholeLists

    @cached_property
    def _working(self) -> list[WorkingBlock]:
        return list(working_blocks(self.joined, self.users))
