"""Which kind of label has each item of a list? A table per group of users, small enough for the processor's cache."""

import numpy as np
from numpy.typing import NDArray

from rankconv.ranking.ids import Codes

Kinds = NDArray[np.uint8]
"""0 where an item has no label, else 1 + the level of its grade."""

DENSE_ITEMS = 250_000
"""Up to so many items a table has a place for each of them; beyond, places are shared."""
_DENSE_CELLS = 2_000_000
_USERS, _BITS = 512, 10  # of a shared table: 1024 places for each of 512 users
_SHIFT, _SPREAD = np.uint32(32 - _BITS), np.uint32(2654435769)


class Matcher:
    """Finds the labels of ranked items, for one catalogue.

    A user's items and labels are distinct; of a label given twice the last counts.
    """

    def __init__(self, items: int) -> None:
        self.dense = items <= DENSE_ITEMS
        self.users = max(8, min(1024, _DENSE_CELLS // (items + 1))) if self.dense else _USERS
        """How many users one table holds."""
        self._width = items + 1 if self.dense else 1 << _BITS
        """The last place of a dense table is that of no item."""
        self._row = np.arange(self.users, dtype=np.int64) * self._width
        self._kind = np.zeros(self.users * self._width, np.uint8)
        self._item = np.full(0 if self.dense else self.users * self._width, -1, np.int32)

    def kinds(self, ranked: Codes, item: Codes, kind: Kinds, counts: Codes) -> Kinds:
        """The kind of each ranked item, shape (k, users), of a contiguous array of codes, shape (users, k).

        `ranked` has the number of items where a list has ended; labels stand one user after the other.
        """
        found = np.empty(ranked.T.shape, np.uint8)
        row, ends = np.resize(self._row, len(ranked)), np.append(0, np.cumsum(counts)).tolist()
        at, place = self._place(ranked) + row[:, None], self._place(item) + np.repeat(row, counts)
        for first in range(0, len(ranked), self.users):
            users = slice(first, min(first + self.users, len(ranked)))
            labels = slice(ends[users.start], ends[users.stop])
            self._kind[place[labels]] = kind[labels]
            found[:, users] = self._kind.take(at[users], mode="clip").T
            if self.dense:
                self._kind[place[labels]] = 0
            else:
                self._tell_apart(found[:, users].T, ranked[users], at[users], item[labels], kind[labels], place[labels])
        return found

    def _place(self, items: Codes) -> Codes:
        """Where these items stand in the row of a user."""
        if self.dense:
            return items
        return ((items.astype(np.uint32) * _SPREAD) >> _SHIFT).astype(np.int64)

    def _tell_apart(self, found: Kinds, ranked: Codes, at: Codes, item: Codes, kind: Kinds, place: Codes) -> None:
        """Where items share places: take back what is another item's, and find the labels that lost their place."""
        self._item[place] = item
        found[self._item.take(at) != ranked] = 0
        lost = np.flatnonzero(self._item[place] != item)
        self._item[place] = -1
        if len(lost):
            user = place[lost] >> _BITS
            _find_lost(found, ranked, user, item[lost], kind[lost])


def _find_lost(found: Kinds, ranked: Codes, user: Codes, item: Codes, kind: Kinds) -> None:
    """A second round, by sorting, for the labels whose place another label took."""
    users, owner = np.unique(user, return_inverse=True)
    key = (owner << 32) + item
    order = np.argsort(key, kind="stable")
    key, kind = key[order], kind[order]
    asked = ((np.arange(len(users), dtype=np.int64) << 32)[:, None] + ranked[users]).ravel()
    at = np.maximum(np.searchsorted(key, asked, side="right") - 1, 0)
    hit = key[at] == asked
    found[users] = np.where(hit, kind[at], found[users].ravel()).reshape(len(users), -1)
