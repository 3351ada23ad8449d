"""Spans of documents: items that are `(document, start, end)`, and the pieces that their borders cut documents into.

A span begins at `start` and ends before `end`. Documents are never expanded: a user has as many pieces as their spans
have different borders, however long these are.
"""

from dataclasses import dataclass

import numpy as np

from rankconv.data.arrays import Codes, FrozenArrays, Mask, Numbers, take_ownership, within
from rankconv.data.joined import Joined, rows_of

ARE_SPANS = "spans of documents"
"""What labels and run must be where somebody cuts or compares spans."""


def span_text(document: str | int, start: int, end: int) -> str:
    """A span as text: `d0[64:137]`."""
    return f"{document}[{start}:{end}]"


@dataclass(frozen=True, eq=False)
class Spans(FrozenArrays):
    """The items of joined data as spans; arrays have shape (items,)."""

    document: Codes
    """The code of the document of each."""
    start: Codes
    end: Codes
    documents: int
    """How many documents there are."""

    @classmethod
    def of(cls, joined: Joined) -> "Spans":
        """The items of these data, which are spans."""
        ids = joined.items.values.tolist()
        code = {document: at for at, document in enumerate(dict.fromkeys(one[0] for one in ids))}
        document = np.fromiter((code[one[0]] for one in ids), np.int64, len(ids))
        start, end = (np.fromiter((one[at] for one in ids), np.int64, len(ids)) for at in (1, 2))
        return cls(document, start, end, len(code))

    @property
    def length(self) -> Codes:
        """The length of each, shape (items,)."""
        return self.end - self.start


@dataclass(frozen=True, eq=False)
class Pieces(FrozenArrays):
    """The pieces of the documents of all users, each cut at the borders of the spans of its user.

    A piece is known by its first border: piece `b` is from border `b` to border `b + 1`, shape (borders,).
    """

    spans: Spans
    cell: Codes
    """The documents of users, as numbers user * documents + document, rising."""
    border: Codes
    """The borders, as numbers place of the cell * places + place of the position, rising."""
    position: Codes
    """The different positions, rising."""
    length: Numbers
    """Of the piece from each border to the next."""

    @classmethod
    def of(cls, joined: Joined) -> "Pieces":
        """The pieces of these data, cut at all spans of labels and lists."""
        spans = joined.once(Spans.of)
        labelled, label = rows_of(joined.labels.starts, joined.label_rows_of)
        listed, row = rows_of(joined.rankings.starts, joined.list_rows_of)
        item = np.append(joined.labels.item[label], joined.list_item[row])
        cell, place = np.unique(
            np.append(labelled, listed) * spans.documents + spans.document[item], return_inverse=True
        )
        position = np.unique(np.append(spans.start[item], spans.end[item]))
        ends = (np.searchsorted(position, one[item]) for one in (spans.start, spans.end))
        border = np.unique(np.concatenate([place * len(position) + one for one in ends]))
        at = position[border % len(position)] if len(border) else border
        length = np.append(np.diff(at), 0)[: len(border)].astype(np.float64)
        return cls(spans, cell, border, position, take_ownership(np.maximum(length, 0.0)))

    def of_rows(self, user: Codes, item: Codes) -> tuple[Codes, Codes]:
        """The first piece of the span that each row is, and how many it has, both of shape (rows,)."""
        spans = self.spans
        of_cell = np.searchsorted(self.cell, user * spans.documents + spans.document[item]) * len(self.position)
        first, last = (
            np.searchsorted(self.border, of_cell + np.searchsorted(self.position, one[item]))
            for one in (spans.start, spans.end)
        )
        return first, last - first

    def name(self, joined: Joined, piece: int) -> tuple[str, int, int]:
        """The document of a piece, where it begins and where it ends."""
        cell, start = divmod(int(self.border[piece]), len(self.position))
        document = int(self.cell[cell]) % self.spans.documents
        known = joined.items.id(int(np.argmax(self.spans.document == document)))
        begin = int(self.position[start])
        return known[0], begin, begin + int(self.length[piece])


@dataclass(frozen=True, eq=False)
class SharedText:
    """The pairs of a row and a label of one user in one document; arrays have shape (pairs,)."""

    row: Codes
    label: Codes
    shared: Codes
    """How many characters both have; below 0 where there is a gap between them."""
    of_row: Codes
    """The length of the row."""
    of_label: Codes
    """The length of the label."""

    @classmethod
    def of(cls, spans: Spans, rows: tuple[Codes, Codes], labels: tuple[Codes, Codes]) -> "SharedText":
        """The pairs of these rows and labels, each given by user and item; rows of no item are in none."""
        known = np.flatnonzero((rows[1] >= 0) & (rows[1] < len(spans.document)))
        ours, theirs = rows[0][known], rows[1][known]
        cell = labels[0] * spans.documents + spans.document[labels[1]]
        order = np.argsort(cell, kind="stable")
        wanted = ours * spans.documents + spans.document[theirs]
        first, past = (np.searchsorted(cell[order], wanted, side=side) for side in ("left", "right"))
        row = np.repeat(np.arange(len(known)), past - first)
        label = order[np.repeat(first, past - first) + within(row)]
        one, other = theirs[row], labels[1][label]
        shared = np.minimum(spans.end[one], spans.end[other]) - np.maximum(spans.start[one], spans.start[other])
        return cls(known[row], label, shared, spans.length[one], spans.length[other])

    def best(self, rows: int, matches: Mask) -> Codes:
        """The label of which each row has most, shape (rows,), of pairs that match; of equals the first, -1 for none.

        `matches` has shape (pairs,).
        """
        there = np.flatnonzero(matches)
        order = there[np.lexsort((self.label[there], -self.shared[there], self.row[there]))]
        best = np.full(rows, -1)
        best[self.row[order[::-1]]] = self.label[order[::-1]]
        return best
