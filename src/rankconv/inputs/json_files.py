"""JSON files and JSON lines: `{user: {item: number}}`, lists, or records, each a dict with the same columns.

JSON keeps the object of BEIR, ranx and pytrec_eval; JSON lines have one object per row, or per user, with lists in it.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rankconv.errors import InputError
from rankconv.inputs import python
from rankconv.inputs.columns import has_usual_name, with_first_parts
from rankconv.inputs.files import File, blocks, opened
from rankconv.inputs.pieces import Pieces, in_memory, rows_of
from rankconv.inputs.records import PiecesOfRecords, Record
from rankconv.inputs.rows import ColumnSpec, Place, RawRows, Reader
from rankconv.inputs.search_engines import engine_records


def read_json(file: File, spec: ColumnSpec) -> RawRows:
    """Read rows as from the same Python object; keys are text, other ids keep their type."""
    data: Any = _loaded(file)
    if type(data) not in (dict, list):
        raise InputError("this is neither an object nor a list", where=str(file))
    if of_engine := engine_records(data, spec, str(file)):
        records, columns = of_engine
        of_query = lambda at: f"{file}, query '{records[at]['query']}'"
        return rows_of(PiecesOfRecords(enumerate(records), columns, str(file), of_query), file.name)
    first = data[0] if isinstance(data, list) and data else None
    are_records = isinstance(first, dict) and any(not isinstance(value, int | float) for value in first.values())
    try:
        if are_records:
            place = lambda at: f"{file}, record {at}"
            return rows_of(PiecesOfRecords(_records(data, place), spec, str(file), place), file.name)
        if spec.named:
            named = ", ".join(f"'{name}' for the {role}" for role, name in with_first_parts(spec).named.items())
            raise InputError(
                f"columns were named ({named}), and this file has none",
                where=str(file),
                do=f"Leave {' and '.join(f'{role}=' for role in spec.named)} out",
                shell=f"Leave {' and '.join(f'--column {role}=…' for role in spec.named)} out",
            )
        return replace(python.read(data, spec, str(file)), source=file.name)
    except InputError as error:
        raise error if str(file) in error.where else error.at(str(file)) from None


def _records(data: list[Any], place: Place) -> Iterator[tuple[int, Record]]:
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


JSON = Reader(
    "JSON (.json): {user: {item: number}}, lists, records, files of search engines",
    lambda file: file.first_line.lstrip().startswith((b"{", b"[")),
    read_json,
    endings=(".json",),
    has_columns=True,
)


# JSON lines


def takes_json_lines(file: File) -> bool:
    """Whether the first line is an object with simple values or lists; `{user: {item: score}}` has none."""
    try:
        first = json.loads(file.first_line)
    except (ValueError, RecursionError):
        return False
    return (
        isinstance(first, dict)
        and not all(isinstance(value, dict) for value in first.values())
        and has_usual_name(["user"], *first)
    )


def json_lines_pieces(file: File, spec: ColumnSpec) -> Pieces:
    """Read rows from the objects; ids keep the type that they have there."""
    records = (
        (number, _record(line, f"{file}, line {number}"))
        for block in blocks(file)
        for number, line in block.lines
        if line.strip()
    )
    return PiecesOfRecords(records, spec, str(file), lambda number: f"{file}, line {number}")


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


JSON_LINES = Reader(
    "JSON lines (.jsonl, .ndjson)",
    takes_json_lines,
    in_memory(json_lines_pieces),
    endings=(".jsonl", ".ndjson"),
    has_columns=True,
    pieces=json_lines_pieces,
)
