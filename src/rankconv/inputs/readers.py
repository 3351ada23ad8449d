"""The registry of readers. A new kind of input is one more file and one more name in the list."""

import os
from pathlib import Path
from typing import Any

from rankconv.errors import InputError
from rankconv.inputs import arrays, delimited, frames, python, sparse, trec
from rankconv.inputs.paths import readable
from rankconv.inputs.reader import Reader, Wanted
from rankconv.inputs.rows import Rows

READERS: tuple[Reader, ...] = (
    frames.READER,
    arrays.READER,
    sparse.READER,
    delimited.READER,
    trec.READER,  # knows files by their first line too, so it is asked after the other files
    python.READER,  # takes whatever can be iterated, so it is asked last
)


def rows_from(data: Any, wanted: Wanted) -> Rows:
    """The rows of this data, read by the first reader that takes it."""
    given = readable(Path(data)) if isinstance(data, str | os.PathLike) else data
    reader = next((reader for reader in READERS if reader.takes(given)), None)
    if reader is None:
        raise _unknown(given)
    if wanted.named and not reader.has_columns:
        raise _no_columns(reader, wanted)
    return reader.read(given, wanted)


def _unknown(given: Any) -> InputError:
    if isinstance(given, Path):
        files = "; ".join(reader.kind for reader in READERS if reader.of_files)
        return InputError("unknown kind of file", where=str(given), allowed=f"These can be read: {files}")
    kinds = "; ".join(reader.kind for reader in READERS)
    return InputError(f"data of type {type(given).__name__} cannot be read", allowed=f"These can be read: {kinds}")


def _no_columns(reader: Reader, wanted: Wanted) -> InputError:
    arguments = ", ".join(f"{role}={name!r}" for role, name in wanted.named.items())
    return InputError(
        f"{arguments} names a column, and this data has no named columns",
        allowed=f"It was read as: {reader.kind}",
        do=f"Leave {' and '.join(f'{role}=' for role in wanted.named)} out",
    )
