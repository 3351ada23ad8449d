"""Batches of rows of one side, from files, folders of parts and tables that give Arrow batches.

Columns are user, item, and grade, score or rank. The same readers serve data in memory. A table, such as DuckDB's or
one of ibis, is computed once, onto the disk.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankconv.basics.errors import InputError
from rankconv.data.alignment import ROLES, Role
from rankconv.data.attributes import Form
from rankconv.data.ids import IdKind, make_ids
from rankconv.data.inputs import frames
from rankconv.data.inputs.columnar_files import PARQUET
from rankconv.data.inputs.columns import chosen_columns
from rankconv.data.inputs.disk_parts import full_disk
from rankconv.data.inputs.files import File, as_file
from rankconv.data.inputs.input_rows import ColumnSpec, RawRows
from rankconv.data.inputs.reading import reader_of, readers_of_files
from rankconv.data.inputs.row_batches import RowBatch, RowBatches
from rankconv.data.inputs.run_files import runs_in
from rankconv.data.inputs.span_columns import refuse_places
from rankconv.data.inputs.values import IdValues
from rankconv.data.inputs.word_columns import words_among_numbers

if TYPE_CHECKING:
    import polars as pl

ROWS = 1 << 17
"""So many rows are read at a time where only some of what they hold is kept."""
_BYTES_A_ROW = 20
"""Of text, about."""
_KINDS: dict[str, IdKind] = {"text": "text", "integer": "integer"}
_IN_BATCHES: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("to_arrow_reader", lambda table: table.to_arrow_reader(ROWS)),
    ("fetch_record_batch", lambda table: table.fetch_record_batch(ROWS)),
    ("to_pyarrow_batches", lambda table: table.to_pyarrow_batches(chunk_size=ROWS)),
    ("__arrow_c_stream__", lambda table: _arrow_reader(table)),
)
"""How tables give batches: DuckDB's and those of ibis by methods of their own, which compute no more than is read."""


@dataclass(frozen=True, eq=False)
class FileSide:
    """Labels or a run, in one file or several, of which the rows are one after the other."""

    spec: ColumnSpec
    files: tuple[File, ...]
    counted: int | None = None
    """How many rows there are, where they were counted."""
    form: Form | None = None
    """The form of a table that was written to the file; else that of the first file."""
    as_texts: tuple[Role, ...] = ()
    """The ids that are whole numbers in the files and are read as texts, since those of the other side are."""

    @classmethod
    def of(cls, paths: Sequence[Path], spec: ColumnSpec, stack: ExitStack, folder: Callable[[], Path]) -> "FileSide":
        """The side in these files and folders of parts; an InputError where one is missing or empty.

        Those that are packed are unpacked into the `folder`, which stays until the `stack` is closed.
        """
        found = [one for path in paths for one in (runs_in(path).values() if path.is_dir() else [path])]
        return cls(spec, tuple(stack.enter_context(as_file(str(path), folder)) for path in found))

    def __str__(self) -> str:
        """The file, or the first of several."""
        return str(self.files[0])

    @cached_property
    def rows(self) -> int:
        """How many rows there are, about: text is guessed by its size."""
        return sum(map(_rows, self.files)) if self.counted is None else self.counted

    def batches(self, rows: int) -> "Iterator[pl.DataFrame]":
        """Give tables of at most this many rows, in the order of the files; columns are called by their roles.

        Raises InputError for a file that cannot be read, with its name, and where there is no row in any.
        """
        import polars as pl

        first, words = None, None
        for file in self.files:
            for batch in _with_whole_items(_batches_of(file, self.spec), file):
                table = _table(batch)
                if not len(table):
                    continue
                table = table.with_columns(table[what].cast(pl.String) for what in self.as_texts)
                first, words = first or table.schema, words or batch.words
                _check_same_columns(first, table.schema, file)
                if words is not None and first[words.role] != table.schema[words.role]:
                    raise words_among_numbers(words)
                yield from table.iter_slices(rows)
        if first is None:
            raise InputError("there is no row in it", where=str(self))

    def items(self) -> list[Any]:
        """The different items, read once."""
        import polars as pl

        pieces, at_most = list[pl.Series](), ROWS
        for table in self.batches(ROWS):
            pieces.append(table["item"].drop_nulls().unique())
            if sum(map(len, pieces)) > at_most:
                pieces = [pl.concat(pieces).unique()]
                at_most = 2 * len(pieces[0]) + ROWS
        return list(map(id_of, pl.concat(pieces).unique()))

    @cached_property
    def _first(self) -> "pl.DataFrame":
        return next(self.batches(1000))

    @cached_property
    def _about(self) -> RowBatches:
        """The properties of the first file after its first rows."""
        found = _batches_of(self.files[0], self.spec)
        next(found.each, None)
        return found

    @cached_property
    def id_types(self) -> dict[str, str]:
        """The types of the ids of users and of items, in words, of compound ones each part."""
        return {what: _in_words(self._first.schema[what]) for what in ROLES}

    @cached_property
    def kinds(self) -> dict[str, IdKind]:
        """The kinds of the ids of users and of items."""
        return {what: _KINDS.get(name, "compound") for what, name in self.id_types.items()}

    def rows_of(self, table: "pl.DataFrame | None") -> RawRows:
        """Return the rows of joined batches; a row without an item means a user without rows."""
        import polars as pl

        table = self._first.clear() if table is None else table
        listed = table.filter(pl.col("item").is_not_null())
        compound = {what: _part_names(listed.schema[what]) for what in ROLES if _part_names(listed.schema[what])}
        parts_of_ids = listed.unnest(*compound) if compound else listed
        named = {role: role if role in table.columns else name for role, name in self.spec.columns.items()}
        spec = replace(self.spec, columns=named | compound)
        rows = frames.read_frame(parts_of_ids, spec, str(self), self.files[0].name)
        rows = replace(
            rows,
            form=self.form or replace(self._about.form, as_texts=self.as_texts),
            tag=self._about.tag,
            rank_source=self._about.rank_source,
        )
        if len(listed) == len(table):
            return rows
        others = dict.fromkeys(map(id_of, table.filter(pl.col("item").is_null())["user"].to_list()))
        known = rows.users.values.tolist()
        return rows.of_users(make_ids([*dict.fromkeys([*known, *others])], "user"))


def with_texts_of_files(labels: FileSide, run: FileSide) -> tuple[FileSide, FileSide]:
    """Return sides in files, of which whole numbers on one side are the decimal texts that the other side has.

    So it is in memory: `rankconv.data.fitting.with_texts_of_files`.
    """
    sides = [labels, run]
    for what in ROLES if labels.form is None and run.form is None else ():
        types = [side.id_types[what] for side in sides]
        if sorted(types) == ["integer", "text"]:
            at = types.index("integer")
            sides[at] = replace(sides[at], as_texts=(*sides[at].as_texts, what))
    return sides[0], sides[1]


def id_of(value: Any) -> Any:
    """An id of a table as Python's; one of several parts as a tuple."""
    return tuple(value.values()) if isinstance(value, dict) else value


def _batches_of(file: File, spec: ColumnSpec) -> RowBatches:
    reader = reader_of(file, spec)
    if reader.row_batches is None:
        some = "; ".join(one.kind for one in readers_of_files() if one.row_batches is not None)
        do = "Leave {} out, or write the data as Parquet, CSV or JSON lines"
        raise InputError(
            f"it is read as a whole, and not in batches: {reader.kind}",
            where=str(file),
            allowed=f"These can be read in batches: {some}",
            do=do.format("memory="),
            shell=do.format("--memory"),
        )
    found: RowBatches = reader.row_batches(file, spec)
    return found


def _with_whole_items(batches: RowBatches, file: File) -> Iterator[RowBatch]:
    for batch in batches.each:
        refuse_places(batch.ids, str(file))
        yield batch


def _table(batch: RowBatch) -> "pl.DataFrame":
    """The rows of a batch, and one without an item for each user who has none."""
    import polars as pl

    columns = [pl.Series(role, floats, pl.Float64) for role, floats in batch.numbers.items()]
    if batch.words is not None:
        columns.append(pl.Series(batch.words.role, batch.words.texts, pl.String))
    table = _with_ids(batch.ids).with_columns(columns)
    if not batch.owners:
        return table
    without = _with_ids(batch.owners).unique(maintain_order=True).join(table, on="user", how="anti")
    return pl.concat([table, without], how="diagonal")


def _with_ids(ids: Mapping[str, IdValues]) -> "pl.DataFrame":
    """The ids of each role, those of several parts as one column."""
    import polars as pl

    ids = {role: pl.Series(one, dtype=pl.String) if isinstance(one, list) else one for role, one in ids.items()}
    columns = {}
    for what in dict.fromkeys(role.partition(".")[0] for role in ids):
        parts = {role: one for role, one in ids.items() if role.startswith(f"{what}.")}
        columns[what] = pl.DataFrame(parts).to_struct(what) if parts else ids[what]
    return pl.DataFrame(columns)


def _part_names(kind: Any) -> tuple[str, ...]:
    """The names of the parts of compound ids; none of others."""
    return tuple(part.name for part in getattr(kind, "fields", ()))


def _check_same_columns(first: Any, other: Any, file: File) -> None:
    """An InputError where the columns of a file are not those of the files before it."""
    for what in ROLES:
        if first[what] != other[what]:
            wrong = f"{what} ids are {_in_words(other[what])} here, and {_in_words(first[what])} before"
            raise InputError(wrong, where=str(file), do=f"Write the {what} ids of all files in one type")
    for role in sorted({*first} ^ {*other}):
        here, before = ("a", "none") if role in other else ("no", "one")
        wrong = f"there is {here} {role} here, and {before} before"
        raise InputError(wrong, where=str(file), do="Give all files the same columns")


def _in_words(kind: Any) -> str:
    parts = getattr(kind, "fields", ())
    if parts:
        return f"({', '.join(_in_words(part.dtype) for part in parts)})"
    return "integer" if kind.is_integer() else "text"


def _rows(file: File) -> int:
    if file.ending in PARQUET:
        import polars as pl

        with suppress(pl.exceptions.PolarsError, OSError):
            return int(pl.scan_parquet(file.path, glob=False).select(pl.len()).collect().item())
    return file.path.stat().st_size // _BYTES_A_ROW + 1


# tables that give batches


def gives_batches(data: Any) -> bool:
    """Whether data come as Arrow batches."""
    return any(callable(getattr(data, name, None)) for name, _ in _IN_BATCHES)


def spooled(table: Any, spec: ColumnSpec, folder: Path) -> FileSide:
    """Write the columns of a table to a file in the folder, and return it as a side; it is computed once.

    Raises InputError where it cannot be computed, where columns are missing, and where the disk is full.
    """
    import narwhals.stable.v2 as nw
    import polars as pl
    from pyarrow import ipc

    name, rows = frames.source_of(table), 0
    path = folder / f"{spec.what}-{sum(1 for _ in folder.iterdir())}.arrows"
    batches = frames.computed(lambda: iter(next(read(table) for how, read in _IN_BATCHES if hasattr(table, how))), name)
    first = batch = frames.computed(lambda: next(batches, None), name)
    if first is None:
        raise InputError("there is no row in it", where=name)
    names = first.schema.names
    holds_numbers = lambda column: frames.holds_numbers(
        nw.from_native(pl.DataFrame(pl.from_arrow(first))), column, name
    )
    chosen, form = chosen_columns(names, spec, name, holds_numbers)
    refuse_places(chosen, name)
    with full_disk(folder), path.open("wb") as file:
        writer: Any = None
        while batch is not None:
            kept = batch.select([*dict.fromkeys(chosen.values())])
            writer = writer or ipc.new_stream(file, kept.schema, options=ipc.IpcWriteOptions(compression="lz4"))
            writer.write_batch(kept)
            rows += kept.num_rows
            batch = frames.computed(lambda: next(batches, None), name)
        writer.close()
    return FileSide(spec, (File(name, path),), rows, form=form)


def _arrow_reader(table: Any) -> Any:
    from pyarrow import RecordBatchReader

    return RecordBatchReader.from_stream(table)
