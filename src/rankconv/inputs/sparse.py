"""SciPy sparse matrices of users by items; SciPy itself is not needed to know one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.form import Form
from rankconv.errors import InputError
from rankconv.inputs import numbers
from rankconv.inputs.coding import numbered
from rankconv.inputs.reader import Reader, Rows, Wanted, by_ids

FORMATS = ("csr", "csc", "coo")


def takes(data: Any) -> bool:
    """Any sparse matrix or array; `read` says which can be read."""
    return type(data).__module__.startswith("scipy.sparse") and hasattr(data, "tocoo")


def read(data: Any, wanted: Wanted) -> Rows:
    """Rows from the stored entries, also the zeros among them: labels of grade 0, items with the score 0."""
    source = f"a SciPy {data.format.upper()} matrix"
    _check(data, wanted, source)
    ordered = data.format == "csr" and data.has_canonical_format  # items of each row rise, so that none is there twice
    row, column, values = (None, data.indices, data.data) if ordered else _entries(data)
    item, users = np.array(column), numbered(data.shape[0])
    user, starts = (None, data.indptr.astype(np.int64)) if row is None else (np.array(row), None)
    number = numbers.from_array(values, wanted.number, by_ids(source, users, user, None, item, starts))
    form = Form("sparse", data.shape)
    return Rows(source, users, user, None, item, number, form=form, starts=starts, distinct=True)


def _entries(data: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The row, column and value of each entry, shape (entries,); entries of one cell are added, as SciPy defines it.

    A sum stands where the first of its entries did, and integers are added as 64 bits, so that they do not overflow.
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


def _check(data: Any, wanted: Wanted, source: str) -> None:
    if data.format not in FORMATS:
        allowed = f"These formats can be read: {', '.join(FORMATS)}"
        raise InputError("the format cannot be read", where=source, allowed=allowed, do="Pass matrix.tocsr()")
    if len(data.shape) != 2:
        raise InputError(
            f"it has {len(data.shape)} dimensions",
            where=source,
            allowed="It must have users in rows and items in columns",
        )
    if data.dtype.kind not in ("biuf" if wanted.what == "labels" else "iuf"):
        raise InputError(f"it holds {data.dtype}", where=source, allowed=f"{wanted.number.title()}s are numbers")


READER = Reader("SciPy CSR, CSC and COO matrices of users by items", takes, read)
