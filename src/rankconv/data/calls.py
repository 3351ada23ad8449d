"""Several searches for one task: which rows of a user's list came from which call."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rankconv.data.arrays import Codes, FrozenArrays, Numbers, take_ownership, within
from rankconv.data.ids import Ids


@dataclass(frozen=True, eq=False)
class Calls(FrozenArrays):
    """The calls of each user, in their order; user `u` has those from `starts[u]` to `starts[u + 1]`.

    The rows of a run with calls are those of its calls, one call after the other, each best first. Such a run has
    neither scores nor ranks of its own: they order the rows of one call alone, and are here.
    """

    names: Ids
    starts: Codes
    """Shape (users + 1,)."""
    name: Codes
    """The code of the name of each call, shape (calls,)."""
    rows: Codes
    """Where the rows of each call begin and the last ones end, shape (calls + 1,)."""
    score: Numbers | None = None
    """The score of each row, shape (rows,), or None where the input has none."""
    rank: Numbers | None = None
    """The rank of each row, likewise."""
    by_score: bool = False
    """Whether scores made the order of the rows of a call."""
    are_one_list: bool = False
    """Whether they were put together: the list of a user is one, and has an order of its own."""
    are_fused: bool = False
    """Whether a row of that list represents its item in all calls."""
    origin: Codes | None = field(default=None, repr=False)
    """Of calls that were put together: the row that each row of the list was, shape (rows of the list,)."""
    item: Codes | None = field(default=None, repr=False)
    """Likewise: the item of each row as it was given, shape (rows,)."""

    @property
    def counts(self) -> Codes:
        """How many calls each user has, shape (users,)."""
        return np.diff(self.starts)

    @property
    def of_row(self) -> Codes:
        """The call of each row as it was given, shape (rows,)."""
        return np.repeat(np.arange(len(self.name)), np.diff(self.rows))

    @property
    def place(self) -> Codes:
        """The place of each call among those of its user, from 0, shape (calls,)."""
        return within(self.user)

    @property
    def user(self) -> Codes:
        """The user of each call, shape (calls,)."""
        return np.repeat(np.arange(len(self.starts) - 1), self.counts)

    def taking(self, rows: Codes) -> "Calls":
        """The calls of a list of these rows of the list, shape (rows of the new list,)."""
        return self if self.origin is None else replace(self, origin=take_ownership(self.origin[rows]))

    def having(self, row: int) -> list[str]:
        """The names of the calls that a row of the list came from."""
        at = row if self.origin is None else int(self.origin[row])
        call = int(np.searchsorted(self.rows, at, side="right")) - 1
        if not self.are_fused or self.item is None:
            return [self.called(call)]
        of_user = int(np.searchsorted(self.starts, call, side="right")) - 1
        calls = range(int(self.starts[of_user]), int(self.starts[of_user + 1]))
        item = self.item[at]
        return [self.called(one) for one in calls if (self.item[self.rows[one] : self.rows[one + 1]] == item).any()]

    def called(self, call: int) -> str:
        """The name of a call as text."""
        return str(self.names.id(int(self.name[call])))


@dataclass(frozen=True, eq=False)
class CallLists:
    """The list of each call while rows are read: whose call it is, and which rows it has."""

    names: Ids
    user: Codes
    """The user of each call, rising, shape (calls,)."""
    name: Codes
    """The code of its name, shape (calls,)."""
    of_row: Codes
    """The call of each row, shape (rows,)."""

    @classmethod
    def of(cls, owner: Codes, call: Codes, names: Ids, empty: Sequence[tuple[int, int]] = ()) -> "CallLists":
        """The calls of these rows, whose user and call are codes of shape (rows,), and those that gave no row.

        Calls named by numbers are in the order of these, others in that of their first rows.
        """
        none = np.array(empty, np.int64).reshape(-1, 2)
        users, calls = np.append(owner, none[:, 0]).astype(np.int64), np.append(call, none[:, 1]).astype(np.int64)
        keys = users * max(1, len(names)) + calls
        found, first, of_row = np.unique(keys, return_index=True, return_inverse=True)
        rank = names.number_rank
        by = first if np.isnan(rank).any() else rank[calls[first]]
        order = np.lexsort((by, users[first]))
        at = np.empty(len(found), np.int64)
        at[order] = np.arange(len(found))
        return cls(names, users[first][order], calls[first][order], at[of_row][: len(owner)])

    def user_ids(self, users: Ids) -> Ids:
        """The id of the user of each call, shape (calls,)."""
        return Ids(take_ownership(users.values[self.user]), users.kind)

    def starts(self, users: int) -> Codes:
        """Where the calls of each user begin and the last ones end, shape (users + 1,)."""
        return np.searchsorted(self.user, np.arange(users + 1)).astype(np.int64)
