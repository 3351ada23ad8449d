"""The first rows of each list of a matrix of scores, and the labels that decide its values, block by block of users.

All scores from a floor on hold the first rows and all ties with the last of them, without sorting. Blocks stay on the
device of the scores; the rows that are read, and counts, come to the CPU.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankconv.basics.errors import InputError
from rankconv.data.array_libraries import ArrayLibrary, ScoreMatrix, dtype_of
from rankconv.data.arrays import Codes
from rankconv.data.attributes import Form, LabelsCut, MatrixCut
from rankconv.data.inputs.array_input import FIRST, assumed_of_scores, not_finite, nothing_scored
from rankconv.data.inputs.input_rows import RawRows, as_labels, as_rankings, by_ids
from rankconv.data.inputs.values import numbered, numbers_from_array
from rankconv.data.labels_and_rankings import Labels, Run

FEW = 16
"""Rows that tie at the end are left out where so many times the first rows would be read."""
COUNTED = 16
"""Grades 0, 1, … below this are counted."""
TieRows = Literal["first", "labelled", "all"]
"""Which rows that tie with the last of the first rows are read."""


def first_rows(
    scores: ScoreMatrix,
    rows: int,
    seen: Labels | None = None,
    grades: ScoreMatrix | None = None,
    *,
    ties: TieRows = "all",
    known: Labels | None = None,
    narrow: bool = False,
) -> tuple[Run, Labels | None]:
    """Return the run of the first `rows` rows of each user, and its labels.

    The run has rows that tie with the last of these, also in single precision where scores are `narrow`: the `first`
    in the order of columns, those too that are `labelled`, in `known` or other than 0 in `grades`, or `all`. Items in
    `seen` are no items; neither are scores of -inf. Of an array of `grades`, shape (users, items), the labels of these
    rows are read, and the others counted. InputError for NaN and for an infinite score.
    """
    excluded, labelled = (np.zeros(0, np.int64) if one is None else _cells(one, scores.shape) for one in (seen, known))
    read, labels = list[_TopCells](), list[_LabelCells]()
    for start, given in scores.user_blocks():
        cells = start * scores.shape[1], (start + given.shape[0]) * scores.shape[1]
        out = _between(excluded, *cells)
        block = _ScoreBlock(
            start,
            scores.library,
            scores.library.without(given, out) if len(out) else given,
            None if grades is None else _at_scores(grades, scores.library, start, given.shape[0]),
            _between(labelled, *cells),
            narrow,
        )
        block.check()
        read.append(block.first_rows(rows, ties))
        if grades is not None:
            labels.append(block.labels(read[-1].cells))
    lengths, tied = (np.concatenate([getattr(one, name) for one in read]) for name in ("lengths", "tied"))
    if len(lengths) > 1 and not lengths.any():
        raise nothing_scored()
    cut = MatrixCut(scores, lengths, None if seen is None else excluded, rows, tied)
    run = as_rankings(_raw_rows(scores, read, "score", Form("dense", scores.shape, cut=cut)))
    some = run.lengths[:FIRST]
    if run.score is not None and len(some) and some.min() == some.max():
        assumed = assumed_of_scores(run.score[: some.sum()].reshape(len(some), -1), scores.shape[1])
        run = run.replace(form=replace(run.form, assumed=assumed))
    if grades is None:
        return run, None
    counts, listed = (np.concatenate([getattr(one, name) for one in labels]) for name in ("counts", "listed"))
    form = Form("dense", scores.shape, labels_cut=LabelsCut(counts, listed))
    return run, as_labels(_raw_rows(grades, labels, "grade", form))


def whole_rows(matrix: ScoreMatrix, start: int, stop: int, role: Literal["score", "grade"]) -> RawRows:
    """All users, and the rows of those from the one to the other: a score of -inf and NaN are none."""
    values = matrix.library.numpy(matrix.part(start, stop)).ravel()
    cells = np.flatnonzero(values != -np.inf if role == "score" else values == values)
    return _raw_rows(matrix, [_Cells(start, cells, values[cells])], role, Form("dense", matrix.shape))


@dataclass(frozen=True, eq=False)
class _Cells:
    """What is read of a block."""

    start: int
    """The first user."""
    cells: Codes
    """Rising."""
    values: NDArray[Any]
    """The number of each cell."""


@dataclass(frozen=True, eq=False)
class _TopCells(_Cells):
    """The first rows of each list, and what is known of the others."""

    lengths: Codes
    """Items of each user, shape (users,)."""
    tied: Codes
    """How many rows that tie with the last were not read, without a label and with a grade of 0: (users, 2)."""


@dataclass(frozen=True, eq=False)
class _LabelCells(_Cells):
    """Some labels, and how many of each grade are not read, all and those listed."""

    counts: Codes
    """Shape (users, grades)."""
    listed: Codes
    """Shape (users, grades)."""


class _ScoreBlock:
    """The scores of some users, shape (users, items), and their grades or the cells that are labelled."""

    def __init__(
        self, start: int, library: ArrayLibrary, scores: Any, grades: Any, labelled: Codes, narrow: bool
    ) -> None:
        self.start = start
        self.library, self.scores, self.grades, self.labelled = library, scores, grades, labelled
        self.compared = library.cast(scores, "float32") if narrow else scores
        self.users, self.items = scores.shape
        self.narrow, self.highest = narrow, float(library.xp.max(scores))
        self.listed = None if float(library.xp.min(scores)) > -np.inf else scores != -np.inf

    def check(self) -> None:
        """Raise InputError where a score is NaN or infinite."""
        if not self.highest < np.inf:
            highest = self.library.highest(self.scores)
            row = int(np.argmin(highest < np.inf))
            scores = self.library.numpy(self.scores[row, :])
            column = int(np.argmin(scores < np.inf))
            raise not_finite(float(scores[column]), self.start + row, column)

    def first_rows(self, rows: int, ties: TieRows) -> _TopCells:
        """The first rows of each user, and those that tie with the last of them as far as they are wanted."""
        everything = np.full(self.users, self.items, np.int64)
        lengths = everything if self.listed is None else self.library.count(self.listed)
        tied = np.zeros((self.users, 2), np.int64)
        top = self.library.top(self.compared, min(rows + 1, self.items))
        if top is not None and not _ties_at(top[0], rows):
            listed = top[0][:, :rows] > -np.inf
            cells = np.sort((np.arange(self.users)[:, None] * self.items + top[1][:, :rows])[listed])
            return _TopCells(self.start, cells, self.library.take(self.scores, cells), lengths, tied)
        floor = np.full(self.users, np.finfo(dtype_of(self.compared)).min)  # -inf is no item
        if self.items >= rows:
            floor = np.maximum(floor, self.library.floor(self.compared, rows) if top is None else top[0][:, rows - 1])
        read = self.compared >= self.library.column(floor)
        many = np.zeros(0, np.int64) if ties == "all" else np.flatnonzero(self.library.count(read) > FEW * rows)
        few = np.zeros(0, np.int64)
        if len(many):
            few, tied[many] = self._few(many, floor[many], rows, ties)
        if 0 < len(many) < self.users:
            read = read & self.library.column(~np.isin(np.arange(self.users), many))
        cells = few if len(many) == self.users else np.append(self.library.cells(read), few)
        cells = np.sort(cells) if len(few) else cells
        return _TopCells(self.start, cells, self.library.take(self.scores, cells), lengths, tied)

    def _few(self, users: Codes, floor: NDArray[Any], rows: int, ties: TieRows) -> tuple[Codes, Codes]:
        """The cells of the first rows of users with many ties, of the next row, and of those labelled in the tie.

        And how many of the tie are left out, as `_Rows.tied`. The floor of each list, shape (users,), is not above the
        last score of its first rows.
        """
        library, everybody = self.library, len(users) == self.users
        scores, compared, grades = (
            block if block is None or everybody else library.rows(block, users)
            for block in (self.scores, self.compared, self.grades)
        )
        last = library.column(floor)
        above = scores > last
        before = library.count(above)
        if self.narrow or (before >= rows).any():
            last = library.column(library.least(scores, rows))
            above = scores > last
            before = library.count(above)
        equal = scores == last
        cells = np.append(library.cells(above), self._earliest(equal, rows + 1 - before))
        offset = (users - np.arange(len(users))) * self.items
        if ties != "labelled":
            return cells + offset[cells // self.items], np.zeros((len(users), 2), np.int64)
        tie = compared == library.cast(last, dtype_of(compared)) if self.narrow else equal
        if grades is None:
            owner, item = np.divmod(self.labelled, self.items)
            place = np.minimum(np.searchsorted(users, owner), len(users) - 1)
            labelled = (place * self.items + item)[users[place] == owner]
        else:
            labelled = library.cells(tie & (grades != 0) & (grades == grades))
        cells = _distinct(np.append(cells, labelled[library.take(tie, labelled)]), len(users) * self.items)
        in_tie = cells[library.take(tie, cells)]
        left, zeros = library.count(tie) - self._owned(in_tie, len(users)), np.zeros(len(users), np.int64)
        if grades is not None:
            read_zeros = in_tie[library.take(grades, in_tie) == 0]
            zeros = library.count(tie & (grades == 0)) - self._owned(read_zeros, len(users))
        return cells + offset[cells // self.items], np.stack([left - zeros, zeros], axis=1)

    def _earliest(self, mask: Any, room: Codes) -> Codes:
        """The cells of the first items that a mask holds, so many of each user, shape (users,)."""
        width = min(8 * int(room.max()), self.items)
        while width < self.items and (self.library.count(mask[:, :width]) < room).any():
            width = min(4 * width, self.items)
        first = mask[:, :width]
        first = first & (self.library.ordinal(first) <= self.library.column(room))
        user, item = np.divmod(self.library.cells(first), width)
        cells: Codes = user * self.items + item
        return cells

    def _owned(self, cells: Codes, users: int) -> Codes:
        """How many cells each of so many users has, shape (users,)."""
        owned: Codes = np.bincount(cells // self.items, minlength=users)
        return owned

    def labels(self, read: Codes) -> _LabelCells:
        """The labels of these cells, shape (cells,), one of each grade of a user, and all of uncounted grades.

        NaN is no label.
        """
        library, grades = self.library, self.grades
        counts, listed = (np.zeros((self.users, COUNTED), np.int32) for _ in range(2))
        highest, labels, found = float(library.xp.max(grades)), self.users * self.items, [read]
        if np.isnan(highest):
            there = grades == grades
            highest, labels = float(library.xp.max(library.xp.where(there, grades, 0))), library.count(there).sum()
        for grade in range(int(max(-1, min(highest, COUNTED - 1))) + 1):
            mask = grades == grade
            counts[:, grade] = library.count(mask)
            listed[:, grade] = counts[:, grade] if self.listed is None else library.count(mask & self.listed)
            users = np.flatnonzero(counts[:, grade])
            found.append(users * self.items + library.first(mask)[users])
        if counts.sum() < labels:
            others = grades == grades
            for grade in range(COUNTED):
                others = others & (grades != grade)
            found.append(library.cells(others))
        cells = _distinct(np.concatenate(found), self.users * self.items)
        values = library.take(grades, cells)
        cells, values = cells[values == values], values[values == values]
        counted = np.isin(values, np.arange(COUNTED))
        key = cells[counted] // self.items * COUNTED + values[counted].astype(np.int64)
        inside = slice(None) if self.listed is None else library.take(self.listed, cells[counted])
        counts.ravel()[:] -= np.bincount(key, minlength=counts.size).astype(np.int32)
        listed.ravel()[:] -= np.bincount(key[inside], minlength=counts.size).astype(np.int32)
        return _LabelCells(self.start, cells, values, counts, listed)


def _distinct(cells: Codes, size: int) -> Codes:
    """These cells of a block of this size once each, rising, shape (cells,)."""
    there = np.zeros(size, bool)
    there[cells] = True
    return np.flatnonzero(there)


def _ties_at(highest: NDArray[Any], rows: int) -> bool:
    """Whether the row after the first ones ties with the last of them in any list; shape (users, rows + 1) or less."""
    if highest.shape[1] <= rows:
        return False
    last = highest[:, rows - 1]
    return bool(((last == highest[:, rows]) & (last > -np.inf)).any())


def _cells(labels: Labels, shape: tuple[int, int]) -> Codes:
    """The sorted cells of the matrix that have a label, user * items + item, shape (cells,)."""
    user, item = labels.users.values, labels.items.values
    if "text" in (labels.users.kind, labels.items.kind):
        return np.zeros(0, np.int64)  # which is an error where the ids are put together
    by_row, of_row = np.repeat(user, labels.lengths), item[labels.item] if len(labels.item) else np.zeros(0, np.int64)
    inside = (by_row >= 0) & (by_row < shape[0]) & (of_row >= 0) & (of_row < shape[1])
    return np.sort(by_row[inside].astype(np.int64) * shape[1] + of_row[inside])


def _between(cells: Codes, start: int, stop: int) -> Codes:
    """Those of the rising cells from the one to the other, numbered from the first, shape (cells,)."""
    first, last = np.searchsorted(cells, [start, stop])
    return cells[first:last] - start


def _at_scores(grades: ScoreMatrix, library: ArrayLibrary, start: int, users: int) -> Any:
    """The grades of some users on the device of the scores; InputError where its library would round them."""
    block = grades.part(start, start + users)
    if type(grades.library) is type(library) and grades.library.where == library.where:
        return block
    values = grades.library.numpy(block)
    placed = library.array(values)
    if dtype_of(placed) != dtype_of(values) and not np.array_equal(library.numpy(placed), values, equal_nan=True):
        wrong = f"the library of the scores would round grades of {dtype_of(values)} to {dtype_of(placed)}"
        raise InputError(wrong, where=grades.name, do="Bring the scores to the CPU, or pass grades that are rounded")
    return placed


def _raw_rows(matrix: ScoreMatrix, blocks: Sequence[_Cells], role: str, form: Form) -> RawRows:
    """The rows that were read of the blocks of a matrix."""
    users, items = matrix.shape
    cell = np.concatenate([one.start * items + one.cells for one in blocks])
    values = np.concatenate([one.values for one in blocks]).astype(np.float64, copy=False)
    user, item = np.divmod(cell, items)
    starts, ids = np.append(0, np.cumsum(np.bincount(user, minlength=users))), numbered(users)
    source, item = f"{matrix.name} of {role}s", item.astype(np.int32)
    number = numbers_from_array(values, role, by_ids(source, ids, None, None, item, starts))
    return RawRows(source, ids, None, None, item, number, form=form, starts=starts, distinct=True)
