"""A list of records, each a dict with the same columns, into rows."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from rankconv.errors import InputError
from rankconv.inputs import numbers
from rankconv.inputs.coding import coded
from rankconv.inputs.columns import find_columns
from rankconv.inputs.reader import Wanted
from rankconv.inputs.rows import Place, Rows

Record = dict[str, Any]


def rows_of_records(records: Sequence[Record], wanted: Wanted, source: str, name: str, place: Place) -> Rows:
    """Rows from records; where the item is a list, a record is all that a user has, and numbers are lists too."""
    names = find_columns(list(dict.fromkeys(chain.from_iterable(records))), wanted, source)
    columns = {role: _column(records, column, place) for role, column in names.items()}
    users, user = coded(columns["user"], "user", place)
    if any(isinstance(item, list) for item in columns["item"]):
        lengths = _lengths(columns, names, place)
        record = np.repeat(np.arange(len(records)), lengths)
        columns = {role: list(chain.from_iterable(column)) for role, column in columns.items() if role != "user"}
        user, of_record = user[record], place
        place = lambda row: of_record(int(record[row]))
    items, item = coded(columns["item"], "item", place)
    number, rank = (
        numbers.from_objects(columns[role], role, place) if role in columns else None
        for role in (wanted.number, "rank")
    )
    return Rows(name, users, user, items, item, number, rank)


def _column(records: Sequence[Record], column: str, place: Place) -> list[Any]:
    try:
        return [record[column] for record in records]
    except KeyError:
        row = next(row for row, record in enumerate(records) if column not in record)
        do = "Give every record the same columns"
        raise InputError(f"there is no '{column}'", where=place(row), do=do) from None


def _lengths(columns: dict[str, list[Any]], names: dict[str, str], place: Place) -> list[int]:
    """How many items each record has; the other lists are as long."""
    for role in columns.keys() - {"user"}:
        for row, (values, items) in enumerate(zip(columns[role], columns["item"], strict=True)):
            if not isinstance(values, list) or not isinstance(items, list) or len(values) != len(items):
                wrong = f"'{names[role]}' is no list as long as '{names['item']}'"
                raise InputError(wrong, where=place(row), do="Give each item one entry in every list")
    return [len(items) for items in columns["item"]]
