"""Batches of rows of one side, from files and folders of parts: user, item, and grade, score or rank."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankconv.data.ids import Kind
from rankconv.errors import InputError
from rankconv.inputs.columnar import ARROW, PARQUET
from rankconv.inputs.columns import are_numbers, by_place, find_columns, is_header, refuse_unread
from rankconv.inputs.compound import several_columns, with_first_parts
from rankconv.inputs.delimited import SEPARATORS
from rankconv.inputs.file import File
from rankconv.inputs.folder import runs_in
from rankconv.inputs.paths import check
from rankconv.inputs.reader import RankSource, Wanted
from rankconv.inputs.trec import LAYOUTS
from rankconv.inputs.wanting import needed

if TYPE_CHECKING:
    import pyarrow as pa

ROLES = ("user", "item")
BLOCK = 4 << 20
"""Bytes of text that are read at a time."""
_FIRST = 1000
"""So many rows tell what a column holds whose name says nothing."""
_START = 1 << 16
"""So many bytes hold the first line."""
_BYTES_A_ROW = 20
"""Of text, about."""


def columns_of_parts(first: Any, wanted: Wanted, where: str) -> dict[str, str]:
    """The column of each role; of compound ids that of each part, `user.1` and so on.

    `first` are the first rows, as a batch or a table.
    """
    return _chosen(first.schema.names, with_first_parts(wanted), several_columns(wanted), where, first.column)


def _chosen(
    names: Sequence[str],
    wanted: Wanted,
    several: Mapping[str, tuple[str, ...]],
    where: str,
    first: Callable[[str], Any],
) -> dict[str, str]:
    """The column of each role among those of these names; `first` gives the first values of one, as an Arrow array."""
    found = find_columns(names, wanted, where)
    refuse_unread(names, found, wanted, where, lambda name: _holds_numbers(first(name)))
    for role, parts in several.items():
        del found[role]
        for at, part in enumerate(parts, 1):
            one = replace(wanted, columns={**wanted.columns, role: part})
            found[f"{role}.{at}"] = find_columns(names, one, where)[role]
    return found


def _holds_numbers(values: Any) -> bool:
    """Whether these are numbers, truth values, or texts that say numbers."""
    from pyarrow import types

    kind = values.type
    if types.is_boolean(kind) or types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return True
    return not (types.is_temporal(kind) or types.is_nested(kind)) and are_numbers(values.to_pylist())


def read(chosen: Mapping[str, str]) -> list[str]:
    """The columns that are read, each once."""
    return list(dict.fromkeys(chosen.values()))


def parts_apart(table: "pa.Table") -> "tuple[pa.Table, dict[str, tuple[str, ...]]]":
    """The table with a column for each part of compound ids, and how these columns are called, by their role."""
    compound = {
        what: tuple(part.name for part in table.schema.field(what).type) for what in ROLES if is_compound(table, what)
    }
    for what, parts in compound.items():
        columns = table.column(what).combine_chunks().flatten() if table.num_rows else None
        kinds = table.schema.field(what).type
        table = table.drop_columns([what])
        for at, part in enumerate(parts):
            table = table.append_column(part, columns[at] if columns else arrow().array([], kinds[at].type))
    return table, compound


def is_compound(table: "pa.Table", what: str) -> bool:
    """Whether the ids of users, or of items, have several parts."""
    from pyarrow import types

    return bool(types.is_struct(table.schema.field(what).type))


def _is_id(role: str) -> bool:
    return role.partition(".")[0] in ROLES


def arrow() -> Any:
    """The library that reads batches; a LibraryError where it is not installed."""
    return needed("pyarrow", "pyarrow", "Reading within a budget of memory")


@dataclass(frozen=True, eq=False)
class Side:
    """Labels or a run, in one file or several, of which the rows are one after the other."""

    wanted: Wanted
    files: tuple[File, ...]
    counted: int | None = None
    """How many rows there are, where somebody counted them."""
    respelled: Mapping[str, Mapping[str, str]] | None = None
    """Where ids are told as text: those of users and items that are told in another spelling."""

    @classmethod
    def of(cls, paths: Sequence[Path], wanted: Wanted) -> "Side":
        """The side in these files and folders of parts; an InputError where one is missing or empty."""
        found = [one for path in paths for one in (runs_in(path).values() if path.is_dir() else [path])]
        return cls(wanted, tuple(File(str(path), check(path, str(path))) for path in found))

    @cached_property
    def rows(self) -> int:
        """How many rows there are, about: text is guessed by its size."""
        return sum(map(_rows, self.files)) if self.counted is None else self.counted

    def batches(self, rows: int) -> "Iterator[pa.Table]":
        """Tables of at most so many rows, in the order of the files; columns are called by what they are.

        Raises InputError for a file that cannot be read, with its name.
        """
        for file in self.files:
            with _told(file):
                for table in _of_file(file, self.wanted, rows):
                    yield table if self.respelled is None else _respelled(table, self.respelled)

    @cached_property
    def rank_source(self) -> RankSource:
        """Where the ranks of its rows come from; of TREC runs only where all files are such."""
        trec = all(_is_trec(file, self.wanted) for file in self.files)
        return RankSource.TREC if trec else RankSource.COLUMN

    @cached_property
    def told(self) -> dict[str, str]:
        """What the ids of users and of items are, in words, of compound ones each part; empty where there is no row."""
        first = next(self.batches(1000), None)
        return {} if first is None else {what: _in_words(first.schema.field(what).type) for what in ROLES}

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """What the ids of users and of items are; empty where there is no row."""
        return {what: _KINDS.get(told, "compound") for what, told in self.told.items()}


_KINDS: dict[str, Kind] = {"text": "text", "integer": "integer"}


def _in_words(kind: Any) -> str:
    from pyarrow import types

    if types.is_struct(kind):
        return f"({', '.join(_in_words(part.type) for part in kind)})"
    return "text" if "string" in str(kind) else "integer"


def _respelled(table: "pa.Table", names: Mapping[str, Mapping[str, str]]) -> "pa.Table":
    """The rows with these ids told as text, some of them in another spelling."""
    import polars as pl
    from pyarrow import large_string

    for what, told in names.items():
        if is_compound(table, what):
            continue
        ids = pl.Series(pl.from_arrow(table.column(what))).cast(pl.String).replace(dict(told))
        table = table.set_column(table.schema.get_field_index(what), what, ids.to_arrow().cast(large_string()))
    return table


@contextmanager
def _told(file: File) -> Iterator[None]:
    """Errors of the library as ours."""
    known = arrow().ArrowException, OSError, UnicodeDecodeError
    try:
        yield
    except known as problem:
        wrong = str(problem).split("\n")[0][:300]
        do, shell = (f"Read it without {name}, which tells more of it" for name in ("memory=", "--memory"))
        raise InputError(f"it cannot be read in batches: {wrong}", where=str(file), do=do, shell=shell) from None


def _rows(file: File) -> int:
    if file.ending in PARQUET:
        from pyarrow import parquet

        with _told(file):
            return int(parquet.read_metadata(file.path).num_rows)
    return file.path.stat().st_size // _BYTES_A_ROW + 1


def _of_file(file: File, wanted: Wanted, rows: int) -> "Iterator[pa.Table]":
    ending = file.ending or file.path.suffix
    if ending in PARQUET:
        yield from _of_parquet(file, wanted, rows)
    elif ending in ARROW:
        yield from _of_arrow(file, wanted, rows)
    else:
        yield from _of_text(file, wanted, rows)


def _of_parquet(file: File, wanted: Wanted, rows: int) -> "Iterator[pa.Table]":
    from pyarrow import Table, parquet

    with parquet.ParquetFile(file.path, memory_map=False, pre_buffer=False) as opened:
        first = next(opened.iter_batches(batch_size=_FIRST, use_threads=False), opened.schema_arrow.empty_table())
        chosen = columns_of_parts(first, wanted, str(file))
        for batch in opened.iter_batches(batch_size=rows, columns=read(chosen), use_threads=False):
            yield _named(Table.from_batches([batch]), chosen, file)


def _of_arrow(file: File, wanted: Wanted, rows: int) -> "Iterator[pa.Table]":
    from pyarrow import ArrowInvalid, Table, ipc, memory_map

    with memory_map(str(file.path)) as source:
        try:
            opened = ipc.open_file(source)
            batches = (opened.get_batch(at) for at in range(opened.num_record_batches))
        except ArrowInvalid:
            opened = ipc.open_stream(source)
            batches = iter(opened)
        begun = next(batches, opened.schema.empty_table())
        chosen = columns_of_parts(begun.slice(0, _FIRST), wanted, str(file))
        for batch in chain([begun] if begun.num_rows else [], batches):
            for first in range(0, batch.num_rows, rows):
                piece = batch.slice(first, rows).select(read(chosen))
                yield _named(Table.from_batches([piece]), chosen, file)


@dataclass(frozen=True)
class _Layout:
    """How a text file is read: what parts its fields, their names, the column of each role, lines to leave out."""

    separator: str
    names: list[str]
    chosen: dict[str, str]
    header: int


def _of_text(file: File, wanted: Wanted, rows: int) -> "Iterator[pa.Table]":
    from pyarrow import Table, float64, input_stream, string
    from pyarrow import csv as text

    layout = _layout_of(file, wanted)
    kinds = {name: string() if _is_id(role) else float64() for role, name in layout.chosen.items()}
    reading = text.ReadOptions(block_size=BLOCK, column_names=layout.names, skip_rows=layout.header, use_threads=False)
    parsing = text.ParseOptions(delimiter=layout.separator, quote_char='"' if layout.separator == "," else False)
    converting = text.ConvertOptions(
        column_types=kinds, include_columns=[*kinds], strings_can_be_null=False, null_values=[]
    )
    with input_stream(str(file.path), compression="detect") as source:
        for batch in text.open_csv(source, reading, parsing, converting):
            for first in range(0, batch.num_rows, rows):
                yield _named(Table.from_batches([batch.slice(first, rows)]), layout.chosen, file)


def _layout_of(file: File, wanted: Wanted) -> _Layout:
    from pyarrow import input_stream

    with input_stream(str(file.path), compression="detect") as source:
        return _layout(source.read(_START), file, wanted)


def _layout(start: bytes, file: File, wanted: Wanted) -> _Layout:
    """How the file is read, by its first line."""
    several, wanted = several_columns(wanted), with_first_parts(wanted)
    line = start.decode("utf-8-sig", "replace").lstrip("\n").split("\n")[0].rstrip("\r")
    trec = LAYOUTS[wanted.what]
    if "," not in line and len(line.split()) == len(trec.fields) and file.ending not in SEPARATORS:
        separator = "\t" if "\t" in line else " "
        return _Layout(separator, [*trec.fields], {role: role for role in wanted.columns if role in trec.fields}, 0)
    separator = SEPARATORS.get(file.ending) or ("\t" if "\t" in line else ",")
    fields = next(csv.reader([line], delimiter=separator))
    header = is_header(fields, wanted)
    names = fields if header else [str(place) for place, _ in enumerate(fields, 1)]
    wanted = wanted if header else by_place(names, wanted, str(file))
    lines = start.decode("utf-8-sig", "replace").lstrip("\n").splitlines()
    records = csv.reader(lines[: -1 if len(start) == _START else None], delimiter=separator)
    rows = [fields for fields in islice(records, _FIRST) if len(fields) == len(names)][int(header) :]
    first = lambda name: arrow().array([fields[names.index(name)] for fields in rows])
    chosen = _chosen(names, wanted, several, str(file), first)
    return _Layout(separator, names, chosen, int(header))


def _is_trec(file: File, wanted: Wanted) -> bool:
    """Whether the file is read as the TREC format."""
    if (file.ending or file.path.suffix) in (*PARQUET, *ARROW):
        return False
    return _layout_of(file, wanted).names == [*LAYOUTS[wanted.what].fields]


def _named(table: "pa.Table", chosen: dict[str, str], file: File) -> "pa.Table":
    """The columns called by their roles; users and items as 64-bit integers or as text."""
    import pyarrow as pa

    found = {role: _plain(table.column(name), role, file) for role, name in chosen.items()}
    for what in dict.fromkeys(role.partition(".")[0] for role in found if "." in role):
        parts = {role: found.pop(role).combine_chunks() for role in [*found] if role.startswith(f"{what}.")}
        found[what] = pa.StructArray.from_arrays([*parts.values()], [*parts])
    return pa.table(found)


def _plain(column: Any, role: str, file: File) -> Any:
    from pyarrow import float64, int64, large_string, types

    kind = column.type.value_type if types.is_dictionary(column.type) else column.type
    if not _is_id(role):
        return column.cast(float64())
    if types.is_integer(kind) or (types.is_floating(kind) and column.null_count == 0):
        return column.cast(int64())  # of floats an error, unless all are whole
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return column.cast(large_string())
    do = "Convert the column to one type before you pass it"
    raise InputError(f"{role} ids must be all text or all integers, and these are {kind}", where=str(file), do=do)
