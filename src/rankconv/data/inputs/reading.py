"""The entry points that read labels, runs and several runs: the first reader that takes the data reads it.

Plugins may add formats.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from rankconv.basics.errors import ConventionError, InputError, RankconvError
from rankconv.basics.plugins import place_of
from rankconv.data.array_libraries import ScoreMatrix, dtype_of
from rankconv.data.arrays import take_ownership
from rankconv.data.ids import Ids, plain_id, quoted
from rankconv.data.inputs.array_input import ARRAYS, NO_ITEM, PAIRS, SPARSE, as_matrix
from rankconv.data.inputs.columns import no_columns, with_first_parts
from rankconv.data.inputs.frame_shapes import is_frame
from rankconv.data.inputs.input_rows import (
    FILE_READERS,
    NONE,
    ColumnName,
    ColumnSpec,
    InputReader,
    RawRows,
    as_labels,
    as_rankings,
)
from rankconv.data.inputs.python import PYTHON
from rankconv.data.inputs.python_records import RECORDS
from rankconv.data.inputs.values import coded
from rankconv.data.labels_and_rankings import Labels, Run, Runs

if TYPE_CHECKING:
    from rankconv.data.inputs.files import File


@cache
def readers_of_objects() -> tuple[InputReader, ...]:
    """The readers of objects, in the order in which they are tried: the last takes whatever can be iterated."""
    from rankconv.data.inputs.frames import FRAMES

    return FRAMES, SPARSE, PAIRS, ARRAYS, RECORDS, PYTHON


@cache
def readers_of_files() -> tuple[InputReader, ...]:
    """The readers of files, in the order in which they are tried; their modules are loaded with the first file."""
    for module in iter_modules([str(Path(__file__).parent)], "rankconv.data.inputs."):
        import_module(module.name)
    return tuple(FILE_READERS.values())


_LETOR = re.compile(rb"\s*\S+\s+qid:\S")
FORMATS: dict[str, InputReader] = {}
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
        others = [*readers_of_files(), *(reader for name, reader in FORMATS.items() if name != kind)]
        for reader in reversed(others):  # the last that takes an ending is the usual one
            for ending in {*reader.endings} & {*endings}:
                raise ConventionError(f"files ending in {ending} are read already, as: {reader.kind}")
        if not (endings or types):
            raise ConventionError(f"nothing says which data are '{kind}'", do="Give endings of files, or types.")

        def read(data: Any, spec: ColumnSpec) -> RawRows:
            return _converted(function, kind, data, spec)

        read.__module__ = module
        FORMATS[kind] = InputReader(kind, lambda data: False, read, types, endings, has_columns=True, is_text=text)
        return function

    return register


def _converted(function: Callable[[Any, str], Any], kind: str, data: Any, spec: ColumnSpec) -> RawRows:
    """The rows of what a plugin's function makes of a file or an object."""
    from rankconv.data.inputs.files import File

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
        rows = _object_reader(made, spec, ()).read(made, spec)
    except RankconvError as error:
        raise error.at(where) from None
    return replace(rows, source=data.name if isinstance(data, File) else kind)


def rows_from(data: Any, spec: ColumnSpec) -> RawRows:
    """The rows of this data, read by the first reader that takes it."""
    formats = FORMATS.values()
    if not isinstance(data, str | os.PathLike) or any(type(data) in reader.types for reader in formats):
        return _object_reader(data, spec, formats).read(data, spec)
    from rankconv.data.inputs.files import as_file

    with as_file(os.fspath(data)) as file:
        rows = reader_of(file, spec).read(file, spec)
        rows = replace(rows, form=replace(rows.form, path=os.fspath(data)))
    if not len(rows.users):
        raise InputError("there is no row in it", where=str(file))
    return rows


def score_matrix(data: Any) -> ScoreMatrix | None:
    """Return the matrix of scores that this is, where its library keeps it; None for all other data."""
    matrix = _as_matrix(data)
    return matrix if matrix is not None and matrix.size and "float" in dtype_of(matrix.array) else None


def are_score_matrices(data: Any) -> bool:
    """Whether these are matrices of scores of one shape by their names, and no pairs (item, score) by user."""
    if not isinstance(data, Mapping) or not data:
        return False
    first = score_matrix(next(iter(data.values())))
    if first is None or first.shape[1] <= PAIR or not all(isinstance(name, str) for name in data):
        return False
    return all(one is not None and one.shape == first.shape for one in map(score_matrix, data.values()))


def grade_matrix(data: Any, shape: tuple[int, int]) -> ScoreMatrix | None:
    """Return the matrix of grades, of the shape of the scores, that this is; None for all other data."""
    matrix = _as_matrix(data)
    if matrix is None or matrix.shape != shape or not dtype_of(matrix.array):
        return None
    ids = "int" in dtype_of(matrix.array) and bool(matrix.library.count(matrix.array == NO_ITEM).any())
    return None if ids else matrix


def _as_matrix(data: Any) -> ScoreMatrix | None:
    """An array of shape (users, columns), if data are read as one, and not as a table, which may be one too."""
    if _taking(data, FORMATS.values()) is not ARRAYS or len(data.shape) != 2:
        return None
    return as_matrix(data)


def reader_of(file: "File", spec: ColumnSpec) -> InputReader:
    """The reader that takes this file; an InputError where none does, or where it has not what is wanted.

    Its ending decides before its content, unless the content is certain. Several readers may share an ending: the first
    of them that takes the content reads it, else the last.
    """
    from rankconv.data.inputs.files import refuse_nul, refuse_wide

    of_files = [reader for reader in (*FORMATS.values(), *readers_of_files()) if reader.endings]
    certain = next((reader for reader in of_files if reader.certain(file)), None)
    named = [reader for reader in of_files if file.ending in reader.endings] if certain is None else [certain]
    taking = next((reader for reader in named or of_files if len(named) == 1 or reader.takes(file)), None)
    reader = taking or (named[-1] if named else None)
    if reader is None or reader.is_text:
        refuse_wide(file)
        _refuse_letor(file)
        if reader is None or reader.row_batches is None:
            refuse_nul(file)
    if reader is None:
        raise _unknown_file(file, of_files)
    return _fitting(reader, spec)


def _refuse_letor(file: "File") -> None:
    if _LETOR.match(file.first_line):
        do = "Read it with scikit-learn: _, y, qid = load_svmlight_file(path, query_id=True), and pass "
        do += "rc.grouped(y, scores, query_id=qid)"
        shell = "Write labels and scores as CSV: query, item, grade; query, item, score"
        raise InputError("this is a LETOR file: labels and features", where=str(file), do=do, shell=shell)


def _unknown_file(file: "File", readers: Iterable[InputReader]) -> InputError:
    line, fields = file.first_line.decode(errors="replace").strip(), len(file.first_line.split(None, 9))
    wrong = f"unknown kind of file: its first line is '{line:.60}'"
    wrong += f", {fields} fields between blanks" if fields < 10 else ""
    allowed = f"These can be read: {'; '.join(reader.kind for reader in readers)}"
    return InputError(wrong, where=str(file), allowed=allowed)


def _object_reader(data: Any, spec: ColumnSpec, formats: Iterable[InputReader]) -> InputReader:
    """The reader that takes this object; an InputError where none does, or where it has not what is wanted."""
    reader = _taking(data, formats)
    if reader is None:
        kinds = "; ".join(one.kind for one in (*formats, *readers_of_files(), *readers_of_objects()))
        wrong = f"data of type {type(data).__name__} cannot be read"
        raise InputError(wrong, allowed=f"These can be read: {kinds}")
    return _fitting(reader, spec)


def _taking(data: Any, formats: Iterable[InputReader]) -> InputReader | None:
    """The reader of an object: a type of its own decides before what the data can do."""
    own = next((reader for reader in (*formats, SPARSE, ARRAYS, PYTHON) if type(data) in reader.types), None)
    own = None if own is PYTHON and (PAIRS.takes(data) or RECORDS.takes(data)) else own
    every = (*formats, *(() if own else readers_of_objects()))
    return own or next((reader for reader in every if not reader.endings and reader.takes(data)), None)


def _fitting(reader: InputReader, spec: ColumnSpec) -> InputReader:
    """The reader, where it has the columns and the padding that the caller named, else an InputError."""
    named = with_first_parts(spec).caller_columns
    if not (reader.has_columns or named.keys() | spec.absent <= {*reader.fields}):
        raise no_columns({**named, **dict.fromkeys(sorted(spec.absent), NONE)}, f"It was read as: {reader.kind}")
    if spec.padding is not None and not reader.pads:
        allowed = f"It was read as: {reader.kind}"
        raise InputError("padding= is for arrays of item ids, and this is none", allowed=allowed, do="Leave it out")
    return reader


# entry points

LabelsOrRun = TypeVar("LabelsOrRun", Labels, Run)
PAIR = 2
"""Numbers of an item and its score."""
FEW = 20
"""A dict of more entries holds users, and not runs."""


def labels(
    data: Any,
    *,
    user: ColumnName = None,
    item: ColumnName = None,
    grade: str | None = None,
    group: str | None = None,
    padding: int | None = None,
    user_ids: Sequence[Any] | None = None,
    item_ids: Sequence[Any] | None = None,
) -> Labels:
    """Read labels, as `rc.Labels` does: the relevant items of each user, and their grades."""
    if isinstance(data, Labels):
        return data
    _refuse(data, "labels", "Give the judged items and their grades")
    names = {"user": user, "item": item, "grade": grade, "group": group}
    return _with_ids(as_labels(rows_from(data, ColumnSpec("labels", names, padding))), user_ids, item_ids)


def rankings(
    data: Any,
    *,
    user: ColumnName = None,
    item: ColumnName = None,
    score: str | None = None,
    rank: str | None = None,
    call: str | None = None,
    padding: int | None = None,
    user_ids: Sequence[Any] | None = None,
    item_ids: Sequence[Any] | None = None,
) -> Run:
    """Read a run, as `rc.Run` does: the ranking of each user."""
    if isinstance(data, Run):
        return data
    _refuse(data, "rankings", "Give the items returned to each user, best first")
    if are_runs(data):
        raise _several_runs([*data])
    names = {"user": user, "item": item, "score": score, "rank": rank, "call": call}
    return _with_ids(as_rankings(rows_from(data, ColumnSpec("rankings", names, padding))), user_ids, item_ids)


def _several_runs(names: Sequence[str]) -> InputError:
    some = ", ".join(map(repr, names[:3])) + (", …" if len(names) > 3 else "")
    do = f"Pass one of them, run[{names[0]!r}], or compare them: rc.compare(labels, runs, metrics)"
    return InputError(f"this is a dict of runs ({some}), and one run is expected", where="a dict", do=do)


def interactions(data: Any, *, user: ColumnName = None, item: ColumnName = None) -> Labels:
    """Read which items each user had, whatever their grades: a table needs no column for these."""
    return (
        data
        if isinstance(data, Labels)
        else as_labels(rows_from(data, ColumnSpec("labels", {"user": user, "item": item})))
    )


def _refuse(data: Any, wanted: str, do: str) -> None:
    """An InputError where labels are given as rankings, or rankings as labels, or several runs as either."""
    kinds = {Labels: "labels", Run: "rankings", Runs: "several runs"}
    for said in (said for kind, said in kinds.items() if isinstance(data, kind)):
        raise InputError(f"these are {said}, and {wanted} are wanted here", do=do)


# several runs


def are_runs(data: Any) -> bool:
    """Whether this is a dict of which every value is a whole run, and every key a text that names it."""
    whole = isinstance(data, Mapping) and all(map(is_run, data.values()))
    filled = whole and any(not isinstance(one, Mapping) or one for one in data.values())
    return filled and all(isinstance(name, str) for name in data)


def is_run(given: Any) -> bool:
    """Whether this is a whole run: a frame, an array of more than one dimension, a path, a mapping of lists."""
    if isinstance(given, Run | os.PathLike) or (isinstance(given, str) and os.path.exists(given)):
        return True
    if isinstance(given, Mapping):
        kinds = set(map(type, given.values()))
        return all(issubclass(kind, list | tuple | Mapping | np.ndarray) for kind in kinds)
    if is_frame(given):
        return not type(given).__name__.endswith(("Series", "Array"))  # one column may be the items of a user
    shape = getattr(given, "shape", ())
    return isinstance(shape, tuple) and len(shape) > 1


# users without ids


def numbered_from(read: LabelsOrRun, first: int) -> LabelsOrRun:
    """The data with users numbered from there on."""
    again: LabelsOrRun = read.replace(users=Ids(np.arange(first, first + len(read.users)), "integer"))
    return again


def called(read: LabelsOrRun, users: Sequence[Any], where: str = "users=") -> LabelsOrRun:
    """The data with its users called by these ids."""
    if len(users) != len(read.users):
        raise InputError(
            f"{len(users)} users were named, and there are {len(read.users)} rows",
            where=read.source,
            do="Name one user for each row.",
        )
    ids = _distinct(list(users), "user", where)
    form = replace(read.form, users_named=True, in_order=frozenset({"user"} if _are_places(ids) else ()))
    named: LabelsOrRun = read.replace(users=ids, form=form)
    return named


def _are_places(ids: Ids) -> bool:
    """Whether these are consecutive numbers, as places are."""
    return ids.kind == "integer" and bool((np.diff(ids.values) == 1).all())


def _distinct(given: list[Any], role: str, source: str) -> Ids:
    """These ids, each of which is there once."""
    ids, codes = coded(given, role, lambda place: f"{source}, place {place}")
    if len(ids) < len(given):
        repeated = int(np.argmax(np.diff(codes, prepend=-1) != 1))
        raise InputError(f"{role} {quoted(plain_id(given[repeated]))} was named twice", do=f"Name each {role} once.")
    return ids


def _with_ids(read: LabelsOrRun, user_ids: Sequence[Any] | None, item_ids: Sequence[Any] | None) -> LabelsOrRun:
    """The rows of an array, a matrix or lists in turn with users and items called by these ids, by their numbers."""
    if user_ids is None and item_ids is None:
        return read
    if not read.form.users_placed:
        do = "Leave them out: these data name users and items."
        raise InputError("user_ids= and item_ids= name the rows and columns of arrays", where=read.source, do=do)
    named = read if user_ids is None else called(read, list(user_ids), "user_ids=")
    if item_ids is None:
        return named
    ids, of_matrix = list(item_ids), read.form.items_placed
    columns, numbers = read.form.shape[1], read.items.values
    if read.item_kind == "text":
        do = "Leave item_ids= out: these lists name items."
        raise InputError("item_ids= gives the ids of item numbers", where=read.source, do=do)
    if of_matrix and len(ids) != columns:
        wrong = f"{len(ids)} items were named, and there are {columns} columns"
        raise InputError(wrong, where=read.source, do="Name one item for each column.")
    if not of_matrix and len(ids) == columns:
        wrong = f"whole numbers in {columns} columns may be a number for each of the {columns} items, or item numbers"
        raise InputError(
            wrong, where=read.source, do="Pass numpy.asarray(array, float) for the former, lists for the latter."
        )
    if not of_matrix and len(numbers) and not 0 <= int(numbers.min()) <= int(numbers.max()) < len(ids):
        wrong = f"the array holds item {int(numbers.max())}, and {len(ids)} items were named"
        raise InputError(wrong, where=read.source)
    every = _distinct(ids, "item", "item_ids=")
    in_order = named.form.in_order | frozenset[Literal["user", "item"]](("item",) if _are_places(every) else ())
    items = Ids(take_ownership(every.values[numbers]), every.kind if len(numbers) else "none")
    form = replace(named.form, items_named=True, in_order=in_order)
    with_items: LabelsOrRun = named.replace(items=items, form=form)
    return with_items


Labels.read_with(labels)
Run.read_with(rankings)
