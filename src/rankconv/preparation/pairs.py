"""Users and their groups: each pair of the two as if it were a user of its own, with that group's labels."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankconv.data.arrays import Codes, Numbers, within
from rankconv.data.joined import Joined, rows_of
from rankconv.preparation.rows import LabelRows, ListRows, WorkingBlock, match, unmatched_block

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
    key = user * (int(group.max(initial=0)) + 1) + group
    begin = np.append(True, key[1:] != key[:-1])[: len(key)]
    if len(np.unique(key[begin])) == np.count_nonzero(begin):  # rows of a group stand together
        pair = np.cumsum(begin) - 1
        return Pairs(user[begin], name[begin], pair, item, grade, None if weight is None else weight[begin])
    _, first, pair = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    one = first[order]
    return Pairs(user[one], name[one], place[pair], item, grade, None if weight is None else weight[one])


def split(joined: Joined, users: Codes, pairs: Pairs, k: int | None, first: int | None = None) -> WorkingBlock:
    """The lists of these users, shape (users,), or their `first` rows, once for each of their groups, with its labels.

    It is before any preparation. What is labelled for another group of the user alone is judged here too, and not
    relevant: it has grade 0.
    """
    # Each user is matched once and repeated by places: sorting all repeated labels would take ten times as long.
    whole = unmatched_block(joined, users, first)
    whole.rows.label = match(whole.labels, whole.rows, len(joined.items))
    pair, label = rows_of(_starts(whole.label_rows), pairs.user)
    at = _starts(whole.label_rows[pairs.user])[:-1] - _starts(whole.label_rows)[pairs.user]
    others = np.ones(len(pair), bool)
    others[_own_places(whole.labels, pairs, at, len(joined.items))] = False
    there = np.flatnonzero(others)
    order = np.argsort(np.append(pairs.pair, pair[there]), kind="stable")
    labels = LabelRows(
        np.append(pairs.pair, pair[there])[order],
        np.append(pairs.item, whole.labels.item[label[there]])[order],
        np.append(pairs.grade, np.zeros(len(there)))[order],
    )
    labels.elsewhere = order >= len(pairs.pair)
    user, row = rows_of(_starts(whole.rows.counts(whole.size)), pairs.user)
    rows = ListRows(user, whole.rows.item[row], whole.rows.place[row], whole.rows.score[row])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    own, known = match(LabelRows(pairs.pair, pairs.item, pairs.grade), rows, len(joined.items)), whole.rows.label[row]
    rest = np.flatnonzero((own < 0) & (known >= 0))
    rows.label = np.where(own >= 0, place[own], -1) if len(place) else own
    rows.label[rest] = place[len(pairs.pair) - 1 + np.cumsum(others)[at[user[rest]] + known[rest]]]
    return WorkingBlock(joined, users[pairs.user], labels, rows, scored=whole.scored, k=k)


def _starts(counts: Codes) -> Codes:
    """Where the rows of each begin, and where the last ones end; counts have shape (users,), starts (users + 1,)."""
    return np.append(0, np.cumsum(counts))


def _own_places(labels: LabelRows, pairs: Pairs, at: Codes, items: int) -> Codes:
    """Where the labels of the pairs' own items stand among the labels of their users, once for each pair.

    Label l of a user is row `at[p] + l` of their pair p; at has shape (pairs,), the places shape (own labels,).
    """
    keys = labels.user * items + labels.item
    order = np.argsort(keys, kind="stable")
    wanted = pairs.user[pairs.pair] * items + pairs.item
    first, end = (np.searchsorted(keys[order], wanted, side=side) for side in ("left", "right"))
    row = np.repeat(np.arange(len(wanted)), end - first)
    places: Codes = at[pairs.pair[row]] + order[first[row] + within(row)]
    return places
