"""Labels and rankings put together, once per pair of inputs; no convention in it."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.errors import InputError
from rankconv.ranking.data import Labels, Rankings
from rankconv.ranking.facts import Facts
from rankconv.ranking.ids import Codes, Ids, unite
from rankconv.ranking.levels import Levels, levels_of
from rankconv.ranking.matching import Kinds, Matcher
from rankconv.ranking.rows import LabelRows, ListRows, Numbers, WorkingBlock, within

CELLS = 1 << 19
"""Users are taken in blocks of about this many (rank, user) cells, so that a block fits the processor's cache."""
PLAIN_CELLS = 1 << 18
"""The same where lists are left as they are, which takes fewer arrays."""


@dataclass(frozen=True, eq=False)
class Joined:
    """One pair of labels and rankings with common codes for users and items.

    Users are those of either side, labelled ones first. Everything that spans users (the catalogue, the items
    seen in training) lives here and reaches a block through `facts`.
    """

    labels: Labels
    rankings: Rankings
    users: Ids
    items: Ids
    label_rows_of: Codes
    """Row of each joined user in the labels, -1 where it is not there."""
    list_rows_of: Codes
    item_of_ranked: Codes | None
    """The common code of each item of the rankings; None where theirs are the common ones. Labels keep theirs."""
    extra: "Extra" = field(default_factory=lambda: Extra())

    @cached_property
    def list_item(self) -> Codes:
        """The item of each ranked row, in common codes."""
        return self.common(self.rankings.item)

    def common(self, ranked: Codes) -> Codes:
        """The common codes of items of the rankings."""
        return ranked if self.item_of_ranked is None or not ranked.size else self.item_of_ranked[ranked]

    @cached_property
    def label_counts(self) -> Codes:
        """Label rows of each joined user."""
        return _counts(self.labels.lengths, self.label_rows_of)

    @cached_property
    def list_counts(self) -> Codes:
        """Ranked rows of each joined user."""
        return _counts(self.rankings.lengths, self.list_rows_of)

    @cached_property
    def facts(self) -> Facts:
        """Of which users it holds that a step of judging changes nothing."""
        return Facts(self)

    @cached_property
    def levels(self) -> Levels | None:
        """The grades that occur; None where there are too many."""
        return levels_of(self.labels.grade)

    @cached_property
    def _matcher(self) -> Matcher:
        return Matcher(len(self.items))

    def kinds(self, users: Codes, rows: int | None) -> tuple[Kinds, Codes]:
        """The kind of label at the first ranks of these users' lists, shape (K, users), and how long the lists are."""
        assert self.levels is not None
        counts = self.list_counts[users]
        ranked = self._ranked(users, counts, min(int(counts.max(initial=0)), rows or sys.maxsize))
        at = self._labels_of(users)
        found = self._matcher.kinds(ranked, self.labels.item[at], self.levels.kind[at], self.label_counts[users])
        return np.ascontiguousarray(found.T), counts

    def _ranked(self, users: Codes, counts: Codes, width: int) -> Codes:
        """The first items of each list, shape (users, width); the number of items where it has ended."""
        if not width:
            return np.empty((len(users), 0), np.int64)
        first = self.rankings.starts[self.list_rows_of[users]]
        longest = int(counts.max(initial=0))
        if (counts == longest).all() and (np.diff(first) == longest).all():
            whole = self.rankings.item[first[0] : first[0] + longest * len(users)]
            return self.common(whole.reshape(-1, longest)[:, :width])
        place = np.arange(width)
        ranked = self.common(self.rankings.item.take(first[:, None] + place, mode="clip"))
        return np.where(place < counts[:, None], ranked, len(self.items))

    def labels_by_kind(self, users: Codes) -> tuple[Codes, Kinds]:
        """The labels of these users in the order given: whose they are, from 0, and of which kind."""
        assert self.levels is not None
        return np.repeat(np.arange(len(users)), self.label_counts[users]), self.levels.kind[self._labels_of(users)]

    def _labels_of(self, users: Codes) -> Codes | slice:
        """The label rows of these users, one user after the other; a slice where they stand so."""
        owners = self.label_rows_of[users]
        if len(owners) and owners[0] >= 0 and (np.diff(owners) == 1).all():
            return slice(int(self.labels.starts[owners[0]]), int(self.labels.starts[owners[-1] + 1]))
        return _rows(self.labels.starts, owners)[1]

    def level_counts(self, users: Codes) -> Numbers:
        """How many labels of each level these users have, shape (levels, users)."""
        assert self.levels is not None
        count = len(self.levels.grades)
        if count == 1:
            return self.label_counts[users][None, :].astype(np.float64)
        user = np.repeat(np.arange(len(users)) * count, self.label_counts[users])
        key = user + (self.levels.kind[self._labels_of(users)] - 1)
        counts = np.bincount(key, minlength=len(users) * count).reshape(len(users), count)
        return np.ascontiguousarray(counts.T, dtype=np.float64)

    @cached_property
    def labelled(self) -> NDArray[np.bool_]:
        """For each item whether any user has a label for it."""
        labelled = np.zeros(len(self.items), bool)
        labelled[self.labels.item] = True
        return labelled

    @cached_property
    def item_named_as_user(self) -> Codes:
        """For each user the item of the same id, -1 where there is none."""
        code_of = self.items.code_of
        return np.fromiter((code_of.get(user, -1) for user in self.users.values.tolist()), np.int64, len(self.users))

    def groups(self, users: Codes, rows: int | None, cells: int = PLAIN_CELLS) -> Iterator[Codes]:
        """These users, so many at a time that the first `rows` of their lists stay a small block."""
        widths = np.maximum(self.list_counts[users], 1)
        yield from _in_groups(users, widths if rows is None else np.minimum(widths, rows), cells)

    def blocks(self, users: Codes, cells: int = CELLS) -> Iterator["WorkingBlock"]:
        """The rows of these users, so many users at a time that a block stays small."""
        widths = np.maximum(np.maximum(self.list_counts[users], self.label_counts[users]), 1)
        for group in _in_groups(users, widths, cells):
            yield self.block(group)

    def block(self, users: Codes) -> WorkingBlock:
        """The rows of these users, each ranked row with its label."""
        label_user, label_at = _rows(self.labels.starts, self.label_rows_of[users])
        list_user, list_at = _rows(self.rankings.starts, self.list_rows_of[users])
        labels = LabelRows(label_user, self.labels.item[label_at], self.labels.grade[label_at].copy())
        item = self.list_item[list_at]
        score = None if self.rankings.score is None else self.rankings.score[list_at].copy()
        place = within(list_user)
        rows = ListRows(list_user, item, place, score if score is not None else -place.astype(np.float64))
        rows.label = match(labels, rows, len(self.items))
        return WorkingBlock(self, users, labels, rows, scored=score is not None)


@dataclass(frozen=True, eq=False)
class Extra:
    """What the caller gives beside labels and rankings."""

    catalogue: int | None = None
    """Number of items there are."""
    seen: "NDArray[np.int64] | None" = None
    """Sorted keys `user * items + item` of what each user has seen."""


def join(labels: Labels, rankings: Rankings) -> Joined:
    """Put labels and rankings together under common codes. No user in common is an InputError."""
    users, ranked_user = unite(labels.users, rankings.users, "user")
    items, ranked_item = unite(labels.items, rankings.items, "item")
    in_labels = np.full(len(users), -1, np.int64)
    in_labels[: len(labels.users)] = np.arange(len(labels.users))
    in_rankings = np.full(len(users), -1, np.int64)
    in_rankings[ranked_user] = np.arange(len(ranked_user))
    both = len(labels.users) + len(rankings.users) - len(users)
    if not both and len(labels.users) and len(rankings.users):
        raise InputError(
            "the labels and the rankings have no user in common",
            allowed=f"Labels have {labels.users.examples()}; rankings have {rankings.users.examples()}",
            do="Check that both name users in the same way.",
        )
    same = len(ranked_item) == len(items) and np.array_equal(ranked_item, np.arange(len(items)))
    return Joined(labels, rankings, users, items, in_labels, in_rankings, None if same else ranked_item)


def match(labels: LabelRows, rows: ListRows, items: int) -> Codes:
    """For each ranked row the row of its label, -1 where the item is unjudged; of a repeated label the last."""
    keys = labels.user * items + labels.item
    order = np.argsort(keys, kind="stable")
    wanted = rows.user * items + rows.item
    place = np.searchsorted(keys[order], wanted, side="right") - 1
    found = order[np.maximum(place, 0)] if len(order) else np.full(len(wanted), -1)
    hit = (place >= 0) & (rows.item >= 0)
    if len(order):
        hit &= keys[found] == wanted
    return np.where(hit, found, -1)


def _in_groups(users: Codes, widths: Codes, cells: int) -> Iterator[Codes]:
    """As many users at a time as fit, one at least, each as wide as the widest."""
    start = 0
    while start < len(users):
        widest = np.maximum.accumulate(widths[start : start + cells])
        fits = widest * np.arange(1, len(widest) + 1) <= cells
        count = max(1, int(np.argmin(fits)) if not fits.all() else len(fits))
        yield users[start : start + count]
        start += count


def _counts(lengths: Codes, rows_of: Codes) -> Codes:
    return np.where(rows_of >= 0, np.append(lengths, 0)[rows_of], 0)


def _rows(starts: Codes, owners: Codes) -> tuple[Codes, Codes]:
    """All rows of these owners: the place of the owner among them, and where the row stands."""
    counts = np.where(owners >= 0, starts[owners + 1] - starts[owners], 0)
    user = np.repeat(np.arange(len(owners)), counts)
    first = np.repeat(starts[owners] - (np.cumsum(counts) - counts), counts)
    return user, first + np.arange(len(user))


def keys_of(pairs: Any, users: Ids, items: Ids) -> Codes:
    """Sorted keys of (user, item) pairs given as labels; ids that occur nowhere else are left out."""
    user = np.fromiter((users.code_of.get(u, -1) for u in pairs.users.values.tolist()), np.int64, len(pairs.users))
    item = np.fromiter((items.code_of.get(i, -1) for i in pairs.items.values.tolist()), np.int64, len(pairs.items))
    by_row, of_row = np.repeat(user, pairs.lengths), item[pairs.item] if len(pairs.item) else pairs.item
    known = (by_row >= 0) & (of_row >= 0)
    return np.sort(by_row[known] * len(items) + of_row[known])
