"""The registry of readers, which finds the one that takes the data; plugins may add formats."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from rankconv.errors import ConventionError, InputError, RankconvError
from rankconv.inputs.arrays import ARRAYS, SPARSE
from rankconv.inputs.columns import rows_of_parts, several_columns
from rankconv.inputs.delimited import DELIMITED
from rankconv.inputs.files import File, as_file, refuse_nul, refuse_wide
from rankconv.inputs.frames import COLUMNAR, FRAMES
from rankconv.inputs.json_files import JSON, JSON_LINES
from rankconv.inputs.line_files import LETOR, MOVIELENS, SCORES, TREC
from rankconv.inputs.python import PYTHON
from rankconv.inputs.reader import NONE, ColumnSpec, RawRows, Reader
from rankconv.plugins import place_of

READERS: tuple[Reader, ...] = (
    FRAMES,
    SPARSE,
    ARRAYS,
    COLUMNAR,
    LETOR,
    MOVIELENS,
    JSON_LINES,
    JSON,
    DELIMITED,
    SCORES,
    TREC,  # only counts the fields of the first line, so it is tried after the other files
    PYTHON,  # takes whatever can be iterated, so it is tried last
)

FORMATS: dict[str, Reader] = {}
"""The formats of plugins, by name; tried before the others."""
Convert = TypeVar("Convert", bound=Callable[[Any, str], Any])


def input_format(
    kind: str, *, endings: tuple[str, ...] = (), types: tuple[type, ...] = (), text: bool = True
) -> Callable[[Convert], Convert]:
    """Register an input format: decorator of a function that reads it.

    The function takes the path of the unpacked file, or the object, and which of the two is read, "labels" or
    "rankings". It returns or yields what `rc.Labels` and `rc.Run` take: a dict, tuples `(user, item, number)`, a table.
    An error that it raises becomes an InputError that names the file.

    Parameters
    ----------
    kind : str
        What it reads, for messages.
    endings : tuple of str
        Endings of its files (".basket"), also packed (run.basket.gz).
    types : tuple of type
        Classes of its objects.
    text : bool, default True
        Whether the files are text; others may hold any bytes.

    Returns
    -------
    callable
        The decorator.

    Raises
    ------
    ConventionError
        If there is a format of that name or ending.

    Examples
    --------
    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> class Clicks(str): pass
    >>> @plugin.input_format("clicks, 'user: item item'", types=(Clicks,))
    ... def _(clicks, what):
    ...     return {line.split(":")[0]: line.split(":")[1].split() for line in clicks.splitlines()}
    >>> rc.Labels(Clicks("ada: a b")).rows_of("ada")
    {'a': 1.0, 'b': 1.0}
    """

    def register(function: Convert) -> Convert:
        module, known = function.__module__, FORMATS.get(kind)
        if known is not None and known.read.__module__ != module:
            raise ConventionError(f"the format '{kind}' is already read by {place_of(known.read.__module__)}")
        others = [*READERS, *(reader for name, reader in FORMATS.items() if name != kind)]
        for reader in others:
            for ending in {*reader.endings} & {*endings}:
                raise ConventionError(f"files ending in {ending} are read already, as: {reader.kind}")
        if not (endings or types):
            raise ConventionError(f"nothing says which data are '{kind}'", do="Give endings of files, or types.")

        def read(data: Any, spec: ColumnSpec) -> RawRows:
            return _converted(function, kind, data, spec)

        read.__module__ = module
        FORMATS[kind] = Reader(kind, lambda data: False, read, types, endings, True, text, True)
        return function

    return register


def _converted(function: Callable[[Any, str], Any], kind: str, data: Any, spec: ColumnSpec) -> RawRows:
    """The rows of what a plugin's function makes of a file or an object."""
    where = str(data) if isinstance(data, File) else kind
    try:
        made = function(Path(data.path) if isinstance(data, File) else data, spec.what)
        made = list(made) if isinstance(made, Iterator) else made
    except RankconvError as error:
        raise error.at(where) from None
    except Exception as problem:
        wrong = f"it cannot be read: {type(problem).__name__}: {problem}"
        raise InputError(wrong, where=where, allowed=f"It was taken for: {kind}") from problem
    try:
        rows = _checked(made, spec, READERS).read(made, spec)
    except RankconvError as error:
        raise error.at(where) from None
    return replace(rows, source=data.name if isinstance(data, File) else kind)


def rows_from(data: Any, spec: ColumnSpec) -> RawRows:
    """The rows of this data, read by the first reader that takes it."""
    readers = (*FORMATS.values(), *READERS)
    if not isinstance(data, str | os.PathLike) or any(type(data) in reader.types for reader in readers):
        return _of_one(data, spec, readers)
    with as_file(os.fspath(data)) as file:
        rows = _of_one(file, spec, readers)
    if not len(rows.users):
        raise InputError("there is no row in it", where=str(file))
    return rows


def _of_one(data: Any, spec: ColumnSpec, readers: tuple[Reader, ...]) -> RawRows:
    """RawRows of one input, which is read once for each part of a compound id."""
    if not several_columns(spec):
        return _checked(data, spec, readers).read(data, spec)
    kept = list(data) if isinstance(data, Iterator) else data
    return rows_of_parts(lambda one: _checked(kept, one, readers).read(kept, one), spec)


def is_read_as_array(data: Any) -> bool:
    """Whether this is read as an array, and not as a table, which may be one too."""
    return _reader_of(data, (*FORMATS.values(), *READERS)) is ARRAYS


def reader_of(file: File, spec: ColumnSpec) -> Reader:
    """The reader that takes this file; an InputError where none does, or where it has not what is wanted."""
    return _checked(file, spec, (*FORMATS.values(), *READERS))


def _checked(data: Any, spec: ColumnSpec, readers: tuple[Reader, ...]) -> Reader:
    reader = _reader_of(data, readers)
    if isinstance(data, File) and (reader is None or reader.is_text):
        refuse_wide(data)
        if reader is None or reader.pieces is None:
            refuse_nul(data)
    if reader is None:
        raise _unknown(data, readers)
    if not (reader.has_columns or spec.named.keys() | spec.absent <= {*reader.fields}):
        raise _no_columns(reader, spec)
    if spec.padding is not None and not reader.pads:
        allowed = f"It was read as: {reader.kind}"
        raise InputError("padding= is for arrays of item ids, and this is none", allowed=allowed, do="Leave it out")
    return reader


def _reader_of(data: Any, readers: tuple[Reader, ...]) -> Reader | None:
    """A type of its own decides before what the data can do, a file's ending before its content."""
    if not isinstance(data, File):
        own = next((reader for reader in readers if type(data) in reader.types), None)
        return own or next((reader for reader in readers if not reader.endings and reader.takes(data)), None)
    of_files = [reader for reader in readers if reader.endings]
    named = (reader for reader in of_files if data.ending in reader.endings)
    return next(named, None) or next((reader for reader in of_files if reader.takes(data)), None)


def _unknown(given: Any, readers: tuple[Reader, ...]) -> InputError:
    if isinstance(given, File):
        files = "; ".join(reader.kind for reader in readers if reader.endings)
        return InputError("unknown kind of file", where=str(given), allowed=f"These can be read: {files}")
    kinds = "; ".join(reader.kind for reader in readers)
    return InputError(f"data of type {type(given).__name__} cannot be read", allowed=f"These can be read: {kinds}")


def _no_columns(reader: Reader, spec: ColumnSpec) -> InputError:
    given = {**spec.named, **dict.fromkeys(sorted(spec.absent), NONE)}
    named = ", ".join(f"'{name}' for the {role}" for role, name in given.items())
    return InputError(
        f"columns were named ({named}), and this data has no named columns",
        allowed=f"It was read as: {reader.kind}",
        do=f"Leave {' and '.join(f'{role}=' for role in given)} out",
        shell=f"Leave {' and '.join(f'--column {role}=…' for role in given)} out",
    )
