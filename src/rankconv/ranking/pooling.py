"""All judged lists put together into one, by falling score: the block of a single, nameless user."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from rankconv.ranking.block import Block
from rankconv.ranking.ids import Codes
from rankconv.ranking.rows import NOTHING, Known, LabelRows, ListRows, Mask, Reason, WorkingBlock

Chosen = Sequence[tuple[Block, Mask]]
"""Judged blocks, each with those of its users whose lists are put together."""
Rows = TypeVar("Rows", LabelRows, ListRows, Known)


def pooled(chosen: Chosen) -> Block:
    """One block of one user, who owns every row and every label of these users.

    Rows of equal score stand by grade, so that the order of the users changes nothing.
    """
    parts = [_one_user(block, inside) for block, inside in chosen]
    working, hits = _merged([working for working, _ in parts]), np.concatenate([hits for _, hits in parts])
    rows = working.rows
    order = np.lexsort((rows.place, hits, np.nan_to_num(rows.grade), -rows.score))
    rows.take(order)
    return Block(working, hits[order], chosen[0][0].judging)


def _one_user(block: Block, inside: Mask) -> tuple[WorkingBlock, Mask]:
    """The rows and labels of the users inside, as if one user had them; an item of two users becomes two items."""
    judged = block.judged
    labels, rows = judged.labels.copy(), judged.rows.copy()
    labels.exists = labels.exists & inside[labels.user]
    labels.in_pool = labels.in_pool & inside[labels.user]
    kept = inside[rows.user]
    rows.item = np.where(rows.item == NOTHING, NOTHING, judged.users[rows.user] * judged.items + rows.item)
    rows.take(kept)
    known = block.known.take(np.flatnonzero(inside[block.known.user]))
    label_rows, ranked = judged.label_rows[inside].sum(), judged.in_rankings[inside].any()
    reasons = [Reason(r.user[inside[r.user]] * 0, r.item[inside[r.user]], r.text) for r in judged.reasons]
    for part in (labels, rows, known):
        part.user = np.zeros(len(part.user), np.int64)
    one = WorkingBlock(judged.joined, np.zeros(1, np.int64), labels, rows, judged.scored, judged.k)
    one.known, one.known_rows, one.reasons = known, judged.known_rows, [r for r in reasons if len(r.user)]
    one.refused, one.label_rows, one.in_rankings = (
        np.array([bool(one.reasons)]),
        np.array([label_rows]),
        np.array([ranked]),
    )
    return one, block.hit_rows[kept]


def _merged(parts: Sequence[WorkingBlock]) -> WorkingBlock:
    """The same for several blocks."""
    starts = np.cumsum([0, *(len(part.labels.user) for part in parts)])
    for part, start in zip(parts, starts, strict=False):
        assert part.known is not None
        part.rows.label, part.known.label = _moved(part.rows.label, start), _moved(part.known.label, start)
    first = parts[0]
    one = WorkingBlock(
        first.joined,
        first.users,
        _stacked([part.labels for part in parts]),
        _stacked([part.rows for part in parts]),
        first.scored,
        first.k,
    )
    one.known, one.known_rows = _stacked([part.known for part in parts if part.known is not None]), first.known_rows
    one.reasons = [reason for part in parts for reason in part.reasons]
    one.refused = np.any([part.refused for part in parts], axis=0)
    one.label_rows = np.sum([part.label_rows for part in parts], axis=0)
    one.in_rankings = np.any([part.in_rankings for part in parts], axis=0)
    return one


def _moved(label: Codes, start: int) -> Codes:
    return np.where(label >= 0, label + start, label)


def _stacked(parts: Sequence[Rows]) -> Rows:
    one = parts[0].copy()
    for name, values in vars(one).items():
        if values is not None:
            setattr(one, name, np.concatenate([getattr(part, name) for part in parts]))
    return one
