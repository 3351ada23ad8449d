"""CSV and TSV files of which each row has all items of a user: submissions to contests, and tables of recommendations.

The items are in one field with blanks between them (Kaggle: `customer_id,prediction`), in a column for each rank
(`user_id,rec_1,rec_2`), or follow the user (the Million Playlist Dataset: a first line that begins with `team_info`).
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from rankconv.basics.errors import InputError
from rankconv.data.inputs.delimited import delimited_batches, records, separator_of
from rankconv.data.inputs.files import File
from rankconv.data.inputs.input_rows import FILE_READERS, ColumnSpec, InputReader
from rankconv.data.inputs.json_files import record_batches
from rankconv.data.inputs.record_shapes import names_list
from rankconv.data.inputs.row_batches import Record, RowBatches, in_memory
from rankconv.data.inputs.unnamed_columns import of_places
from rankconv.data.inputs.usual_names import GRADES_AND_SCORES, has_usual_name, is_usual, rank_columns
from rankconv.data.inputs.values import is_written_list

_TEAM = b"team_info"
_LOOKED_AT = 1000
"""Rows that tell whether a column has lists."""


class RowList(NamedTuple):
    """A way to write all items of a user into one row."""

    name: str
    example: str
    """A file of `examples/files`."""
    find: Callable[[Sequence[str], Sequence[Sequence[str]]], Sequence[str]]
    """The columns of items, from the names of all columns and the first rows; none where it is not this way."""


def _with_blanks(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Sequence[str]:
    """The column of lists, under a name of a list: there are several items in some of its fields."""
    named = [name for name in names if names_list(name) or name == "prediction"]
    lists = [
        name
        for name in named
        if _are_written(names, rows, name) or any(len(one) > 1 for one in _lists(names, rows, name))
    ]
    return lists if len(lists) == 1 else ()


def _lists(names: Sequence[str], rows: Sequence[Sequence[str]], name: str) -> list[list[str]]:
    """The items in each field of a column."""
    fields = _fields(names, rows, name)
    between = between_items(fields)
    return [items(field, between) for field in fields]


def _are_written(names: Sequence[str], rows: Sequence[Sequence[str]], name: str) -> bool:
    """Whether every field of a column is a list as Python and pandas write it, which may be of one item."""
    fields = _fields(names, rows, name)
    return bool(fields) and all(is_written_list(field.strip()) for field in fields)


def _fields(names: Sequence[str], rows: Sequence[Sequence[str]], name: str) -> list[str]:
    """The fields of a column, of the rows that have it."""
    at = names.index(name)
    return [row[at] for row in rows if at < len(row)]


def between_items(fields: Sequence[str]) -> str | None:
    """Return the sign between the items of these fields: of `,`, `;` and `|` one without which no blank is; else None.

    >>> between_items(["a, b", "c"]), between_items(["a b", "c,d"])
    (',', None)
    """
    for sign in ",;|":
        without = [" " in field.replace(f"{sign} ", sign).strip() for field in fields]
        if any(sign in field for field in fields) and not any(without):
            return sign
    return None


def items(field: str, between: str | None = None) -> list[str]:
    """Return the items of a field: between blanks, or another sign, or as Python and pandas write a list."""
    text = field.strip()
    if text.startswith("[") and text.endswith("]"):
        try:
            found = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return text[1:-1].split()
        return [str(one) for one in found]
    return [one.strip() for one in text.split(between) if one.strip()]


_LIKE_ID = re.compile(r"[\w.:/-]*[\d_][\w.:/-]*")
_LEAST_SHARE = 0.75
"""So many of the words of a column are ids, if there are several ids in a field, and not the words of a title."""


_MOST_COLUMNS = 20
"""A table of more columns is not looked through for one that has the ids."""


def _holds_ids(names: Sequence[str], rows: Sequence[Sequence[str]], user: str, name: str) -> bool:
    """Whether a column has several ids in most fields, and each user one row, without grades, scores and ranks."""
    lists, users = [one for one in _lists(names, rows, name) if one], _lists(names, rows, user)
    words = [word for one in lists for word in one]
    several, written = sum(len(one) > 1 for one in lists), _are_written(names, rows, name)
    if not words or (2 * several < len(lists) and not written) or len({*map(tuple, users)}) < len(users):
        return False
    are_ids = written or sum(map(bool, map(_LIKE_ID.fullmatch, words))) >= _LEAST_SHARE * len(words)
    return are_ids and not has_usual_name(GRADES_AND_SCORES, *({*names} - {user, name}))


ROW_LISTS = (
    RowList("the items of a user in one field, with blanks between them", "hm_submission.csv", _with_blanks),
    RowList("a column for each rank", "recommendations.csv", lambda names, rows: rank_columns(names)),
)
"""The ways, each with a usual name of the user in the first line."""


def takes_row_lists(file: File) -> bool:
    """Whether the first line names a user and no item, and a column, or several, have lists; or a column has ids."""
    if file.first_line.lower().startswith(_TEAM):
        return True
    names, rows = _first_rows(file)
    few = names if len(names) <= _MOST_COLUMNS else []
    pairs = ((user, name) for user in few for name in few if user != name)
    return bool(_usual_lists(names, rows)) or any(_holds_ids(names, rows, *pair) for pair in pairs)


def _first_rows(file: File) -> tuple[list[str], list[list[str]]]:
    """The names of the columns, and the first rows; none where they are not a table, which the reader of CSV says."""
    header = file.first_line.decode("utf-8", "replace").strip()
    if not any(one in header for one in ",;\t") or header.startswith(("{", "[")):
        return [], []
    try:
        rows = [fields for _, _, fields in islice(records(file, separator_of(file)), _LOOKED_AT + 1)]
    except InputError:
        return [], []
    return rows[0], [row for row in rows[1:] if row]


def _usual_lists(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Sequence[str]:
    """The columns of items under usual names of lists; none where the first line names no user, or an item."""
    if not has_usual_name(["user"], *names) or has_usual_name(["item"], *names):
        return ()
    return next(filter(None, (way.find(names, rows) for way in ROW_LISTS)), ())


def _lists_named(names: Sequence[str], rows: Sequence[Sequence[str]], named: Mapping[str, str]) -> Sequence[str]:
    """The column of items, named by the caller or by a usual name of items, where its fields have several ids."""
    user, item = (
        named.get(role) or next((name for name in names if is_usual(role, name)), "") for role in ("user", "item")
    )
    return (item,) if {user, item} <= {*names} and user != item and _holds_ids(names, rows, user, item) else ()


def row_list_batches(file: File, spec: ColumnSpec) -> RowBatches:
    """Read the rows of each user from one row."""
    if file.first_line.lower().startswith(_TEAM):
        return _rows(file, _of_playlists(file), spec, ("playlist", "track"))
    names, rows = _first_rows(file)
    named = of_places(names, spec).caller_columns
    if not all(isinstance(one, str) for one in named.values()):
        return delimited_batches(file, spec)
    found, assumed = _usual_lists(names, rows), ""
    if not found or named.get("item", found[0]) not in found:
        found = _lists_named(names, rows, named)
        assumed = SEVERAL_IDS.format(*found) if found else ""
    user = named.get("user") or next((name for name in names if is_usual("user", name)), "")
    if not found or user not in names:
        return delimited_batches(file, spec)
    called = (user, found[0] if len(found) == 1 else f"{found[0]} to {found[-1]}")
    between = between_items(_fields(names, rows, found[0]))
    return _rows(file, _of_table(file, names, user, found, called, between), spec, called, assumed)


SEVERAL_IDS = "a field of '{}' has several ids"


def _rows(
    file: File, lists: Iterator[tuple[int, Record]], spec: ColumnSpec, called: tuple[str, str], assumed: str = ""
) -> RowBatches:
    columns = dict.fromkeys(spec.columns) | dict(zip(("user", "item"), called, strict=True))
    wanted = ColumnSpec(spec.what, columns)
    return record_batches(
        _once(lists, called[0], file), wanted, str(file), lambda line: f"{file}, line {line}", assumed
    )


def _once(lists: Iterator[tuple[int, Record]], user: str, file: File) -> Iterator[tuple[int, Record]]:
    known = set[str]()
    for line, record in lists:
        if record[user] in known:
            where = f"{file}, line {line}"
            raise InputError(f"user '{record[user]}' is there twice", where=where, do="Keep one of the two rows")
        known.add(record[user])
        yield line, record


def _of_table(
    file: File,
    names: Sequence[str],
    user: str,
    columns: Sequence[str],
    called: tuple[str, str],
    between: str | None,
) -> Iterator[tuple[int, Record]]:
    places, at = [names.index(name) for name in columns], names.index(user)
    rows = records(file, separator_of(file))
    next(rows)
    for begun, _, fields in rows:
        if not any(fields):
            continue
        where = f"{file}, line {begun.line}"
        if len(fields) <= at or not fields[at]:
            raise InputError("there is no user id", where=where, do="Give the row an id, or leave it out")
        texts = [fields[place] for place in places if place < len(fields)]
        listed = items(texts[0] if texts else "", between) if len(places) == 1 else [text for text in texts if text]
        yield begun.line, dict(zip(called, (fields[at], listed), strict=True))


def _of_playlists(file: File) -> Iterator[tuple[int, Record]]:
    """The tracks of each playlist, after its id; lines that begin with # are comments."""
    rows = records(file, ",")
    next(rows)
    for begun, _, fields in rows:
        listed = [text.strip() for text in fields]
        if any(listed) and not listed[0].startswith("#"):
            yield begun.line, {"playlist": listed[0], "track": [text for text in listed[1:] if text]}


FILE_READERS.put(
    "row-lists",
    InputReader(
        "CSV and TSV files with all items of a user in a row (Kaggle, the Million Playlist Dataset)",
        takes_row_lists,
        in_memory(row_list_batches),
        endings=(".csv", ".tsv"),
        has_columns=True,
        row_batches=row_list_batches,
    ),
    after="quepid",
)
