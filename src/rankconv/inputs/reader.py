"""What a reader is: it says whether it takes the data, and turns it into `RawRows`: ids as codes, numbers checked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes
from rankconv.data.attributes import Form
from rankconv.data.ids import Ids, RawIds, quoted

Floats = NDArray[np.float64] | NDArray[np.float32]
ColumnName = str | Sequence[str] | None
"""A column as a caller names it; several where they together are an id."""
Place = Callable[[int], str]
"""The place of a row, for messages."""
NONE = "none"
"""In place of a column's name: there is no such number, though some column may look like it."""


@dataclass(frozen=True, eq=False)
class Column:
    """Grades, scores or ranks, one for each row."""

    floats: Floats
    order: Codes | None = None
    """Their places by what they were, where some that differ are equal as float64; else None."""

    @property
    def key(self) -> Floats | Codes:
        """What rises as the numbers do, shape (rows,): their places where floats cannot separate them, or floats."""
        return self.floats if self.order is None else self.order

    def __getitem__(self, rows: Codes) -> "Column":
        return Column(self.floats[rows], None if self.order is None else self.order[rows])


class RankSource(Enum):
    """Where the ranks of rows come from, which decides what they mean where scores contradict them."""

    COLUMN = "a column"
    """Ranks that contradict scores are refused."""
    TREC = "a TREC run"
    """As in trec_eval, ranks that contradict the scores of their user decide nothing between equal scores."""
    LIST = "the places in a list"
    """Only the order given; they decide nothing between equal scores."""


@dataclass(frozen=True, eq=False)
class RawRows:
    """One entry per row, in the order of the input."""

    source: str
    """Where they came from, for messages."""
    users: Ids
    """All users, also those without rows."""
    user: Codes | None
    """The code of the user of each row; None where there are `starts`."""
    items: Ids | None
    """By first appearance in the rows; None where `item` has the ids themselves, which are integers or texts."""
    item: Codes | RawIds
    number: Column | None = None
    """The grades of labels or the scores of rankings, where there are any."""
    rank: Column | None = None
    """The explicit positions, where there are any."""
    rank_source: RankSource = RankSource.COLUMN
    library: str = ""
    """The library whose table they came in."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """The names of the columns that they were read from, by role; of a table only."""
    form: Form = field(default=Form())
    """The array or table that they were read from."""
    tag: str = ""
    """The name that a TREC run gives itself."""
    groups: Ids | None = None
    """The names of the groups of labels, where they came in groups."""
    group: Codes | None = None
    """The group of each row, where there are groups."""
    starts: Codes | None = None
    """Where the rows of each user begin and the last ones end, shape (users + 1,), where they came together."""
    distinct: bool = False
    """Whether no user can have an item twice, as in a dict."""
    time: Floats | None = None
    """When each row was given, in seconds since 1970 or in the numbers of the input; where times are read."""

    @cached_property
    def owner(self) -> Codes:
        """The code of the user of each row, shape (rows,)."""
        if self.user is not None:
            return self.user
        assert self.starts is not None
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), np.diff(self.starts))

    def take(self, order: Codes, starts: Codes) -> "RawRows":
        """Return the rows in this order, shape (rows,); those of each user begin at `starts`, shape (users + 1,)."""
        columns = {name: getattr(self, name) for name in ("item", "number", "rank", "group", "time")}
        moved = {name: column[order] for name, column in columns.items() if column is not None}
        return replace(self, user=None, starts=starts, **moved)

    def of_users(self, users: Ids) -> "RawRows":
        """Return the rows among these users, which are those who were there and then some without rows."""
        starts = self.starts
        if starts is not None:
            starts = np.append(starts, np.full(len(users) - len(self.users), starts[-1]))
        return replace(self, users=users, starts=starts)


def by_ids(
    source: str, users: Ids, user: Codes | None, items: Ids | None, item: Codes | RawIds, starts: Codes | None = None
) -> Place:
    """Return a function that names a row by its user and item, for messages; both are codes of shape (rows,).

    Without `items` the codes of items are their ids. Without `user` the rows of each begin at `starts`, shape
    (users + 1,).
    """
    of_user = by_user(source, users, user, starts)

    def place(row: int) -> str:
        if isinstance(item, RawIds):
            return f"{of_user(row)}, item {item.values[row]!r}"
        return f"{of_user(row)}, item {int(item[row]) if items is None else shown(items, item[row])}"

    return place


def by_user(source: str, users: Ids, user: Codes | None, starts: Codes | None) -> Place:
    """Return a function that names a row by its user alone, for messages.

    `user` has the code of each row's, shape (rows,), or `starts` where those of each begin, shape (users + 1,).
    """

    def place(row: int) -> str:
        if user is not None:
            return f"{source}, user {shown(users, user[row])}"
        assert starts is not None
        return f"{source}, user {shown(users, int(np.searchsorted(starts, row, side='right')) - 1)}"

    return place


def shown(ids: Ids, code: int | np.signedinteger[Any]) -> str:
    """Return one id as a person would type it."""
    return quoted(ids.id(int(code)))


def shown_columns(names: Sequence[str]) -> str:
    """Return several columns as a command names them."""
    return ",".join(f'"{name}"' if "," in name else name for name in names)


@dataclass(frozen=True)
class ColumnSpec:
    """Which side is read, and the columns that the caller names."""

    what: Literal["labels", "rankings"]
    columns: Mapping[str, Any]
    """Role of each column that can be named, and the name the caller gave; of a compound id several names."""
    padding: int | None = None
    """The number for no item in an array, where the caller gave it."""
    others: tuple[str, ...] = ()
    """Columns that are read too, such as further parts of an id."""

    @property
    def number(self) -> str:
        """The role of the number of an item."""
        return "grade" if self.what == "labels" else "score"

    @property
    def named(self) -> dict[str, str]:
        """The roles whose column the caller named."""
        return {role: name for role, name in self.columns.items() if name is not None and role not in self.absent}

    @property
    def absent(self) -> set[str]:
        """The roles that have no column, as the caller says."""
        return {role for role, name in self.columns.items() if name == NONE and role not in ("user", "item")}

    def keyword(self, role: str) -> str:
        """Return what a caller calls this role: of ratings, which alone have times, the grade is the rating."""
        return "rating" if role == "grade" and "time" in self.columns else role


class Reader(NamedTuple):
    """One kind of input. A file comes as a `File` that is not empty."""

    kind: str
    """What it reads, for messages."""
    takes: Callable[[Any], bool]
    read: Callable[[Any, ColumnSpec], RawRows]
    types: tuple[type, ...] = ()
    """Data of exactly these types are this reader's, and no other is tried."""
    endings: tuple[str, ...] = ()
    """Of files: the endings of names that this reader takes; other files are recognised by their content."""
    has_columns: bool = False
    """Whether the data has columns with names."""
    is_text: bool = True
    """Of files: whether they hold nothing but text."""
    pads: bool = False
    """Whether a number can mean no item."""
    fields: tuple[str, ...] = ()
    """Of data without columns: the roles that a caller may name a place for all the same."""
    pieces: Callable[[Any, ColumnSpec], Any] | None = None
    """Of files: the `Pieces` of one, where it need not be read as a whole."""
