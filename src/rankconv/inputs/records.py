"""Records, each a dict with the same columns, into rows."""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from rankconv.errors import InputError
from rankconv.inputs import numbers
from rankconv.inputs.coding import ids_like
from rankconv.inputs.columns import LOOKED_AT, are_numbers, form_of, given, may_be_wanted, refuse_unread
from rankconv.inputs.compound import columns_of_parts, with_first_parts
from rankconv.inputs.numbers import Parsed, are_large
from rankconv.inputs.pieces import ROWS, Piece, Pieces, is_id, piece_of
from rankconv.inputs.reader import Place, Wanted
from rankconv.inputs.times import from_objects

Record = dict[str, Any]


class PiecesOfRecords(Pieces):
    """Rows of records that come one by one, each with its number; `place` says where the record of a number stands.

    Where the item of the first record is a list, each is all that a user has, and its numbers are lists too.
    """

    def __init__(self, records: Iterable[tuple[int, Record]], wanted: Wanted, source: str, place: Place) -> None:
        super().__init__(self._pieces(records))
        self._wanted, self._source, self._place = wanted, source, place
        self._seen: dict[str, None] = {}
        self._first, self._with_lists = -1, False
        self._unread: dict[str, list[Any]] = {}
        """The first values of each other column, where no column has numbers."""
        self._like: dict[str, Any] = {}
        """The first id of each role: all others are of its type."""
        self._numbers, self._values = array("q"), dict[str, list[Any]]()
        self._users, self._lines = dict[str, list[Any]](), array("q")
        """The user of each record, where items are lists, which may be empty."""

    def _pieces(self, records: Iterable[tuple[int, Record]]) -> Iterator[Piece]:
        """The rows so far, whenever they are many; where a record is wrong, those before it are looked at first."""
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
        beside = lambda name: are_numbers(self._unread.get(name, ()))
        refuse_unread([*self._seen], self.columns, with_first_parts(self._wanted), self._source, beside)

    def _piece(self) -> Piece:
        lines, values, records, users = self._numbers, self._values, self._lines, self._users
        self._numbers, self._values, self._lines, self._users = array("q"), {}, array("q"), {}
        owners = piece_of(users, self._read, lambda row: self._place(records[row])).ids
        return replace(piece_of(values, self._read, lambda row: self._place(lines[row])), owners=owners)

    def _add(self, number: int, record: Record) -> None:
        if not (self.columns and record.keys() <= self._seen.keys()):
            self._see(record)
        for column in self.columns.values():
            if column not in record:
                raise self._missing(column, number)
        if not {self._wanted.number, "rank"} & self.columns.keys():
            self._look_beside(record)
        found = {role: record[column] for role, column in self.columns.items()}
        if self._first < 0:
            self._first, self._with_lists = number, isinstance(found["item"], list)
        rows = self._rows(found, number)
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

    def _look_beside(self, record: Record) -> None:
        for name in record.keys() - self.columns.values():
            values = self._unread.setdefault(name, [])
            values.extend(islice(given([record[name]]), LOOKED_AT - len(values)))

    def _see(self, record: Record) -> None:
        """Find the columns anew where a record has some that those before had not."""
        news = [key for key in record if key not in self._seen]
        before, self._seen = self.columns, self._seen | dict.fromkeys(news)
        if before and not any(may_be_wanted(key, self._wanted) for key in news):
            return
        names = [*self._seen]
        self.columns = columns_of_parts(names, self._wanted, self._source)
        self.form = form_of(names, self.columns, with_first_parts(self._wanted))
        for column in set(self.columns.values()) - set(before.values()) if before else ():
            raise self._missing(column, self._first)

    def _missing(self, column: str, number: int) -> InputError:
        do = "Give every record the same columns"
        return InputError(f"there is no '{column}'", where=self._place(number), do=do)

    def _rows(self, found: Record, number: int) -> int:
        """How many rows a record has; where items are lists, all other lists are as long."""
        items, name = found["item"], self.columns["item"]
        for role, one in found.items() if self._with_lists else ():
            alike = isinstance(one, list) and isinstance(items, list) and len(one) == len(items)
            if not (alike or role.startswith("user")):
                wrong = f"'{self.columns[role]}' is no list as long as '{name}'"
                raise InputError(wrong, where=self._place(number), do="Give each item one entry in every list")
        if not self._with_lists and isinstance(items, list):
            wrong = f"'{name}' is a list, and in the first record it is none"
            raise InputError(wrong, where=self._place(number), do="Write all records in one form")
        return len(items) if self._with_lists else 1

    def _read(self, values: list[Any], role: str, place: Place) -> Any:
        if is_id(role):
            return ids_like(self._like.get(role), values, role, place)
        if role == "time":
            return from_objects(values, place)
        found = numbers.from_objects(values, role, place)
        return Parsed(found.floats, values if are_large(found.floats) else None)
