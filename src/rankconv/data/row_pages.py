"""Labels and runs as pages: how many rows there are, and the first of them, as a notebook shows it."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes
from rankconv.data.ids import Ids
from rankconv.rendering.pages.cells import short
from rankconv.rendering.pages.page import Page, Paragraph, Piece
from rankconv.rendering.pages.table import Table

FIRST = 5
"""Rows that are shown."""
MOST_GRADES = 12
"""Different grades that are counted one by one."""
COUNTED = ("users", "items", "rows", "rows of a user")


class RowsOnPage(Protocol):
    """What a page tells of rows; labels and runs import this module, so that it does not import them."""

    @property
    def users(self) -> Ids:
        """Ids of users."""

    @property
    def items(self) -> Ids:
        """Ids of items."""

    @property
    def starts(self) -> Codes:
        """Where the rows of each user begin, shape (users + 1,)."""

    @property
    def item(self) -> Codes:
        """Code of the item in each row."""

    @property
    def lengths(self) -> Codes:
        """Rows of each user, shape (users,)."""

    @property
    def row_count(self) -> int:
        """Rows of all users."""


class LabelsOnPage(RowsOnPage, Protocol):
    """Labels."""

    @property
    def grade(self) -> NDArray[np.float64]:
        """Grade of each row."""


class RunOnPage(RowsOnPage, Protocol):
    """A run."""

    @property
    def source(self) -> str:
        """Where it came from."""

    @property
    def score(self) -> NDArray[np.float64] | None:
        """Score of each row, or None."""


class RunsOnPage(Protocol):
    """Runs by name."""

    @property
    def by_name(self) -> Mapping[str, RunOnPage]:
        """Each run."""


def labels_page(labels: LabelsOnPage) -> Page:
    """The size of labels, how often each grade is given, and the first rows."""
    pieces: list[Piece] = [Paragraph(repr(labels)), Table(COUNTED, [_counts(labels)], 0)]
    grades, counts = np.unique(labels.grade, return_counts=True)
    grade_rows = [[f"{grade:g}", f"{count:,}"] for grade, count in zip(grades.tolist(), counts.tolist(), strict=True)]
    if 0 < len(grades) <= MOST_GRADES:
        pieces.append(Table(["grade", "labels"], grade_rows, 0))
    pieces += _first_rows(labels, ["grade"], [[f"{grade:g}"] for grade in labels.grade[:FIRST].tolist()])
    return Page([pieces])


def run_page(run: RunOnPage) -> Page:
    """The size of a run, and the first rows."""
    ranks = (np.arange(min(FIRST, run.row_count)) - run.starts[_owners(run)] + 1).tolist()
    scores = [""] * len(ranks) if run.score is None else [f"{score:g}" for score in run.score[:FIRST].tolist()]
    heads = ["rank", *([] if run.score is None else ["score"])]
    cells = [[str(rank), score][: len(heads)] for rank, score in zip(ranks, scores, strict=True)]
    counts = Table(COUNTED, [_counts(run)], 0)
    return Page([[Paragraph(repr(run)), counts, *_first_rows(run, heads, cells)]])


def runs_page(runs: RunsOnPage) -> Page:
    """The size of each run."""
    rows = [
        [name, *_counts(run), "no" if run.score is None else "yes", run.source] for name, run in runs.by_name.items()
    ]
    return Page([[Table(["run", *COUNTED, "scores", "source"], rows, 1, prose=frozenset({len(COUNTED) + 2}))]])


def _counts(rows: RowsOnPage) -> list[str]:
    lengths = rows.lengths
    least, most = (int(lengths.min()), int(lengths.max())) if len(lengths) else (0, 0)
    each = f"{least:,}" if least == most else f"{least:,} to {most:,}, median {np.median(lengths):g}"
    return [*(f"{count:,}" for count in (len(rows.users), len(rows.items), rows.row_count)), each]


def _owners(rows: RowsOnPage) -> Codes:
    """The user of each of the first rows, shape (rows shown,)."""
    first = np.arange(min(FIRST, rows.row_count))
    return np.asarray(np.searchsorted(rows.starts, first, side="right") - 1)


def _first_rows(rows: RowsOnPage, heads: Sequence[str], cells: Sequence[Sequence[str]]) -> list[Piece]:
    """A table of the first rows, with the number of those below."""
    if not cells:
        return []
    users, items = rows.users.values[_owners(rows)].tolist(), rows.items.values[rows.item[:FIRST]].tolist()
    shown = [[short(str(user)), short(str(item)), *more] for user, item, more in zip(users, items, cells, strict=True)]
    rest = rows.row_count - len(cells)
    return [Table(["user", "item", *heads], shown, 2, [f"{rest:,} more rows."] if rest else [])]
