"""What every reader hands over: rows as they came, with ids as codes and numbers checked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rankconv.ranking.form import Form
from rankconv.ranking.ids import Codes, Ids

Floats = NDArray[np.float64]

Place = Callable[[int], str]
"""Where a row stands, for messages."""


@dataclass(frozen=True, eq=False)
class Column:
    """Grades, scores or ranks, one for each row."""

    floats: Floats
    order: Codes | None = None
    """Their places by what they were, where as float64 some that differ are the same; else None."""

    @property
    def key(self) -> Floats | Codes:
        """What rises as they do."""
        return self.floats if self.order is None else self.order

    def __getitem__(self, rows: Codes) -> "Column":
        return Column(self.floats[rows], None if self.order is None else self.order[rows])


@dataclass(frozen=True, eq=False)
class Rows:
    """One entry per row, in the order of the input."""

    source: str
    """Where they came from, for messages."""
    users: Ids
    """All users, also those without rows."""
    user: Codes
    items: Ids
    """By first appearance in the rows."""
    item: Codes
    number: Column | None = None
    """The grades of labels or the scores of rankings, where there are any."""
    rank: Column | None = None
    """The explicit positions, where there are any."""
    library: str = ""
    """The library whose table they came in."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """The names of the columns that they were read from, by role; of a table only."""
    form: Form = field(default=Form())
    """The array or table that they were read from."""
    tag: str = ""
    """What a TREC run calls itself."""


def by_ids(source: str, users: Ids, user: Codes, items: Ids, item: Codes) -> Place:
    """Names a row by its user and item."""
    return lambda row: f"{source}, user {shown(users, user[row])}, item {shown(items, item[row])}"


def shown(ids: Ids, code: int | np.int64) -> str:
    """One id as a person would type it."""
    [value] = ids.values[code : code + 1].tolist()
    return repr(value)
