"""The rows of a file, some at a time: joined in memory, or released one after the other in a stream."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes
from rankconv.data.attributes import Form
from rankconv.data.ids import Ids
from rankconv.data.raw_ids import RawIds, coded_integers, coded_texts
from rankconv.errors import InputError
from rankconv.inputs.files import File
from rankconv.inputs.reader import ColumnSpec, Floats, Place, RankSource, RawRows
from rankconv.inputs.values import Parsed, joined_numbers, numbers_from_texts, owners, times_from_texts

if TYPE_CHECKING:
    import polars as pl

ROWS = 1 << 16
"""Rows read one by one that make a piece: Python's texts take ten times the room of the file."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Adjacent rows of a file, each of which was found right."""

    ids: Mapping[str, "pl.Series"]
    """Texts or integers, none missing, by role; of ids with several parts one for each: `user.1` and so on."""
    numbers: Mapping[str, Parsed] = field(default_factory=dict)
    """Grades, scores and ranks, by role."""
    time: Floats | None = None
    owners: Mapping[str, "pl.Series"] = field(default_factory=dict)
    """The users of records that may have no row, one for each record; empty where each row is a record."""

    def __len__(self) -> int:
        return len(next(iter(self.ids.values())))


@dataclass(eq=False)
class Pieces:
    """A file that is read piece by piece, and what is known of it as far as it was read."""

    each: Iterator[Piece]
    columns: Mapping[str, str] = field(default_factory=dict)
    """The names of the columns that are read, by role; of a table only."""
    form: Form = field(default=Form())
    tag: str = ""
    """The name that a TREC run gives itself."""
    rank_source: RankSource = RankSource.COLUMN


def in_memory(pieces: Callable[[File, ColumnSpec], Pieces]) -> Callable[[File, ColumnSpec], RawRows]:
    """Return the function that reads all rows of such a file together."""
    return lambda file, spec: rows_of(pieces(file, spec), file)


def is_id(role: str) -> bool:
    """Whether this is an id, or a part of one."""
    return role.partition(".")[0] in ("user", "item", "group")


def piece_of(
    columns: Mapping[str, Any], read: Callable[[Any, str, Place], Any], place: Place, of_number: Place | None = None
) -> Piece:
    """Return the rows of the column of each role, as `read` takes them; InputError for the first row that is wrong.

    `place` names a row, `of_number` the place of its number, if that is another.
    """
    tried, wrong = dict[str, Any](), list[tuple[int, InputError]]()
    for role, column in columns.items():
        at = place if is_id(role) else of_number or place
        try:
            tried[role] = read(column, role, at)
        except InputError:
            some = lambda rows, at=at, role=role, column=column: read(column[rows], role, shifted(at, rows.start))
            wrong.append(first_wrong(some, len(column)))
    if wrong:
        raise min(wrong, key=lambda one: one[0])[1]
    ids = {role: one for role, one in tried.items() if is_id(role)}
    return Piece(ids, {role: one for role, one in tried.items() if isinstance(one, Parsed)}, tried.get("time"))


def shifted(place: Place, rows: int) -> Place:
    """Return the place of a row, counted from this many rows on."""
    return lambda row: place(rows + row)


def first_wrong(read: Callable[[slice], Any], rows: int) -> tuple[int, InputError]:
    """Return the first row up to which rows cannot be read, and what is wrong with it; all of them cannot."""
    some = (slice(first, min(first + ROWS, rows)) for first in range(0, rows, ROWS))
    tried = next((one for one in some if _refused(read, one)), slice(0, rows))
    begin, good, bad = tried.start, tried.start, tried.stop
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (good, middle) if _refused(read, slice(begin, middle)) else (middle, bad)
    error = _refused(read, slice(begin, bad))
    assert error is not None
    return good, error


def _refused(read: Callable[[slice], Any], rows: slice) -> InputError | None:
    try:
        read(rows)
    except InputError as error:
        return error
    return None


def of_texts(texts: Mapping[str, "pl.Series"], place: Place) -> Piece:
    """Return the rows of these texts; ids stay text, so that 007 stays 007, and numbers may be parsed already."""
    return piece_of(texts, _read_text, place)


def _read_text(texts: "pl.Series", role: str, place: Place) -> Any:
    if role == "time":
        return times_from_texts(texts, place)
    if not is_id(role):
        return numbers_from_texts(texts, role, place)
    for row in (texts.is_null() | (texts == "")).arg_true().head(1):
        raise InputError(f"there is no {role} id", where=place(row), do="Give the row an id, or leave it out")
    return texts


def gathered(rows: Iterable[tuple[int, Sequence[str]]], roles: Sequence[str], file: File) -> Iterator[Piece]:
    """Give pieces of rows that come one by one, each with its line: a text for each role.

    Where they end in an InputError, one of a row before it is raised in its place.
    """
    lines, texts = array("q"), list[str]()

    def piece() -> Piece:
        import polars as pl

        columns = {role: pl.Series(texts[at :: len(roles)], dtype=pl.String) for at, role in enumerate(roles)}
        return of_texts(columns, lambda row: f"{file}, line {lines[row]}")

    try:
        for line, fields in rows:
            lines.append(line)
            texts += fields
            if len(lines) == ROWS:
                yield piece()
                lines, texts = array("q"), []
    except InputError:
        if lines:
            yield piece()
        raise
    if lines:
        yield piece()


def rows_of(pieces: Pieces, file: File) -> RawRows:
    """Return all rows of a file together."""
    each = list(pieces.each)
    about: dict[str, Any] = {"columns": pieces.columns, "form": pieces.form, "tag": pieces.tag}
    about["rank_source"] = pieces.rank_source
    if not each:
        nobody, no_row = coded_integers(np.empty(0, np.int64))
        return RawRows(file.name, nobody, no_row, nobody, no_row, **about)
    ids = {role: _concatenated([piece.ids[role] for piece in each]) for role in each[0].ids}
    named = [piece.owners["user"] for piece in each if piece.owners]
    if named:
        users, codes = _coded(_concatenated([*named, ids["user"]]))
        user: Codes | None = codes[len(codes) - len(ids["user"]) :]
        starts: Codes | None = None
    else:
        users, user, starts = owners(_plain(ids["user"]), lambda _: "")
    found = {role: joined_numbers([piece.numbers[role] for piece in each]) for role in each[0].numbers}
    rank = found.pop("rank", None)
    if "group" in ids:
        about["groups"], about["group"] = _coded(ids["group"])
    times = [piece.time for piece in each if piece.time is not None]
    about |= {"time": np.concatenate(times) if times else None, "starts": starts}
    items, item = uncoded(_plain(ids["item"]))
    return RawRows(file.name, users, user, items, item, next(iter(found.values()), None), rank, **about)


def uncoded(ids: "NDArray[Any] | pl.Series") -> tuple[Ids | None, Codes | RawIds]:
    """Return no codes but the ids themselves, integers of 64 bits or texts, shape (rows,), where there are any."""
    if not len(ids):
        return coded_integers(ids) if isinstance(ids, np.ndarray) else coded_texts(ids)
    return None, ids if isinstance(ids, np.ndarray) else RawIds(ids)


def _concatenated(ids: "Sequence[pl.Series]") -> "pl.Series":
    import polars as pl

    return pl.concat([one for one in ids if len(one)] or ids[:1], rechunk=True)


def _plain(ids: "pl.Series") -> "NDArray[np.int64] | pl.Series":
    """Texts as they are, integers as an array, shape (rows,)."""
    return ids.to_numpy() if ids.dtype.is_integer() else ids


def _coded(ids: "pl.Series") -> tuple[Ids, Codes]:
    """The distinct ids by first appearance, and the code of each row, shape (rows,)."""
    plain = _plain(ids)
    return coded_integers(plain) if isinstance(plain, np.ndarray) else coded_texts(plain)
