"""Ids that stand in several columns, such as a user and how many ratings they gave: tuples of the parts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes
from rankconv.data.ids import Ids, make_ids, parts_as_tuple
from rankconv.data.uncoded import told_by_id
from rankconv.errors import InputError
from rankconv.inputs.columns import find_columns
from rankconv.inputs.reader import Rows, Wanted, shown_columns

ROLES = ("user", "item")
"""Those whose ids may have several parts."""


def several_columns(wanted: Wanted) -> Mapping[str, tuple[str, ...]]:
    """The roles of which the caller named several columns; an InputError for a role that can have only one."""
    found = {role: tuple(name) for role, name in wanted.columns.items() if name is not None and not _is_one(name)}
    for role, names in found.items():
        if role not in ROLES:
            wrong = f"the {role} is named as {len(names)} columns, {shown_columns(names)}"
            raise InputError(wrong, allowed=f"Several columns can be the {' or the '.join(ROLES)}")
        if not names or not all(isinstance(name, str) for name in names):
            raise InputError(f"{names!r:.100} names no columns", do=f"Pass {role}=('first', 'second').")
    return found


def with_first_parts(wanted: Wanted) -> Wanted:
    """What is wanted, with the first column alone where the caller named several."""
    several = several_columns(wanted)
    first = {**wanted.columns, **{role: names[0] for role, names in several.items()}}
    parts = (name for names in several.values() for name in names)
    return replace(wanted, columns=first, others=(*wanted.others, *parts))


def columns_of_parts(names: Sequence[str], wanted: Wanted, where: str) -> dict[str, str]:
    """The column of each role; of compound ids that of each part, `user.1` and so on."""
    first = with_first_parts(wanted)
    found = find_columns(names, first, where)
    for role, parts in several_columns(wanted).items():
        del found[role]
        for at, part in enumerate(parts, 1):
            found[f"{role}.{at}"] = find_columns(names, replace(first, columns={**first.columns, role: part}), where)[
                role
            ]
    return found


def _is_one(name: Any) -> bool:
    return isinstance(name, str) or not isinstance(name, (tuple, list))


def rows_of_parts(read: Callable[[Wanted], Rows], wanted: Wanted) -> Rows:
    """Rows read once for each part, since all readers keep the order of the input, and put together."""
    several = several_columns(wanted)
    first = with_first_parts(wanted)
    rows = read(first)
    for role, names in several.items():
        others = [read(replace(first, columns={**first.columns, role: name})) for name in names[1:]]
        ids, codes = reduce(_paired, [_of(role, one) for one in others], _as_tuples(*_of(role, rows)))
        found: dict[str, Any] = {f"{role}s": ids, role: codes} | ({"starts": None} if role == "user" else {})
        rows = replace(rows, **found, columns={**rows.columns, role: shown_columns(names)})
    return rows


def _of(role: str, rows: Rows) -> tuple[Ids, Codes]:
    """The ids of a role, and their codes, shape (rows,)."""
    if role == "user":
        return rows.users, rows.owner
    return (rows.items, np.asarray(rows.item)) if rows.items is not None else told_by_id(rows.item).coded()


def _as_tuples(ids: Ids, codes: Codes) -> tuple[Ids, Codes]:
    return make_ids([parts_as_tuple(value) for value in ids.values.tolist()], "user"), codes


def _paired(first: tuple[Ids, Codes], second: tuple[Ids, Codes]) -> tuple[Ids, Codes]:
    """Ids with one part more, in the order of their first rows, and the code of each row, shape (rows,)."""
    (ids, codes), (others, more) = first, second
    both = codes.astype(np.int64) * max(1, len(others)) + more
    found, rows, places = np.unique(both, return_index=True, return_inverse=True)
    order = np.argsort(rows, kind="stable")
    rank = np.empty(len(found), np.int64)
    rank[order] = np.arange(len(found))
    left, right = ids.values, others.values.tolist()
    values = [
        left[one // max(1, len(others))] + parts_as_tuple(right[one % max(1, len(others))]) for one in found[order]
    ]
    return make_ids(values, "user"), rank[places]
