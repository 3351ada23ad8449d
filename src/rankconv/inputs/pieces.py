"""Files that are read piece by piece, each piece with rows that were found right."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.data.attributes import Form
from rankconv.data.ids import coded_integers
from rankconv.errors import InputError
from rankconv.inputs.columns import without_parts
from rankconv.inputs.files import File
from rankconv.inputs.rows import Column, ColumnSpec, Floats, Place, RankSource, RawRows, base, is_id
from rankconv.inputs.values import (
    Given,
    coded,
    numbers_from_texts,
    owners,
    raw_or_coded,
    times_from_texts,
)

if TYPE_CHECKING:
    import polars as pl


ROWS = 1 << 16
"""Rows read one by one that make a piece: Python's texts take ten times the room of the file."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Adjacent rows of a file, each of which was found right."""

    ids: Mapping[str, Given]
    """Texts or integers, none missing, by role; of ids with several parts one for each: `user.1` and so on."""
    numbers: Mapping[str, Column] = field(default_factory=dict)
    """Grades, scores and ranks, by role."""
    time: Floats | None = None
    owners: Mapping[str, Given] = field(default_factory=dict)
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
    return lambda file, spec: rows_of(pieces(file, spec), file.name)


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
    return Piece(ids, {role: one for role, one in tried.items() if isinstance(one, Column)}, tried.get("time"))


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
        raise InputError(f"there is no {base(role)} id", where=place(row), do="Give the row an id, or leave it out")
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


def rows_of(pieces: Pieces, source: str) -> RawRows:
    """Return all rows together; `source` is what they are from."""
    each = list(pieces.each)
    about: dict[str, Any] = {"columns": without_parts(pieces.columns), "form": pieces.form, "tag": pieces.tag}
    about["rank_source"] = pieces.rank_source
    if not each:
        nobody, no_row = coded_integers(np.empty(0, np.int64))
        return RawRows(source, nobody, no_row, nobody, no_row, **about)

    def ids(what: str, of: Sequence[Mapping[str, Given]]) -> list[Given]:
        """The ids of each part; texts as they are, integers as an array, shape (rows,)."""
        return [_concatenated([one[role] for one in of]) for role in of[0] if base(role) == what]

    rows, named = [piece.ids for piece in each], [piece.owners for piece in each if piece.owners]
    users, user, starts = owners(ids("user", [*named, *rows]), lambda _: "")
    if named:  # users of records come before those of rows
        every = np.repeat(np.arange(len(users)), np.diff(starts)) if starts is not None else user
        assert every is not None
        user, starts = every[len(every) - sum(map(len, each)) :], None
    found = {role: Column.concatenated([piece.numbers[role] for piece in each]) for role in each[0].numbers}
    rank = found.pop("rank", None)
    if "group" in each[0].ids:
        about["groups"], about["group"] = coded(ids("group", rows)[0], "group", lambda _: "")
    times = [piece.time for piece in each if piece.time is not None]
    about |= {"time": np.concatenate(times) if times else None, "starts": starts}
    items, item = raw_or_coded(ids("item", rows), "item", lambda _: "")
    return RawRows(source, users, user, items, item, next(iter(found.values()), None), rank, **about)


def _concatenated(ids: Sequence[Given]) -> Given:
    import polars as pl

    if len(ids) > 1:
        columns = [pl.Series(one) for one in ids]
        ids = [pl.concat([one for one in columns if len(one)] or columns[:1], rechunk=True)]
    return ids[0].to_numpy() if isinstance(ids[0], pl.Series) and ids[0].dtype.is_integer() else ids[0]
