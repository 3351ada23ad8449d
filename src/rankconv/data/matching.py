"""Which kind of label has each item of a list? A table per group of users, small enough for the processor's cache."""

from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes

Kinds = NDArray[np.uint8]
"""0 where an item has no label, else 1 + the level of its grade."""
DENSE_ITEMS = 250_000
"""Up to so many items a table has a place for each of them; beyond, places are shared."""
_DENSE_CELLS = 2_000_000
_BITS = 17
"""So many bits tell a shared place: half a megabyte of them fits the processor's cache."""
_TOGETHER = 1 << (_BITS - 3)
"""So many labels share the places at one time, unless one user has more."""
_SPREAD, _WORD = 0x9E3779B97F4A7C15, 64
WIDEST = (1 << 63) - 1
"""Items that are numbered below this, and none, can be looked up."""


def matcher(items: int) -> "Matcher":
    """Empty tables for a catalogue of this many items. They are written to, so each evaluation makes its own."""
    return Dense(items) if items <= DENSE_ITEMS else Shared(items)


class Matcher(ABC):
    """Finds the labels of ranked items. A user's labels are distinct; of a label given twice the last counts."""

    @abstractmethod
    def kinds(self, ranked: Codes, item: Codes, kind: Kinds, counts: Codes) -> Kinds:
        """The kind of each ranked item, shape (K, users), of items of shape (users, K); 0 where there is none.

        `ranked` has the number of items where a list has ended; labels stand one user after the other.
        """


class Dense(Matcher):
    """A place for each item, and one for no item."""

    def __init__(self, items: int) -> None:
        self.users = max(8, min(1024, _DENSE_CELLS // (items + 1)))
        self._row = np.arange(self.users, dtype=np.int64) * (items + 1)
        self._kind = np.zeros(self.users * (items + 1), np.uint8)

    def kinds(self, ranked: Codes, item: Codes, kind: Kinds, counts: Codes) -> Kinds:
        """As `Matcher.kinds`, shape (K, users): each item is looked up in a cell of its own in the user's row."""
        row = np.resize(self._row, len(ranked))
        at, place = ranked + row[:, None], item + np.repeat(row, counts)
        found = np.empty(ranked.shape, np.uint8)
        for users, labels in self._tables(counts):
            self._kind[place[labels]] = kind[labels]
            self._kind.take(at[users], mode="clip", out=found[users])
            self._kind[place[labels]] = 0
        return np.ascontiguousarray(found.T)

    def _tables(self, counts: Codes) -> Iterator[tuple[slice, slice]]:
        """The users that one table holds, and their labels, as slices; `counts` has shape (users,)."""
        ends = np.append(0, np.cumsum(counts)).tolist()
        for first in range(0, len(counts), self.users):
            past = min(first + self.users, len(counts))
            yield slice(first, past), slice(ends[first], ends[past])


class Shared(Matcher):
    """Few places, which the items of many users share: at each stands a label, which tells of the next one there.

    User and item are one number, which is spread over the places by a multiplication, and which is compared.
    """

    def __init__(self, items: int) -> None:
        self._first = np.zeros(1 << _BITS, np.int32)
        """The label that stands at each place, counted from 1; 0 where none does."""
        self._item_bits = items.bit_length()
        self._exact = self._item_bits + _BITS < _WORD
        """Whether no two pairs of user and item are one number."""

    def kinds(self, ranked: Codes, item: Codes, kind: Kinds, counts: Codes) -> Kinds:
        """As `Matcher.kinds`, shape (K, users), for catalogues too large for a cell per item."""
        kinds = np.zeros(ranked.shape, kind.dtype)
        cells, label = self.found(ranked, item, counts)
        kinds.ravel()[cells] = kind[label]
        return np.ascontiguousarray(kinds.T)

    def found(self, ranked: Codes, item: Codes, counts: Codes) -> tuple[Codes, Codes]:
        """The cells of ranked items that have a label, counted row by row, and which it is; both of shape (found,).

        Arguments are those of `Matcher.kinds`.
        """
        cells, found = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for users, labels in self._tables(counts, ranked.shape[1]):
            owner = np.arange(users.stop - users.start)
            known, asked = (item[labels], np.repeat(owner, counts[users])), (ranked[users], owner[:, None])
            for cell, label in self._met(known, asked):
                cells.append(cell + users.start * ranked.shape[1])
                found.append(label + labels.start)
        return np.concatenate(cells), np.concatenate(found)

    def _tables(self, counts: Codes, width: int) -> Iterator[tuple[slice, slice]]:
        """Users whose labels stand at the places together, and these labels, as slices; `counts` has shape (users,)."""
        ends, first = np.append(0, np.cumsum(counts)), 0
        while first < len(counts):
            past = int(np.searchsorted(ends, ends[first] + _TOGETHER, side="right")) - 1
            past = max(first + 1, min(past, first + len(self._first) // max(1, width)))
            yield slice(first, past), slice(int(ends[first]), int(ends[past]))
            first = past

    def _met(self, known: tuple[Codes, Codes], asked: tuple[Codes, Codes]) -> Iterator[tuple[Codes, Codes]]:
        """The cells whose items have a label, and which, both of shape (found,).

        `labels-used` are items and users of the labels, shape (labels,); `asked` those of the lists, shape (users, K).
        """
        labels, cells = self._numbers(*known), self._numbers(*asked).ravel()
        place = _places(labels)
        following = self._stand(place)
        first = self._first.take(_places(cells))
        self._first[place] = 0
        cell = np.flatnonzero(first != 0)
        label = first[cell] - 1
        while len(cell):
            same = labels[label] == cells[cell]
            if not self._exact:
                for ours, theirs in zip(known, asked, strict=True):
                    same &= ours[label] == np.broadcast_to(theirs, asked[0].shape).ravel()[cell]
            yield cell[same], label[same]
            other = np.flatnonzero(~same)
            label = following[label[other] + 1]
            there = np.flatnonzero(label)
            cell, label = cell[other[there]], label[there] - 1

    def _numbers(self, items: Codes, users: Codes) -> NDArray[np.uint64]:
        """Item and user as one number, shape as `items`."""
        numbers = items.astype(np.uint64)
        numbers += users.astype(np.uint64) << np.uint64(min(self._item_bits, _WORD - _BITS))
        return numbers

    def _stand(self, place: Codes) -> Codes:
        """Let the labels stand at their places, shape (labels,), and tell of each which follows it there, from 1.

        Of many at one place that which came last is the first. What follows has shape (labels + 1,), 0 for none.
        """
        label, following = np.arange(1, len(place) + 1, dtype=np.int32), np.zeros(len(place) + 1, np.int32)
        self._first[place] = label
        before = self._first[place]
        while len(behind := np.flatnonzero(before != label)):
            before, label = before[behind], label[behind]
            following[before] = label
            before = following[before]
        return following


def may_meet(keys: Codes, others: Codes) -> tuple[Codes, Codes]:
    """Where either has numbers that the other may have too, rising: all that it has, and few that it has not.

    Both have shape (keys,), each its own; so have the places.
    """
    bits = max(_BITS, (8 * min(len(keys), len(others))).bit_length())
    ours, theirs = (_places(one.astype(np.int64, copy=False).view(np.uint64), bits) for one in (keys, others))
    there = np.zeros(1 << bits, bool)
    there[ours] = True
    met = np.flatnonzero(there[theirs])
    there[:] = False
    there[theirs[met]] = True
    return np.flatnonzero(there[ours]), met


def _places(numbers: NDArray[np.uint64], bits: int = _BITS) -> Codes:
    """The shared place of each of these numbers, shape as `numbers`; so many bits tell it."""
    spread = numbers * np.uint64(_SPREAD)
    spread >>= np.uint64(_WORD - bits)
    return spread.view(np.int64)
