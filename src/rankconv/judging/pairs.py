"""Users and their groups: each pair of the two as if it were a user of its own, with that group's labels."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankconv.data.arrays import Codes, Numbers, within
from rankconv.data.joined import Joined, rows_of
from rankconv.judging.rows import LabelRows, WorkingBlock, match, unmatched_block

Ungrouped = Literal["", "own", "one"]
"""What labels are that came in no groups: no groups at all, a group each, or one group."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """The groups of a block of users, those of a user together by first appearance, and the rows of their labels."""

    user: Codes
    """The user of each pair, as a place in the block, shape (pairs,)."""
    name: Codes
    """The code of the group's name, shape (pairs,); -1 where groups have none."""
    pair: Codes
    """The pair of each row, shape (rows,)."""
    item: Codes
    grade: Numbers
    weight: Numbers | None = None
    """What the caller says that each pair weighs, shape (pairs,)."""

    @property
    def place(self) -> Codes:
        """The place of each pair among those of its user, from 0, shape (pairs,)."""
        return within(self.user)


def pairs_of(joined: Joined, users: Codes, ungrouped: Ungrouped) -> Pairs:
    """The pairs of these users, shape (users,), which are joined codes."""
    labels, groups = joined.labels, joined.labels.groups
    if groups is not None:
        user, row = rows_of(groups.starts, joined.label_rows_of[users])
        weight = None if groups.weight is None else groups.weight[row]
        return _pairs(user, groups.group[row], groups.item[row], groups.grade[row], groups.group[row], weight)
    user, row = rows_of(labels.starts, joined.label_rows_of[users])
    item, nameless = labels.item[row], np.full(len(row), -1)
    return _pairs(user, item if ungrouped == "own" else nameless + 1, item, labels.grade[row], nameless)


def _pairs(user: Codes, group: Codes, item: Codes, grade: Numbers, name: Codes, weight: Numbers | None = None) -> Pairs:
    """The pairs of rows that stand grouped by user; all arrays have shape (rows,)."""
    _, first, pair = np.unique(user * (int(group.max(initial=0)) + 1) + group, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    one = first[order]
    return Pairs(user[one], name[one], place[pair], item, grade, None if weight is None else weight[one])


def split(joined: Joined, users: Codes, pairs: Pairs, k: int | None, first: int | None = None) -> WorkingBlock:
    """The lists of these users, shape (users,), or their `first` rows, once for each of their groups, with its labels.

    It is before any judging. What is labelled for another group of the user alone is judged here too, and not relevant:
    it has grade 0.
    """
    block = unmatched_block(joined, users[pairs.user], first)
    block.k = k
    items = len(joined.items)
    keys = pairs.pair * items + pairs.item
    elsewhere = np.flatnonzero(~np.isin(block.labels.user * items + block.labels.item, keys))
    user = np.append(pairs.pair, block.labels.user[elsewhere])
    order = np.argsort(user, kind="stable")
    item = np.append(pairs.item, block.labels.item[elsewhere])[order]
    grade = np.append(pairs.grade, np.zeros(len(elsewhere)))[order]
    block.labels = LabelRows(user[order], item, grade)
    block.labels.elsewhere = order >= len(pairs.pair)
    block.rows.label = match(block.labels, block.rows, items)
    block.label_rows = np.bincount(block.labels.user, minlength=block.size)
    return block
