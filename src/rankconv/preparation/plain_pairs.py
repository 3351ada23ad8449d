"""Groups judged alone in lists that preparation leaves as they are: a row is worth what its label is to the group.

A list is not repeated for each of its groups, only the kinds of its labels are. Rows and labels of all groups are made
where they are asked for, as single rows are.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rankconv.data.arrays import Codes, Numbers, distinct, within
from rankconv.data.joined import Joined
from rankconv.data.matching import MOST_LEVELS, Kinds, levels_of
from rankconv.preparation.facts import facts_of
from rankconv.preparation.pairs import Pairs, split
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.plain_block import PlainBlock
from rankconv.preparation.plain_rows import JudgedLevels, PlainRows
from rankconv.preparation.rows import WorkingBlock


@dataclass(eq=False)
class PairRows(PlainRows):
    """Lists and labels of pairs of a user and a group, before preparation; the users of these rows are the pairs."""

    whole: PlainRows = field(kw_only=True, repr=False)
    """The lists and labels of their users."""
    pairs: Pairs = field(kw_only=True, repr=False)
    grades: Numbers = field(kw_only=True, repr=False)
    """The grades of labels of groups, shape (levels,); the last is that of labels of other groups alone."""
    looked_at: int | None = field(kw_only=True)
    """So many first rows of each list are made where single rows are asked for; None for all."""

    @classmethod
    def of(cls, whole: PlainRows, pairs: Pairs, looked_at: int | None) -> "PairRows | None":
        """Those of these users; None where labels must be judged one by one."""
        levels = whole.joined.once(_levels)
        if levels is None or whole.order is not None or not _plain_labels(whole, pairs):
            return None
        return cls(
            whole.joined,
            whole.users[pairs.user],
            whole.rows,
            whole.tables,
            whole=whole,
            pairs=pairs,
            grades=levels,
            looked_at=looked_at,
        )

    @property
    def elsewhere(self) -> int:
        """The kind of a label of other groups alone."""
        return len(self.grades)

    @cached_property
    def kinds(self) -> Kinds:
        """The kind of label at each rank, shape (K, pairs)."""
        return self._told(self.whole.kinds, self.whole.ranked)

    @property
    def scores(self) -> Numbers:
        """The score of each row as given, shape (K, pairs); NaN where a list has ended."""
        return self.whole.scores[:, self.pairs.user]

    @cached_property
    def whole_kinds(self) -> Kinds:
        """The kind of label at each rank of the whole lists, shape (K, pairs) with the K of these."""
        whole = self.whole
        return self.kinds if self.rows is None else self._told(whole.whole_kinds, self.joined.ranked(whole.users, None))

    @property
    def ranked(self) -> Codes:
        """The item of each row, shape (pairs, K); the number of items where the list has ended."""
        return self.whole.ranked[self.pairs.user]

    def _told(self, kinds: Kinds, ranked: Codes) -> Kinds:
        """What each row is to each pair, shape (K, pairs): `kinds` are those of its user, shape (K, users).

        `ranked` has their items, shape (users, K).
        """
        pairs, items = self.pairs, len(self.joined.items) + 1
        found = np.take((kinds != 0) * np.uint8(self.elsewhere), pairs.user, axis=1)
        rank, user = np.nonzero(kinds)
        listed = user * items + ranked[user, rank]
        order = np.argsort(listed, kind="stable")
        label, row = _equal(pairs.user[pairs.pair] * items + pairs.item, listed[order])
        found[rank[order[row]], pairs.pair[label]] = self._own[label]
        return found

    @cached_property
    def _own(self) -> Kinds:
        """The kind of each label of a pair's own, shape (rows of the pairs,)."""
        return _kinds(self.grades[:-1], self.pairs.grade)

    @cached_property
    def label_rows(self) -> Codes:
        """All labels of its user, shape (pairs,)."""
        return self.whole.label_rows[self.pairs.user]

    @cached_property
    def label_counts(self) -> Numbers:
        """Labels of each level, shape (levels + 1, pairs); 0 at level 0, which is no label."""
        size, count = len(self.pairs.user), self.elsewhere
        own = np.bincount(self.pairs.pair * count + self._own, minlength=size * count).reshape(size, count)[:, 1:].T
        return np.vstack([np.zeros(size), own, self.label_rows - own.sum(axis=0)])

    @cached_property
    def labels_by_kind(self) -> tuple[Codes, Kinds]:
        """The pair of each label, and its kind, those of other groups behind its own; both have shape (labels,)."""
        labels = self._split.labels
        kinds = _kinds(self.grades[:-1], labels.grade)
        kinds[labels.elsewhere] = self.elsewhere
        return labels.user, kinds

    @property
    def labelled(self) -> Codes:
        """The item of each label, in the same order, shape (labels,)."""
        return self._split.labels.item

    def working(self) -> Iterable[WorkingBlock]:
        """The rows of all pairs in one working block."""
        return [self._split]

    @cached_property
    def _split(self) -> WorkingBlock:
        return split(self.joined, self.whole.users, self.pairs, None, self.looked_at)


def plain_pairs(block: PlainBlock, pairs: Pairs, preparation: Preparation) -> PlainBlock | None:
    """The groups of the users of a block as if each were a user; None where single rows must be judged."""
    rows = PairRows.of(block.source, pairs, block.as_given)
    if rows is None:
        return None
    elsewhere = np.arange(1, rows.elsewhere + 1) == rows.elsewhere
    levels = JudgedLevels.of_grades(block.joined, preparation, rows.grades, elsewhere)
    return None if levels.refused.any() else PlainBlock(rows, preparation, block.k, levels)


def _levels(joined: Joined) -> Numbers | None:
    """The grades of labels in groups, rising, and a 0 behind them, shape (levels,); None where there are too many."""
    groups = joined.labels.groups
    levels = joined.levels if groups is None else levels_of(groups.grade)
    return None if levels is None or len(levels.grades) >= MOST_LEVELS else np.append(levels.grades, 0.0)


def _plain_labels(whole: PlainRows, pairs: Pairs) -> bool:
    """Whether no label says anything but what it is worth: no group has an item twice, and no grade is negative."""
    facts = facts_of(whole.joined)
    if not facts.of("distinct labels", None)[whole.users].all():
        return False
    if whole.joined.labels.groups is None:
        return bool(facts.of("no negative grades", None)[whole.users].all())
    keys = pairs.pair * len(whole.joined.items) + pairs.item
    return float(pairs.grade.min(initial=0)) >= 0 and len(distinct(keys)) == len(keys)


def _kinds(levels: Numbers, grade: Numbers) -> Kinds:
    """1 + the place of each grade among the levels, shape (labels,)."""
    if len(levels) == 1:
        return np.ones(len(grade), np.uint8)
    return (np.searchsorted(levels, grade) + 1).astype(np.uint8)


def _equal(wanted: Codes, rising: Codes) -> tuple[Codes, Codes]:
    """All pairs of equal keys of the two: places in `wanted`, shape (labels,), and in `rising`, shape (rows,)."""
    first = np.searchsorted(rising, wanted)
    there = np.flatnonzero(np.append(rising, -1)[first] == wanted)
    times = np.searchsorted(rising, wanted[there], side="right") - first[there]
    place = np.repeat(there, times)
    return place, first[place] + within(place)
