"""Records, each an object with the columns of a row, or with lists of all rows of a user."""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from rankconv.errors import InputError
from rankconv.inputs.columns import (
    LOOKED_AT,
    are_numbers,
    columns_of_parts,
    form_of,
    may_be_wanted,
    refuse_unread,
    with_first_parts,
    without_gaps,
)
from rankconv.inputs.pieces import ROWS, Piece, Pieces, piece_of, times_from_objects
from rankconv.inputs.rows import ColumnSpec, Place, base, is_id
from rankconv.inputs.values import ids_like, numbers_from_objects

Record = dict[str, Any]


class PiecesOfRecords(Pieces):
    """Rows of records that come one by one, each with its number; `place` names the record of a number.

    Where the item of the first record is a list, each is all that a user has, and its numbers are lists too.
    """

    def __init__(self, records: Iterable[tuple[int, Record]], spec: ColumnSpec, source: str, place: Place) -> None:
        super().__init__(self._pieces(records))
        self._spec, self._source, self._place = spec, source, place
        self._keys: dict[str, None] = {}
        self._first, self._with_lists = -1, False
        self._unread: dict[str, list[Any]] = {}
        """The first values of each other column, where no column has numbers."""
        self._like: dict[str, Any] = {}
        """The first id of each role: all others are of its type."""
        self._numbers, self._values = array("q"), dict[str, list[Any]]()
        self._users, self._lines = dict[str, list[Any]](), array("q")
        """The user of each record, where items are lists, which may be empty."""

    def _pieces(self, records: Iterable[tuple[int, Record]]) -> Iterator[Piece]:
        """Give the rows so far, whenever they are many; where a record is wrong, those before it come first."""
        try:
            for number, record in records:
                self._add(number, record)
                if len(self._numbers) + len(self._lines) >= ROWS and self._numbers:
                    yield self._piece()
        except InputError:
            if self._numbers or self._lines:
                yield self._piece()
            raise
        if self._numbers or self._lines:
            yield self._piece()
        holds_numbers = lambda name: are_numbers(self._unread.get(name, ()))
        refuse_unread([*self._keys], self.columns, with_first_parts(self._spec), self._source, holds_numbers)

    def _piece(self) -> Piece:
        lines, values, records, users = self._numbers, self._values, self._lines, self._users
        self._numbers, self._values, self._lines, self._users = array("q"), {}, array("q"), {}
        owners = piece_of(users, self._read, lambda row: self._place(records[row])).ids
        return replace(piece_of(values, self._read, lambda row: self._place(lines[row])), owners=owners)

    def _add(self, number: int, record: Record) -> None:
        if not (self.columns and record.keys() <= self._keys.keys()):
            self._find_columns(record)
        for column in self.columns.values():
            if column not in record:
                raise self._missing(column, number)
        if not {self._spec.number, "rank"} & self.columns.keys():
            for name in record.keys() - self.columns.values():
                values = self._unread.setdefault(name, [])
                values.extend(islice(without_gaps([record[name]]), LOOKED_AT - len(values)))
        found = {role: record[column] for role, column in self.columns.items()}
        if self._first < 0:
            self._first, self._with_lists = number, isinstance(found[self._item], list)
        rows = self._row_count(found, number)
        for role, one in found.items():
            of_user = role.startswith("user")
            values = one if self._with_lists and not of_user else [one] * rows
            for value in [one] if of_user else values[:1] if is_id(role) else []:
                self._like.setdefault(role, value)
            self._values.setdefault(role, []).extend(values)
            if self._with_lists and of_user:
                self._users.setdefault(role, []).append(one)
        self._numbers.extend([number] * rows)
        self._lines.extend([number] * self._with_lists)

    def _find_columns(self, record: Record) -> None:
        """Find the columns anew where a record has some that those before had not."""
        news = [key for key in record if key not in self._keys]
        before, self._keys = self.columns, self._keys | dict.fromkeys(news)
        if before and not any(may_be_wanted(key, with_first_parts(self._spec)) for key in news):
            return
        names = [*self._keys]
        self.columns = columns_of_parts(names, self._spec, self._source)
        self.form = form_of(names, self.columns, with_first_parts(self._spec))
        for column in set(self.columns.values()) - set(before.values()) if before else ():
            raise self._missing(column, self._first)

    @property
    def _item(self) -> str:
        """The role of items, or of the first part of their ids."""
        return next(role for role in self.columns if base(role) == "item")

    def _missing(self, column: str, number: int) -> InputError:
        do = "Give every record the same columns"
        return InputError(f"there is no '{column}'", where=self._place(number), do=do)

    def _row_count(self, found: Record, number: int) -> int:
        """How many rows a record has; where items are lists, all other lists are as long."""
        items, name = found[self._item], self.columns[self._item]
        for role, one in found.items() if self._with_lists else ():
            fits = isinstance(one, list) and isinstance(items, list) and len(one) == len(items)
            if not (fits or role.startswith("user")):
                wrong = f"'{self.columns[role]}' is not a list as long as '{name}'"
                raise InputError(wrong, where=self._place(number), do="Give each item one entry in every list")
        if not self._with_lists and isinstance(items, list):
            wrong = f"'{name}' is a list, and in the first record it is none"
            raise InputError(wrong, where=self._place(number), do="Write all records in one form")
        return len(items) if self._with_lists else 1

    def _read(self, values: list[Any], role: str, place: Place) -> Any:
        if is_id(role):
            return ids_like(self._like.get(role), values, base(role), place)
        if role == "time":
            return times_from_objects(values, place)
        return numbers_from_objects(values, role, place)
