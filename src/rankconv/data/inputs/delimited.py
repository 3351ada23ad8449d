"""CSV and TSV files, with or without a first line that names the columns, and those of Quepid.

Blocks whose quotes are as programs write them are read by polars, all others record by record, with the same rows. In
ratings of Quepid a query without documents has a line of its own, so it is a user without rows.
"""

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, BinaryIO

import numpy as np

from rankconv.basics.errors import InputError
from rankconv.data.inputs import files
from rankconv.data.inputs.columns import are_numbers, chosen_columns, listed, refuse_repeated_names, with_first_parts
from rankconv.data.inputs.files import BYTE_ORDER_MARK, File, blocks, damage, opened
from rankconv.data.inputs.input_rows import FILE_READERS, ColumnSpec, InputReader, RawRows
from rankconv.data.inputs.row_batches import NUMBERS, RowBatch, RowBatches, gathered, in_memory, of_texts, rows_of
from rankconv.data.inputs.unnamed_columns import RANKS_BY_PLACE, by_place, is_header, of_places
from rankconv.data.inputs.usual_names import has_usual_name
from rankconv.data.inputs.values import are_large, not_a_number

SEPARATORS = {".csv": ",", ".tsv": "\t"}
_TRIED = 20
"""Lines of a file of any name that tell whether it has rows."""
_MOST = 100_000
"""Columns, of which two to four are read."""
_LONGEST = 1 << 20
"""Bytes that are searched for the end of a record."""
_BARE_RETURN = re.compile(rb"\r(?!\n|\Z)")
_QUOTED, _DECIMAL = re.compile(rb'"[^"]*"'), re.compile(rb"[+-]?\d+,\d+")
_QUOTE, _LINE_END = b'"\n'


def takes(file: File) -> bool:
    """Whether the first line has usual names of columns, or the first two are rows of a user and an item."""
    line = file.first_line
    named = line.isascii() and any(_names_columns(line, separator) for separator in ("\t", ",", ";"))
    return named or (file.ending not in SEPARATORS and any(_are_rows(file, separator) for separator in ("\t", ",")))


def _are_rows(file: File, separator: str) -> bool:
    """Whether the first lines have two ids and, if any, one number, or two texts as candidates of MS MARCO have."""
    lines = islice((line for block in blocks(file) for _, line in block.lines if line.strip()), _TRIED)
    rows = [line.decode("utf-8", "replace").rstrip("\r\n").split(separator) for line in lines]
    ids = all(len(row) == len(rows[0]) and all(one and not one.split()[1:] for one in row[:2]) for row in rows)
    if not ids or len(rows[0]) not in (2, 3, 4):
        return False
    if len(rows[0]) == 4:
        return separator == "\t" and all(" " in row[3] for row in rows)
    return all(are_numbers(row[2:]) or not row[2:] for row in rows)


def delimited_batches(file: File, spec: ColumnSpec) -> RowBatches:
    """Read rows from the columns that the first line names; without such a line, from the first two or three."""
    separator = separator_of(file)
    if file.first_line.count(separator.encode()) >= _MOST:
        do = "Leave out all but the user, the item, and the grade or score"
        raise InputError(f"there are over {_MOST} columns", where=str(file), do=do)
    begun, after, first = next(records(file, separator))
    header = is_header(first, with_first_parts(spec))
    if header:
        _check_header(first, f"{file}, line {begun.line}", separator)
    names = first if header else [str(place) for place, _ in enumerate(first, 1)]
    start = after if header else begun
    rows: Callable[[], Iterator[list[str]]] = lambda: (fields for _, _, fields in records(file, separator, start))
    wanted = of_places(names, spec) if header else by_place(names, spec, str(file), rows)

    def holds_numbers(name: str) -> bool:
        place = names.index(name)
        return are_numbers(fields[place] for fields in rows() if place < len(fields))

    chosen, form = chosen_columns(names, wanted, str(file), holds_numbers)
    if not header and "rank" in chosen and not spec.caller_columns:
        form = replace(form, assumed_rank=RANKS_BY_PLACE)
    layout = _RecordLayout(file, separator, first, {role: names.index(name) for role, name in chosen.items()})
    return RowBatches(layout.row_batches(start), chosen, form)


def separator_of(file: File) -> str:
    """Return the separator of the file's ending, else the one that its first line has most often.

    InputError where a line that names no columns may be separated by commas or by semicolons.
    """
    line = _QUOTED.sub(b"", file.first_line)
    usual = SEPARATORS.get(file.ending) or ("\t" if b"\t" in line else ",")
    most = max(("\t", ",", ";"), key=lambda one: line.count(one.encode()))
    if most.encode() not in line or (usual.encode() in line and (usual, most) != (",", ";")):
        return usual
    parts = [part.strip() for part in line.split(b";") if b"," in part]
    if (usual, most) == (",", ";") and not all(map(_DECIMAL.fullmatch, parts)):
        named = [one for one in (",", ";") if _names_columns(file.first_line, one)]
        if len(named) != 1:
            do = "Put fields that hold a comma in double quotes, or write the file with tabs"
            wrong = "the fields may be separated by ';' or by ','"
            raise InputError(wrong, where=f"{file}, first line", do=do)
        return named[0]
    return most


def _names_columns(line: bytes, separator: str) -> bool:
    """Whether the line has a usual name of the user and one of the item."""
    names = line.decode("utf-8", "replace").strip().split(separator, _MOST)
    return has_usual_name(["user"], *names) and has_usual_name(["item"], *names)


@dataclass(frozen=True)
class _Start:
    """Where a record begins."""

    at: int
    """The bytes before it."""
    line: int


class _Lines:
    """The lines of a file from a place on, ended by line feeds, carriage returns or both, and where the next begins.

    An InputError names the first that is damaged.
    """

    def __init__(self, file: File, opened_file: BinaryIO, start: _Start) -> None:
        opened_file.seek(start.at)
        self.next, self._file = start, file
        self._texts = io.TextIOWrapper(opened_file, "utf-8", "surrogateescape", newline="")

    def __iter__(self) -> Iterator[str]:
        for text in self._texts:
            line = text.encode("utf-8", "surrogateescape")
            found = damage(line)
            if found is not None:
                raise found.error(f"{self._file}, line {self.next.line}")
            self.next = _Start(self.next.at + len(line), self.next.line + 1)
            yield text


def records(file: File, separator: str, start: _Start | None = None) -> Iterator[tuple[_Start, _Start, list[str]]]:
    """The records, one by one with Python's parser: where each begins, where the next one does, and its fields.

    Slower than polars; quotes inside a field stay. Blank lines have no fields, and none is given before the first
    record of a file.
    """
    in_table = start is not None
    with opened(file.path) as opened_file:
        lines = _Lines(file, opened_file, start or _Start(opened_file.tell(), 1))
        records = csv.reader(lines, delimiter=separator, strict=True)
        while True:
            begun = lines.next
            try:
                fields = next(records, None)
            except csv.Error as problem:
                raise _unreadable(problem, f"{file}, line {begun.line}") from None
            if fields is None:
                return
            in_table = in_table or bool(fields)
            if in_table:
                yield begun, lines.next, fields


def _unreadable(problem: csv.Error, where: str) -> InputError:
    if "field limit" in str(problem):
        wrong = f"a field has over {csv.field_size_limit():,} letters"
        return InputError(wrong, where=where, do="Is a quote before it not closed?")
    do = "Put fields with quotes into quotes, and write each quote inside twice"
    return InputError("the quotes do not match", where=where, do=do)


@dataclass(frozen=True)
class _RecordLayout:
    """How the records of a file are read."""

    file: File
    separator: str
    first: Sequence[str]
    """The first record, which has as many fields as any."""
    places: dict[str, int]
    """The column of each role, counted from 0."""

    def row_batches(self, start: _Start) -> Iterator[RowBatch]:
        """The rows from there on: block by block as long as these are as programs write them, then one by one."""
        rest = b""
        with opened(self.file.path) as opened_file:
            opened_file.seek(start.at)
            while read := opened_file.read(files.BLOCK):
                text = rest + read
                end = _end_of_records(text, ord(self.separator))
                if end is None or (not end and len(text) > _LONGEST):
                    break
                fast = self._fast(text[:end])
                yield from self._one_by_one(start, end) if fast is None else [fast]
                start = _Start(start.at + end, start.line + text.count(b"\n", 0, end))
                rest = text[end:]
        yield from self._one_by_one(start)

    def _fast(self, text: bytes) -> RowBatch | None:
        """Records as polars reads them; None where anything is odd, and where float64 may round a number.

        Records with nothing in any of the columns are left out, as blank lines are. The other columns are read too:
        only so does polars see that a record has too many fields.
        """
        import polars as pl

        if not text or text.startswith(BYTE_ORDER_MARK):
            return None  # polars leaves out a second mark too
        kinds: dict[str, Any] = {str(place): pl.String for place, _ in enumerate(self.first)}
        kinds |= {str(at): pl.Float64 for role, at in self.places.items() if role in NUMBERS}
        with suppress(pl.exceptions.PolarsError, InputError):
            table = pl.read_csv(text, separator=self.separator, has_header=False, schema=kinds)
            columns = {role: pl.col(str(at)) for role, at in self.places.items()}
            filled = table.filter(pl.any_horizontal(column.is_not_null() for column in columns.values()))
            found = of_texts(filled.select(**columns).to_dict(), lambda _: "")
            if not any(map(are_large, found.numbers.values())):
                return found
        return None

    def _one_by_one(self, start: _Start, most: float = math.inf) -> Iterator[RowBatch]:
        """The rows of the records that begin in the next so many bytes."""
        yield from gathered(self._rows(start, start.at + most), [*self.places], self.file)

    def _rows(self, start: _Start, end: float) -> Iterator[tuple[int, list[str]]]:
        for begun, _, fields in records(self.file, self.separator, start):
            if begun.at >= end:
                return
            if len(fields) > len(self.first):
                raise _too_many(fields, self.first, f"{self.file}, line {begun.line}")
            texts = [fields[place] if place < len(fields) else "" for place in self.places.values()]
            if any(texts):
                yield begun.line, texts


def _end_of_records(text: bytes, separator: int) -> int | None:
    """Where the last whole record ends, 0 where none does; None where quotes or carriage returns are odd.

    Quotes are as programs write them where each that opens a field follows a separator or a line end, and each that
    closes one is followed by such; a quote next to another is one of two that mean one.
    """
    if _BARE_RETURN.search(text) or damage(text[: text.rfind(b"\n") + 1]):
        return None
    if b'"' not in text:
        return text.rfind(b"\n") + 1
    letters = np.frombuffer(text, np.uint8)
    quotes = np.flatnonzero(letters == _QUOTE)
    opening, closing = quotes[::2], quotes[1::2]
    neighbours = np.concatenate([letters[opening[opening > 0] - 1], letters[closing[closing < len(text) - 1] + 1]])
    if not np.isin(neighbours, np.frombuffer(b'"\r\n' + bytes([separator]), np.uint8)).all():
        return None
    ends = np.flatnonzero(letters == _LINE_END)
    outside = ends[np.searchsorted(quotes, ends) % 2 == 0]
    return int(outside[-1]) + 1 if len(outside) else 0


def _check_header(header: list[str], where: str, separator: str) -> None:
    if len(header) == 1:
        do = f"Name the columns in the first line, with {separator!r} between them"
        raise InputError(f"'{header[0]:.80}' is one field", where=where, do=do)
    refuse_repeated_names(filter(None, header), where)


def _too_many(fields: Sequence[str], header: Sequence[str], where: str) -> InputError:
    wrong = f"there are {len(fields)} fields ({', '.join(fields)!r:.80}), and the first line has {len(header)}"
    return InputError(wrong, where=where, allowed=listed(header))


FILE_READERS.put(
    "delimited",
    InputReader(
        "CSV and TSV files (.csv, .tsv, or usual names in the first line)",
        takes,
        in_memory(delimited_batches),
        endings=tuple(SEPARATORS),
        has_columns=True,
        row_batches=delimited_batches,
    ),
    after="row-lists",
)


# Quepid

_RATINGS, _RESULTS = ("query", "docid", "rating"), ("Query Text", "Doc ID", "Doc Position")
_NO_DOCUMENT = b",,"
"""How the line of a query without ratings ends."""


def takes_quepid(file: File) -> bool:
    """Whether the first line is that of results, or that of ratings and a query has none."""
    header = file.first_line.decode(errors="replace").strip().split(",")
    if (*header,) == _RATINGS:
        return any(line.rstrip().endswith(_NO_DOCUMENT) for block in blocks(file) for _, line in block.lines)
    return {*_RESULTS} <= {*header}


def read_quepid(file: File, spec: ColumnSpec) -> RawRows:
    """Read ratings as labels, or results as a run, ranked by their positions."""
    import polars as pl

    table = records(file, ",")
    header = next(table)[2]
    of_labels, columns = spec.what == "labels", _RATINGS if (*header,) == _RATINGS else _RESULTS
    if of_labels != (columns is _RATINGS):
        kind, do = ("results", "Export the ratings") if of_labels else ("ratings", "Export a snapshot")
        raise InputError(f"these are {kind} of Quepid, and {spec.what} are wanted here", where=str(file), do=do)
    places, queries, runs, rows = [header.index(name) for name in columns], dict[str, None](), set[str](), []
    for begun, _, fields in table:
        if len(fields) > len(header):
            wrong = f"there are {len(fields)} fields, and the first line has {len(header)}"
            raise InputError(wrong, where=f"{file}, line {begun.line}")
        query, *document = (fields[place] if place < len(fields) else "" for place in places)
        if query or any(document):
            queries[query] = None
            runs.add(" · ".join(fields[:3]))
        if any(document):
            rows.append((begun.line, [query, *document]))
    if len(runs) > 1 and not of_labels:
        raise _several_runs(runs, header, file)
    batches = [*gathered(rows, ("user", "item", "grade" if of_labels else "rank"), file)]
    for words in (batch.words for batch in batches if batch.words is not None):
        word, where = next(iter(words.first.items()))
        raise not_a_number(f"'{word}'", "grade", where)
    if batches:
        batches[0] = replace(batches[0], owners={"user": pl.Series([*queries], dtype=pl.String)})
    return rows_of(RowBatches(iter(batches)), file.name)


def _several_runs(runs: Iterable[str], header: list[str], file: File) -> InputError:
    """The error that names the snapshots, or cases, of the file."""
    allowed = f"They are, as {', '.join(header[:3])}: {'; '.join(sorted(runs)[:5])}"
    return InputError("there are the results of several runs", where=str(file), allowed=allowed, do="Keep one run")


FILE_READERS.put(
    "quepid", InputReader("CSV files of Quepid", takes_quepid, read_quepid, endings=(".csv",)), after="json"
)
