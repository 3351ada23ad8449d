"""Spans of documents in an explanation: the chunks of a list, their pieces, and the labels that these are of."""

from collections.abc import Sequence
from copy import copy

import numpy as np

from rankconv.data.arrays import Codes, Mask
from rankconv.data.pieces import Pieces, span_text
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.steps.spans import SPAN_MATCH, SPAN_UNIT
from rankconv.preparation.working_rows import ListRows, WorkingBlock


def whole_rows(block: Block) -> ListRows:
    """The rows of the list of a block of one user; where they were cut into pieces, as they were before."""
    given = block.prepared.given
    if given is None:
        return block.prepared.rows
    rows = copy(given)
    rows.take(np.arange(int(block.lengths.max(initial=0))))
    return rows


def hits_and_pieces(block: Block) -> tuple[Mask, list[tuple[str, ...]] | None]:
    """Which whole rows have a hit, shape (rows,), and the pieces of each that are hits; None where none were cut."""
    prepared, hit, rows = block.prepared, block.hit_rows, block.prepared.rows
    cells = rows.cell
    if prepared.given is None or cells is None:
        return hit, None
    size, joined = len(whole_rows(block).item), block.joined
    at, table = np.flatnonzero(hit), joined.once(Pieces.of)
    found: list[list[tuple[int, int, int]]] = [[] for _ in range(size)]
    labels = prepared.labels.item[rows.label[at]].tolist()
    for cell, piece, label in zip(cells[at].tolist(), rows.item[at].tolist(), labels, strict=True):
        _, start, end = table.name(joined, piece)
        before = found[cell][-1] if found[cell] else (0, 0, -1)
        if before[1:] == (start, label):
            start = found[cell].pop()[0]
        found[cell].append((start, end, label))
    texts = [
        tuple(f"{start} to {end} of {span_text(*joined.items.id(label))}" for start, end, label in one) for one in found
    ]
    return np.array([bool(one) for one in found], bool), texts


def piece_names(block: WorkingBlock, pieces: Codes) -> list[str]:
    """The pieces of rows by name, of a block that was cut."""
    table = block.joined.once(Pieces.of)
    return [span_text(*table.name(block.joined, piece)) if piece >= 0 else "" for piece in pieces.tolist()]


def given_spans(block: Block, rows: ListRows) -> list[str]:
    """The span that each row of the block's one user was given as, where its item is another; else empty texts."""
    joined = block.joined
    if not joined.has_spans or block.preparation.pools:
        return [""] * len(rows.item)
    at = int(joined.list_rows_of[block.users[0]])
    start, count = (int(joined.rankings.starts[at]), int(joined.rankings.lengths[at])) if at >= 0 else (0, 0)
    items = [int(joined.list_item[start + place]) if place < count else -1 for place in rows.place.tolist()]
    return [
        span_text(*joined.items.id(own)) if own not in (-1, item) else ""
        for own, item in zip(items, rows.item.tolist(), strict=True)
    ]


def span_changes(convention: str, block: WorkingBlock) -> list[tuple[str, str, Sequence[str]]] | None:
    """What a step of spans did to the rows of one user: convention, words and items; None for any other step."""
    if convention == SPAN_MATCH.name:
        joined, rows = block.joined, block.rows
        own = joined.list_item[rows_in_run(block)]
        pairs = [
            (joined.items.id(int(one)), joined.items.id(int(item))) for one, item in zip(own, rows.item, strict=True)
        ]
        return [
            (convention, "chunks that are labels", [f"{span_text(*a)} is {span_text(*b)}" for a, b in pairs if a != b])
        ]
    if convention != SPAN_UNIT.name or block.given is None:
        return None
    pieces = piece_names(block, block.rows.item)
    return [(convention, f"cut into {len(pieces)} pieces", pieces)]


def rows_in_run(block: WorkingBlock) -> Codes:
    """The row of the run that each row of the block's one user is, shape (rows,)."""
    at = int(block.joined.list_rows_of[block.users[0]])
    return block.rows.place + (int(block.joined.rankings.starts[at]) if at >= 0 else 0)
