"""SciPy sparse matrices of users by items; SciPy itself is not needed to know one."""

from typing import Any

import numpy as np

from rankconv.errors import InputError
from rankconv.inputs import numbers
from rankconv.inputs.coding import coded_integers, numbered
from rankconv.inputs.reader import Reader, Wanted
from rankconv.inputs.rows import Rows, by_ids

FORMATS = ("csr", "csc", "coo")


def takes(data: Any) -> bool:
    """Any sparse matrix or array; `read` says which can be read."""
    return type(data).__module__.startswith("scipy.sparse") and hasattr(data, "tocoo")


def read(data: Any, wanted: Wanted) -> Rows:
    """Rows from the stored entries, also the zeros among them: labels of grade 0, items with the score 0."""
    source = f"a SciPy {data.format.upper()} matrix"
    _check(data, wanted, source)
    entries = data.tocoo()
    user = entries.row.astype(np.int64)
    users = numbered(data.shape[0])
    items, item = coded_integers(entries.col)
    number = numbers.from_array(entries.data, wanted.number, by_ids(source, users, user, items, item))
    return Rows(source, users, user, items, item, number)


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
