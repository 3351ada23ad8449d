"""Which kind of label has each item of a list? A table per group of users, small enough for the processor's cache."""

import numpy as np
from numpy.typing import NDArray

from rankconv.ranking.ids import Codes

Kinds = NDArray[np.uint8]
"""0 where an item has no label, else 1 + the level of its grade."""

DENSE_ITEMS = 250_000
"""Up to so many items a table has a place for each of them; beyond, places are shared."""
_DENSE_CELLS = 4_000_000
_USERS, _BITS = 512, 10  # of a shared table: 1024 places for each of 512 users
_SHIFT, _SPREAD = np.uint32(32 - _BITS), np.uint32(2654435769)


class Matcher:
    """Finds the labels of ranked items, for one catalogue.

    A user's items and labels are distinct; of a label given twice the last counts.
    """

    def __init__(self, items: int) -> None:
        self.dense = items <= DENSE_ITEMS
        self.users = max(16, min(1024, _DENSE_CELLS // (items + 1))) if self.dense else _USERS
        """How many users one table holds."""
        self._width = items + 1 if self.dense else 1 << _BITS
        """The last place of a dense table is that of no item."""
        self._row = np.arange(self.users, dtype=np.int64) * self._width
        self._kind = np.zeros(self.users * self._width, np.uint8)
        self._item = np.full(0 if self.dense else self.users * self._width, -1, np.int32)

    def kinds(self, ranked: Codes, item: Codes, kind: Kinds, counts: Codes) -> Kinds:
        """The kind of each ranked item, shape (users, k); labels stand one user after the other.

        `ranked` has an item's code, or that of no item, the number of items, where a list has ended.
        """
        found = np.empty(ranked.shape, np.uint8)
        ends = np.append(0, np.cumsum(counts))
        for first in range(0, len(ranked), self.users):
            users = slice(first, min(first + self.users, len(ranked)))
            labels = slice(ends[users.start], ends[users.stop])
            match = self._in_dense if self.dense else self._in_shared
            found[users] = match(ranked[users], item[labels], kind[labels], counts[users])
        return found

    def _in_dense(self, ranked: Codes, item: Codes, kind: Kinds, counts: Codes) -> Kinds:
        row = self._row[: len(ranked)]
        place = np.repeat(row, counts)
        place += item
        self._kind[place] = kind
        found = self._kind.take(ranked + row[:, None], mode="clip")
        self._kind[place] = 0
        return found

    def _in_shared(self, ranked: Codes, item: Codes, kind: Kinds, counts: Codes) -> Kinds:
        row = self._row[: len(ranked)]
        narrow = item.astype(np.int32)
        place = np.repeat(row, counts)
        place += (narrow.view(np.uint32) * _SPREAD) >> _SHIFT
        self._item[place], self._kind[place] = narrow, kind
        wanted = ranked.astype(np.int32)
        at = ((wanted.view(np.uint32) * _SPREAD) >> _SHIFT) + row[:, None]
        found = self._kind.take(at)
        found[self._item.take(at) != wanted] = 0
        lost = np.flatnonzero(self._item[place] != narrow)
        self._item[place] = -1
        if len(lost):
            user = np.repeat(np.arange(len(ranked)), counts)[lost]
            _find_lost(found, wanted, user, narrow[lost], kind[lost])
        return found


def _find_lost(found: Kinds, wanted: NDArray[np.int32], user: Codes, item: NDArray[np.int32], kind: Kinds) -> None:
    """A second round, by sorting, for the labels whose place another label took."""
    users, owner = np.unique(user, return_inverse=True)
    key = (owner.astype(np.int64) << 32) + item
    order = np.argsort(key, kind="stable")
    key, kind = key[order], kind[order]
    asked = ((np.arange(len(users), dtype=np.int64) << 32)[:, None] + wanted[users]).ravel()
    at = np.maximum(np.searchsorted(key, asked, side="right") - 1, 0)
    hit = key[at] == asked
    found[users] = np.where(hit, kind[at], found[users].ravel()).reshape(len(users), -1)
