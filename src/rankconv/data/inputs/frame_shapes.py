"""Tables whose rows are not those of a user and an item: ids in the index, lists in a column, a column for each rank.

What has one reading becomes a table or records; a table of users by items is refused with the line that reads it.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rankconv.basics.errors import InputError
from rankconv.data.inputs.input_rows import ColumnSpec
from rankconv.data.inputs.record_shapes import has_lists
from rankconv.data.inputs.row_batches import Record
from rankconv.data.inputs.usual_names import GRADES_AND_SCORES, has_usual_name, is_aside, is_usual, rank_columns

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

_IDS = ("user", "item")
_TEXTS = ("object", "str", "string", "category")
"""The types of pandas that texts may have."""
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

    InputError where the levels of its index do not say which are users.
    """
    if library_name(data) != "pandas" or not hasattr(data, "index"):
        return data
    names = [name for name in data.index.names if isinstance(name, str)]
    series = type(data).__name__ == "Series"
    if series and len(data.index.names) == 1 and len(data) and isinstance(_plain(data.iloc[0]), list):
        return data.rename("item").rename_axis("user").reset_index()
    columns = [] if series else [str(name) for name in data.columns]
    unnamed = len(data.index.names) == len(_IDS) and not all(has_usual_name([role], *names) for role in _IDS)
    if unnamed and not has_usual_name(_IDS, *columns) and not spec.caller_columns:
        what = "series" if series else "frame"
        raise InputError(
            "the index has two levels, and their names do not say which are users",
            where=source,
            do=f"Pass {what}.rename_axis(['user', 'item']) if users are first, "
            f"{what}.rename_axis(['item', 'user']) if items are",
        )
    if series:
        return data.rename(spec.number).reset_index() if len(data.index.names) == len(_IDS) else data
    if not names:
        return data
    missing = [role for role in _IDS if role not in spec.caller_columns and not has_usual_name([role], *columns)]
    wanted = [name for name in names if any(is_usual(role, name) for role in missing)]
    named = [name for name in names if name in spec.caller_columns.values() and name not in columns]
    return data.reset_index([*dict.fromkeys([*wanted, *named])]) if wanted or named else data


def refuse_wide(data: Any, spec: ColumnSpec, source: str) -> None:
    """Raise InputError for a frame of users by items, with the line that reads it."""
    takes = library_name(data) in ("pandas", "polars") and hasattr(data, "to_numpy") and hasattr(data, "columns")
    if not takes or spec.caller_columns:
        return
    if library_name(data) == "pandas":
        _refuse_levels(data, source)
        if data.index.nlevels > 1 or any(is_usual("item", str(name)) for name in data.index.names):
            return
    names = [str(name) for name in data.columns]
    if library_name(data) == "pandas" and _count(names) and all(str(kind) in _TEXTS for kind in data.dtypes):
        if data.index.names == [None]:
            do = "Pass frame.rename_axis('user') if each row has the items of a user, best first"
            raise InputError("no column is that of users, and all hold texts", where=source, do=do)
        return
    users = [name for name in names if is_usual("user", name)]
    others = [name for name in names if name not in users]
    words = [name for name in others if len(name) > 1]
    few = len(users) > 1 or len(others) <= len(users) or rank_columns(names)
    if few or has_usual_name(["item", *GRADES_AND_SCORES], *words) or any(map(is_aside, words)):
        return
    if not all(_is_number(dtype) for name, dtype in _dtypes(data) if name not in users):
        return
    reader, second = "rc.Labels" if spec.what == "labels" else "rc.Run", names[:2][-1]
    rows = f"{reader}(frame, user={names[0]!r}, item={second!r})"
    but = " but the user" if users else ""
    raise InputError(
        f"all {len(others)} columns{but} hold numbers: rows may be users, and columns items",
        where=source,
        do=f"If so, pass {reader}({_wide(data, spec, *users)}); if columns are the user and the item, name them: {rows}"
        + (f"; if columns are ranks, {_ranks(data, *users)}" if spec.what == "rankings" and _count(others) else ""),
    )


def _refuse_levels(data: Any, source: str) -> None:
    if data.columns.nlevels > 1:
        of_level = ", ".join(str(name) for name in data.columns[:3])
        raise InputError(
            f"the names of columns have {data.columns.nlevels} levels: {of_level}, …"[:200],
            where=source,
            do="Pass frame.droplevel(0, axis=1) if the last level names the columns, "
            "else name them: frame.set_axis(['user', 'item', …], axis=1)",
        )


def _count(names: Sequence[str]) -> bool:
    """Whether these names are 0, 1, 2, … or 1, 2, 3, …"""
    return len(names) > 1 and any([*names] == [*map(str, range(first, first + len(names)))] for first in (0, 1))


def _ranks(data: Any, user: str = "") -> str:
    """The line that reads columns as ranks."""
    if library_name(data) == "polars":
        return f"pass frame.select({user!r}, pl.exclude({user!r}).name.prefix('rec_'))"
    return f"pass {_by_user(data, user)}.rename_axis('user').add_prefix('rec_')"


def _by_user(data: Any, user: str) -> str:
    return f"frame.set_index({user!r})" if user and user in data.columns else "frame"


def _wide(data: Any, spec: ColumnSpec, user: str = "") -> str:
    """The arguments that read a frame of users by items; a score that is missing is no item."""
    is_run = spec.what == "rankings"
    if library_name(data) == "polars":
        table = f"frame.drop({user!r})" if user else "frame"
        values = f"{table}.fill_null(-numpy.inf)" if is_run else table
        return f"{values}.to_numpy(), {f'user_ids=frame[{user!r}], ' if user else ''}item_ids={table}.columns"
    table = _by_user(data, user)
    values = f"{table}.fillna(-numpy.inf)" if is_run and data.isna().to_numpy().any() else table
    return f"{values}.to_numpy(float), user_ids={table}.index, item_ids={table}.columns"


def _dtypes(data: Any) -> Iterator[tuple[str, Any]]:
    kinds = data.schema.values() if library_name(data) == "polars" else data.dtypes
    return zip(map(str, data.columns), kinds, strict=True)


def _is_number(dtype: Any) -> bool:
    """Whether the values of a column of pandas or polars are numbers or truth values."""
    kind = getattr(dtype, "kind", None)
    return kind in "biuf" if kind else dtype.is_numeric() or str(dtype) == "Boolean"


def records_of(frame: "nw.DataFrame[Any]", spec: ColumnSpec) -> list[Record] | None:
    """Return the rows as records with the items of a user, where a column has lists or there is one for each rank."""
    names = [str(name) for name in frame.columns]
    ranked = rank_columns(names) or _counted_columns(frame, names)
    if ranked and has_usual_name(["user"], *names) and not has_usual_name(["item"], *names):
        return [_with_ranks(record, ranked) for record in _records(frame)]
    nested = [name for name in frame.columns if _may_nest(frame, name)]
    first = next(_records(frame.select(*frame.columns).head(1)), None) if nested else None
    if first is None or not (has_lists(first, spec) or _is_list_of_items(first, spec)):
        return None
    return [*_records(frame)]


def _counted_columns(frame: "nw.DataFrame[Any]", names: Sequence[str]) -> list[str]:
    """The columns 0, 1, 2, … or 1, 2, 3, … of a user's items, if they hold texts: numbers may be scores."""
    import narwhals.stable.v2 as nw

    of_name = dict(zip(names, frame.schema.values(), strict=True))
    others = [name for name in names if not is_usual("user", name)]
    texts = all(of_name[name] in (nw.String, nw.Object, nw.Categorical) for name in others)
    return others if texts and _count(others) else []


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
