"""Rows as tuples: (user, item) or (user, item, number); of labels also (user, group, item, grade)."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from rankconv.errors import InputError
from rankconv.inputs import numbers
from rankconv.inputs.coding import coded
from rankconv.inputs.reader import Rows, Wanted, by_ids
from rankconv.inputs.times import from_objects

_IN_GROUPS = _WITH_TIME = 4
"""Fields of a row of labels in groups, and of a rating with its time."""


def read(rows: Sequence[tuple[Any, ...]], wanted: Wanted, source: str) -> Rows:
    """Rows from tuples, at least one."""
    _check_lengths(rows, wanted, source)
    columns = [list(map(itemgetter(place), rows)) for place in range(len(rows[0]))]
    timed = "time" in wanted.columns
    times = columns.pop() if timed and len(columns) == _WITH_TIME else None
    of_group = columns.pop(1) if len(columns) == _IN_GROUPS else None
    users, user = coded(columns[0], "user", lambda row: f"{source}, row {row}")
    items, item = coded(columns[1], "item", lambda row: f"{source}, row {row}, user {columns[0][row]!r}")
    if len(columns) == 2:
        return Rows(source, users, user, items, item)
    place = by_ids(source, users, user, items, item)
    number = numbers.from_objects(columns[2], wanted.number, place)
    groups, group = (None, None) if of_group is None else coded(of_group, "group", place)
    time = None if times is None else from_objects(times, place)
    return Rows(source, users, user, items, item, number, groups=groups, group=group, time=time)


def _check_lengths(rows: Sequence[tuple[Any, ...]], wanted: Wanted, source: str) -> None:
    first = len(rows[0])
    in_groups = wanted.what == "labels"
    allowed = f"A row is (user, item) or (user, item, {wanted.number})"
    if in_groups:
        allowed += " or (user, item, rating, time)" if "time" in wanted.columns else " or (user, group, item, grade)"
    if first not in (2, 3, *((_IN_GROUPS,) if in_groups else ())):
        do = "Pass one list, not a tuple, for each user if these are the items of users"
        raise InputError(f"the tuple has {first} fields", where=f"{source}, row 0", allowed=allowed, do=do)
    for row, fields in enumerate(rows if set(map(len, rows)) != {first} else ()):
        if len(fields) != first:
            wrong = f"this tuple has {len(fields)} fields, and row 0 has {first}"
            user = f", user {fields[0]!r}" if fields else ""
            raise InputError(wrong, where=f"{source}, row {row}{user}", allowed=allowed, do="Use one form throughout")
