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
_BITS = 10  # of a shared table: so many bits tell the place of a user's item
_SHIFT, _SPREAD = np.uint32(32 - _BITS), 2654435769
_MANY = 1 << (_BITS - 1)
"""With more labels than this most of a user's would lose their place to another, turn after turn; they are sorted."""
_KIND_BITS, _MORE_KIND_BITS = 8, 10
"""So many bits of a tag of 32 bits, and of 64, tell the kind: they have room for the place of any label among few."""
WIDEST = 1 << (64 - _MORE_KIND_BITS - 1)
"""Items that are numbered up to here, and none, can be looked up."""

Tags = NDArray[np.unsignedinteger[Any]]
"""An item and its kind as one number; where only the item matters, the item."""


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
    """Few places for each user, each with a tag of the item that stands there and its kind.

    Labels that lose their place to another take part in a second turn, where they are spread otherwise, and so on.
    """

    users = 512

    def __init__(self, items: int) -> None:
        self._tag: Tags = np.empty(self.users << _BITS, np.uint32 if items < 1 << 23 else np.uint64)
        self._bits = self._tag.dtype.type(_KIND_BITS if self._tag.itemsize == 4 else _MORE_KIND_BITS)
        self._tag[:] = self._nothing = np.iinfo(self._tag.dtype).max
        self._row = np.arange(self.users, dtype=np.int64) << _BITS

    def kinds(self, ranked: Codes, item: Codes, kind: NDArray[Kind], counts: Codes) -> NDArray[Kind]:
        """As `Matcher.kinds`, shape (K, users), for catalogues too large for a cell per item."""
        whole = self._tag.dtype.type
        found, owner = np.zeros(ranked.shape, kind.dtype), np.repeat(np.arange(len(counts)), counts)
        many = counts > _MANY
        for user in np.flatnonzero(many):
            own = slice(*np.searchsorted(owner, [user, user + 1]))
            found[user] = _kinds_by_sorting(ranked[user], item[own], kind[own])
        tag = (item.astype(whole) << self._bits) | kind.astype(whole)
        if many.any():
            few = ~many[owner]
            tag, owner = tag[few], owner[few]
        self._by_turns(found, ranked.astype(whole), tag, owner)
        return np.ascontiguousarray(found.T)

    def _by_turns(self, found: NDArray[Kind], ranked: Tags, tag: Tags, owner: Codes) -> None:
        """Write the kinds of the ranked items, shape (users, K), turn by turn, until each label had a cell."""
        spread = _SPREAD
        while len(tag):
            counts = np.bincount(owner, minlength=len(ranked))
            users = slice(None) if counts.all() else np.flatnonzero(counts)
            part = found[users]
            lost = self._turn(spread, part, ranked[users], tag, counts[users])
            found[users] = part
            tag, owner, spread = tag[lost], owner[lost], (spread * 5) & 0xFFFFFFFF

    def _turn(self, spread: int, found: NDArray[Kind], ranked: Tags, tag: Tags, counts: Codes) -> Mask:
        """Write the kinds of items whose labels get a cell in this turn; returns which got none, shape (labels,)."""
        owner = np.repeat(np.arange(len(counts)), counts)
        place = _places(tag >> self._bits, spread) + self._row[owner & (self.users - 1)]
        lost = np.empty(len(tag), bool)
        for users, labels in self._tables(counts):
            here, own, wanted = place[labels], tag[labels], ranked[users]
            self._tag[here] = own
            lost[labels] = (self._tag.take(here, mode="clip") ^ own) >> self._bits != 0
            there = self._tag.take(_places(wanted, spread) + self._row[: len(wanted), None], mode="clip")
            apart = there ^ (wanted << self._bits)
            found[users] |= np.where(apart >> self._bits == 0, apart, 0).astype(found.dtype)
            self._tag[here] = self._nothing
        return lost


def _kinds_by_sorting(ranked: Codes, item: Codes, kind: NDArray[Kind]) -> NDArray[Kind]:
    """The kind of each ranked item, shape (k,), of one user whose labels these are; 0 where it has no label."""
    order = np.argsort(item, kind="stable")
    place = np.searchsorted(item, ranked, side="right", sorter=order) - 1
    at = order[np.maximum(place, 0)]
    return np.where((place >= 0) & (item[at] == ranked), kind[at], 0).astype(kind.dtype)


def _places(items: Tags, spread: int) -> NDArray[np.uint32]:
    """The cell of each item in its user's row of the table, shape as `items`."""
    return np.asarray((items.astype(np.uint32, copy=False) * np.uint32(spread)) >> _SHIFT)
