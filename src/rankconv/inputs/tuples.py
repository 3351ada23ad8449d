"""Rows as tuples: (user, item) or (user, item, number); of labels also (user, group, item, grade)."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from rankconv.errors import InputError
from rankconv.inputs import numbers
from rankconv.inputs.coding import coded
from rankconv.inputs.reader import Rows, Wanted, by_ids

_IN_GROUPS = 4
"""Fields of a row of labels in groups."""


def read(rows: Sequence[tuple[Any, ...]], wanted: Wanted, source: str) -> Rows:
    """Rows from tuples, at least one."""
    _check_lengths(rows, wanted, source)
    columns = [list(map(itemgetter(place), rows)) for place in range(len(rows[0]))]
    of_group = columns.pop(1) if len(columns) == _IN_GROUPS else None
    users, user = coded(columns[0], "user", lambda row: f"{source}, row {row}")
    items, item = coded(columns[1], "item", lambda row: f"{source}, row {row}, user {columns[0][row]!r}")
    if len(columns) == 2:
        return Rows(source, users, user, items, item)
    place = by_ids(source, users, user, items, item)
    number = numbers.from_objects(columns[2], wanted.number, place)
    groups, group = (None, None) if of_group is None else coded(of_group, "group", place)
    return Rows(source, users, user, items, item, number, groups=groups, group=group)


def _check_lengths(rows: Sequence[tuple[Any, ...]], wanted: Wanted, source: str) -> None:
    first = len(rows[0])
    in_groups = wanted.what == "labels"
    allowed = f"A row is (user, item) or (user, item, {wanted.number})"
    allowed += " or (user, group, item, grade)" if in_groups else ""
    if first not in (2, 3, *((_IN_GROUPS,) if in_groups else ())):
        do = "Pass one list, not a tuple, for each user if these are the items of users"
        raise InputError(f"the tuple has {first} fields", where=f"{source}, row 0", allowed=allowed, do=do)
    for row, fields in enumerate(rows if set(map(len, rows)) != {first} else ()):
        if len(fields) != first:
            wrong = f"this tuple has {len(fields)} fields, and row 0 has {first}"
            user = f", user {fields[0]!r}" if fields else ""
            raise InputError(wrong, where=f"{source}, row {row}{user}", allowed=allowed, do="Use one form throughout")
