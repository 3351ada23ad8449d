"""The rows of a text file, some at a time: put together in memory, or let go one after the other in a stream."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes
from rankconv.data.coded import coded_integers
from rankconv.data.coded_texts import coded_texts
from rankconv.data.form import Form
from rankconv.data.ids import Ids
from rankconv.data.uncoded import Texts
from rankconv.errors import InputError
from rankconv.inputs import numbers
from rankconv.inputs.coding import integers, owners
from rankconv.inputs.file import File
from rankconv.inputs.numbers import Parsed
from rankconv.inputs.reader import Floats, Place, RankSource, Rows, Wanted
from rankconv.inputs.times import from_text

if TYPE_CHECKING:
    import polars as pl

ROWS = 1 << 16
"""So many rows that were taken one by one make a piece: Python's texts take ten times the room of the file."""
_IDS = ("user", "item", "group")


@dataclass(frozen=True, eq=False)
class Piece:
    """Rows of a file that stand one after the other, of which each was found right."""

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
    """What a TREC run calls itself."""
    rank_source: RankSource = RankSource.COLUMN


def in_memory(pieces: Callable[[File, Wanted], Pieces]) -> Callable[[File, Wanted], Rows]:
    """What reads all rows of such a file together."""
    return lambda file, wanted: rows_of(pieces(file, wanted), file)


def is_id(role: str) -> bool:
    """Whether this is an id, or a part of one."""
    return role.partition(".")[0] in _IDS


def piece_of(
    columns: Mapping[str, Any], read: Callable[[Any, str, Place], Any], place: Place, of_number: Place | None = None
) -> Piece:
    """The rows of the column of each role, as `read` takes them; an InputError for the first row that is wrong.

    `place` says where a row stands, `of_number` where its number does, if that is told otherwise.
    """
    places = {role: place if is_id(role) else of_number or place for role in columns}
    tried = {role: _tried(read, column, role, places[role]) for role, column in columns.items()}
    wrong = [one for one in tried.values() if isinstance(one, _Wrong)]
    if wrong:
        raise min(wrong, key=lambda one: one.row).error
    ids = {role: one for role, one in tried.items() if is_id(role)}
    return Piece(ids, {role: one for role, one in tried.items() if isinstance(one, Parsed)}, tried.get("time"))


@dataclass(frozen=True)
class _Wrong:
    """The first wrong row of a column."""

    row: int
    error: InputError


def _tried(read: Callable[[Any, str, Place], Any], column: Any, role: str, place: Place) -> Any:
    """What is read, or what is wrong with it."""
    try:
        return read(column, role, place)
    except InputError:
        return _Wrong(*first_wrong(lambda rows: read(column[rows], role, shifted(place, rows.start)), len(column)))


def shifted(place: Place, rows: int) -> Place:
    """Where a row stands, counted from so many rows on."""
    return lambda row: place(rows + row)


def first_wrong(read: Callable[[slice], Any], rows: int) -> tuple[int, InputError]:
    """The first row up to which rows cannot be read, and what is wrong with it; all of them cannot."""
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
    """The rows that these texts say; ids stay text, so that 007 stays 007, and numbers may have been parsed before."""
    return piece_of(texts, _read_text, place)


def _read_text(texts: "pl.Series", role: str, place: Place) -> Any:
    if role == "time":
        return from_text(texts, place)
    if not is_id(role):
        return numbers.of_texts(texts, role, place)
    for row in (texts.is_null() | (texts == "")).arg_true().head(1):
        raise InputError(f"there is no {role} id", where=place(row), do="Give the row an id, or leave it out")
    return texts


def gathered(rows: Iterable[tuple[int, Sequence[str]]], roles: Sequence[str], file: File) -> Iterator[Piece]:
    """Pieces of rows that come one by one, each with its line: a text for each role.

    Where they end in an InputError, one of a row before it is told in its place.
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


def rows_of(pieces: Pieces, file: File) -> Rows:
    """All rows of a file together."""
    each = list(pieces.each)
    about: dict[str, Any] = {"columns": pieces.columns, "form": pieces.form, "tag": pieces.tag}
    about["rank_source"] = pieces.rank_source
    if not each:
        nobody, no_row = coded_integers(np.empty(0, np.int64))
        return Rows(file.name, nobody, no_row, nobody, no_row, **about)
    ids = {role: _together([piece.ids[role] for piece in each]) for role in each[0].ids}
    users, user, starts = _users(each, ids["user"])
    found = {role: numbers.together([piece.numbers[role] for piece in each]) for role in each[0].numbers}
    rank = found.pop("rank", None)
    if "group" in ids:
        about["groups"], about["group"] = _coded(ids["group"])
    times = [piece.time for piece in each if piece.time is not None]
    about |= {"time": np.concatenate(times) if times else None, "starts": starts}
    items, item = _items(ids["item"])
    return Rows(file.name, users, user, items, item, next(iter(found.values()), None), rank, **about)


def _users(each: "Sequence[Piece]", rows: "pl.Series") -> tuple[Ids, Codes | None, Codes | None]:
    """All users by first appearance, and the code of each row's, shape (rows,), or where those of each begin."""
    named = [piece.owners["user"] for piece in each if piece.owners]
    if not named:
        return owners(_plain(rows), lambda _: "")
    ids, codes = _coded(_together([*named, rows]))
    return ids, codes[len(codes) - len(rows) :], None


def _items(ids: "pl.Series") -> tuple[Ids | None, Codes | Texts]:
    """No codes but the ids themselves, shape (rows,), where there are any."""
    plain = _plain(ids)
    known = integers(plain) if isinstance(plain, np.ndarray) else Texts(plain) if len(plain) else None
    return _coded(ids) if known is None else (None, known)


def _together(ids: "Sequence[pl.Series]") -> "pl.Series":
    import polars as pl

    return pl.concat([one for one in ids if len(one)] or ids[:1], rechunk=True)


def _plain(ids: "pl.Series") -> "NDArray[np.int64] | pl.Series":
    """Texts as they are, integers as an array, shape (rows,)."""
    return ids.to_numpy() if ids.dtype.is_integer() else ids


def _coded(ids: "pl.Series") -> tuple[Ids, Codes]:
    """The distinct ids by first appearance, and the code of each row, shape (rows,)."""
    plain = _plain(ids)
    return coded_integers(plain) if isinstance(plain, np.ndarray) else coded_texts(plain)
