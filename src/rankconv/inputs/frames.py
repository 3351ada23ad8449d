"""Tables of pandas, polars, pyarrow, duckdb and others, all through narwhals."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes
from rankconv.data.coded_texts import coded_texts
from rankconv.data.form import Form
from rankconv.data.ids import Ids, plain_id, quoted
from rankconv.data.uncoded import Texts
from rankconv.errors import InputError
from rankconv.inputs import numbers
from rankconv.inputs.coding import EXACT, coded, integers, owners, whole_floats
from rankconv.inputs.columns import LOOKED_AT, are_numbers, find_columns, form_of, refuse_unread
from rankconv.inputs.numbers import Parsed, are_large
from rankconv.inputs.pieces import Piece, is_id, piece_of
from rankconv.inputs.reader import Column, Place, Reader, Rows, Wanted, by_ids
from rankconv.inputs.times import from_column

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import polars as pl

Columns = Mapping[str, "nw.Series[Any]"]
"""Columns of a table by role."""

LIBRARIES = (
    *("pandas", "polars", "pyarrow", "narwhals", "duckdb"),
    *("modin", "cudf", "dask", "ibis", "pyspark", "sqlframe"),
)
"""Those that narwhals knows, and narwhals itself."""

_CALLED = {"pyarrow": "table", "duckdb": "relation", "ibis": "table"}


def takes(data: Any) -> bool:
    """Anything from these libraries, and any stream of Arrow batches; `read` says what is a table."""
    return bool(_library(data)) or _streams(data)


def read(data: Any, wanted: Wanted) -> Rows:
    """Rows from the columns that matter; a lazy frame computes only these."""
    source = source_of(data)
    return replace(read_frame(data, wanted, source, source), library=_library(data))


def source_of(data: Any) -> str:
    """What a table is called in messages."""
    library = _library(data)
    return f"a {library} {_CALLED.get(library, 'frame')}" if library else "an Arrow stream"


def read_frame(data: Any, wanted: Wanted, source: str, name: str) -> Rows:
    """Rows from the columns that matter; `name` is what the rows are from."""
    table, names, form = _columns(data, wanted, source)
    columns = {role: table.get_column(column) for role, column in names.items()}
    try:
        return _rows(columns, names, form, wanted, source, name)
    except InputError:
        checked(columns, source)  # names the first wrong row
        raise


def checked(columns: Columns, source: str, first: int = 0) -> Piece:
    """The rows of these columns, which are counted from `first` on; an InputError for the first that is wrong."""

    _refuse_kinds(columns, source)

    def of_number(row: int) -> str:
        told = {role: quoted(plain_id(column[row])) for role, column in columns.items() if is_id(role)}
        user, item = (",".join(one for role, one in told.items() if role.startswith(what)) for what in ("user", "item"))
        return f"{source}, user {user}, item {item}"

    return piece_of(columns, _read, lambda row: f"{source}, row {first + row} (counted from 0)", of_number)


def _refuse_kinds(columns: Columns, source: str) -> None:
    for role, column in columns.items():
        if is_id(role) and len(column) and (column.dtype.is_temporal() or column.dtype.is_nested()):
            raise _no_id(column, role, source)


def _read(column: "nw.Series[Any]", role: str, place: Place) -> Any:
    """Ids as a column of texts or integers, numbers with what they were exactly, where float64 may have rounded it."""
    import polars as pl

    if role == "time":
        return from_column(column, place)
    if is_id(role):
        known = _plain(column, role, place)
        if isinstance(known, pl.Series):
            return known
        ids, codes = coded(known, role, place)
        return pl.Series(ids.values.tolist(), dtype=pl.String if ids.kind == "text" else pl.Int64).gather(codes)
    floats = _numbers(column, role, place).floats
    rounded = _is_exact(column) or (column.dtype.is_integer() and are_large(floats))
    return Parsed(floats, column.to_list() if rounded else None)


def _rows(
    columns: Mapping[str, "nw.Series[Any]"],
    names: Mapping[str, Any],
    form: Form,
    wanted: Wanted,
    source: str,
    name: str,
) -> Rows:
    _refuse_kinds(columns, source)
    users, user, starts = _users(columns["user"], source)
    items, item = _items(columns["item"], source)
    place = by_ids(source, users, user, items, item, starts)
    number, rank = (
        _numbers(columns[role], role, place) if role in columns else None for role in (wanted.number, "rank")
    )
    groups, group = _ids(columns["group"], "group", source) if "group" in columns else (None, None)
    time = from_column(columns["time"], place) if "time" in columns else None
    more: dict[str, Any] = {"columns": {role: str(one) for role, one in names.items()}, "form": form, "time": time}
    more |= {"starts": starts}
    return Rows(name, users, user, items, item, number, rank, groups=groups, group=group, **more)


def made_by(library: str, columns: Mapping[str, Any]) -> Any:
    """A table of these columns: of this library, or of polars where it makes none."""
    import narwhals.stable.v2 as nw

    backend: Any = library if library in ("pandas", "pyarrow", "modin", "cudf") else "polars"
    return nw.from_dict(columns, backend=backend).to_native()


def _library(data: Any) -> str:
    modules = [base.__module__.partition(".")[0].lstrip("_") for base in type(data).__mro__]
    return next((library for library in LIBRARIES if library in modules), "")


def _streams(data: Any) -> bool:
    """Whether it is a stream of batches, and not of the values of one column."""
    known = not _library(data) or hasattr(type(data), "schema")
    return known and callable(getattr(data, "__arrow_c_stream__", None)) and not isinstance(data, type)


def _columns(data: Any, wanted: Wanted, source: str) -> tuple["nw.DataFrame[Any]", dict[str, Any], Form]:
    """A frame in memory, the name in it of each role's column, and what its columns tell."""
    import narwhals.stable.v2 as nw

    frame = _opened(data, source)
    name_of = {str(name): name for name in _computed(frame.collect_schema, source).names()}
    found = find_columns(list(name_of), wanted, source)
    refuse_unread(list(name_of), found, wanted, source, lambda name: holds_numbers(frame, name_of[name], source))
    names = {role: name_of[column] for role, column in found.items()}
    if isinstance(frame, nw.LazyFrame):
        frame = _computed(frame.select(*names.values()).collect, source)
    return frame, names, form_of(list(name_of), found, wanted)


def holds_numbers(frame: "nw.DataFrame[Any] | nw.LazyFrame[Any]", name: Any, source: str) -> bool:
    """Whether the values of a column are numbers, truth values, or texts that say numbers; the first texts tell."""
    import narwhals.stable.v2 as nw

    dtype = frame.collect_schema()[name]
    if dtype.is_numeric() or dtype == nw.Boolean:
        return True
    if dtype.is_temporal() or dtype.is_nested():
        return False
    given = frame.select(name).drop_nulls().head(LOOKED_AT)
    table = _computed(given.collect, source) if isinstance(given, nw.LazyFrame) else given
    return are_numbers(table.get_column(name).to_list())


def _opened(data: Any, source: str) -> "nw.DataFrame[Any] | nw.LazyFrame[Any]":
    import narwhals.stable.v2 as nw

    try:
        frame: nw.DataFrame[Any] | nw.LazyFrame[Any] = nw.from_native(data, pass_through=_streams(data))
        if frame is data and _streams(data):
            frame = _computed(lambda: nw.from_arrow(data, backend="polars"), source)
    except TypeError:
        wrong, do = f"a {type(data).__name__} is not a table", "Pass a table with a column for users and one for items"
    except nw.exceptions.DuplicateError:
        wrong, do = "two columns have the same name", "Rename one of them"
    else:
        return frame
    raise InputError(wrong, where=source, do=do)


def _computed(compute: Callable[[], Any], source: str) -> Any:
    """What a lazy frame computes; any engine may be behind it, and fail with any error of its own."""
    try:
        return compute()
    except Exception as error:
        said = str(error).strip().partition("\n")[0]
        raise InputError(f"the table cannot be computed: {said}", where=source) from None


def _users(column: "nw.Series[Any]", source: str) -> tuple[Ids, Codes | None, Codes | None]:
    """The users, and the code of each row's, shape (rows,), or where those of each user begin, shape (users + 1,)."""
    known = _plain(column, "user", _row(source))
    if isinstance(known, list):
        return *coded(known, "user", _row(source)), None
    return owners(known, _row(source))


def _ids(column: "nw.Series[Any]", role: str, source: str) -> tuple[Ids, Codes]:
    known = _plain(column, role, _row(source))
    return coded(known, role, _row(source)) if isinstance(known, np.ndarray | list) else coded_texts(known)


def _plain(column: "nw.Series[Any]", role: str, place: Place) -> "pl.Series | NDArray[Any] | list[Any]":
    """Ids as a column of texts or an array of integers, shape (rows,); as they came where they are of other types.

    Floats that are whole, as gaps elsewhere make them of integers, are integers.
    """
    import narwhals.stable.v2 as nw

    column = column.fill_nan(None) if column.dtype.is_float() else column
    missing = column.is_null()
    if missing.any():
        row = missing.arg_true()[0]
        wrong = f"there is no {role} (column '{column.name}')"
        raise InputError(wrong, where=place(row), do="Leave these rows out, or give them an id")
    if column.dtype.is_float():
        odd = (column % 1 != 0) | (column.abs() >= EXACT)
        if odd.any():
            raise _no_id(column, role, place(odd.arg_true()[0]))
        column = column.cast(nw.Int64)
    texts = _texts(column) if column.dtype == nw.String else None
    if texts is not None:
        return texts
    return column.to_numpy() if _in_numpy(column) else whole_floats(column.to_list())


def _no_id(column: "nw.Series[Any]", role: str, where: str) -> InputError:
    wrong = f"the {role} column '{column.name}' is of type {column.dtype}"
    return InputError(
        wrong, where=where, allowed="Ids are text or integers", do="Convert the column to text or to integers"
    )


def _row(source: str) -> Place:
    return lambda row: f"{source}, row {row} (counted from 0)"


def _items(column: "nw.Series[Any]", source: str) -> tuple[Ids | None, Codes | Texts]:
    """As `_ids`; where items are integers or texts, no codes but the ids themselves, shape (rows,)."""
    known = _plain(column, "item", _row(source))
    if not isinstance(known, np.ndarray | list):
        return (None, Texts(known)) if len(known) else coded_texts(known)
    ids = integers(known) if isinstance(known, np.ndarray) else None
    return coded(known, "item", _row(source)) if ids is None else (None, ids)


def _texts(column: "nw.Series[Any]") -> "pl.Series | None":
    """A column of texts as polars keeps it; None where it has something else among its texts."""
    import polars as pl

    native = column.to_native()
    if column.implementation.is_polars():
        return pl.Series(native).rechunk()
    if str(getattr(native, "dtype", "")) != "object":
        with suppress(ImportError):
            return pl.Series(pl.from_arrow(column.to_arrow())).cast(pl.String).rechunk()
    try:
        return pl.Series(column.to_numpy(), dtype=pl.String)
    except (TypeError, UnicodeError):
        return None


def _in_numpy(column: "nw.Series[Any]") -> bool:
    """Whether these are integers that NumPy has."""
    import narwhals.stable.v2 as nw

    return column.dtype.is_integer() and column.dtype not in (nw.Int128, nw.UInt128)


def _is_exact(column: "nw.Series[Any]") -> bool:
    """Whether these are decimals, or integers, of more digits than float64 has."""
    import narwhals.stable.v2 as nw

    return column.dtype.is_decimal() or column.dtype in (nw.Int128, nw.UInt128)


def _numbers(column: "nw.Series[Any]", role: str, place: Place) -> Column:
    import narwhals.stable.v2 as nw

    if _is_exact(column):
        return numbers.from_decimals(column.to_list(), role, place)
    if (column.dtype.is_integer() or column.dtype.is_float()) and not column.is_null().any():
        return numbers.from_array(column.to_numpy(), role, place)
    if column.dtype.is_integer():  # with gaps, which are refused: not every library casts large integers
        return numbers.from_array(np.where(column.is_null().to_numpy(), np.nan, 0.0), role, place)
    if column.dtype.is_numeric() or (column.dtype == nw.Boolean and role == "grade"):
        return numbers.from_array(column.cast(nw.Float64).to_numpy(), role, place)
    return numbers.from_objects(column.to_list(), role, place)


READER = Reader("tables of pandas, polars, pyarrow, duckdb and all that narwhals takes", takes, read, has_columns=True)
