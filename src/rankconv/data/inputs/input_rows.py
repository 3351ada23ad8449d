"""Rows become labels and rankings: those of each user together, sorted by rank or score where there are any.

Ranks of a column that contradict the scores are an error. Text ids stay raw until codes are needed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankconv.basics.errors import InputError
from rankconv.basics.registries import Ordered
from rankconv.data.arrays import Codes, Mask, Numbers, take_ownership
from rankconv.data.attributes import Form, Groups, best_rows
from rankconv.data.ids import Ids, RawIds, by_appearance, coded_ids, quoted
from rankconv.data.labels_and_rankings import Labels, Run, Scores
from rankconv.data.ordering import SortKey, by_key, neighbours, owners_of_repeats, rises, together
from rankconv.data.raw_rows import RawLabels, RawLists, RawRankings
from rankconv.data.words import Words

Floats = NDArray[np.float64] | NDArray[np.float32]
ColumnName = str | Sequence[str] | None
"""A column as a caller names it; several where they together are an id."""
RowPlace = Callable[[int], str]
"""The place of a row, for messages."""
NONE = "none"
"""In place of a column's name: there is no such number, though some column may look like it."""


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
    number: Floats | None = None
    """The grades of labels or the scores of rankings, where there are any."""
    rank: Floats | None = None
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
    words: Words | None = None
    """The words of which each row has the place as its number, where these came in the place of numbers."""

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
) -> RowPlace:
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


def by_user(source: str, users: Ids, user: Codes | None, starts: Codes | None) -> RowPlace:
    """Return a function that names a row by its user alone, for messages.

    `user` has the code of each row's, shape (rows,), or `starts` where those of each begin, shape (users + 1,).
    """

    def place(row: int) -> str:
        if user is not None:
            return f"{source}, user {shown(users, user[row])}"
        assert starts is not None
        return f"{source}, user {shown(users, int(np.searchsorted(starts, row, side='right')) - 1)}"

    return place


def is_id(role: str) -> bool:
    """Whether this is an id, or a part of one."""
    return base(role) in ("user", "item", "group")


def base(role: str) -> str:
    """Return the role without the number of a part: `user` of `user.1`."""
    return role.partition(".")[0]


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
    argument: Callable[[str, str], str] | None = None
    """How a caller names a column of a role, in Python; `item='doc'` where nothing else is said."""
    are_lists: bool = False
    """Whether a record has all items of a query, and is no row of a table."""

    @property
    def number(self) -> str:
        """The role of the number of an item."""
        return "grade" if self.what == "labels" else "score"

    @property
    def caller_columns(self) -> dict[str, str]:
        """The roles whose column the caller named."""
        return {role: name for role, name in self.columns.items() if name is not None and role not in self.absent}

    @property
    def absent(self) -> set[str]:
        """The roles that have no column, as the caller says."""
        return {role for role, name in self.columns.items() if name == NONE and role not in ("user", "item")}

    def keyword(self, role: str) -> str:
        """Return what a caller calls this role: of ratings, which alone have times, the grade is the rating."""
        return "rating" if role == "grade" and "time" in self.columns else role

    def as_argument(self, role: str, name: str) -> str:
        """Return the argument that names a column, as a caller writes it in Python."""
        return f"{self.keyword(role)}={name!r}" if self.argument is None else self.argument(role, name)


class InputReader(NamedTuple):
    """One kind of input. A file comes as a `File` that is not empty."""

    kind: str
    """What it reads, for messages."""
    takes: Callable[[Any], bool]
    """Whether it reads these data: of readers with endings a `File`, of others an object."""
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
    certain: Callable[[Any], bool] = lambda file: False
    """Of files: whether the first line can be no other kind of file, whatever the name ends in."""
    row_batches: Callable[[Any, ColumnSpec], Any] | None = None
    """Of files: the `RowBatches` of one, where it need not be read as a whole."""


FILE_READERS = Ordered[InputReader]("reader of files")
"""The readers of files in the order in which they are tried, which the files of this folder put into it.

The Quepid reader takes some .csv files by their first line; the one of TREC only counts the fields of it.
"""


# rows become labels and rankings


def as_labels(rows: RawRows) -> Labels:
    """Return labels: the rows of each user together, in the order of the input."""
    grouped = _together(rows)
    starts, grade, groups = _starts(grouped), take_ownership(_grades(grouped)), None
    about: dict[str, Any] = {"source": rows.source, "library": rows.library, "columns": rows.columns, "form": rows.form}
    about["words"] = rows.words
    if isinstance(grouped.item, RawIds) and rows.groups is None:
        about |= {"starts": starts, "grade": grade, "groups": None}
        return RawLabels(rows.users, grouped.item, about, distinct=rows.distinct)
    grouped, items = _by_appearance(grouped, rows)
    item = np.asarray(grouped.item)
    if grouped.groups is not None and grouped.group is not None:
        if rows.words is not None:
            wrong, do = "grades of labels in groups are words", "Give them as numbers, or leave the groups out"
            raise InputError(wrong, where=rows.words.places[0], allowed=f"The words are: {rows.words}", do=do)
        groups = Groups(grouped.groups, starts, take_ownership(grouped.group), take_ownership(item), grade)
        kept = best_rows(grouped.owner.astype(np.int64) * len(items) + item, grouped.group, grade)
        starts = _starts_of(grouped.owner[kept], len(grouped.users))
        item, grade = item[kept], take_ownership(grade[kept])
    distinct = (rows.distinct and groups is None) or not len(owners_of_repeats(starts, item))
    item = take_ownership(item)
    return Labels(rows.users, items, starts, item, grade, is_distinct=distinct, groups=groups, **about)


def as_rankings(rows: RawRows) -> Run:
    """Return rankings: the rows of each user together, by rank, else by falling score, else in the order given."""
    by_score = rows.rank is None and rows.number is not None and rows.words is None
    if by_score and _like_ranks(rows):
        rows = replace(rows, form=replace(rows.form, assumed=SCORES_LIKE_RANKS))
    about: dict[str, Any] = {"source": rows.source, "library": rows.library, "by_score": by_score}
    about |= {"columns": rows.columns, "tag": rows.tag, "form": rows.form, "is_distinct": rows.distinct}
    about["words"] = rows.words
    if isinstance(rows.item, RawIds):
        given = _as_given(rows, rows.item)
        agree = agreeing(rows, given.starts, given.order) if rows.rank is not None else None
        return RawRankings(rows.users, replace(given, agree=agree), about)
    grouped = _together(rows)
    starts, key = _starts(grouped), _key(grouped)
    order = None if key is None else by_key(starts, key, falling=by_score)
    agree = agreeing(grouped, starts, order)
    listed, items = _by_appearance(grouped if order is None else grouped.take(order, starts), rows)
    score = None if listed.number is None else take_ownership(listed.number.astype(np.float64, copy=False))
    rank = None
    if listed.rank is not None and agree is not None:
        rank = take_ownership(np.where(agree[listed.owner], listed.rank.astype(np.float64), 0.0))
    item = take_ownership(np.asarray(listed.item))
    return Run(rows.users, items, starts, item, score, rank=rank, **about)


SCORES_LIKE_RANKS = (
    "scores count the rows of each user (1, 2, 3, …), and the highest is first; if they are ranks, call their column "
    "rank, or pass lists of items, best first"
)
_FEW, _LIST = 64, 3
"""Rows that are looked at first, and rows of a list that can tell ranks from scores."""


def _like_ranks(rows: RawRows) -> bool:
    """Whether the scores count the rows of every user, as ranks do, and not the columns of a matrix."""
    assert rows.number is not None
    score, starts = rows.number, rows.starts
    if rows.form.kind or len(score) < _LIST or score[0] not in (0, 1):
        return False

    def count(some: int) -> bool:
        of = starts if starts is not None else _starts_of(rows.owner[:some], len(rows.users))
        at = np.arange(some)
        place = at - of[np.searchsorted(of, at, side="right") - 1]
        return bool(place.max() >= _LIST - 1) and np.array_equal(score[:some], place + score[0])

    few = min(_FEW, len(score))
    return (starts is not None or rises(rows.owner[:few])) and count(few) and rises(rows.owner) and count(len(score))


def _as_given(rows: RawRows, item: RawIds) -> RawLists:
    """The rows as they came, and what is needed to sort them later."""
    score, key, falling, order = rows.number, _key(rows), rows.rank is None, None
    if rows.starts is not None or rises(rows.owner):
        starts = _starts(rows)
    else:
        order, starts = together(rows.owner, len(rows.users))
        key = None if key is None else key[order]
    for made in (starts, score, key, order):
        if made is not None:
            take_ownership(made)
    return RawLists(starts, item, score, key, falling, order)


def _key(rows: RawRows) -> SortKey | None:
    """What rows are sorted by, shape (rows,): ranks that rise, or scores that fall; None without either."""
    of_scores = None if rows.words is not None else rows.number
    return of_scores if rows.rank is None else rows.rank


def _grades(rows: RawRows) -> Numbers:
    """The grade of each row, shape (rows,); 1 where none was given, which is kept once for all of them."""
    if rows.number is None:
        return np.broadcast_to(take_ownership(np.array(1.0)), len(rows.item))
    return rows.number.astype(np.float64, copy=False)


def _together(rows: RawRows) -> RawRows:
    """The rows of each user together, as they came."""
    if rows.starts is not None or rises(rows.owner):
        return rows
    return rows.take(*together(rows.owner, len(rows.users)))


def _by_appearance(rows: RawRows, given: RawRows) -> tuple[RawRows, Ids]:
    """The rows with their items coded by first appearance, as they are where the rows are those given.

    Only so do tables with shuffled rows and lists of the same items become identical.
    """
    if rows.items is None:
        items, item = coded_ids(rows.item)
    elif rows is given:
        return rows, rows.items
    else:
        items, item = by_appearance(rows.items, np.asarray(rows.item))
    if rows is not given and rows.groups is not None and rows.group is not None:
        groups, group = by_appearance(rows.groups, rows.group)
        rows = replace(rows, groups=groups, group=group)
    return replace(rows, items=items, item=item), items


def _starts(rows: RawRows) -> Codes:
    """Where the rows of each user begin and the last ones end, shape (users + 1,); users are together."""
    return _starts_of(rows.owner, len(rows.users)) if rows.starts is None else take_ownership(rows.starts)


def _starts_of(user: Codes, users: int) -> Codes:
    """Where the rows of each user begin and the last ones end, shape (users + 1,); `user` has shape (rows,)."""
    return take_ownership(np.searchsorted(user, np.arange(users + 1, dtype=user.dtype)).astype(np.int64))


# ranks and scores


def agreeing(rows: RawRows, starts: Codes, order: Codes | None) -> Mask | None:
    """Return whose ranks agree with their scores, shape (users,); None where no ranks count.

    Ranks agree where no row has a higher score than one of a smaller rank, and rows of one rank have one score.
    `order` has the rows of each list by rank, shape (rows,), None where they are in this order; those of user `u` begin
    at `starts[u]`. Raises InputError where ranks of a column do not agree.
    """
    if rows.rank is None or rows.rank_source is RankSource.LIST:
        return None
    agree = np.ones(len(starts) - 1, bool)
    if rows.number is None or rows.words is not None:
        return agree
    rank, score = rows.rank, rows.number
    if order is not None:
        rank, score = rank[order], score[order]
    wrong = _contradictions(starts, rank, score)
    if len(wrong) and rows.rank_source is RankSource.COLUMN:
        at = wrong[:1] - np.array([1, 0])
        raise _contradiction(rows, at if order is None else order[at])
    agree[np.searchsorted(starts, wrong, side="right") - 1] = False
    return agree


def _contradictions(starts: Codes, rank: SortKey, score: Scores) -> Codes:
    """The rows that contradict the row before them in their list, rising; arrays have shape (rows,)."""
    found = [np.empty(0, np.int64)]
    for (first, before, after), (_, higher, lower) in zip(neighbours(rank), neighbours(score), strict=True):
        found.append(np.flatnonzero((lower > higher) | ((after == before) & (lower != higher))) + first + 1)
    rows = np.concatenate(found)
    return rows[starts[np.searchsorted(starts, rows)] != rows] if len(rows) else rows


def _contradiction(rows: RawRows, pair: Codes) -> InputError:
    """The error for two rows of a user, shape (2,), the one of the smaller rank first."""
    assert rows.rank is not None
    assert rows.number is not None
    place = by_ids(rows.source, rows.users, rows.user, rows.items, rows.item, rows.starts)
    ranks, scores = rows.rank[pair].tolist(), rows.number[pair].tolist()
    (_, _, first), (where, _, second) = (place(row).rpartition(", item ") for row in pair.tolist())
    both = zip((first, second), ranks, scores, strict=True)
    shown = " and ".join(f"item {item} has rank {rank:g} and score {score!r}" for item, rank, score in both)
    by_rank = f"By rank item {first} is first" if ranks[0] < ranks[1] else "By rank neither is first"
    columns = " and ".join(f"the {role}s ('{rows.columns.get(role, role)}')" for role in ("rank", "score"))
    return InputError(
        f"{columns} contradict: {shown}",
        where=where,
        allowed=f"{by_rank}, by score item {first if scores[0] > scores[1] else second}",
        do="Pass score='none' if the ranks are right, rank='none' if the scores are",
        shell="Pass --column score=none if the ranks are right, --column rank=none if the scores are",
    )
