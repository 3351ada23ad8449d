"""Ranks beside scores: which users' agree, and the error where a column of ranks contradicts the scores."""

import numpy as np

from rankconv.data.arrays import Codes, Mask
from rankconv.data.labels_and_rankings import Scores
from rankconv.data.matrices import neighbours
from rankconv.data.ordering import Key
from rankconv.errors import InputError
from rankconv.inputs.reader import RankSource, Rows, by_ids


def agreeing(rows: Rows, starts: Codes, order: Codes | None) -> Mask | None:
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


def _contradiction(rows: Rows, pair: Codes) -> InputError:
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
