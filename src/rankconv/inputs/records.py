"""Records, each a dict with the same columns, into rows."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from rankconv.data.form import Form
from rankconv.errors import InputError
from rankconv.inputs import numbers
from rankconv.inputs.coding import coded, whole_floats
from rankconv.inputs.columns import are_numbers, find_columns, form_of, may_be_wanted, refuse_unread
from rankconv.inputs.reader import Place, Rows, Wanted
from rankconv.inputs.times import from_objects

Record = dict[str, Any]
Columns = dict[str, list[Any]]
"""By role."""


def rows_of_records(records: Iterable[Record], wanted: Wanted, source: str, name: str, place: Place) -> Rows:
    """Rows from records; where the item is a list, a record is all that a user has, and numbers are lists too."""
    names, columns, form = _columns(records, wanted, source, place)
    users, user = coded(whole_floats(columns["user"]), "user", place)
    if any(isinstance(item, list) for item in columns["item"]):
        lengths = _lengths(columns, names, place)
        record = np.repeat(np.arange(len(columns["item"])), lengths)
        columns = {role: list(chain.from_iterable(column)) for role, column in columns.items() if role != "user"}
        user, of_record = user[record], place
        place = lambda row: of_record(int(record[row]))
    items, item = coded(whole_floats(columns["item"]), "item", place)
    number, rank = (
        numbers.from_objects(columns[role], role, place) if role in columns else None
        for role in (wanted.number, "rank")
    )
    groups, group = coded(columns["group"], "group", place) if "group" in columns else (None, None)
    time = from_objects(columns["time"], place) if "time" in columns else None
    more: dict[str, Any] = {"columns": names, "form": form, "groups": groups, "group": group, "time": time}
    return Rows(name, users, user, items, item, number, rank, **more)


def _columns(
    records: Iterable[Record], wanted: Wanted, source: str, place: Place
) -> tuple[dict[str, str], Columns, Form]:
    """The name and the values of each role, and what the names tell.

    One record is taken after the other, so that no two need be kept.
    """
    seen: dict[str, None] = {}
    names: dict[str, str] = {}
    columns: Columns = {}
    others: Columns = {}
    for row, record in enumerate(records):
        if not row or not record.keys() <= seen.keys():
            news = [key for key in record if key not in seen]
            seen |= dict.fromkeys(news)
            if not row or any(may_be_wanted(key, wanted) for key in news):
                before, names = names, find_columns(list(seen), wanted, source)
                _refuse_late(before, names, place)
        for role, column in names.items():
            if column not in record:
                raise _missing(column, place(row))
            columns.setdefault(role, []).append(record[column])
        if wanted.number not in names:
            for name in record.keys() - names.values():
                others.setdefault(name, []).append(record[name])
    refuse_unread(list(seen), names, wanted, source, lambda name: are_numbers(others.get(name, ())))
    return names, columns, form_of(list(seen), names, wanted)


def _refuse_late(before: dict[str, str], names: dict[str, str], place: Place) -> None:
    """A column that the records before did not have."""
    for column in set(names.values()) - set(before.values()) if before else ():
        raise _missing(column, place(0))


def _missing(column: str, where: str) -> InputError:
    return InputError(f"there is no '{column}'", where=where, do="Give every record the same columns")


def _lengths(columns: Columns, names: dict[str, str], place: Place) -> Sequence[int]:
    """How many items each record has; the other lists are as long."""
    for role in columns.keys() - {"user"}:
        for row, (values, items) in enumerate(zip(columns[role], columns["item"], strict=True)):
            if not isinstance(values, list) or not isinstance(items, list) or len(values) != len(items):
                wrong = f"'{names[role]}' is no list as long as '{names['item']}'"
                raise InputError(wrong, where=place(row), do="Give each item one entry in every list")
    return [len(items) for items in columns["item"]]
