"""Users, or items, in segments: by a column of a table, or by how many labels a user has."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, Numbers
from rankconv.data.attributes import Properties
from rankconv.data.ids import Ids
from rankconv.errors import InputError, nearest

ACTIVITY = "activity"
"""The split that the data make: by the number of a user's labels."""
UNKNOWN = "(not told)"
"""Who stands in no row of the table, or has no value there."""
MOST = 8
"""A column of more different numbers than this is cut into quarters."""


@dataclass(frozen=True, eq=False)
class Split:
    """Which segment each user, or item, is in."""

    by: str
    names: Sequence[str]
    of: Codes
    """Shape (users,) or (items,): places in `names`."""
    cut_over: int = 0
    """Over how many users, or items, quarters were cut; 0 where nothing was cut."""

    def take(self, places: Codes) -> "Split":
        """The segments of some of them, shape (users taken,)."""
        return replace(self, of=self.of[places])


def by_activity(counts: Codes) -> Split:
    """Quarters of the users by their number of labels, shape (users,); those without any are a segment of their own."""
    values = np.where(counts > 0, counts, np.nan).astype(np.float64)
    names, of = _quarters(values, values, "labels")
    names = ["no labels" if name == UNKNOWN else name for name in names]
    return Split(ACTIVITY, names, of, int(np.count_nonzero(counts)))


def by_column(table: Properties, column: str, ids: Ids, labelled: int) -> Split:
    """The segment of each of these users, or items, by a column of their table.

    Quarters are cut over the first ones, which the labels have; the others are in the quarter of their value.
    """
    places = table.ids.codes_of(ids)
    values = np.array([*table.columns[column], None], object)[places]
    numbers = _as_numbers(table.columns[column])
    if numbers is not None and len(set(numbers[~np.isnan(numbers)].tolist())) > MOST:
        each = np.append(numbers, np.nan)[places]
        names, of = _quarters(each, each[:labelled])
        return Split(column, names, of, int(np.count_nonzero(~np.isnan(each[:labelled]))))
    known = sorted({value for value in values if value is not None}, key=_in_order)
    names = [*known, UNKNOWN] if None in values.tolist() else known
    place = {name: at for at, name in enumerate(names)} | {None: len(names) - 1}
    return Split(column, names, np.array([place[value] for value in values.tolist()], np.int64))


def table_of(by: str, users: Properties | None, items: Properties | None) -> Properties | None:
    """The table that has the column; None for the split that the data make.

    InputError where both tables have it, or none.
    """
    tables = [table for table in (users, items) if table is not None]
    having = [table for table in tables if by in table.columns]
    if len(having) == 2:
        do = "Give the column another name in one of them."
        raise InputError(f"both users and items have a column '{by}'", where="by", do=do)
    if having:
        return having[0]
    if by == ACTIVITY:
        return None
    known = [*(name for table in tables for name in table.columns), ACTIVITY]
    allowed = f"Columns: {', '.join(known)}" if tables else f"Without a table of users or items: {ACTIVITY}"
    raise InputError(f"there is no column '{by}'", where="by", allowed=allowed, nearest=nearest(by, known))


def check_ids(table: Properties, ids: Ids, role: str) -> None:
    """An InputError where a table knows none of the users, or items."""
    if not (table.ids.codes_of(ids) >= 0).any():
        wrong = f"no {role} of the labels and runs stands in {table.source} ({table.ids.examples()})"
        raise InputError(wrong, do=f"Data: {ids.examples()}. Convert the ids, so that they are the same.")


def _in_order(name: Any) -> tuple[int, float, str]:
    """Numbers by size, then texts."""
    try:
        return 0, float(name), str(name)
    except ValueError:
        return 1, 0.0, str(name)


def _as_numbers(values: Sequence[str | None]) -> Numbers | None:
    """The values as numbers, shape (rows,), NaN where there is none; None where one is no number."""
    try:
        return np.array([np.nan if one is None else float(one) for one in values])
    except ValueError:
        return None


def _quarters(values: Numbers, cut: Numbers, unit: str = "") -> tuple[list[str], Codes]:
    """Names of about equally many of `cut`, shape (cut,), and the place of each of `values`, shape (values,).

    NaN has a name of its own. A value outside what was cut is in the nearest part.
    """
    told, missing = cut[~np.isnan(cut)], np.isnan(values)
    if not len(told):
        return [UNKNOWN], np.zeros(len(values), np.int64)
    edges = np.unique(np.quantile(told, [0.25, 0.5, 0.75, 1], method="lower"))  # the upper ends of the parts
    inside = np.searchsorted(edges, told)
    names = [_between(told[inside == at], unit) for at in range(len(edges))]
    codes = np.minimum(np.searchsorted(edges, values), len(edges) - 1)
    codes[missing] = len(edges)
    return [*names, UNKNOWN] if missing.any() else names, codes


def _between(values: Numbers, unit: str) -> str:
    low, high = (f"{one:g}" for one in (values.min(), values.max()))
    return f"{low if low == high else f'{low} to {high}'} {unit}".strip()


def listed(by: Any) -> list[str]:
    """The columns asked for, of one text with commas or several; an InputError for nothing."""
    texts = [by] if isinstance(by, str) else list(by)
    found = [part.strip() for text in texts for part in str(text).split(",") if part.strip()]
    if not found:
        raise InputError("no column is named", where="by", do=f"Name one of the table of users, or {ACTIVITY}.")
    return list(dict.fromkeys(found))
