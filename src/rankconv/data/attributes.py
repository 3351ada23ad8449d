"""What accompanies labels and rankings: the form of their source, groups of labels, tables and parents of items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, Literal

import numpy as np

from rankconv.basics.errors import InputError
from rankconv.data.array_libraries import ScoreMatrix
from rankconv.data.arrays import Codes, FrozenArrays, Mask, Numbers, among
from rankconv.data.ids import Ids, encode, make_ids, quoted


class NeedsWholeLists(Exception):  # noqa: N818  # caught where it may be raised
    """Something looks at rows or labels that were not read."""


@dataclass(frozen=True, eq=False)
class LabelsCut:
    """Labels that were counted and not read; of each grade that a user has, one label was read."""

    counts: Codes
    """How many of each grade, 0, 1, …, each user has, shape (users, grades)."""
    listed: Codes
    """Those of them whose item is in the user's list, shape (users, grades)."""


@dataclass(frozen=True, eq=False)
class MatrixCut:
    """The matrix, whose rows are users and whose columns are items, and the lengths of the lists before the cut."""

    scores: ScoreMatrix
    """-inf is no item."""
    lengths: Codes
    """Items of each user, shape (users,)."""
    excluded: Codes | None
    """Sorted cells, user * items + item, that are no items either."""
    rows: int
    """So many rows of each list were read."""
    tied: Codes
    """How many rows that tie with the last of these were not, without a label and with a grade of 0: (users, 2)."""

    def holds(self, user: Codes, item: Codes) -> Mask:
        """Whether these items are in the lists of these users before the cut; arrays have shape (pairs,)."""
        users, items = self.scores.shape
        found: Mask = (user >= 0) & (user < users) & (item >= 0) & (item < items)
        user, item = user[found], item[found]
        cells = user * np.int64(items) + item
        listed = self.scores.take(cells) != -np.inf
        if self.excluded is not None:
            listed &= ~among(cells, self.excluded)
        found[found] = listed
        return found


@dataclass(frozen=True)
class Form:
    """The array or the table that labels or rankings were read from; of other data nothing is said."""

    kind: Literal["", "dense", "sparse", "ids"] = ""
    """Of an array with one row per user: a number for each item, the same without most of them, or item ids."""
    shape: tuple[int, int] = (0, 0)
    """Of an array: users, and items or ranks."""
    in_turn: bool = False
    """Of lists: whether they came one for each user in turn, as the rows of an array do, and not by the user's id."""
    users_named: bool = False
    """Of an array or of lists in turn: whether the caller said which users the rows are."""
    items_named: bool = False
    """Of an array: whether the caller said which items the columns or the numbers are."""
    in_order: frozenset[Literal["user", "item"]] = frozenset()
    """What the caller named by consecutive numbers: these are places, and said to be."""
    numbers_named: bool = False
    """Of a table: whether a column of numbers has a name that tells grades from scores."""
    assumed: str = ""
    """Of a table: what is assumed in place of the numbers that it does not have, in words."""
    assumed_rank: str = ""
    """Of a table: which column is taken for the rank, in words; to a definition that goes by ranks it is no guess."""
    path: str = field(default="", compare=False, repr=False)
    """Of a file: where it is, as the caller said it."""
    are_spans: bool = False
    """Whether the items are spans of documents: `(document, start, end)`."""
    as_texts: tuple[Literal["user", "item"], ...] = ()
    """Of a file: which ids are whole numbers that were made texts, as the other file has texts."""
    cut: MatrixCut | None = field(default=None, compare=False, repr=False)
    """Of a matrix of scores of which the first rows alone were read: what is known of the others."""
    labels_cut: LabelsCut | None = field(default=None, compare=False, repr=False)
    """Of a matrix of grades of which few labels were read: how many others there are."""

    @property
    def users_placed(self) -> bool:
        """Whether users are rows, known by their place alone."""
        return bool(self.kind or self.in_turn) and not self.users_named

    @property
    def items_placed(self) -> bool:
        """Whether items are columns, known by their place alone."""
        return self.kind in ("dense", "sparse") and not self.items_named


@dataclass(frozen=True, eq=False)
class Features(FrozenArrays):
    """A vector for each item that has one; a set of categories is a vector of ones and zeros."""

    items: Ids
    vectors: Numbers
    """Shape (items, features); NaN where a number is missing."""
    names: tuple[str, ...]
    """What each feature is called."""
    source: str = "the features"
    """Where they came from, for messages."""
    columns: tuple[str, ...] = ()
    """Of a table: the column of each feature. A column of categories has a feature for each of them."""

    def __repr__(self) -> str:
        return f"Features({len(self.items)} items, {len(self.names)} features, from {self.source})"


@dataclass(frozen=True, eq=False)
class Propensities(FrozenArrays):
    """How likely each item was to be observed where it is relevant: in an interaction, a click, a judgment."""

    items: Ids
    values: Numbers
    """Shape (items,), each above 0 and at most 1."""
    source: str = "the propensities"
    """Where they came from, for messages."""

    def __repr__(self) -> str:
        return f"Propensities({len(self.items)} items, from {self.source})"


@dataclass(frozen=True, eq=False)
class GroupTargets(FrozenArrays):
    """The share that each group of items should have, of all users or of each."""

    groups: tuple[str, ...]
    shares: Numbers
    """Shape (1, groups) for all users, or (users, groups)."""
    users: Ids | None = None
    """The users, where each has shares of their own."""
    source: str = "group_target"
    """Where they came from, for messages."""


@dataclass(frozen=True, eq=False)
class Properties(FrozenArrays):
    """A table of users, or of items: one row for each."""

    ids: Ids
    columns: Mapping[str, Sequence[str | None]]
    """The value of each id, None where it has none."""
    source: str = "the table"
    """Where it came from, for messages."""


@dataclass(frozen=True, eq=False)
class Groups(FrozenArrays):
    """The groups of each user's labels: one row for each item of each group, in the order given.

    A group belongs to one user: groups of equal name of two users have nothing in common. An item may stand in several
    groups, with a grade in each. User `u` of the labels owns rows `starts[u]` to `starts[u + 1]`.
    """

    names: Ids
    starts: Codes
    """Shape (users + 1,)."""
    group: Codes
    """Code of the group of each row."""
    item: Codes
    """Code of the item in each row, among those of the labels."""
    grade: Numbers
    weight: Numbers | None = None
    """What the group of each row weighs, where the caller says it: such as how likely a user is to want it."""

    def weighed(self, weights: Mapping[Any, Mapping[Any, float]], users: Ids) -> "Groups":
        """With the weight that each group of each user has; InputError where one is missing, unknown or no weight."""
        found = np.empty(len(self.group))
        for code, user in enumerate(users.values.tolist()):
            rows = slice(int(self.starts[code]), int(self.starts[code + 1]))
            names = [self.names.id(group) for group in self.group[rows].tolist()]
            found[rows] = _weights(weights.get(user, {}), names, f"weights of groups, user {quoted(user)}")
        for user in weights:
            if user not in users.code_of:
                raise InputError(f"user {quoted(user)} has no labels", where="weights of groups", do="Leave them out")
        return replace(self, weight=found)

    def of(self, user: int, items: Ids) -> dict[Any, dict[Any, float]]:
        """The groups of the user of this code: the grade of each item, by group."""
        found: dict[Any, dict[Any, float]] = {}
        for row in range(int(self.starts[user]), int(self.starts[user + 1])):
            group = found.setdefault(self.names.id(int(self.group[row])), {})
            group[items.id(int(self.item[row]))] = float(self.grade[row])
        return found


def _weights(given: Mapping[Any, Any], names: list[Any], where: str) -> list[float]:
    """The weight of the group of each row, shape (rows,), of one user."""
    for group in dict.fromkeys(names):
        if group not in given:
            raise InputError(
                f"the group {group!r} has no weight", where=where, do="Give one to each group, 0 if need be"
            )
    for group, weight in given.items():
        if group not in names:
            wrong = f"{group!r} is not a group of theirs"
            raise InputError(wrong, where=where, allowed=f"They have {', '.join(map(repr, dict.fromkeys(names)))}")
        if not isinstance(weight, Real) or isinstance(weight, bool) or not 0 <= float(weight) < np.inf:
            raise InputError(
                f"{weight!r:.60} is no weight", where=f"{where}, group {group!r}", allowed="A number from 0 on"
            )
    return [float(given[name]) for name in names]


_EXAMPLE = "parents={'doc1#0': 'doc1'}"


@dataclass(frozen=True, eq=False)
class Parents(FrozenArrays):
    """The document of each chunk: the part of its id before a separator, or what a table says."""

    separator: str = ""
    """Empty where a table says it."""
    table: Mapping[Any, Any] = field(default_factory=dict, repr=False)
    source: str = "parents="
    """Where the table came from, for messages."""

    def __post_init__(self) -> None:
        for chunk, document in self.table.items():
            if self.table.get(document, document) != document:
                wrong = f"{quoted(document)} is the document of {quoted(chunk)}, and a chunk of another document itself"
                raise InputError(wrong, where=self.source, do="Name for each chunk its topmost document.")

    @property
    def pairs(self) -> tuple[Ids, Ids]:
        """The chunks of the table, and the document of each, which may be that of several; both of shape (chunks,)."""
        return make_ids([*self.table], "item"), make_ids([*self.table.values()], "item")

    def documents(self, items: Ids) -> tuple[Codes, Ids]:
        """The document of each item as a code, shape (items,), and the ids of the documents."""
        named = [self.table.get(item, item) for item in items.values.tolist()]
        if self.separator:
            named = [item.partition(self.separator)[0] for item in self._texts(items)]
        code, ids = encode(named, "item")
        if "none" not in (ids.kind, items.kind) and ids.kind != items.kind:
            wrong = f"documents are {ids.kind} ({ids.examples()}), and items are {items.kind} ({items.examples()})"
            raise InputError(wrong, where=self.source, do="Convert them, so that all have the same type.")
        return code, ids

    def are_chunks(self, items: Ids) -> Mask:
        """Which items are chunks, shape (items,): those with the separator, or with a row in the table."""
        if self.separator:
            return np.array([self.separator in item for item in self._texts(items)], bool)
        return np.array([item in self.table for item in items.values.tolist()], bool)

    def _texts(self, items: Ids) -> list[str]:
        """The ids; an InputError for one in which the separator does not show the document."""
        do = f"Name the document of each item, such as {_EXAMPLE}; or a separator that documents do not have."
        if items.kind not in ("text", "none"):
            wrong = f"item ids are {items.kind} ({items.examples()}), and have no separator '{self.separator}'"
            raise InputError(wrong, where="parents=", do=do)
        texts: list[str] = items.values.tolist()
        for item in texts:
            head, found, tail = item.partition(self.separator)
            if found and (not head or self.separator in tail):
                readings = [head, item.rpartition(self.separator)[0]]
                wrong = f"the document of {quoted(item)} may be {' or '.join(map(quoted, readings))}"
                raise InputError(wrong, where=f"parents='{self.separator}'", do=do)
        return texts

    def check_named(self, items: Ids) -> None:
        """An InputError for an item that the table names neither as a chunk nor as a document."""
        known = {*self.table, *self.table.values()}
        unnamed = None if self.separator else next((one for one in items.values.tolist() if one not in known), None)
        if unnamed is not None:
            name = quoted(unnamed)
            wrong, do = f"item {name} is neither a chunk nor a document there", f"Name its document, or itself: {name}."
            raise InputError(wrong, where=self.source, do=do)

    def check(self, items: Ids) -> None:
        """An InputError where no item is a chunk, which is what a wrong separator or table looks like."""
        if len(items) and not self.are_chunks(items).any():
            wrong = f"no item is a chunk of a document (parents={self.separator or self.source})"
            do = f"Give the separator of the ids, such as '#', or the document of each item, such as {_EXAMPLE}."
            raise InputError(wrong, allowed=f"Items are {items.examples()}", do=do)


def best_rows(key: Codes, group: Codes, grade: Numbers) -> Codes:
    """The rows that stay where groups are no matter, rising: of each item those of the group that grades it highest.

    `key`, one number for each pair of user and item, `group` and `grade` have shape (rows,). Of groups that grade an
    item the same the first counts; a repeated item of one group is repeated.
    """
    order = np.lexsort((-grade, key))  # stable: of equal grades the first row comes first
    first = np.append(True, key[order][1:] != key[order][:-1]) if len(key) else np.empty(0, bool)
    best = np.empty_like(group)
    best[order] = group[order[first]][np.cumsum(first) - 1]
    return np.flatnonzero(group == best)
