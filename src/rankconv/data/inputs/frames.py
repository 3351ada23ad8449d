"""Tables of pandas, polars, pyarrow, duckdb and others, all through narwhals.

Only the columns that matter are read. Ids that are integers or texts are passed on without codes.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankconv.basics.errors import InputError
from rankconv.data.attributes import Form
from rankconv.data.ids import plain_id, quoted
from rankconv.data.inputs.columns import LOOKED_AT, are_numbers, chosen_columns
from rankconv.data.inputs.frame_shapes import is_frame, is_stream, library_name, records_of, refuse_wide, with_index
from rankconv.data.inputs.input_rows import (
    ColumnSpec,
    Floats,
    InputReader,
    RawRows,
    RowPlace,
    base,
    is_id,
)
from rankconv.data.inputs.json_files import record_batches
from rankconv.data.inputs.row_batches import Record, RowBatch, RowBatches, batch_of, rows_of, times_from_column
from rankconv.data.inputs.span_columns import PLACES, read_places
from rankconv.data.inputs.usual_names import rank_columns
from rankconv.data.inputs.values import (
    EXACT,
    are_int64,
    finite,
    ids_like,
    numbers_from_array,
    numbers_from_objects,
    refuse_rounded,
    text_column,
    whole_floats,
)
from rankconv.data.inputs.word_columns import numbers_or_words

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import polars as pl

ColumnsByRole = Mapping[str, "nw.Series[Any]"]
"""Columns of a table by role."""

_CALLED = {"pyarrow": "table", "duckdb": "relation", "ibis": "table"}


def read(data: Any, spec: ColumnSpec) -> RawRows:
    """RawRows from the columns that matter; a lazy frame computes only these."""
    source = source_of(data)
    return replace(read_frame(data, spec, source, source), library=library_name(data))


def source_of(data: Any) -> str:
    """What a table is called in messages."""
    library = library_name(data)
    return f"a {library} {_CALLED.get(library, 'frame')}" if library else "an Arrow stream"


def read_frame(data: Any, spec: ColumnSpec, source: str, name: str) -> RawRows:
    """RawRows from the columns that matter; `name` is what the rows are from."""
    refuse_wide(data, spec, source)
    data = with_index(data, spec, source)
    opened = _opened(data, source)
    if (records := _lists(opened, spec, source)) is not None:
        place = lambda row: f"{source}, row {row} (counted from 0)"
        return rows_of(record_batches(enumerate(records), spec, source, place), name)
    table, names, form = _columns(opened, spec, source)
    batch = checked({role: table.get_column(column) for role, column in names.items()}, source)
    return rows_of(RowBatches(iter([batch]), names, form), name)


def _lists(frame: "nw.DataFrame[Any] | nw.LazyFrame[Any]", spec: ColumnSpec, source: str) -> list[Record] | None:
    """The records of a table with the items of a user in each row; None for all others."""
    import narwhals.stable.v2 as nw

    if not isinstance(frame, nw.LazyFrame):
        return records_of(frame, spec)
    schema = computed(frame.collect_schema, source)
    if not rank_columns(list(schema)) and not any(dtype.is_nested() for dtype in schema.values()):
        return None  # so nothing is computed
    if records_of(computed(frame.head(1).collect, source), spec) is None:
        return None
    return records_of(computed(frame.collect, source), spec)


def checked(columns: ColumnsByRole, source: str, first: int = 0) -> RowBatch:
    """The rows of these columns, which are counted from `first` on; an InputError for the first that is wrong."""
    for role, column in columns.items():
        if is_id(role) and len(column) and (column.dtype.is_temporal() or column.dtype.is_nested()):
            raise _no_id(column, role, source)

    def of_number(row: int) -> str:
        ids = {role: quoted(plain_id(column[row])) for role, column in columns.items() if is_id(role)}
        user, item = (",".join(one for role, one in ids.items() if role.startswith(what)) for what in ("user", "item"))
        return f"{source}, user {user}, item {item}"

    return batch_of(columns, _read, lambda row: f"{source}, row {first + row} (counted from 0)", of_number)


def _read(column: "nw.Series[Any]", role: str, place: RowPlace) -> Any:
    """Ids as a column of texts or integers, or numbers."""
    if role == "time":
        return times_from_column(column, place)
    if role in PLACES:
        return read_places(column.to_list(), role, place)
    if is_id(role):
        known = _plain(column, base(role), place)
        if isinstance(known, list) or (isinstance(known, np.ndarray) and not are_int64(known)):
            return ids_like(next(iter(known), None), list(known), base(role), place)
        return known
    return numbers_or_words(_numbers, column, role, place)


def _columns(
    frame: "nw.DataFrame[Any] | nw.LazyFrame[Any]", spec: ColumnSpec, source: str
) -> tuple["nw.DataFrame[Any]", dict[str, Any], Form]:
    """A frame in memory, the name in it of each role's column, and what its columns tell."""
    import narwhals.stable.v2 as nw

    name_of = {str(name): name for name in computed(frame.collect_schema, source).names()}
    in_numbers = lambda name: holds_numbers(frame, name_of[name], source)
    found, form = chosen_columns(list(name_of), spec, source, in_numbers)
    names = {role: name_of[column] for role, column in found.items()}
    if not isinstance(frame, nw.LazyFrame):
        return frame, names, form
    return computed(frame.select(*dict.fromkeys(names.values())).collect, source), names, form


def holds_numbers(frame: "nw.DataFrame[Any] | nw.LazyFrame[Any]", name: Any, source: str) -> bool:
    """Whether the values of a column are numbers, truth values, or texts that say numbers; the first texts tell."""
    import narwhals.stable.v2 as nw

    dtype = frame.collect_schema()[name]
    if dtype.is_numeric() or dtype == nw.Boolean:
        return True
    if dtype.is_temporal() or dtype.is_nested():
        return False
    given = frame.select(name).drop_nulls().head(LOOKED_AT)
    table = computed(given.collect, source) if isinstance(given, nw.LazyFrame) else given
    return are_numbers(table.get_column(name).to_list())


def _opened(data: Any, source: str) -> "nw.DataFrame[Any] | nw.LazyFrame[Any]":
    import narwhals.stable.v2 as nw

    try:
        frame: nw.DataFrame[Any] | nw.LazyFrame[Any] = nw.from_native(data, pass_through=is_stream(data))
        if frame is data and is_stream(data):
            frame = computed(
                lambda: nw.from_arrow(data, backend="polars" if find_spec("polars") else "pyarrow"), source
            )
    except TypeError:
        wrong, do = f"a {type(data).__name__} is not a table", "Pass a table with a column for users and one for items"
        if type(data).__name__ == "Series":
            do = "Pass series.to_dict() if its index has users and its values the items of each"
    except nw.exceptions.DuplicateError:
        wrong, do = "two columns have the same name", "Rename one of them"
    else:
        return frame
    raise InputError(wrong, where=source, do=do)


def computed(compute: Callable[[], Any], source: str) -> Any:
    """Return what a lazy frame or a stream computes; its engine may fail with any error of its own."""
    try:
        return compute()
    except Exception as error:
        said = str(error).strip().partition("\n")[0]
        raise InputError(f"the table cannot be computed: {said}", where=source) from None


def _plain(column: "nw.Series[Any]", role: str, place: RowPlace) -> "pl.Series | NDArray[Any] | list[Any]":
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
    return column.to_numpy() if column.dtype.is_integer() and not _is_exact(column) else whole_floats(column.to_list())


def _no_id(column: "nw.Series[Any]", role: str, where: str) -> InputError:
    import narwhals.stable.v2 as nw

    wrong = f"the {role} column '{column.name}' is of type {column.dtype}"
    do = "Convert the column to text or to integers"
    if column.dtype in (nw.List, nw.Array):
        do = f"Give each {role} a row of its own, as frame.explode({column.name!r}) does"
    return InputError(wrong, where=where, allowed="Ids are text or integers", do=do)


def _texts(column: "nw.Series[Any]") -> "pl.Series | None":
    """A column of texts as polars keeps it; None without polars, and for what has something else among its texts."""
    native = column.to_native()
    with suppress(ImportError):
        import polars as pl

        if column.implementation.is_polars():
            return pl.Series(native).rechunk()
        if str(getattr(native, "dtype", "")) != "object":
            return pl.Series(pl.from_arrow(column.to_arrow())).cast(pl.String).rechunk()
    return text_column(column.to_numpy())


def _is_exact(column: "nw.Series[Any]") -> bool:
    """Whether these are decimals, or integers, of more digits than float64 has."""
    import narwhals.stable.v2 as nw

    return column.dtype.is_decimal() or column.dtype in (nw.Int128, nw.UInt128)


def _numbers(column: "nw.Series[Any]", role: str, place: RowPlace) -> Floats:
    import narwhals.stable.v2 as nw

    if _is_exact(column):
        values = column.to_list()
        floats = finite(np.array([np.nan if value is None else value for value in values], np.float64), role, place)
        refuse_rounded(values, floats, role, place, every=True)
        return floats
    if (column.dtype.is_integer() or column.dtype.is_float()) and not column.is_null().any():
        return numbers_from_array(column.to_numpy(), role, place)
    if column.dtype.is_integer():  # with gaps, which are refused: not every library casts large integers
        return numbers_from_array(np.where(column.is_null().to_numpy(), np.nan, 0.0), role, place)
    if column.dtype.is_numeric() or (column.dtype == nw.Boolean and role == "grade"):
        return numbers_from_array(column.cast(nw.Float64).to_numpy(), role, place)
    return numbers_from_objects(column.to_list(), role, place)


FRAMES = InputReader(
    "tables of pandas, polars, pyarrow, duckdb and all that narwhals takes", is_frame, read, has_columns=True
)
