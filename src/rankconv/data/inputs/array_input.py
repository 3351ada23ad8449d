"""Arrays and SciPy sparse matrices with one row per user: of item ids, best first, or of a number for each item.

Arrays of any library are read through the interfaces that they share; none of these libraries is imported.
"""

import sys
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.basics.errors import InputError
from rankconv.data.array_libraries import NUMPY, ScoreMatrix, dtype_of, library_of
from rankconv.data.attributes import Form
from rankconv.data.inputs.input_rows import ColumnSpec, InputReader, RankSource, RawRows, by_ids
from rankconv.data.inputs.values import are_int64, coded, numbered, numbers_from_array

NO_ITEM = -1
"""Fills the ends of rows with fewer items than columns, where the caller names no other number."""
SPARSE_FORMATS = ("csr", "csc", "coo")


def is_array(data: Any) -> bool:
    """Whether this is an array: of NumPy, or of torch, jax and others with the same interfaces."""
    if isinstance(data, np.ndarray):
        return True
    if getattr(data, "is_nested", False) is True:  # a tensor of torch without a shape
        wrong = "rows of a nested tensor have lengths of their own"
        raise InputError(wrong, where="a torch tensor", do="Pass tensor.unbind()")
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


def as_matrix(data: Any) -> ScoreMatrix:
    """Return an array of two dimensions where its library keeps it; one of bfloat16 is cast block by block."""
    name, library = array_name(data), library_of(data)
    stays = library is not NUMPY or dtype_of(data) == "bfloat16"
    return ScoreMatrix(data if stays else as_numpy(data, name), library, name)


def as_numpy(data: Any, source: str) -> NDArray[Any]:
    """Return the array as a plain NumPy array of its shape, also a `numpy.matrix`; not copied where possible.

    InputError where values are masked, which a plain array cannot express.
    """
    if "numpy.ma" in sys.modules and np.ma.isMaskedArray(data):
        do = f"Fill it with no item: array.filled({NO_ITEM})"
        if data.dtype.kind not in "iu":
            do = "Fill scores with no item, array.filled(-numpy.inf), and labels with no label, array.filled(numpy.nan)"
        raise InputError("the array is masked", where=source, do=do)
    try:
        return library_of(data).numpy(data)
    except Exception as problem:  # each library has its own
        said = str(problem).partition("\n")[0]
        do = "Bring it to the CPU first, as a NumPy array"
        raise InputError(f"the array cannot be read: {said}", where=source, do=do) from None


def refuse_named_numbers(data: Any, where: str) -> None:
    """InputError for numbers of a pandas Series whose index may hold items."""
    index = getattr(data, "index", None)
    if index is None or not hasattr(index, "dtype") or data.dtype.kind not in "biuf":
        return
    if index.name is not None or index.dtype.kind not in "iu":
        raise InputError(
            "the numbers of this Series may be items, or the numbers of the items in its index",
            where=where,
            do="Pass series.tolist() for the former, series.to_dict() for the latter",
        )


def read_array(data: Any, spec: ColumnSpec) -> RawRows:
    """Read rows from integers (users, ranks), or from fractions or truth values (users, items)."""
    source = array_name(data)
    array = as_numpy(data, source)
    if array.dtype.names:
        do = "Pass pandas.DataFrame(array)"
        raise InputError(f"the array has named fields: {', '.join(array.dtype.names)}", where=source, do=do)
    if array.ndim != 2:
        raise InputError(
            f"the array has {array.ndim} dimensions",
            where=source,
            allowed="An array has one row per user and its items in the columns, best first",
            do=_of_one_dimension(array) if array.ndim == 1 else "",
        )
    if array.dtype.kind not in ("iufb" if spec.what == "labels" else "iuf"):
        allowed = "An array holds item ids, which are integers, or a floating-point number for each item"
        do = "Pass text ids as lists: array.tolist()"
        raise InputError(f"the array holds {array.dtype}", where=source, allowed=allowed, do=do)
    ids = array.dtype.kind in "iu"
    rows = _rows_of_ids(array, spec, source) if ids else _rows_of_numbers(array, spec, source)
    scores = array[: 0 if ids or spec.what == "labels" else FIRST]
    assumed = assumed_of_scores(np.sort(scores, axis=1)[:, ::-1], array.shape[1])
    return replace(rows, form=Form("ids" if ids else "dense", (array.shape[0], array.shape[1]), assumed=assumed))


def _of_one_dimension(array: NDArray[Any]) -> str:
    """What to do with an array of one dimension."""
    if array.dtype.kind == "O":
        return "If it holds a list for each user, pass array.tolist()"
    each = "with one item for each user array[:, None]; " if array.dtype.kind in "iu" else ""
    return f"Of one user pass array[None]; {each}of flat arrays with groups rc.grouped(y_true, y_score, group=…)"


FIRST, _FEWEST = 3, 3
"""Rows that are looked at, and so many best scores at least tell ranks from scores."""


def assumed_of_scores(best: NDArray[Any], items: int) -> str:
    """What is assumed of scores that may be ranks of so many items; the best of some rows, shape (rows, n), tell."""
    steps = best - np.arange(items, items - best.shape[1], -1)
    if not len(best) or best.shape[1] < _FEWEST or not np.isin(steps, (0, -1)).all() or np.ptp(steps, axis=1).any():
        return ""
    return "the scores of a row are 1, 2, 3, … or 0, 1, 2, …, and the highest is first; if they are ranks, pass -scores"


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


def is_torch_sparse(data: Any) -> bool:
    """Whether this is a sparse tensor of torch, which has no array interface."""
    return str(getattr(data, "layout", "")) in _TORCH_SPARSE and hasattr(data, "values")


_TORCH_SPARSE = ("torch.sparse_coo", "torch.sparse_csr", "torch.sparse_csc", "torch.sparse_bsr", "torch.sparse_bsc")
_COO, _CSR = _TORCH_SPARSE[:2]


def read_torch_sparse(data: Any, spec: ColumnSpec) -> RawRows:
    """Read rows from the stored entries; those of one cell are added, as torch defines it."""
    source = f"a {data.layout} tensor"
    if len(data.shape) != 2:
        allowed = "It must have users in rows and items in columns"
        raise InputError(f"it has {len(data.shape)} dimensions", where=source, allowed=allowed)
    data = data.detach() if hasattr(data, "detach") else data
    if str(data.layout) != _CSR:
        data = (data if str(data.layout) == _COO else data.to_sparse_coo()).coalesce()
        row, item = (as_numpy(one, source) for one in data.indices())
        user, starts = np.array(row), None
    else:
        user, starts = None, as_numpy(data.crow_indices(), source).astype(np.int64)
        item = as_numpy(data.col_indices(), source)
    values, users = as_numpy(data.values(), source), numbered(data.shape[0])
    if values.dtype.kind not in ("biuf" if spec.what == "labels" else "iuf"):
        raise InputError(f"it holds {values.dtype}", where=source, allowed=f"{spec.number.title()}s are numbers")
    item = np.array(item)
    number = numbers_from_array(values, spec.number, by_ids(source, users, user, None, item, starts))
    form = Form("sparse", (int(data.shape[0]), int(data.shape[1])))
    return RawRows(source, users, user, None, item, number, form=form, starts=starts, distinct=True)


def is_pair_of_arrays(data: Any) -> bool:
    """Whether these are two arrays of one shape, (users, ranks), in a tuple: items and scores, in either order."""
    if not isinstance(data, tuple) or len(data) != 2 or not all(map(is_array, data)):
        return False
    shapes = {tuple(one.shape) for one in data}
    return len(shapes) == 1 and len(next(iter(shapes))) == 2


def read_pair(data: Any, spec: ColumnSpec) -> RawRows:
    """Read the items of each row and their scores: `(ids, scores)` of implicit, `(values, indices)` of `torch.topk`.

    Items are the integers, and scores the fractions. Rows are ordered as they are; what is padding has no score.
    """
    source = "a pair of arrays"
    arrays = [as_numpy(one, source) for one in data]
    kinds = ["items" if one.dtype.kind in "iu" else "scores" if one.dtype.kind == "f" else "" for one in arrays]
    if spec.what == "labels" or sorted(kinds) != ["items", "scores"]:
        wrong = f"two arrays of {arrays[0].dtype} and {arrays[1].dtype} may be items and scores, or scores and items"
        do = "Pass scores of floats, rc.Run((ids, numpy.asarray(scores, float))), or the items alone, rc.Run(ids)"
        if spec.what == "labels":
            wrong, do = "a pair of arrays is the ranking of each row", "Pass the items alone, rc.Labels(ids)"
        raise InputError(wrong, where=source, do=do)
    ids, scores = arrays[kinds.index("items")], arrays[kinds.index("scores")]
    rows = _rows_of_ids(ids, spec, source)
    padding = NO_ITEM if spec.padding is None else spec.padding
    number = scores[ids != padding].astype(np.float64)
    number = numbers_from_array(number, "score", lambda row: f"{source}, entry {row} (counted from 0)")
    rank = np.arange(len(number), dtype=np.float64)
    form = Form("ids", (ids.shape[0], ids.shape[1]))
    return replace(rows, number=number, rank=rank, rank_source=RankSource.LIST, form=form)


def read_sparse(data: Any, spec: ColumnSpec) -> RawRows:
    """Read rows from the stored entries, also the zeros among them: labels of grade 0, items with the score 0."""
    if is_torch_sparse(data):
        return read_torch_sparse(data, spec)
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


ARRAYS = InputReader(
    "arrays with one row per user, of item ids (integers) or of a number for each item (floats)",
    is_array,
    read_array,
    pads=True,
)
SPARSE = InputReader(
    "SciPy CSR, CSC and COO matrices of users by items, sparse tensors of torch",
    lambda data: is_sparse(data) or is_torch_sparse(data),
    read_sparse,
)
PAIRS = InputReader(
    "pairs of arrays with one row per user: items and scores (implicit, torch.topk)",
    is_pair_of_arrays,
    read_pair,
    pads=True,
)
