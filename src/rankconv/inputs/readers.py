"""The registry of readers. A new kind of input is one more file and one more name in the list."""

import os
from typing import Any

from rankconv.errors import InputError
from rankconv.inputs import (
    arrays,
    columnar,
    delimited,
    frames,
    json_text,
    jsonl,
    letor,
    movielens,
    python,
    scores,
    sparse,
    trec,
)
from rankconv.inputs.encoding import refuse_other_than_text
from rankconv.inputs.file import File, as_file
from rankconv.inputs.reader import Reader, Rows, Wanted

READERS: tuple[Reader, ...] = (
    frames.READER,
    sparse.READER,
    arrays.READER,
    columnar.READER,
    letor.READER,
    movielens.READER,
    jsonl.READER,
    json_text.READER,
    delimited.READER,
    scores.READER,
    trec.READER,  # only counts the fields of the first line, so it is asked after the other files
    python.READER,  # takes whatever can be iterated, so it is asked last
)


def rows_from(data: Any, wanted: Wanted) -> Rows:
    """The rows of this data, read by the first reader that takes it."""
    if not isinstance(data, str | os.PathLike):
        return _read(data, wanted)
    with as_file(os.fspath(data)) as file:
        rows = _read(file, wanted)
    if not len(rows.users):
        raise InputError("there is no row in it", where=str(file))
    return rows


def _read(data: Any, wanted: Wanted) -> Rows:
    reader = _reader_of(data)
    if isinstance(data, File) and (reader is None or reader.is_text):
        refuse_other_than_text(data.path, data)
    if reader is None:
        raise _unknown(data)
    if wanted.named and not reader.has_columns:
        raise _no_columns(reader, wanted)
    if wanted.padding is not None and not reader.pads:
        allowed = f"It was read as: {reader.kind}"
        raise InputError("padding= is for arrays of item ids, and this is none", allowed=allowed, do="Leave it out")
    return reader.read(data, wanted)


def _reader_of(data: Any) -> Reader | None:
    """A type of its own decides before what the data can do, a file's ending before its content."""
    if not isinstance(data, File):
        own = next((reader for reader in READERS if type(data) in reader.types), None)
        return own or next((reader for reader in READERS if not reader.endings and reader.takes(data)), None)
    of_files = [reader for reader in READERS if reader.endings]
    named = (reader for reader in of_files if data.ending in reader.endings)
    return next(named, None) or next((reader for reader in of_files if reader.takes(data)), None)


def _unknown(given: Any) -> InputError:
    if isinstance(given, File):
        files = "; ".join(reader.kind for reader in READERS if reader.endings)
        return InputError("unknown kind of file", where=str(given), allowed=f"These can be read: {files}")
    kinds = "; ".join(reader.kind for reader in READERS)
    return InputError(f"data of type {type(given).__name__} cannot be read", allowed=f"These can be read: {kinds}")


def _no_columns(reader: Reader, wanted: Wanted) -> InputError:
    told = ", ".join(f"'{name}' for the {role}" for role, name in wanted.named.items())
    return InputError(
        f"columns were named ({told}), and this data has no named columns",
        allowed=f"It was read as: {reader.kind}",
        do=f"Leave {' and '.join(f'{role}=' for role in wanted.named)} out",
        shell=f"Leave {' and '.join(f'--column {role}=…' for role in wanted.named)} out",
    )
