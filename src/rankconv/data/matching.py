"""Which kind of label has each item of a list? A table per group of users, small enough for the processor's cache."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Mask

Kinds = NDArray[np.uint8]
"""0 where an item has no label, else 1 + the level of its grade."""
Kind = TypeVar("Kind", bound=np.unsignedinteger[Any])
"""What is told of a label, from 1 on: its kind, or its place among those of the user, in tables that are shared."""

DENSE_ITEMS = 250_000
"""Up to so many items a table has a place for each of them; beyond, places are shared."""
_DENSE_CELLS = 4_000_000
_BITS = 10
"""So many bits tell the place of an item in its user's row of a shared table, and as many there tell the kind."""
_SPREAD = 0x9E3779B97F4A7C15
_MANY = 1 << (_BITS - 1)
"""With more labels than this most of a user's would lose their place to another, turn after turn; they are
looked at one by one."""
_FEW_RANKS = 64
"""Up to so many are faster compared with each label of one user than with labels sorted before."""
WIDEST = (1 << 63) - 1
"""Items that are numbered below this, and none, can be looked up."""

Cells = NDArray[np.unsignedinteger[Any]]
"""What stands in a table: an item and its kind as one number; where only the item matters, the item."""


def matcher(items: int) -> "Matcher":
    """Empty tables for a catalogue of this many items. They are written to, so each evaluation makes its own."""
    return Dense(items) if items <= DENSE_ITEMS else Shared(items)


class Matcher(ABC):
    """Finds the labels of ranked items. A user's labels are distinct; of a label given twice the last counts."""

    users: int
    """How many users one table holds."""

    @abstractmethod
    def kinds(self, ranked: Codes, item: Codes, kind: NDArray[Kind], counts: Codes) -> NDArray[Kind]:
        """The kind of each ranked item, shape (K, users), of items of shape (users, K); 0 where there is none.

        `ranked` has the number of items where a list has ended; labels stand one user after the other.
        """

    def _tables(self, counts: Codes) -> Iterator[tuple[slice, slice]]:
        """The users that one table holds, and their labels, as slices; `counts` has shape (users,)."""
        ends = np.append(0, np.cumsum(counts)).tolist()
        for first in range(0, len(counts), self.users):
            past = min(first + self.users, len(counts))
            yield slice(first, past), slice(ends[first], ends[past])


class Dense(Matcher):
    """A place for each item, and one for no item."""

    def __init__(self, items: int) -> None:
        self.users = max(8, min(1024, _DENSE_CELLS // (items + 1)))
        self._row = np.arange(self.users, dtype=np.int64) * (items + 1)
        self._kind = np.zeros(self.users * (items + 1), np.uint8)

    def kinds(self, ranked: Codes, item: Codes, kind: NDArray[Kind], counts: Codes) -> NDArray[Kind]:
        """As `Matcher.kinds`, shape (K, users): each item is looked up in a cell of its own in the user's row."""
        row = np.resize(self._row, len(ranked))
        at, place = ranked + row[:, None], item + np.repeat(row, counts)
        found = np.empty(ranked.T.shape, kind.dtype)
        for users, labels in self._tables(counts):
            self._kind[place[labels]] = kind[labels]
            found[:, users] = self._kind.take(at[users], mode="clip").T
            self._kind[place[labels]] = 0
        return found


class Shared(Matcher):
    """Few places for each user, in each of which stand the label's kind and what its place does not tell of its item.

    Items are spread by a multiplication that maps no two to one number: some bits of that are the place, the others
    stand there. Labels that lose their place to another take part in a second turn, spread otherwise, and so on.
    """

    users = 512

    def __init__(self, items: int) -> None:
        self._cell: Cells = np.zeros(self.users << _BITS, np.uint32 if items < 1 << 32 else np.uint64)
        self._row = np.arange(self.users, dtype=np.int64) << _BITS
        self._kinds = self._cell.dtype.type(1 << _BITS)

    def kinds(self, ranked: Codes, item: Codes, kind: NDArray[Kind], counts: Codes) -> NDArray[Kind]:
        """As `Matcher.kinds`, shape (K, users), for catalogues too large for a cell per item."""
        whole = self._cell.dtype
        found, owner = np.zeros(ranked.shape, kind.dtype), np.repeat(np.arange(len(counts)), counts)
        many = counts > _MANY
        for user in np.flatnonzero(many):
            own = slice(*np.searchsorted(owner, [user, user + 1]))
            found[user] = _kinds_one_by_one(ranked[user], item[own], kind[own])
        if many.any():
            few = ~many[owner]
            item, kind, owner = item[few], kind[few], owner[few]
        self._by_turns(found, ranked.astype(whole), item.astype(whole), kind, owner)
        return np.ascontiguousarray(found.T)

    def _by_turns(self, found: NDArray[Kind], ranked: Cells, item: Cells, kind: NDArray[Kind], owner: Codes) -> None:
        """Write the kinds of the ranked items, shape (users, K), turn by turn, until each label had a cell."""
        most = int(np.iinfo(self._cell.dtype).max)
        spread = _SPREAD & most
        while len(item):
            counts = np.bincount(owner, minlength=len(ranked))
            users = slice(None) if counts.all() else np.flatnonzero(counts)
            part = found[users]
            lost = self._turn(spread, part, ranked[users], item, kind, counts[users])
            found[users] = part
            item, kind, owner = item[lost], kind[lost], owner[lost]
            spread = (spread * 5) & most

    def _turn(
        self, spread: int, found: NDArray[Kind], ranked: Cells, item: Cells, kind: NDArray[Kind], counts: Codes
    ) -> Mask:
        """Write the kinds of items whose labels get a cell in this turn; returns which got none, shape (labels,)."""
        owner = np.repeat(np.arange(len(counts)), counts)
        place, cell = self._spread(item, spread)
        cell |= kind
        place += self._row[owner & (self.users - 1)]
        lost = np.empty(len(item), bool)
        for users, labels in self._tables(counts):
            here, own = place[labels], cell[labels]
            self._cell[here] = own
            lost[labels] = (self._cell.take(here, mode="clip") ^ own) >= self._kinds
            at, wanted = self._spread(ranked[users], spread)
            at += self._row[: len(wanted), None]
            apart = np.bitwise_xor(self._cell.take(at, mode="clip"), wanted, out=wanted)
            found[users] |= np.where(apart < self._kinds, apart, 0).astype(found.dtype)
            self._cell[here] = 0
        return lost

    def _spread(self, items: Cells, spread: int) -> tuple[NDArray[np.int64], Cells]:
        """The place of each item in its user's row, and what stands there without a kind, both of shape as `items`."""
        whole = self._cell.dtype.type
        mixed = items * whole(spread)
        place = (mixed >> whole(8 * self._cell.itemsize - _BITS)).astype(np.int64)
        mixed <<= whole(_BITS)
        return place, mixed


def _kinds_one_by_one(ranked: Codes, item: Codes, kind: NDArray[Kind]) -> NDArray[Kind]:
    """The kind of each ranked item, shape (k,), of one user whose labels these are; 0 where it has no label."""
    if not len(ranked):
        return np.empty(0, kind.dtype)
    if len(ranked) > _FEW_RANKS:
        order = np.argsort(item, kind="stable")
        place = np.searchsorted(item, ranked, side="right", sorter=order) - 1
        at = order[np.maximum(place, 0)]
        return np.where((place >= 0) & (item[at] == ranked), kind[at], 0).astype(kind.dtype)
    same = item[::-1] == ranked[:, None]
    last = len(item) - 1 - same.argmax(axis=1)
    return np.where(same.any(axis=1), kind[last], 0).astype(kind.dtype)
