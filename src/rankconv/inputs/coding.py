"""Ids of users and items as codes, with errors that name the first wrong one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, own
from rankconv.data.ids import Ids, encode, kind_of, make_ids, plain_ids
from rankconv.data.matrices import starts_of_runs
from rankconv.errors import InputError
from rankconv.inputs.reader import Place

if TYPE_CHECKING:
    import polars as pl

_STRETCH = 1 << 17
"""So many values are coded at a time: they fit the processor's cache."""
_FEW = 1000
"""So few values are coded one by one, without loading polars."""

_WHAT_TO_DO = {
    "float": "Convert the ids to integers or to text; a column with gaps often turns its integers into floats",
    "NoneType": "Leave out the rows without an id",
    "tuple": "Join the parts of each id into one text",
}


def coded(values: Sequence[Any] | NDArray[Any], role: str, place: Place) -> tuple[Ids, Codes]:
    """The distinct ids by first appearance, and the code of each value, shape (values,).

    `place` says where a value stands, for messages.
    """
    if isinstance(values, np.ndarray):
        return coded_integers(values) if _fits(values) else coded(listed(values), role, place)
    if len(values) > _FEW and isinstance(values[0], str) and (texts := _texts(values)) is not None:
        return coded_text(texts)
    if set(map(type, values)) not in ({str}, {int}):
        values = plain_ids(values)
        _check(values, role, place)
    try:
        codes, ids = encode(values, role)
        "".join(ids.values if ids.kind == "text" else ()).encode()
    except OverflowError:
        raise _too_large(values, role, place) from None
    except UnicodeError:
        raise _half(values, role, place) from None
    return ids, codes


def _texts(values: Sequence[Any]) -> "pl.Series | None":
    """These values as a column, if all are texts."""
    import polars as pl

    try:
        column = pl.Series(values, dtype=pl.String)
    except (TypeError, UnicodeError):
        return None
    return None if column.null_count() else column


def coded_text(texts: "pl.Series") -> tuple[Ids, Codes]:
    """The distinct texts of a column without gaps by first appearance, and the code of each row, shape (rows,).

    Of adjacent rows with one text, only the first is looked up.
    """
    import polars as pl

    begins = (texts != texts.shift(1)).fill_null(value=True).to_numpy()
    runs = np.count_nonzero(begins)
    heads = texts.filter(pl.Series(begins)) if 2 * runs < len(texts) else texts
    places, codes = coded_integers(heads.cast(pl.Categorical).to_physical().to_numpy())
    ids = make_ids(heads.gather(first_rows(codes, len(places))).to_list(), "text")
    return ids, codes if heads is texts else codes[np.cumsum(begins) - 1]


def coded_integers(values: NDArray[Any]) -> tuple[Ids, Codes]:
    """The distinct integers by first appearance, and the code of each value, shape as `values`.

    Of adjacent values that are equal only the first is looked up, where that saves half of the work.
    """
    if not len(values):
        return numbered(0), np.empty(0, np.int64)
    starts = starts_of_runs(values)
    if 2 * len(starts) < len(values):
        ids, codes = _coded_each(values[starts[:-1]])
        return ids, np.repeat(codes, np.diff(starts))
    return _coded_each(values)


def _coded_each(values: NDArray[Any]) -> tuple[Ids, Codes]:
    """As `coded_integers`, shape as `values`, of one value at least; each is looked up in a table over their range."""
    low, high = int(values.min()), int(values.max())
    if high - low > 4 * len(values) + 1000:
        return _coded_wide(values.astype(np.int64))
    table = np.full(high - low + 1, -1, np.int32)
    found, codes, count = [], np.empty(len(values), np.int32), 0
    for first in range(0, len(values), _STRETCH):
        offsets = np.subtract(values[first : first + _STRETCH], low, dtype=np.int64)
        looked_up = table[offsets]
        if looked_up.min() < 0:
            new = _first_of_each(table, offsets[looked_up < 0])
            table[new] = np.arange(count, count + len(new))
            found.append(new)
            count += len(new)
            looked_up = table[offsets]
        codes[first : first + _STRETCH] = looked_up
    return Ids(own(np.concatenate(found) + low), "integer"), codes


def _first_of_each(table: Codes, offsets: Codes) -> Codes:
    """The distinct offsets by first appearance, shape (distinct,); their places in the table are written to."""
    mark = np.arange(len(offsets), dtype=np.int32)
    table[offsets[::-1]] = mark[::-1]  # of repeated places the last written stays: the first
    first: Codes = offsets[table[offsets] == mark]
    return first


def _coded_wide(values: Codes) -> tuple[Ids, Codes]:
    """As `coded_integers`, shape as `values`, for integers from a range too wide for a table."""
    import polars as pl

    column = pl.Series("id", values)
    distinct = column.unique(maintain_order=True)
    table = distinct.to_frame().with_columns(code=pl.int_range(pl.len(), dtype=pl.Int64))
    codes = column.to_frame().join(table, on="id", how="left", maintain_order="left")["code"]
    return Ids(own(distinct.to_numpy(writable=True)), "integer"), codes.to_numpy(writable=True)


def first_rows(codes: Codes, count: int) -> Codes:
    """The first row of each code from 0 to `count`, shape (count,)."""
    first = np.empty(count, np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return first


def by_appearance(ids: Ids, codes: Codes) -> tuple[Ids, Codes]:
    """The ids in the order of their first appearance in these rows, and the new code of each row, shape as `codes`."""
    order, new = coded_integers(codes)
    return Ids(own(ids.values[order.values]), ids.kind), new


def numbered(count: int) -> Ids:
    """The ids 0, 1, … of users or items that have no names."""
    return make_ids(range(count), "user")


def listed(values: NDArray[Any]) -> list[Any]:
    """The values, shape (values,), as a list of Python objects; dates stay dates, instead of counts of nanoseconds."""
    return list(values) if values.dtype.kind in "mM" else values.tolist()


def _fits(values: NDArray[Any]) -> bool:
    return values.dtype.kind in "iu" and (not len(values) or int(values.max()) < 2**63)


def _check(values: Sequence[Any], role: str, place: Place) -> None:
    """An InputError unless all values are ids; asked before equal ones are merged, as 1, 1.0 and True would be."""
    try:
        kind_of(values, role)
    except InputError as error:
        row = _first_odd(values)
        if _id_type(values[row]):
            raise error.at(place(row)) from None
        raise _no_id(values[row], role, place(row)) from None


def _first_odd(values: Sequence[Any]) -> int:
    """The row of the first value that can be no id, else of the first that is not of the first one's type."""
    types = [_id_type(value) for value in values]
    return types.index("") if "" in types else next(row for row, kind in enumerate(types) if kind != types[0])


def _id_type(value: Any) -> str:
    if isinstance(value, str):
        return "text"
    return "integer" if isinstance(value, int | np.integer) and not isinstance(value, bool) else ""


def _no_id(value: Any, role: str, where: str) -> InputError:
    name = type(value).__name__
    do = _WHAT_TO_DO.get(name, "Convert the ids to text or to integers")
    wrong = f"the {role} id {value!r} is of type {name}"
    return InputError(wrong, where=where, allowed="Ids are text or integers", do=do)


def _too_large(values: Sequence[Any], role: str, place: Place) -> InputError:
    row = next(row for row, value in enumerate(values) if not -(2**63) <= value < 2**63)
    wrong = f"the {role} id {values[row]} does not fit into 64 bits"
    return InputError(wrong, where=place(row), do=f"Pass the {role} ids as text")


def _half(values: Sequence[str], role: str, place: Place) -> InputError:
    """The error for an id with half a character, which Python's texts can hold and no file can."""
    row = next(row for row, value in enumerate(values) if any("\ud800" <= sign <= "\udfff" for sign in value))
    return InputError(f"the {role} id {values[row]!r} holds half a character", where=place(row), do="Read it as UTF-8")
