"""Arrays and SciPy sparse matrices with one row per user: of item ids, best first, or of a number for each item.

Arrays of any library are read through the interfaces that they share; none of these libraries is imported. Of a large
matrix of scores the rows that a cutoff can read are taken alone, with all that tie with the last of them.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Mask
from rankconv.data.attributes import Form, LabelsCut, MatrixCut
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.errors import InputError
from rankconv.inputs.rows import ColumnSpec, RawRows, Reader, as_labels, as_rankings, by_ids
from rankconv.inputs.values import are_int64, coded, numbered, numbers_from_array

NO_ITEM = -1
"""Fills the ends of rows with fewer items than columns, where the caller names no other number."""
SPARSE_FORMATS = ("csr", "csc", "coo")
CELLS, SHARE = 1 << 19, 8
"""Cells of a block of users, which fits the cache of a processor; and at most this share of the matrix, one eighth."""
GROUPS = 64
"""Columns are put in at most so many groups for each maximum that is looked for."""
FEW = 16
"""Rows that tie at the end are left out where so many times the first rows would be read."""
COUNTED = 16
"""Grades 0, 1, … below this are counted."""
TieRows = Literal["first", "labelled", "all"]
"""Which rows that tie with the last of the first rows are read."""
Floats = NDArray[np.floating]


def is_array(data: Any) -> bool:
    """Whether this is an array: of NumPy, or of torch, jax and others with the same interfaces."""
    if isinstance(data, np.ndarray):
        return True
    shared = hasattr(data, "__array__") or hasattr(data, "__dlpack__")
    return not isinstance(data, type | np.generic) and shared and hasattr(data, "shape")


def is_sparse(data: Any) -> bool:
    """Whether this is a SciPy sparse matrix or array; `read_sparse` decides which can be read."""
    return type(data).__module__.startswith("scipy.sparse") and hasattr(data, "tocoo")


def array_name(data: Any) -> str:
    """Return what messages call the array."""
    library = type(data).__module__.partition(".")[0]
    known = {"numpy": "a NumPy array", "torch": "a torch tensor", "jaxlib": "a jax array"}
    return known.get(library, f"a {library} array")


def as_numpy(data: Any, source: str) -> NDArray[Any]:
    """Return the array as a plain NumPy array of its shape, also a `numpy.matrix`; not copied where possible.

    InputError where values are masked, which a plain array cannot express.
    """
    if "numpy.ma" in sys.modules and np.ma.isMaskedArray(data):
        filled = NO_ITEM if data.dtype.kind in "iu" else "numpy.nan"
        raise InputError("the array is masked", where=source, do=f"Fill it with no item: array.filled({filled})")
    try:
        return np.asarray(data) if hasattr(data, "__array__") else np.from_dlpack(data)
    except Exception as problem:  # each library has its own
        said = str(problem).partition("\n")[0]
        do = "Bring it to the CPU first: tensor.detach().cpu()"
        raise InputError(f"the array cannot be read: {said}", where=source, do=do) from None


def read_array(data: Any, spec: ColumnSpec) -> RawRows:
    """Read rows from integers (users, ranks), or from fractions or truth values (users, items)."""
    source = array_name(data)
    array = as_numpy(data, source)
    if array.ndim != 2:
        raise InputError(
            f"the array has {array.ndim} dimensions",
            where=source,
            allowed="An array has one row per user and its items in the columns, best first",
            do="For flat arrays with groups: rc.grouped(y_true, y_score, group=…)" if array.ndim == 1 else "",
        )
    if array.dtype.kind not in ("iufb" if spec.what == "labels" else "iuf"):
        allowed = "An array holds item ids, which are integers, or a floating-point number for each item"
        do = "Pass text ids as lists: array.tolist()"
        raise InputError(f"the array holds {array.dtype}", where=source, allowed=allowed, do=do)
    ids = array.dtype.kind in "iu"
    rows = _rows_of_ids(array, spec, source) if ids else _rows_of_numbers(array, spec, source)
    return replace(rows, form=Form("ids" if ids else "dense", (array.shape[0], array.shape[1])))


def _rows_of_ids(array: NDArray[Any], spec: ColumnSpec, source: str) -> RawRows:
    """Rows from item ids, shape (users, ranks), padded at the end; users are numbered from 0."""
    padding = NO_ITEM if spec.padding is None else spec.padding
    held = None if array.size and int(array.min()) > padding else array != padding
    lengths = np.full(len(array), array.shape[1]) if held is None else held.sum(axis=1)
    if held is not None:
        _refuse_holes(held, lengths, padding, source)
    starts = np.append(0, np.cumsum(lengths))
    listed = array.ravel() if starts[-1] == array.size else array[held]
    if len(listed) and are_int64(listed):
        return RawRows(source, numbered(len(array)), None, None, listed, starts=starts)
    place = lambda row: f"{source}, row {int(np.searchsorted(starts, row, side='right')) - 1}"
    return RawRows(source, numbered(len(array)), None, *coded(listed, "item", place), starts=starts)


def _rows_of_numbers(array: NDArray[Any], spec: ColumnSpec, source: str) -> RawRows:
    """Rows from a number for each item, shape (users, items); users and items are numbered from 0.

    A score of -inf means no item, as a mask leaves it, and a grade that is NaN no label. InputError for a score that is
    NaN, and where no user has an item.
    """
    source = f"{source} of {spec.number}s"
    values = np.asarray(array, np.promote_types(array.dtype, np.float64))
    missing = np.isnan(values)
    if spec.what == "labels":
        held = ~missing
    else:
        if missing.any():
            row, column = np.argwhere(missing)[0].tolist()
            raise not_finite(np.nan, row, column)
        held = values != -np.inf
        if len(values) > 1 and values.size and not held.any():
            raise nothing_scored()
    users, item = numbered(len(values)), np.nonzero(held)[1]
    starts = np.append(0, np.cumsum(np.count_nonzero(held, axis=1)))
    number = numbers_from_array(values[held], spec.number, by_ids(source, users, None, None, item, starts))
    return RawRows(source, users, None, None, item, number, starts=starts, distinct=True)


def not_finite(score: float, row: int, column: int) -> InputError:
    """The error for a score of a matrix that is NaN or infinite."""
    return InputError(
        f"the score is {score}",
        where=f"row {row}, column {column} of the scores",
        allowed="Scores are finite numbers; -inf is no item",
        do="If it is no item, pass numpy.nan_to_num(scores, nan=-numpy.inf)" if np.isnan(score) else "",
    )


def nothing_scored() -> InputError:
    """The error for a matrix of scores in which no user has an item."""
    return InputError("every score is -inf, which is no item", do="Check the mask of the scores.")


def _refuse_holes(held: NDArray[np.bool_], lengths: NDArray[np.int64], padding: int, source: str) -> None:
    """InputError where padding comes before an item, shape (users, ranks): that item's rank would be open."""
    beyond = np.arange(held.shape[1]) >= lengths[:, None]
    for row in np.flatnonzero((held & beyond).any(axis=1))[:1]:
        where = f"{source}, row {row}, column {int(np.argmin(held[row]))}"
        wrong, do = f"{padding} means no item, and an item follows it", f"Move {padding} to the end of the row"
        raise InputError(wrong, where=where, do=do)


def read_sparse(data: Any, spec: ColumnSpec) -> RawRows:
    """Read rows from the stored entries, also the zeros among them: labels of grade 0, items with the score 0."""
    source = f"a SciPy {data.format.upper()} matrix"
    if data.format not in SPARSE_FORMATS:
        allowed = f"These formats can be read: {', '.join(SPARSE_FORMATS)}"
        raise InputError("the format cannot be read", where=source, allowed=allowed, do="Pass matrix.tocsr()")
    if len(data.shape) != 2:
        allowed = "It must have users in rows and items in columns"
        raise InputError(f"it has {len(data.shape)} dimensions", where=source, allowed=allowed)
    if data.dtype.kind not in ("biuf" if spec.what == "labels" else "iuf"):
        raise InputError(f"it holds {data.dtype}", where=source, allowed=f"{spec.number.title()}s are numbers")
    ordered = data.format == "csr" and data.has_canonical_format  # items of each row rise, so that none is there twice
    row, column, values = (None, data.indices, data.data) if ordered else _entries(data)
    item, users = np.array(column), numbered(data.shape[0])
    user, starts = (None, data.indptr.astype(np.int64)) if row is None else (np.array(row), None)
    number = numbers_from_array(values, spec.number, by_ids(source, users, user, None, item, starts))
    form = Form("sparse", data.shape)
    return RawRows(source, users, user, None, item, number, form=form, starts=starts, distinct=True)


def _entries(data: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The row, column and value of each entry, shape (entries,); entries of one cell are added, as SciPy defines it.

    A sum takes the place of the first of its entries, and integers are added as 64 bits, so that they do not overflow.
    """
    entries = data.tocoo()
    place = entries.row.astype(np.int64) * data.shape[1] + entries.col
    if np.all(place[1:] > place[:-1]):
        return entries.row, entries.col, entries.data
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.diff(place[order], prepend=-1))
    if len(starts) == len(place):
        return entries.row, entries.col, entries.data
    wide = {"i": np.int64, "u": np.uint64}.get(entries.data.dtype.kind, entries.data.dtype)
    sums = np.add.reduceat(entries.data[order], starts, dtype=wide)
    as_given = np.argsort(order[starts])
    first = order[starts][as_given]
    return entries.row[first], entries.col[first], sums[as_given]


ARRAYS = Reader(
    "arrays with one row per user, of item ids (integers) or of a number for each item (floats)",
    is_array,
    read_array,
    pads=True,
)
SPARSE = Reader("SciPy CSR, CSC and COO matrices of users by items", is_sparse, read_sparse)


# the first rows of score matrices: the k-th largest maximum of disjoint groups of columns is at most the k-th largest
# score, so that all scores from this floor on hold the first k and all ties with the last, without sorting


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
