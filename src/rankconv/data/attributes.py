"""What accompanies labels and rankings: the form of their source, groups of labels, tables of users and items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, Literal

import numpy as np

from rankconv.data.array_libraries import Matrix
from rankconv.data.arrays import Codes, FrozenArrays, Mask, Numbers, among
from rankconv.data.ids import Ids, quoted
from rankconv.errors import InputError


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

    scores: Matrix
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
    named: bool = False
    """Of a table: whether a column of numbers has a name that tells grades from scores."""
    assumed: str = ""
    """Of a table: what is assumed in place of the numbers that it does not have, in words."""
    cut: MatrixCut | None = field(default=None, compare=False, repr=False)
    """Of a matrix of scores of which the first rows alone were read: what is known of the others."""
    labels_cut: LabelsCut | None = field(default=None, compare=False, repr=False)
    """Of a matrix of grades of which few labels were read: how many others there are."""


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

    def __repr__(self) -> str:
        return f"Features({len(self.items)} items, {len(self.names)} features, from {self.source})"


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
