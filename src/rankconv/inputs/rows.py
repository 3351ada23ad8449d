"""Rows become labels and rankings: those of each user together, sorted by rank or score where there are any.

Ranks of a column that contradict the scores are an error. Text ids stay raw until codes are needed.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, Mask, Numbers, take_ownership
from rankconv.data.attributes import Groups, best_rows
from rankconv.data.ids import Ids, RawIds, by_appearance, coded_ids
from rankconv.data.labels_and_rankings import Labels, Run, Scores, owners_of_repeats
from rankconv.data.ordering import Key, by_key, neighbours, rises, together
from rankconv.data.raw_rows import RawLabels, RawLists, RawRankings
from rankconv.errors import InputError
from rankconv.inputs.reader import RankSource, RawRows, by_ids


def as_labels(rows: RawRows) -> Labels:
    """Return labels: the rows of each user together, in the order of the input."""
    grouped = _together(rows)
    starts, grade, groups = _starts(grouped), take_ownership(_grades(grouped)), None
    about: dict[str, Any] = {"source": rows.source, "library": rows.library, "columns": rows.columns, "form": rows.form}
    if isinstance(grouped.item, RawIds) and rows.groups is None:
        about |= {"starts": starts, "grade": grade, "groups": None}
        return RawLabels(rows.users, grouped.item, about, distinct=rows.distinct)
    grouped, items = _by_appearance(grouped, rows)
    item = np.asarray(grouped.item)
    if grouped.groups is not None and grouped.group is not None:
        groups = Groups(grouped.groups, starts, take_ownership(grouped.group), take_ownership(item), grade)
        kept = best_rows(grouped.owner.astype(np.int64) * len(items) + item, grouped.group, grade)
        starts = _starts_of(grouped.owner[kept], len(grouped.users))
        item, grade = item[kept], take_ownership(grade[kept])
    distinct = (rows.distinct and groups is None) or not len(owners_of_repeats(starts, item))
    item = take_ownership(item)
    return Labels(rows.users, items, starts, item, grade, is_distinct=distinct, groups=groups, **about)


def as_rankings(rows: RawRows) -> Run:
    """Return rankings: the rows of each user together, by rank, else by falling score, else in the order given."""
    if found := rounded(rows):
        raise found[1]
    by_score = rows.rank is None and rows.number is not None
    about: dict[str, Any] = {"source": rows.source, "library": rows.library, "by_score": by_score}
    about |= {"columns": rows.columns, "tag": rows.tag, "form": rows.form, "is_distinct": rows.distinct}
    if isinstance(rows.item, RawIds):
        given = _as_given(rows, rows.item)
        agree = agreeing(rows, given.starts, given.order) if rows.rank is not None else None
        return RawRankings(rows.users, replace(given, agree=agree), about)
    grouped = _together(rows)
    starts, key = _starts(grouped), _key(grouped)
    order = None if key is None else by_key(starts, key, falling=by_score)
    agree = agreeing(grouped, starts, order)
    listed, items = _by_appearance(grouped if order is None else grouped.take(order, starts), rows)
    score = None if listed.number is None else take_ownership(listed.number.floats.astype(np.float64, copy=False))
    rank = None
    if listed.rank is not None and agree is not None:
        rank = take_ownership(np.where(agree[listed.owner], listed.rank.key.astype(np.float64), 0.0))
    item = take_ownership(np.asarray(listed.item))
    return Run(rows.users, items, starts, item, score, rank=rank, **about)


def _as_given(rows: RawRows, item: RawIds) -> RawLists:
    """The rows as they came, and what is needed to sort them later."""
    score: Scores | None = None if rows.number is None else rows.number.floats
    key, falling, order = _key(rows), rows.rank is None, None
    if rows.starts is not None or rises(rows.owner):
        starts = _starts(rows)
    else:
        order, starts = together(rows.owner, len(rows.users))
        key = None if key is None else key[order]
    for made in (starts, score, key, order):
        if made is not None:
            take_ownership(made)
    return RawLists(starts, item, score, key, falling, order)


def _key(rows: RawRows) -> Key | None:
    """What rows are sorted by, shape (rows,): ranks that rise, or scores that fall; None without either."""
    column = rows.number if rows.rank is None else rows.rank
    return None if column is None else column.key


def _grades(rows: RawRows) -> Numbers:
    """The grade of each row, shape (rows,); 1 where none was given, which is kept once for all of them."""
    if rows.number is None:
        return np.broadcast_to(take_ownership(np.array(1.0)), len(rows.item))
    return rows.number.floats.astype(np.float64, copy=False)


def rounded(rows: RawRows) -> tuple[Any, InputError] | None:
    """Return the first user with two scores that differ and are equal as float64, a tie not in the data; and which."""
    if rows.number is None or rows.number.order is None:
        return None
    order = np.lexsort((rows.number.order, rows.owner))
    user, place, score = rows.owner[order], rows.number.order[order], rows.number.floats[order]
    for at in np.flatnonzero((user[1:] == user[:-1]) & (score[1:] == score[:-1]) & (place[1:] != place[:-1]))[:1]:
        where = by_ids(rows.source, rows.users, rows.owner, rows.items, rows.item)(int(order[at]))
        wrong = f"the score and another of this user differ, and both are {score[at]:.17g} as a 64-bit float"
        do = "Subtract one number from all scores, or pass ranks in their place"
        return rows.users.id(int(user[at])), InputError(wrong, where=where, do=do)
    return None


def _together(rows: RawRows) -> RawRows:
    """The rows of each user together, as they came."""
    if rows.starts is not None or rises(rows.owner):
        return rows
    return rows.take(*together(rows.owner, len(rows.users)))


def _by_appearance(rows: RawRows, given: RawRows) -> tuple[RawRows, Ids]:
    """The rows with their items coded by first appearance, as they are where the rows are those given.

    Only so do tables with shuffled rows and lists of the same items become identical.
    """
    if rows.items is None:
        items, item = coded_ids(rows.item)
    elif rows is given:
        return rows, rows.items
    else:
        items, item = by_appearance(rows.items, np.asarray(rows.item))
    if rows is not given and rows.groups is not None and rows.group is not None:
        groups, group = by_appearance(rows.groups, rows.group)
        rows = replace(rows, groups=groups, group=group)
    return replace(rows, items=items, item=item), items


def _starts(rows: RawRows) -> Codes:
    """Where the rows of each user begin and the last ones end, shape (users + 1,); users are together."""
    return _starts_of(rows.owner, len(rows.users)) if rows.starts is None else take_ownership(rows.starts)


def _starts_of(user: Codes, users: int) -> Codes:
    """Where the rows of each user begin and the last ones end, shape (users + 1,); `user` has shape (rows,)."""
    return take_ownership(np.searchsorted(user, np.arange(users + 1, dtype=user.dtype)).astype(np.int64))


# ranks and scores


def agreeing(rows: RawRows, starts: Codes, order: Codes | None) -> Mask | None:
    """Return whose ranks agree with their scores, shape (users,); None where no ranks count.

    Ranks agree where no row has a higher score than one of a smaller rank, and rows of one rank have one score.
    `order` has the rows of each list by rank, shape (rows,), None where they are in this order; those of user `u` begin
    at `starts[u]`. Raises InputError where ranks of a column do not agree.
    """
    if rows.rank is None or rows.rank_source is RankSource.LIST:
        return None
    agree = np.ones(len(starts) - 1, bool)
    if rows.number is None:
        return agree
    rank, score = rows.rank.key, rows.number.floats
    if order is not None:
        rank, score = rank[order], score[order]
    wrong = _contradictions(starts, rank, score)
    if len(wrong) and rows.rank_source is RankSource.COLUMN:
        at = wrong[:1] - np.array([1, 0])
        raise _contradiction(rows, at if order is None else order[at])
    agree[np.searchsorted(starts, wrong, side="right") - 1] = False
    return agree


def _contradictions(starts: Codes, rank: Key, score: Scores) -> Codes:
    """The rows that contradict the row before them in their list, rising; arrays have shape (rows,)."""
    found = [np.empty(0, np.int64)]
    for (first, before, after), (_, higher, lower) in zip(neighbours(rank), neighbours(score), strict=True):
        found.append(np.flatnonzero((lower > higher) | ((after == before) & (lower != higher))) + first + 1)
    rows = np.concatenate(found)
    return rows[starts[np.searchsorted(starts, rows)] != rows] if len(rows) else rows


def _contradiction(rows: RawRows, pair: Codes) -> InputError:
    """The error for two rows of a user, shape (2,), the one of the smaller rank first."""
    assert rows.rank is not None
    assert rows.number is not None
    place = by_ids(rows.source, rows.users, rows.user, rows.items, rows.item, rows.starts)
    ranks, scores = rows.rank.floats[pair].tolist(), rows.number.floats[pair].tolist()
    (_, _, first), (where, _, second) = (place(row).rpartition(", item ") for row in pair.tolist())
    both = zip((first, second), ranks, scores, strict=True)
    shown = " and ".join(f"item {item} has rank {rank:g} and score {score!r}" for item, rank, score in both)
    by_rank = f"By rank item {first} is first" if ranks[0] < ranks[1] else "By rank neither is first"
    columns = " and ".join(f"the {role}s ('{rows.columns.get(role, role)}')" for role in ("rank", "score"))
    return InputError(
        f"{columns} contradict: {shown}",
        where=where,
        allowed=f"{by_rank}, by score item {first if scores[0] > scores[1] else second}",
        do="Pass score='none' if the ranks are right, rank='none' if the scores are",
        shell="Pass --column score=none if the ranks are right, --column rank=none if the scores are",
    )
