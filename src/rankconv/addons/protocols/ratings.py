"""Ratings: who rated what, how, and when; grouped by user, as they came."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.basics.errors import InputError
from rankconv.basics.optional import require
from rankconv.data.arrays import Codes, FrozenArrays, Numbers, take_ownership, within
from rankconv.data.ids import Ids, by_appearance, coded_ids, columns_of
from rankconv.data.inputs.input_rows import ColumnName, ColumnSpec
from rankconv.data.inputs.reading import rows_from
from rankconv.data.labels_and_rankings import ReadingClass
from rankconv.data.ordering import together

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class Ratings(FrozenArrays, metaclass=ReadingClass):
    """Rows of (user, item, rating), with times where there are any; those of a user together, as they came.

    All arrays have shape (rows,) and are read-only.
    """

    users: Ids
    items: Ids
    user: Codes
    """Rising: the rows of a user stand together."""
    item: Codes
    rating: Numbers
    time: Numbers | None = None
    """Seconds since 1970, or the numbers of the input."""
    source: str = field(default="the ratings", compare=False)
    columns: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Where they came in a table: the column in which each of user, item, rating and time was found."""

    assumed: str = field(default="", compare=False, repr=False)
    """What is assumed of a table that has no ratings, in words."""

    def __len__(self) -> int:
        return len(self.item)

    @cached_property
    def counts(self) -> Codes:
        """Ratings of each user, shape (users,)."""
        return np.bincount(self.user, minlength=len(self.users)).astype(np.int64)

    @cached_property
    def starts(self) -> Codes:
        """Where the rows of each user begin and the last ones end, shape (users + 1,)."""
        return np.append(0, np.cumsum(self.counts))

    @cached_property
    def place(self) -> Codes:
        """The place of each row among those of its user, from 0, shape (rows,)."""
        return within(self.user)

    def ordered(self, *, rows: bool) -> "Ratings":
        """The ratings with users by id, and those of a user by time, then item id, then rating.

        Without times those of a user stay as they came if `rows` says so, else they are by item id, then rating.
        """
        by_id = np.argsort(self.users.values, kind="stable")
        user = np.argsort(by_id)[self.user]
        first = self.place if self.time is None and rows else np.zeros(len(self)) if self.time is None else self.time
        order = np.lexsort((self.rating, self.items.text_rank[self.item], first, user))
        users = Ids(take_ownership(self.users.values[by_id]), self.users.kind)
        return replace(self.take(order), users=users, user=take_ownership(user[order]))

    @property
    def tied(self) -> int:
        """How many of them have the time of another one of their user, where they are in the order of their times."""
        if self.time is None:
            return 0
        same = (self.user[1:] == self.user[:-1]) & (self.time[1:] == self.time[:-1])
        return int(np.count_nonzero(np.append(False, same) | np.append(same, False)))

    def take(self, rows: Codes) -> "Ratings":
        """Some rows, shape (rows taken,), in this order; ids keep their codes."""
        named = {name: getattr(self, name) for name in ("user", "item", "rating", "time")}
        taken: Any = {name: take_ownership(one[rows]) for name, one in named.items() if one is not None}
        return replace(self, **taken)

    def to_frame(self) -> "pl.DataFrame":
        """A polars frame of user, item, rating, and time where there is one; a column for each part of compound ids."""
        import polars as pl

        code_columns = columns_of_codes("user", self.users, self.user) | columns_of_codes("item", self.items, self.item)
        frame = pl.DataFrame(code_columns).with_columns(pl.Series("rating", self.rating))
        return frame if self.time is None else frame.with_columns(pl.Series("time", self.time))

    def __repr__(self) -> str:
        times = "" if self.time is None else ", with times"
        users = len(np.unique(self.user))
        return f"Ratings({len(self):,} by {users:,} users of {len(self.items):,} items{times}, from {self.source})"


def columns_of_codes(name: str, ids: Ids, codes: Codes) -> "dict[str, pl.Series]":
    """The ids of these codes, shape (rows,), as columns: one, or one for each part of compound ids."""
    import polars as pl

    if ids.kind != "compound":
        kind = pl.Int64 if ids.kind == "integer" else pl.String
        return {name: pl.Series(name, ids.values[codes].tolist(), kind)}
    return {
        part: pl.Series(part, values).gather(codes) for part, values in columns_of(name, ids.values.tolist()).items()
    }


def ratings(
    data: Any, *, user: ColumnName = None, item: ColumnName = None, rating: str | None = None, time: str | None = None
) -> Ratings:
    """Read ratings: user, item, rating and time.

    Takes what `rc.Labels` takes: tables, files, `{user: {item: rating}}`, tuples (user, item, rating) or (user, item,
    rating, time). `user`, `item`, `rating` and `time` name columns; without them, usual names are looked for. Where
    there is no column of ratings, each is 1. Times are numbers, dates or moments. Arrays of rows have shape (rows,).

    Raises InputError where the data cannot be read as they stand, or hold no rating.

    >>> import rankconv as rc
    >>> from rankconv import protocols
    >>> protocols.Ratings([("ada", "x", 4, "2020-01-01"), ("bob", "x", 5, "2020-01-02"), ("ada", "y", 3, "2020-01-03")])
    Ratings(3 by 2 users of 2 items, with times, from a list)
    """
    if isinstance(data, Ratings):
        return data
    require("polars", "rankconv[files]", "A protocol")
    rows = rows_from(data, ColumnSpec("labels", {"user": user, "item": item, "grade": rating, "time": time}))
    if not len(rows.item):
        raise InputError("there is no rating", where=rows.source)
    order, starts = together(rows.owner, len(rows.users))
    owner = take_ownership(np.repeat(np.arange(len(rows.users)), np.diff(starts)))
    grouped = rows.take(order, starts)
    if grouped.items is None:  # what is in the rows are the ids
        items, codes = coded_ids(grouped.item)
    else:
        items, codes = by_appearance(grouped.items, np.asarray(grouped.item))
    number = np.ones(len(codes)) if grouped.number is None else grouped.number
    rated = take_ownership(np.array(number, np.float64))
    times = None if grouped.time is None else take_ownership(np.array(grouped.time, np.float64))
    place = take_ownership(np.array(codes, np.int64))
    named = {"rating" if role == "grade" else role: column for role, column in rows.columns.items()}
    return Ratings(rows.users, items, owner, place, rated, times, rows.source, named, rows.form.assumed)


Ratings.read_with(ratings)
