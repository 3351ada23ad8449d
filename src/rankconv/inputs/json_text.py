"""JSON files: `{user: {item: number}}` as BEIR, ranx and pytrec_eval keep it, lists, or records."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rankconv.errors import InputError
from rankconv.inputs import python
from rankconv.inputs.blocks import blocks
from rankconv.inputs.file import File
from rankconv.inputs.paths import opened
from rankconv.inputs.pieces import rows_of
from rankconv.inputs.reader import Place, Reader, Rows, Wanted
from rankconv.inputs.records import PiecesOfRecords


def takes(data: Any) -> bool:
    """Files that begin as JSON does."""
    return isinstance(data, File) and data.first_line.lstrip().startswith((b"{", b"["))


def read(file: File, wanted: Wanted) -> Rows:
    """Rows from what the file holds, as from the same Python object; keys are text, other ids keep their type."""
    data: Any = _loaded(file)
    if type(data) not in (dict, list):
        raise InputError("this is neither an object nor a list", where=str(file))
    try:
        if _are_records(data):
            place = lambda at: f"{file}, record {at}"
            return rows_of(PiecesOfRecords(_records(data, place), wanted, str(file), place), file)
        _refuse_columns(wanted, file)
        return replace(python.read(data, wanted, str(file)), source=file.name)
    except InputError as error:
        raise error if str(file) in error.where else error.at(str(file)) from None


def _are_records(data: Any) -> bool:
    """Whether these are rows with named columns, and not one `{item: number}` per user."""
    first = data[0] if isinstance(data, list) and data else None
    return isinstance(first, dict) and any(not isinstance(value, int | float) for value in first.values())


def _records(data: list[Any], place: Place) -> Iterator[tuple[int, dict[str, Any]]]:
    for at, record in enumerate(data):
        if not isinstance(record, dict):
            raise InputError(f"{record!r:.60} is no object", where=place(at), do="Write one object for each row")
        yield at, record


def _refuse_columns(wanted: Wanted, file: File) -> None:
    if wanted.named:
        told = ", ".join(f"'{name}' for the {role}" for role, name in wanted.named.items())
        raise InputError(
            f"columns were named ({told}), and this file has none",
            where=str(file),
            do=f"Leave {' and '.join(f'{role}=' for role in wanted.named)} out",
            shell=f"Leave {' and '.join(f'--column {role}=…' for role in wanted.named)} out",
        )


def _loaded(file: File) -> Any:
    for _ in blocks(file):  # of which none is damaged
        pass
    with opened(file.path) as opened_file:
        try:
            return json.load(opened_file, object_pairs_hook=once)
        except (ValueError, RecursionError) as problem:
            said = wrong_json(problem)
            do = "Name it .jsonl if each line is an object" if said == "Extra data" else "Write it anew"
            where = f"{file}, line {problem.lineno}" if isinstance(problem, json.JSONDecodeError) else str(file)
            raise InputError(f"this is no JSON: {said}", where=where, do=do) from None
        except TwiceError as problem:
            raise problem.at(str(file)) from None


def wrong_json(problem: Exception) -> str:
    """What a parser found wrong, without its place."""
    return "it nests too deep" if isinstance(problem, RecursionError) else str(problem).partition(":")[0]


class TwiceError(InputError):
    """A key that would lose what the first of its two places holds."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these keys and values, where no key stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        key = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise TwiceError(f"the key '{key}' stands twice in one object", do="Put all that belongs to it in one place")
    return found


READER = Reader(
    "JSON (.json): {user: {item: number}}, lists, or records", takes, read, endings=(".json",), has_columns=True
)
