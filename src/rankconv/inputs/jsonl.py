"""JSON lines: one object per row, with columns as tables have them; or per user, with lists in them."""

import json
from typing import Any

from rankconv.errors import InputError
from rankconv.inputs.blocks import blocks
from rankconv.inputs.columns import has_usual_name
from rankconv.inputs.file import File
from rankconv.inputs.json_text import TwiceError, once, wrong_json
from rankconv.inputs.pieces import Pieces, in_memory
from rankconv.inputs.reader import Reader, Wanted
from rankconv.inputs.records import PiecesOfRecords, Record

ENDINGS = (".jsonl", ".ndjson")


def takes(data: Any) -> bool:
    """Files whose first line is an object with simple values or lists; `{user: {item: score}}` has none."""
    if not isinstance(data, File) or not data.first_line.lstrip().startswith(b"{"):
        return False
    try:
        first = json.loads(data.first_line)
    except (ValueError, RecursionError):
        return False
    return not all(isinstance(value, dict) for value in first.values()) and has_usual_name(["user"], *first)


def pieces(file: File, wanted: Wanted) -> Pieces:
    """Rows from the objects; ids keep the type that they have there."""
    records = (
        (number, _record(line, f"{file}, line {number}"))
        for block in blocks(file)
        for number, line in block.lines
        if line.strip()
    )
    return PiecesOfRecords(records, wanted, str(file), lambda number: f"{file}, line {number}")


def _record(line: bytes, where: str) -> Record:
    try:
        record = json.loads(line)
        if isinstance(record, dict) and line.count(b":") > len(record):  # each key has one, also one that was lost
            record = json.loads(line, object_pairs_hook=once)
    except TwiceError as problem:
        raise problem.at(where) from None
    except (ValueError, RecursionError) as problem:
        said = wrong_json(problem)
        raise InputError(f"this is no JSON: {said}", where=where, do="Write one whole object in each line") from None
    if not isinstance(record, dict):
        shown = line.strip()[:400].decode(errors="replace")
        raise InputError(f"'{shown:.60}' is no object", where=where, do="Write one whole object in each line")
    return record


READER = Reader(
    "JSON lines (.jsonl, .ndjson)", takes, in_memory(pieces), endings=ENDINGS, has_columns=True, pieces=pieces
)
