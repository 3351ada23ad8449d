"""Labels and rankings: what is known to be relevant, and what was returned."""

from abc import ABCMeta
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.basics.errors import InputError
from rankconv.data.arrays import Codes, FrozenArrays, take_ownership
from rankconv.data.attributes import Form, Groups
from rankconv.data.calls import Calls
from rankconv.data.ids import IdKind, Ids, RawIds
from rankconv.data.ordering import owners_of_repeats
from rankconv.data.words import Words


class ReadingClass(ABCMeta):
    """A class whose call reads data in any form; with rows that are coded already it makes its instance of these."""

    _reader: Callable[..., Any]

    def __call__(cls, *parts: Any, **named: Any) -> Any:
        """Read data, or take coded rows, which begin with the ids of users, or runs that are read by name."""
        if cls._is_read(parts, named):
            return super().__call__(*parts, **named)
        read = cls._reader(*parts, **named)
        if isinstance(read, RowsOfUsers) and not any(read is part for part in parts):
            object.__setattr__(read, "side_named", True)
        return read

    @staticmethod
    def _is_read(parts: tuple[Any, ...], named: dict[str, Any]) -> bool:
        return isinstance(parts[0] if parts else named.get("users"), Ids)

    def read_with(cls, read: Callable[..., Any]) -> None:
        """Let calls of this class read data with a function, whose signature and docstring it shows."""
        from inspect import signature

        cls._reader = read
        cls.__signature__ = signature(read)


class NamedReadingClass(ReadingClass):
    """A class of things by name, whose call reads each of them, or takes a dict of those that are read already."""

    @staticmethod
    def _is_read(parts: tuple[Any, ...], named: dict[str, Any]) -> bool:
        given = parts[0] if parts else None
        return not named and type(given) is dict and bool(given) and all(map(_is_one_read, given.values()))


def _is_one_read(given: Any) -> bool:
    return isinstance(type(given), ReadingClass)


def values_of(numbers: NDArray[np.float64], words: Words | None) -> list[Any]:
    """The number of each row, shape (rows,), or its word where words came in the place of numbers."""
    return numbers.tolist() if words is None else words.of_rows(numbers)


Scores = NDArray[np.floating[Any]]
"""Of 64 bits, or as they came."""


@dataclass(frozen=True, eq=False)
class RowsOfUsers(FrozenArrays):
    """What labels and rankings have in common: rows grouped by user."""

    users: Ids
    items: Ids
    starts: Codes
    """Shape (users + 1,)."""
    item: Codes
    """Code of the item in each row."""

    def _set(self, about: Mapping[str, Any], **values: Any) -> None:
        for name, value in {**about, **values}.items():
            object.__setattr__(self, name, value)

    def replace(self, **changes: Any) -> Any:
        """Return a copy with these fields in place of its own, as an instance that has all of them."""
        kind: Any = next(one for one in type(self).__mro__ if "__dataclass_fields__" in vars(one))
        return kind(**{one.name: getattr(self, one.name) for one in fields(kind)} | changes)

    @property
    def lengths(self) -> Codes:
        """Rows of each user, shape (users,)."""
        return np.diff(self.starts)

    @property
    def row_count(self) -> int:
        """Rows of all users."""
        return int(self.starts[-1])

    @property
    def item_kind(self) -> IdKind:
        """The kind of the ids of items."""
        return self.items.kind

    def some_items(self, count: int) -> set[Any]:
        """Return some of the items, about this many."""
        return set(self.items.values[:count].tolist())


@dataclass(frozen=True, eq=False)
class FirstRows(FrozenArrays):
    """The items of the first rows of each list: list `u` has those from `starts[u]` to `starts[u + 1]`."""

    starts: Codes
    """Shape (lists + 1,)."""
    item: Codes
    """Codes, or the numbers of ids, shape (rows,)."""
    ids: RawIds | None = None
    """Their ids where they are not coded."""


@dataclass(frozen=True, eq=False)
class Run(RowsOfUsers, metaclass=ReadingClass):
    """The ranking of each user, best first, as given.

    Rows are grouped by user, in the order given: the position in a list, the rank column of a table, or falling score
    (ties in the order of rows) where a table has no ranks. User `u` has rows `starts[u]` to `starts[u + 1]`, which may
    be none. The arrays are read-only copies.

    Parameters
    ----------
    data : dict, frame, array, path or iterable of rows
        `{user: [items]}`, `{user: {item: score}}`, `{user: [(item, score)]}`, or what `rc.Labels` reads.
    user, item, score, rank : str, optional
        Names of columns, where they differ from the usual ones. Several columns make compound ids.
    call : str, optional
        The column of the calls of a task, where a user has several lists: numbers in their order, or names.
    padding : int, optional
        The item id that fills up rows of arrays.
    user_ids, item_ids : sequence, optional
        Ids of the rows and columns of an array or a matrix; of an array of item numbers the ids of these numbers.

    Raises
    ------
    InputError
        If the data cannot be read, or can be read in two ways, with file and line.

    Notes
    -----
    `score="none"` says that the order of the rows is the ranking, where a column of numbers may or may not be the
    score. Files are CSV, TSV, TREC runs, JSON, JSON lines, Parquet and Arrow, each also packed (.gz); `-` is the
    standard input, and plugins may read more (`plugin.input_format`). Duplicates are kept.

    Several searches for one task are calls: `{user: [[items], [items]]}`, a column `call`, and with `call="tag"` or
    `call="Q0"` a field of a TREC run. The convention `calls` says what becomes of them.

    An array of whole numbers holds item ids, best first, and one of floats a score for each item. Whole numbers that
    are rather scores of the labelled items are refused when labels and run are joined.

    Examples
    --------
    >>> import rankconv as rc
    >>> run = rc.Run({"q1": {"d1": 0.2, "d7": 0.9}, "q2": {"d3": 0.5}})
    >>> run
    Run(2 users, 3 rows, scored, from a dict)
    >>> run.rows_of("q1")
    (['d7', 'd1'], [0.9, 0.2])
    """

    score: NDArray[np.float64] | None
    """Score of each row, or None where the input has none."""
    source: str = field(default="the rankings", compare=False)
    """Where it came from, for messages."""
    library: str = field(default="", compare=False)
    """The library whose table it came in, so that results can go back in one."""
    by_score: bool = field(default=False, compare=False)
    """Whether scores made the order, so that rows of equal score keep the order of the input."""
    columns: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Where it came in a table: the column in which each of user, item, score and rank was found."""
    tag: str = field(default="", compare=False)
    """What a TREC run calls itself: the last field of its last line."""
    form: Form = field(default=Form(), compare=False, repr=False)
    """The shape of the array that it came in, and of which other role its columns are."""
    is_distinct: bool = field(default=False, compare=False, repr=False)
    """Whether no list can have an item twice, as the reader knows of a dict."""
    words: Words | None = field(default=None, repr=False)
    """The words of which `score` has the places, where words came in the place of scores; they order no rows."""
    rank: NDArray[np.float64] | None = field(default=None, repr=False)
    """Rank of each row, which decides between rows of equal score; None where the input has no ranks.

    It is 0 in all rows of a user whose ranks contradict their scores, as those of a TREC run may.
    """
    side_named: bool = field(default=False, compare=False, repr=False)
    """Whether the caller said which side this is, by `rc.Run` or the keyword of a function."""
    calls: Calls | None = field(default=None, repr=False)
    """The calls that the rows came from, where users may have several; None where a user has one list."""

    @property
    def assumed(self) -> str:
        """What is assumed of a table that has no numbers, in words."""
        return self.form.assumed

    @property
    def scored(self) -> bool:
        """Whether rows have scores."""
        return self.score is not None

    @property
    def has_scores(self) -> bool:
        """Whether rows have scores, if only to order those of one call."""
        return self.scored or (self.calls is not None and not self.calls.are_one_list and self.calls.score is not None)

    @property
    def has_calls(self) -> bool:
        """Whether users may have several lists, which were not put together."""
        return self.calls is not None and not self.calls.are_one_list

    @cached_property
    def falling(self) -> NDArray[np.float64] | None:
        """What falls where rows are ordered by score, shape (rows,); None where each row is below the one before it.

        These are the scores; without them rows of one rank are equal.
        """
        if self.score is not None or self.rank is None:
            return self.score
        first = np.append(True, self.rank[1:] != self.rank[:-1])[: self.row_count]
        first[self.starts[:-1][self.lengths > 0]] = True
        if first.all():
            return None
        rows = np.maximum.accumulate(np.where(first, np.arange(len(first)), 0)).astype(np.float64)
        return take_ownership(np.repeat(self.starts[:-1].astype(np.float64), self.lengths) - rows)

    @property
    def scores_in_any_order(self) -> Scores | None:
        """The scores of all rows, not in the order of these, shape (rows,); None where they have none."""
        return self.score

    def first(self, rows: int | None) -> FirstRows:
        """The items of the first rows of each list, so many of each at least; None for all."""
        return FirstRows(self.starts, self.item)

    def first_scores(self, rows: int) -> tuple[Codes, Scores] | None:
        """Where those of each list begin, shape (lists + 1,), and the scores of its first rows and the next to them.

        So many rows of each at least. None where scores did not make the order, so that others may be higher.
        """
        return (self.starts, self.score) if self.by_score and self.score is not None else None

    def owners_of_repeats(self, rows: int | None) -> Codes:
        """The users with an item more than once among their first `rows` rows, None for all; shape (such users,)."""
        return owners_of_repeats(self.starts, self.item, rows)

    def rows_of(self, user: Any) -> tuple[list[Any], list[Any] | None]:
        """One user's items in the order given, and their scores, which may be words."""
        code = self.users.code(user)
        rows = slice(self.starts[code], self.starts[code + 1])
        scores = None if self.score is None else values_of(self.score[rows], self.words)
        return self.items.values[self.item[rows]].tolist(), scores

    def __repr__(self) -> str:
        words = "" if self.words is None else f" {self.words}"
        scored = f"scored{words}" if self.has_scores else "without scores"
        of_calls = f"{len(self.calls.name)} calls, " if self.calls is not None else ""
        return f"Run({len(self.users)} users, {of_calls}{self.row_count} rows, {scored}, from {self.source})"

    def _repr_html_(self) -> str | None:
        from rankconv.data.row_pages import run_page
        from rankconv.rendering.pages.display import notebook_html

        return notebook_html(run_page(self))


@dataclass(frozen=True, eq=False)
class Labels(RowsOfUsers, metaclass=ReadingClass):
    """Relevance judgments: the labelled items of each user with their grades, as given.

    Rows are grouped by user, in the order given. User `u` has rows `starts[u]` to `starts[u + 1]`, which may be none.
    The arrays are read-only copies.

    Parameters
    ----------
    data : dict, frame, array, sparse matrix, path or iterable of rows
        `{user: [items]}`, `{user: {item: grade}}`, a table of pandas, polars, pyarrow, DuckDB or Spark, the path of a
        file (.csv, .tsv, .json, .jsonl, .parquet, qrels), arrays of shape (users, items).
    user, item, grade : str, optional
        Names of columns, where they differ from the usual ones. Several columns make compound ids.
    group : str, optional
        The column of subtopics.
    padding : int, optional
        The item id that fills up rows of arrays.
    user_ids, item_ids : sequence, optional
        Ids of the rows and columns of an array or a matrix; of an array of item numbers the ids of these numbers.

    Raises
    ------
    InputError
        If the data cannot be read, or can be read in two ways, with file and line.

    Notes
    -----
    Labels may come in groups, such as the subtopics of a query: `{user: {group: [items]}}`,
    `{user: {group: {item: grade}}}`, tuples `(user, group, item, grade)`, a table with a column `group` or `subtopic`,
    and TREC diversity qrels, with `group="subtopic"`. An item in several groups is one label with the highest grade.

    `grade="none"` says that every row has grade 1, where a column of numbers may or may not be the grade. An array of
    whole numbers holds item ids; but grades together with an array of scores of the same shape.

    Examples
    --------
    >>> import rankconv as rc
    >>> labels = rc.Labels({"q1": {"d1": 2, "d7": 0}, "q2": {"d3": 1}})
    >>> labels
    Labels(2 users, 3 rows, from a dict)
    >>> labels.rows_of("q1")
    {'d1': 2.0, 'd7': 0.0}
    >>> rc.Labels({"q1": {"cars": ["d1", "d7"], "cats": {"d7"}}}).groups_of("q1")
    {'cars': {'d1': 1.0, 'd7': 1.0}, 'cats': {'d7': 1.0}}
    """

    grade: NDArray[np.float64]
    """Grade of each row; 1 where the input only lists items."""
    source: str = field(default="the labels", compare=False)
    """Where it came from, for messages."""
    library: str = field(default="", compare=False)
    """The library whose table it came in."""
    is_distinct: bool | None = None
    """Whether no user has two labels for an item, where the reader has looked."""
    columns: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Where it came in a table: the column in which each of user, item and grade was found."""
    form: Form = field(default=Form(), compare=False, repr=False)
    """The shape of the array that it came in, and of which other role its columns are."""
    groups: Groups | None = field(default=None, repr=False)
    """The groups that they came in, if any; an item of several groups is one label, of its highest grade."""
    words: Words | None = field(default=None, repr=False)
    """The words of which `grade` has the places, where words came in the place of grades."""
    side_named: bool = field(default=False, compare=False, repr=False)
    """Whether the caller said which side this is, by `rc.Labels` or the keyword of a function."""

    @property
    def assumed(self) -> str:
        """What is assumed of a table that has no numbers, in words."""
        return self.form.assumed

    @property
    def raw_items(self) -> RawIds | None:
        """The id of the item in each row, where they came as texts in a table."""
        return None

    @cached_property
    def distinct(self) -> bool:
        """Whether no user has two labels for an item."""
        if self.is_distinct is not None:
            return self.is_distinct
        return not len(owners_of_repeats(self.starts, self.item))

    def rows_of(self, user: Any) -> dict[Any, Any]:
        """One user's judged items and their grades, which may be words."""
        code = self.users.code(user)
        rows = slice(self.starts[code], self.starts[code + 1])
        return dict(
            zip(self.items.values[self.item[rows]].tolist(), values_of(self.grade[rows], self.words), strict=True)
        )

    def groups_of(self, user: Any) -> dict[Any, dict[Any, float]]:
        """One user's groups: the items of each with their grades; empty where the labels came in no groups."""
        return {} if self.groups is None else self.groups.of(self.users.code(user), self.items)

    def with_group_weights(self, weights: Mapping[Any, Mapping[Any, float]]) -> "Labels":
        """The labels, with what each group of each user weighs: such as how likely it is that they want it.

        Definitions with `subtopic-weight=given` read it. InputError where the labels came in no groups, and where a
        group
        has no weight, or a weight no group.

        >>> import rankconv as rc
        >>> labels = rc.Labels({"q": {"cars": ["a"], "cats": ["b"]}})
        >>> labels = labels.with_group_weights({"q": {"cars": 0.9, "cats": 0.1}})
        >>> spec = "hit_rate(subtopics=separate, subtopic-weight=given)@1"
        >>> rc.evaluate(labels, {"q": ["a", "b"]}, spec)[spec]
        0.9
        """
        if self.groups is None:
            do = "Give them as {user: {group: [items]}}, or say their column: rc.Labels(…, group='column')."
            raise InputError("these labels came in no groups", do=do)
        weighed: Labels = self.replace(groups=self.groups.weighed(weights, self.users))
        return weighed

    def __repr__(self) -> str:
        in_groups = "" if self.groups is None else " in groups"
        in_groups += "" if self.words is None else f" graded {self.words}"
        return f"Labels({len(self.users)} users, {self.row_count} rows{in_groups}, from {self.source})"

    def _repr_html_(self) -> str | None:
        from rankconv.data.row_pages import labels_page
        from rankconv.rendering.pages.display import notebook_html

        return notebook_html(labels_page(self))


def without_zeros(labels: Labels) -> Labels:
    """The labels whose grade is not 0."""
    kept = labels.grade != 0
    starts = np.append(0, np.cumsum(kept))[labels.starts]
    fewer: Labels = labels.replace(starts=starts, item=labels.item[kept], grade=labels.grade[kept])
    return fewer


@dataclass(frozen=True, repr=False)
class Runs(metaclass=NamedReadingClass):
    """Several runs by name, to be evaluated on the same labels.

    Parameters
    ----------
    data : mapping of str to RunLike, path or list of paths, optional
        The runs by name, a folder of files, or a list of paths; files are named by their names without known endings.
    **by_name : RunLike
        More runs, as keywords.

    Raises
    ------
    InputError
        As in `rc.Run`.

    Examples
    --------
    >>> import rankconv as rc
    >>> runs = rc.Runs(bm25={"q1": ["d1", "d2"]}, dense={"q1": ["d2", "d1"]})
    >>> list(runs.by_name)
    ['bm25', 'dense']
    """

    by_name: dict[str, Run]

    def __repr__(self) -> str:
        return f"Runs({', '.join(self.by_name)})"

    def _repr_html_(self) -> str | None:
        from rankconv.data.row_pages import runs_page
        from rankconv.rendering.pages.display import notebook_html

        return notebook_html(runs_page(self))
