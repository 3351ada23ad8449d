"""Each group of a user's labels judged alone: the same list once for each of them, and how they are put together."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, Numbers, within
from rankconv.data.joined import Joined
from rankconv.data.matching import MOST_LEVELS, Kinds, levels_of
from rankconv.errors import MetricError
from rankconv.preparation.block import Block
from rankconv.preparation.facts import facts_of
from rankconv.preparation.pairs import Pairs, pairs_of, split
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.plain_block import PlainBlock
from rankconv.preparation.plain_rows import JudgedLevels, PlainRows
from rankconv.preparation.row_block import FirstRowsBlock, RowBlock
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
    """So many first rows of each list are made where single rows are needed; None for all."""

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
        return self._kinds_of(self.whole.kinds, self.whole.ranked)

    @property
    def scores(self) -> Numbers:
        """The score of each row as given, shape (K, pairs); NaN where a list has ended."""
        return self.whole.scores[:, self.pairs.user]

    @cached_property
    def whole_kinds(self) -> Kinds:
        """The kind of label at each rank of the whole lists, shape (K, pairs) with the K of these."""
        whole = self.whole
        return (
            self.kinds
            if self.rows is None
            else self._kinds_of(whole.whole_kinds, self.joined.ranked(whole.users, None))
        )

    @property
    def ranked(self) -> Codes:
        """The item of each row, shape (pairs, K); the number of items where the list has ended."""
        return self.whole.ranked[self.pairs.user]

    def _kinds_of(self, kinds: Kinds, ranked: Codes) -> Kinds:
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
        """The pair of each label, and its kind, those of other groups after its own; both have shape (labels,)."""
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
    """The grades of labels in groups, rising, and a 0 after them, shape (levels,); None where there are too many."""
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
    return float(pairs.grade.min(initial=0)) >= 0 and len(np.unique(keys)) == len(keys)


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


@dataclass(frozen=True, eq=False)
class SeparateSubtopics:
    """The groups of a block's users, each judged as if it were a user of its own."""

    block: Block
    """The list of its user and the labels of the group alone; its users are the groups."""
    user: Codes
    """The user of each group, as a place in the block, shape (groups,)."""
    place: Codes
    """The place of each group among those of its user, from 0, shape (groups,)."""
    name: Codes
    """The code of each group's name, -1 where it has none, shape (groups,)."""
    users: int
    """How many users there are."""
    weight: Numbers
    """What each group weighs, shape (groups,)."""
    total: Numbers
    """By what the weighted sum over the groups of a user is divided, shape (users,)."""

    def added(self, values: Any) -> Any:
        """The sum over the groups of each user of values of shape (groups,) or (ranks, groups): (…, users).

        Groups are added in their order, so that a sum does not depend on who else is in the block.
        """
        if values.ndim == 1 and values.dtype != object:
            return np.bincount(self.user, weights=values, minlength=self.users)
        total: Any = np.zeros((*values.shape[:-1], self.users))
        total = self.block.numbers(total) if values.dtype == object else total
        for here in self._by_place:
            total[..., self.user[here]] = total[..., self.user[here]] + values[..., here]
        return total

    @cached_property
    def _by_place(self) -> list[Codes]:
        """The first groups of all users, then the second ones, and so on, each of shape (groups there,).

        No user occurs twice in one of these.
        """
        return np.split(np.argsort(self.place, kind="stable"), np.cumsum(np.bincount(self.place))[:-1])

    def names(self, user: int = 0) -> list[str]:
        """The names of the groups of a user, by their place in the block; numbers where they have none."""
        groups = self.block.joined.labels.groups
        here = np.flatnonzero(self.user == user)
        if groups is None:
            return [str(place + 1) for place in self.place[here].tolist()]
        return [str(groups.names.id(code)) for code in self.name[here].tolist()]


def separate_subtopics(block: Block) -> SeparateSubtopics:
    """The groups of the block's users, prepared in the same way; made once: `block.once(separate_subtopics)`."""
    settings = block.preparation.settings
    if block.preparation.pools:
        raise MetricError(
            "groups are looked at one by one, and the lists of all users are pooled", do="Drop scope=global"
        )
    pairs = pairs_of(block.joined, block.users, settings["no-subtopic"].trait("makes", ""))
    preparation = block.preparation.replace({"subtopics": "ignore"})
    plain = plain_pairs(block, pairs, preparation) if isinstance(block, PlainBlock) else None
    alone = plain or _by_row(block, pairs, preparation)
    given = None if pairs.weight is None else block.numbers(pairs.weight)
    weight, whole = settings["subtopic-weight"](relevant=alone.relevant_count, given=given)
    made = SeparateSubtopics(alone, pairs.user, pairs.place, pairs.name, block.size, weight, np.zeros(block.size))
    total = made.added(weight) if whole else block.numbers(np.ones(block.size))
    return SeparateSubtopics(alone, pairs.user, pairs.place, pairs.name, block.size, weight, total)


def _by_row(block: Block, pairs: Pairs, preparation: Preparation) -> Block:
    """The groups as if each were a user, with its rows and labels judged on their own."""
    working = split(block.joined, block.users, pairs, block.k, block.as_given)
    for step in preparation.steps:
        step.take(working)
    hit = preparation.settings["min-score"](block=working)
    if block.as_given is not None:
        lengths = np.maximum(block.lengths[pairs.user], working.rows.counts(working.size))
        return FirstRowsBlock(working, hit, preparation, lengths, block.as_given)
    return (type(block) if isinstance(block, RowBlock) else RowBlock)(working, hit, preparation)
