"""The first rows of score matrices: those that a cutoff can read, with all that tie with the last of them.

The k-th largest maximum of disjoint groups of columns is at most the k-th largest score. So all scores from this floor
on hold the first k and all ties with the last, without sorting and without a branch for ties.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Mask
from rankconv.data.attributes import Form
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.data.matrix_cut import LabelsCut, MatrixCut
from rankconv.inputs.arrays import NO_ITEM, array_name, as_numpy, is_array, not_finite, nothing_scored
from rankconv.inputs.reader import RawRows, by_ids
from rankconv.inputs.readers import is_read_as_array
from rankconv.inputs.rows import as_labels, as_rankings
from rankconv.inputs.values import numbered, numbers_from_array

CELLS, SHARE = 1 << 19, 8
"""Cells of a block of users, which fits the cache of a processor; and at most this share of the matrix, one eighth."""
GROUPS = 64
"""Columns are put in at most so many groups for each maximum that is looked for."""

FEW = 16
"""Rows that tie at the end are left out where so many times the first rows would be read."""
PAIR = 2
"""Numbers of an item and its score."""
COUNTED = 16
"""Grades 0, 1, … below this are counted."""

TieRows = Literal["first", "labelled", "all"]
"""Which rows that tie with the last of the first rows are read."""
Floats = NDArray[np.floating]


def score_matrix(data: Any) -> Floats | None:
    """Return the array of scores, shape (users, items), that this is; None for all other data."""
    if not is_array(data) or len(data.shape) != 2 or not is_read_as_array(data):
        return None
    array = as_numpy(data, array_name(data))
    return array if array.dtype in (np.float16, np.float32, np.float64) else None


def are_score_matrices(data: Any) -> bool:
    """Whether these are matrices of scores of one shape by their names, and no pairs (item, score) by user."""
    if not isinstance(data, Mapping) or not data or not all(isinstance(name, str) for name in data):
        return False
    shapes = {one.shape if one is not None else () for one in map(score_matrix, data.values())}
    return len(shapes) == 1 and shapes.pop()[1:] > (PAIR,)


def grade_matrix(data: Any, shape: tuple[int, int]) -> NDArray[Any] | None:
    """Return the array of grades, shape (users, items) as that of the scores, that this is; None for all other data."""
    if not is_array(data) or tuple(data.shape) != shape or not is_read_as_array(data):
        return None
    array = as_numpy(data, array_name(data))
    grades = array.dtype.kind in "bf" or (array.dtype.kind in "iu" and not (array == NO_ITEM).any())
    return array if grades else None


def first_rows(
    scores: Floats,
    rows: int,
    seen: Labels | None = None,
    grades: NDArray[Any] | None = None,
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
    excluded = None if seen is None else _cells(seen, scores.shape)
    known_cells = np.zeros(0, np.int64) if known is None else _cells(known, scores.shape)
    tied = np.zeros((len(scores), 2), np.int64)
    found, labelled = list[tuple[Codes, Codes]](), list[tuple[Codes, Codes, Codes]]()
    for start, block in _blocks(scores, excluded):
        listed = block != -np.inf
        compared = block.astype(np.float32) if narrow else block
        rows_read = compared >= _floor(compared, rows, start)[:, None]
        many = np.count_nonzero(rows_read, axis=1) > FEW * rows if ties != "all" else np.zeros(len(block), bool)
        for user in np.flatnonzero(many).tolist():
            items = np.flatnonzero(rows_read[user])
            kept, tie = items[_first(block[user, items], rows + 1)], compared[user]
            rows_read[user] = False
            rows_read[user, kept] = True
            if ties == "labelled":
                tie = tie == np.sort(tie[kept])[-rows]
                grade = None if grades is None else grades[start + user]
                if grade is None:
                    columns = _of_user(known_cells, start + user, len(tie))
                    rows_read[user, columns[tie[columns]]] = True
                else:
                    rows_read[user] |= tie & (grade != 0) & (grade == grade)
                tie &= ~rows_read[user]
                zeros = 0 if grade is None else np.count_nonzero(tie & (grade == 0))
                tied[start + user] = np.count_nonzero(tie) - zeros, zeros
        found.append((start * scores.shape[1] + np.flatnonzero(rows_read), np.count_nonzero(listed, axis=1)))
        if grades is not None:
            cells, unread, in_lists = _labels(grades[start : start + len(block)], rows_read, listed)
            labelled.append((start * scores.shape[1] + cells, unread, in_lists))
    cell, lengths = (np.concatenate([one[at] for one in found]) for at in range(2))
    if len(lengths) > 1 and not lengths.any():
        raise nothing_scored()
    cut = MatrixCut(scores, lengths, excluded, rows, tied)
    run = as_rankings(_rows(scores, cell, "score", Form("dense", scores.shape, cut=cut)))
    if grades is None:
        return run, None
    cell, unread, in_lists = (np.concatenate([one[at] for one in labelled]) for at in range(3))
    form = Form("dense", scores.shape, labels_cut=LabelsCut(unread, in_lists))
    return run, as_labels(_rows(grades, cell, "grade", form))


def _rows(matrix: NDArray[Any], cell: Codes, role: str, form: Form) -> RawRows:
    """Rows of these cells of the matrix, user * items + item, which rise, shape (rows,)."""
    user, item = np.divmod(cell, matrix.shape[1])
    source, users = f"{array_name(matrix)} of {role}s", numbered(len(matrix))
    starts = np.append(0, np.cumsum(np.bincount(user, minlength=len(matrix))))
    item = item.astype(np.int32)
    values = matrix[user, item].astype(np.float64, copy=False)
    number = numbers_from_array(values, role, by_ids(source, users, None, None, item, starts))
    return RawRows(source, users, None, None, item, number, form=form, starts=starts, distinct=True)


def _labels(grades: NDArray[Any], rows_read: Mask, listed: Mask) -> tuple[Codes, Codes, Codes]:
    """The cells of the labels that are read, and how many of each grade are not, all and those listed: (users, grades).

    Read are the labels of rows, one of each grade of a user, and all of grades that are not counted. The arrays given
    are of a block of users, shape (users, items); NaN is no label.
    """
    users, items = grades.shape
    zero, read = grades == 0, rows_read.copy()
    cell = np.flatnonzero(~zero)
    value = grades.ravel()[cell]
    counted = _are_counted(value) & (value != 0)
    read.ravel()[cell[~counted]] = True
    of_grade = cell[counted] // items * COUNTED + value[counted].astype(np.int64)
    one = np.full(users * COUNTED, -1)
    one[of_grade] = cell[counted]
    read.ravel()[one[one >= 0]] = True
    first = zero.argmax(axis=1)
    read[np.arange(users), first] |= zero[np.arange(users), first]
    if grades.dtype.kind == "f":
        read &= grades == grades
    found = np.flatnonzero(read)
    again = grades.ravel()[found]
    seen = _are_counted(again)
    of_read, inside = found[seen] // items * COUNTED + again[seen].astype(np.int64), listed.ravel()
    left = []
    for whole, zeros, those in (
        (of_grade, zero, of_read),
        (of_grade[inside[cell[counted]]], zero & listed, of_read[inside[found[seen]]]),
    ):
        counts = np.bincount(whole, minlength=users * COUNTED) - np.bincount(those, minlength=users * COUNTED)
        counts = counts.reshape(users, COUNTED).astype(np.int32)
        counts[:, 0] += np.count_nonzero(zeros, axis=1).astype(np.int32)
        left.append(counts)
    return found, left[0], left[1]


def _are_counted(grades: NDArray[Any]) -> Mask:
    """Which grades are 0, 1, … below `COUNTED`; shape as `grades`."""
    inside = (grades >= 0) & (grades < COUNTED)
    return np.asarray(inside & (np.where(inside, grades, 0).astype(np.int64) == grades))


def _cells(seen: Labels, shape: tuple[int, int]) -> Codes:
    """The sorted cells of the matrix that are seen, user * items + item, shape (cells,)."""
    user, item = seen.users.values, seen.items.values
    if "text" in (seen.users.kind, seen.items.kind):
        return np.zeros(0, np.int64)  # which is an error where the ids are put together
    by_row, of_row = np.repeat(user, seen.lengths), item[seen.item] if len(seen.item) else np.zeros(0, np.int64)
    inside = (by_row >= 0) & (by_row < shape[0]) & (of_row >= 0) & (of_row < shape[1])
    return np.sort(by_row[inside].astype(np.int64) * shape[1] + of_row[inside])


def _blocks(scores: Floats, excluded: Codes | None) -> Iterator[tuple[int, Floats]]:
    """The scores of blocks of users, shape (users, items), with the first of these; -inf where an item is excluded."""
    users, items = scores.shape
    step = max(1, min(CELLS, scores.size // SHARE) // max(1, items))
    for start in range(0, users, step):
        block = scores[start : start + step]
        block = block.astype(np.promote_types(block.dtype, np.float32), copy=False)
        if excluded is not None:
            first, last = np.searchsorted(excluded, [start * items, (start + len(block)) * items])
            block = block.copy()
            block.ravel()[excluded[first:last] - start * items] = -np.inf
        yield start, block


def _floor(block: Floats, rows: int, start: int) -> Floats:
    """A score that each of the first `rows` items has or exceeds, and few others do, shape (users,)."""
    items = block.shape[1]
    if not items:
        return np.zeros(len(block), block.dtype)
    groups = max(1, min(GROUPS, items // (8 * rows)))
    wide = items // groups
    best = block[:, : groups * wide].reshape(len(block), groups, wide).max(axis=1)
    best = np.concatenate([best, block[:, groups * wide :]], axis=1)
    highest = best.max(axis=1)
    odd = np.flatnonzero(np.isnan(highest) | (highest == np.inf))
    if len(odd):
        _refuse(block, int(odd[0]), start)
    lowest = np.finfo(block.dtype).min  # -inf is no item
    if best.shape[1] < rows:
        return np.full(len(block), lowest, block.dtype)
    return np.maximum(np.partition(best, -rows, axis=1)[:, -rows], lowest)


def _of_user(cells: Codes, user: int, items: int) -> Codes:
    """The columns of those cells, which rise, that are of this user, shape (columns,)."""
    first, last = np.searchsorted(cells, [user * items, (user + 1) * items])
    return cells[first:last] - user * items


def _first(scores: Floats, rows: int) -> Mask:
    """Which are the first rows by falling score, those of equal score in their order, shape (items,)."""
    last = np.partition(scores, -rows)[-rows] if scores.min() < scores.max() else scores[0]
    first: Mask = scores > last
    first[np.flatnonzero(scores == last)[: rows - np.count_nonzero(first)]] = True
    return first


def _refuse(block: Floats, row: int, start: int) -> None:
    column = int(np.flatnonzero(np.isnan(block[row]) | (block[row] == np.inf))[0])
    raise not_finite(float(block[row, column]), start + row, column)
