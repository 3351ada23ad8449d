"""Tables whose rows are not those of a user and an item: ids in the index, lists in a column, a column for each rank.

What has one reading becomes a table or records; a table of users by items is refused with the line that reads it.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rankconv.basics.errors import InputError
from rankconv.data.inputs.input_rows import ColumnSpec
from rankconv.data.inputs.record_shapes import has_lists
from rankconv.data.inputs.row_batches import Record
from rankconv.data.inputs.usual_names import has_usual_name, is_usual, rank_columns

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

_IDS = ("user", "item")
LIBRARIES = (
    *("pandas", "polars", "pyarrow", "narwhals", "duckdb"),
    *("modin", "cudf", "dask", "ibis", "pyspark", "sqlframe"),
)
"""Those of frames that narwhals knows, and narwhals itself."""


def library_name(data: Any) -> str:
    """Return the library of a frame; empty for anything else."""
    modules = [base.__module__.partition(".")[0].lstrip("_") for base in type(data).__mro__]
    return next((library for library in LIBRARIES if library in modules), "")


def is_stream(data: Any) -> bool:
    """Whether it is a stream of Arrow batches, and not of the values of one column."""
    known = not library_name(data) or hasattr(type(data), "schema")
    return known and callable(getattr(data, "__arrow_c_stream__", None)) and not isinstance(data, type)


def is_frame(data: Any) -> bool:
    """Whether this is from a library of frames, or a stream of Arrow batches; reading it says what is a table."""
    return bool(library_name(data)) or is_stream(data)


def with_index(data: Any, spec: ColumnSpec, source: str) -> Any:
    """Return a pandas frame with the users and items of its index in columns; a Series as such a frame.

    InputError where a Series does not say which level of its index is which.
    """
    if library_name(data) != "pandas" or not hasattr(data, "index"):
        return data
    names = [name for name in data.index.names if isinstance(name, str)]
    series = type(data).__name__ == "Series"
    if series and len(data.index.names) == len(_IDS):
        if not all(has_usual_name([role], *names) for role in _IDS):
            raise InputError(
                "the index of the Series has two levels, and their names do not say which are users",
                where=source,
                do="Pass series.rename_axis(['user', 'item']) if users are first, "
                "series.rename_axis(['item', 'user']) if items are",
            )
        return data.rename(spec.number).reset_index()
    if series or not names:
        return data
    columns = [str(name) for name in data.columns]
    missing = [role for role in _IDS if role not in spec.caller_columns and not has_usual_name([role], *columns)]
    wanted = [name for name in names if any(is_usual(role, name) for role in missing)]
    named = [name for name in names if name in spec.caller_columns.values() and name not in columns]
    return data.reset_index([*dict.fromkeys([*wanted, *named])]) if wanted or named else data


def refuse_wide(data: Any, spec: ColumnSpec, source: str) -> None:
    """Raise InputError for a frame of users by items, with the line that reads it."""
    if library_name(data) != "pandas" or not hasattr(data, "columns") or spec.caller_columns:
        return
    names = [str(name) for name in data.columns]
    if has_usual_name(_IDS, *names) or not names or not all(kind.kind in "biuf" for kind in data.dtypes):
        return
    reader, second = "rc.Labels" if spec.what == "labels" else "rc.Run", names[:2][-1]
    wide = f"{reader}(frame.to_numpy(float), user_ids=frame.index, item_ids=frame.columns)"
    rows = f"{reader}(frame, user={names[0]!r}, item={second!r})"
    raise InputError(
        f"no column is that of users or items, and all {len(names)} hold numbers: rows may be users, and columns items",
        where=source,
        do=f"If so, pass {wide}; if columns are the user and the item, name them: {rows}",
    )


def records_of(frame: "nw.DataFrame[Any]", spec: ColumnSpec) -> list[Record] | None:
    """Return the rows as records with the items of a user, where a column has lists or there is one for each rank."""
    names = [str(name) for name in frame.columns]
    ranked = rank_columns(names)
    if ranked and has_usual_name(["user"], *names) and not has_usual_name(["item"], *names):
        return [_with_ranks(record, ranked) for record in _records(frame)]
    nested = [name for name in frame.columns if _may_nest(frame, name)]
    first = next(_records(frame.select(*frame.columns).head(1)), None) if nested else None
    if first is None or not (has_lists(first, spec) or _is_list_of_items(first, spec)):
        return None
    return [*_records(frame)]


def _is_list_of_items(record: Record, spec: ColumnSpec) -> bool:
    """Whether the column under a usual name of the item has lists."""
    named = spec.caller_columns.get("item")
    return any(isinstance(value, list) and (key == named or is_usual("item", key)) for key, value in record.items())


def _may_nest(frame: "nw.DataFrame[Any]", name: str) -> bool:
    import narwhals.stable.v2 as nw

    dtype = frame.collect_schema()[name]
    if dtype.is_nested():
        return True
    if dtype != nw.Object:
        return False
    values: Sequence[Any] = frame.get_column(name).head(1).to_list()
    return any(isinstance(_plain(one), list | dict) for one in values)


def _records(frame: "nw.DataFrame[Any]") -> Iterator[Record]:
    for record in frame.iter_rows(named=True):
        yield {str(name): _plain(value) for name, value in record.items()}


def _plain(value: Any) -> Any:
    """A value with lists in place of arrays and tuples, as JSON has it."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def _with_ranks(record: Record, ranked: Sequence[str]) -> Record:
    """The items of a row in one list; a gap is no item."""
    listed = [record[name] for name in ranked]
    held = [one for one in listed if one is not None and one == one]
    others = {name: one for name, one in record.items() if name not in ranked}
    return {**others, "recommended_ids": held}
