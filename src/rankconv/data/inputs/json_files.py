"""JSON files and JSON lines: `{user: {item: number}}`, lists, or records, each a dict with the same columns.

JSON keeps the object of BEIR, ranx and pytrec_eval; JSON lines have one object per row, or per user, with lists in it.
"""

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from rankconv.basics.errors import InputError
from rankconv.data.inputs import python
from rankconv.data.inputs.columns import (
    LOOKED_AT,
    are_numbers,
    columns_of_parts,
    form_of,
    may_be_wanted,
    no_columns,
    refuse_unread,
    with_first_parts,
    without_gaps,
)
from rankconv.data.inputs.files import File, blocks, opened
from rankconv.data.inputs.input_rows import FILE_READERS, ColumnSpec, InputReader, RawRows, RowPlace, base, is_id
from rankconv.data.inputs.record_files import records_in
from rankconv.data.inputs.record_reading import Reading, read_as_lists
from rankconv.data.inputs.record_shapes import has_lists
from rankconv.data.inputs.row_batches import (
    ROWS,
    Record,
    RowBatch,
    RowBatches,
    batch_of,
    rows_of,
    times_from_objects,
)
from rankconv.data.inputs.search_engines import engine_records
from rankconv.data.inputs.span_columns import PLACES, read_places
from rankconv.data.inputs.usual_names import has_usual_name, name_columns
from rankconv.data.inputs.values import ids_like, numbers_from_objects
from rankconv.data.inputs.word_columns import numbers_or_words


def read_json(file: File, spec: ColumnSpec) -> RawRows:
    """Read rows as from the same Python object; keys are text, other ids keep their type."""
    if _are_lines(file):
        return rows_of(json_lines_batches(file, spec), file.name)
    data: Any = _loaded(file)
    if type(data) not in (dict, list):
        raise InputError("this is neither an object nor a list", where=str(file))
    if of_engine := engine_records(data, spec, str(file)):
        records, columns = of_engine
        of_query = lambda at: f"{file}, query '{records[at]['query']}'"
        return rows_of(RecordBatches(enumerate(records), columns, str(file), of_query), file.name)
    return replace(read_object(data, spec, str(file)), source=file.name)


def read_object(data: Any, spec: ColumnSpec, where: str) -> RawRows:
    """Read rows from an object or a list of JSON, which is at `where`."""
    if (found := records_in(data, spec, where)) is not None:
        at = f", '{found.at}'" if found.at else ""
        if found.records is None:
            return _collections(found.collections, spec, f"{where}{at}")
        of_record = lambda at_record: f"{where}{at}, record {at_record}"
        return rows_of(record_batches(_records(found.records, of_record), spec, where, of_record), where)
    first = data[0] if isinstance(data, list) and data else None
    are_records = isinstance(first, dict) and (
        name_columns(first) or any(not isinstance(value, int | float) for value in first.values())
    )
    if are_records:
        place = lambda at: f"{where}, record {at}"
        return rows_of(RecordBatches(_records(data, place), spec, where, place), where)
    return _collections(data, spec, where)


def _collections(data: Any, spec: ColumnSpec, source: str) -> RawRows:
    """Rows of lists or dicts, one for each user."""
    try:
        if spec.caller_columns:
            raise no_columns(with_first_parts(spec).caller_columns, "It was read as lists or dicts, one for each user")
        return python.read(data, spec, source)
    except InputError as error:
        raise error if source in error.where else error.at(source) from None


def _records(data: list[Any], place: RowPlace) -> Iterator[tuple[int, Record]]:
    for at, record in enumerate(data):
        if not isinstance(record, dict):
            raise InputError(f"{record!r:.60} is not an object", where=place(at), do="Write one object for each row")
        yield at, record


def _loaded(file: File) -> Any:
    for _ in blocks(file):  # of which none is damaged
        pass
    with opened(file.path) as opened_file:
        try:
            return json.load(opened_file, object_pairs_hook=distinct_keys)
        except RepeatedKeyError as problem:
            raise problem.at(str(file)) from None
        except (ValueError, RecursionError) as problem:
            said = _reason(problem)
            do = "Name it .jsonl if each line is an object" if said == "Extra data" else "Write it anew"
            where = f"{file}, line {problem.lineno}" if isinstance(problem, json.JSONDecodeError) else str(file)
            raise InputError(f"this is not JSON: {said}", where=where, do=do) from None


def _reason(problem: Exception) -> str:
    """What a parser found wrong, without its place."""
    return "it nests too deep" if isinstance(problem, RecursionError) else str(problem).partition(":")[0]


class RepeatedKeyError(InputError):
    """A key that would lose what the first of its two places holds."""


def distinct_keys(pairs: list[tuple[str, Any]]) -> Record:
    """Return the object of these keys and values; RepeatedKeyError where a key is there twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        key, do = Counter(key for key, _ in pairs).most_common(1)[0][0], "Put all that belongs to it in one place"
        raise RepeatedKeyError(f"the key '{key}' is there twice in one object", do=do)
    return found


FILE_READERS.put(
    "json",
    InputReader(
        "JSON (.json): {user: {item: number}}, lists, records, files of search engines",
        lambda file: file.first_line.lstrip().startswith((b"{", b"[")),
        read_json,
        endings=(".json",),
        has_columns=True,
    ),
    after="json-lines",
)


# JSON lines


def _first_lines(file: File) -> list[bytes]:
    """The first two lines that are not blank."""
    return [*islice((line for block in blocks(file) for _, line in block.lines if line.strip()), 2)]


def _are_lines(file: File) -> bool:
    """Whether there are several lines, of which the first two are objects, whatever the file is called."""
    lines = _first_lines(file)
    return len(lines) > 1 and lines[1].lstrip().startswith(b"{") and takes_json_lines(file)


def _is_one_document(file: File) -> bool:
    """Whether this is one list of objects, or one object with all records in it."""
    lines = _first_lines(file)
    start = lines[0].strip()
    alone = len(lines) == 1 and start.startswith(b"{") and b"[" in start and not takes_json_lines(file)
    return start in (b"{", b"[") or start.startswith(b"[{") or alone


def read_json_lines(file: File, spec: ColumnSpec) -> RawRows:
    """Read the rows of lines, or of one document under the name of such."""
    return read_json(file, spec) if _is_one_document(file) else rows_of(json_lines_batches(file, spec), file.name)


def takes_json_lines(file: File) -> bool:
    """Whether the first line is an object with simple values or lists; `{user: {item: score}}` has none."""
    try:
        first = json.loads(file.first_line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(first, dict):
        return False
    is_row = has_usual_name(["user"], *first) and not all(isinstance(value, dict) for value in first.values())
    return is_row or any(has_lists(first, ColumnSpec(what, {})) for what in ("labels", "rankings"))


def json_lines_batches(file: File, spec: ColumnSpec) -> RowBatches:
    """Read rows from the objects; ids keep the type that they have there."""
    records = (
        (number, _record(line, f"{file}, line {number}"))
        for block in blocks(file)
        for number, line in block.lines
        if line.strip()
    )
    return record_batches(records, spec, str(file), lambda number: f"{file}, line {number}")


def _record(line: bytes, where: str) -> Record:
    do = "Write one whole object in each line"
    try:
        record = json.loads(line)
        if isinstance(record, dict) and line.count(b":") > len(record):  # each key has one, also one that was lost
            record = json.loads(line, object_pairs_hook=distinct_keys)
    except RepeatedKeyError as problem:
        raise problem.at(where) from None
    except (ValueError, RecursionError) as problem:
        raise InputError(f"this is not JSON: {_reason(problem)}", where=where, do=do) from None
    if not isinstance(record, dict):
        shown = line.strip()[:400].decode(errors="replace")
        raise InputError(f"'{shown:.60}' is not an object", where=where, do=do)
    return record


FILE_READERS.put(
    "json-lines",
    InputReader(
        "JSON lines (.jsonl, .ndjson)",
        takes_json_lines,
        read_json_lines,
        endings=(".jsonl", ".ndjson"),
        has_columns=True,
        row_batches=json_lines_batches,
    ),
    after="ntcir",
)


# records


def record_batches(
    records: Iterable[tuple[int, Record]], spec: ColumnSpec, source: str, place: RowPlace, assumed: str = ""
) -> "RecordBatches":
    """Return the rows of records, which are rows or have all items of a query; `assumed` is what is, in words."""
    given, named, reading = read_as_lists(records, spec, place)
    return RecordBatches(given, named, source, place, reading, assumed)


class RecordBatches(RowBatches):
    """Rows of records that come one by one, each with its number; `place` names the record of a number.

    Where the item of the first record is a list, each is all that a user has, and its numbers are lists too.
    """

    def __init__(
        self,
        records: Iterable[tuple[int, Record]],
        spec: ColumnSpec,
        source: str,
        place: RowPlace,
        reading: Reading | None = None,
        assumed: str = "",
    ) -> None:
        """Of records that became lists, `reading` says how."""
        super().__init__(self._batches(records))
        self._reading, self._assumed = reading, assumed
        self.empty_calls = [] if reading is None else reading.empty_calls
        self._spec, self._source, self._place = spec, source, place
        self._keys: dict[str, None] = {}
        self._first, self._with_lists = -1, False
        self._unread: dict[str, list[Any]] = {}
        """The first values of each other column, where no column has numbers."""
        self._like: dict[str, Any] = {}
        """The first id of each role: all others are of its type."""
        self._numbers, self._values = array("q"), dict[str, list[Any]]()
        self._users, self._lines = dict[str, list[Any]](), array("q")
        """The user of each record, where items are lists, which may be empty."""

    def _batches(self, records: Iterable[tuple[int, Record]]) -> Iterator[RowBatch]:
        """Give the rows so far, whenever they are many."""
        for number, record in records:
            self._add(number, record)
            if len(self._numbers) + len(self._lines) >= ROWS and self._numbers:
                yield self._batch()
        if self._numbers or self._lines:
            yield self._batch()
        holds_numbers = lambda name: are_numbers(self._unread.get(name, ()))
        refuse_unread([*self._keys], self.columns, with_first_parts(self._spec), self._source, holds_numbers)

    def _batch(self) -> RowBatch:
        lines, values, records, users = self._numbers, self._values, self._lines, self._users
        self._numbers, self._values, self._lines, self._users = array("q"), {}, array("q"), {}
        owners = batch_of(users, self._read, lambda row: self._place(records[row])).ids
        return replace(batch_of(values, self._read, lambda row: self._place(lines[row])), owners=owners)

    def _add(self, number: int, record: Record) -> None:
        if not (self.columns and record.keys() <= self._keys.keys()):
            self._find_columns(record)
        for column in self.columns.values():
            if column not in record:
                raise self._missing(column, number)
        if not {self._spec.number, "rank"} & self.columns.keys():
            for name in record.keys() - self.columns.values():
                values = self._unread.setdefault(name, [])
                values.extend(islice(without_gaps([record[name]]), LOOKED_AT - len(values)))
        found = {role: record[column] for role, column in self.columns.items()}
        if self._first < 0:
            self._first, self._with_lists = number, isinstance(found[self._item], list)
        rows = self._row_count(found, number)
        for role, one in found.items():
            of_user = role.startswith("user")
            values = one if self._with_lists and not of_user else [one] * rows
            for value in [one] if of_user else values[:1] if is_id(role) else []:
                self._like.setdefault(role, value)
            self._values.setdefault(role, []).extend(values)
            if self._with_lists and of_user:
                self._users.setdefault(role, []).append(one)
        self._numbers.extend([number] * rows)
        self._lines.extend([number] * self._with_lists)

    def _find_columns(self, record: Record) -> None:
        """Find the columns anew where a record has some that those before had not."""
        news = [key for key in record if key not in self._keys]
        before, self._keys = self.columns, self._keys | dict.fromkeys(news)
        if before and not any(may_be_wanted(key, with_first_parts(self._spec)) for key in news):
            return
        names = [*self._keys]
        self.columns = columns_of_parts(names, self._spec, self._source)
        form = form_of(names, self.columns, with_first_parts(self._spec))
        self.form = replace(form, assumed="; ".join(filter(None, (self._assumed, form.assumed))))
        if self._reading is not None:
            self.form = self._reading.form_of(self.form)
        for column in set(self.columns.values()) - set(before.values()) if before else ():
            raise self._missing(column, self._first)

    @property
    def _item(self) -> str:
        """The role of items, or of the first part of their ids."""
        return next(role for role in self.columns if base(role) == "item")

    def _missing(self, column: str, number: int) -> InputError:
        do = "Give every record the same columns"
        return InputError(f"there is no '{column}'", where=self._place(number), do=do)

    def _row_count(self, found: Record, number: int) -> int:
        """How many rows a record has; where items are lists, all other lists are as long."""
        items, name = found[self._item], self.columns[self._item]
        for role, one in found.items() if self._with_lists else ():
            fits = isinstance(one, list) and isinstance(items, list) and len(one) == len(items)
            if not (fits or role.startswith("user")):
                wrong = f"'{self.columns[role]}' is not a list as long as '{name}'"
                raise InputError(wrong, where=self._place(number), do="Give each item one entry in every list")
        if not self._with_lists and isinstance(items, list):
            wrong = f"'{name}' is a list, and in the first record it is none"
            raise InputError(wrong, where=self._place(number), do="Write all records in one form")
        return len(items) if self._with_lists else 1

    def _read(self, values: list[Any], role: str, place: RowPlace) -> Any:
        if role in PLACES:
            return read_places(values, role, place)
        if is_id(role):
            return ids_like(self._like.get(role), values, base(role), place)
        if role == "time":
            return times_from_objects(values, place)
        return numbers_or_words(numbers_from_objects, values, role, place)
