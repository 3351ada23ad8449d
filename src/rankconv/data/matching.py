"""Which label an item of a list has: the levels of grades, how items are numbered, and tables that look labels up.

A table serves a group of users, and is small enough for the processor's cache. `ItemIndex` numbers items by their
common codes, `HashedTextIndex` by hashes of texts that nobody has coded.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, FrozenArrays, Numbers, take_ownership
from rankconv.data.ids import HASH_BITS, RawIds
from rankconv.data.labels_and_rankings import FirstRows, Labels
from rankconv.data.ordering import from_places

LabelKinds = NDArray[np.uint8]
"""0 where an item has no label, else 1 + the level of its grade."""
MOST_LEVELS = 250
"""With more distinct grades than this, labels are prepared one by one."""
DENSE_ITEMS = 250_000
"""Up to this many items a table has a place for each; beyond, places are shared."""
_DENSE_CELLS = 2_000_000
_BITS = 17
"""Bits of a shared place: half a megabyte of places fits the processor's cache."""
_TOGETHER = 1 << (_BITS - 3)
"""Labels that share the places at one time, where no user has more."""
_SPREAD, _WORD = 0x9E3779B97F4A7C15, 64


@dataclass(frozen=True, eq=False)
class Levels(FrozenArrays):
    """The grades that occur, rising, and which of them each label has."""

    grades: Numbers
    kind: LabelKinds
    """1 + the place of each label's grade among `grades`."""


def levels_of(grade: Numbers) -> Levels | None:
    """Return the levels of these grades, shape (labels,); None where there are too many."""
    if not len(grade):
        return Levels(np.empty(0), np.empty(0, np.uint8))
    lowest, highest = grade.min(), grade.max()
    if lowest == highest:
        return Levels(np.array([lowest]), np.broadcast_to(take_ownership(np.array(1, np.uint8)), len(grade)))
    if highest - lowest < MOST_LEVELS:
        whole = (grade - lowest).astype(np.uint8)
        if np.array_equal(whole + lowest, grade):
            there = np.flatnonzero(np.bincount(whole, minlength=MOST_LEVELS))
            level = np.zeros(MOST_LEVELS + 1, np.uint8)
            level[there] = np.arange(1, len(there) + 1)
            return Levels((there + float(lowest)).astype(np.float64), take_ownership(level[whole]))
    grades, place = np.unique(grade, return_inverse=True)
    return Levels(grades, take_ownership((place + 1).astype(np.uint8))) if len(grades) <= MOST_LEVELS else None


@dataclass(frozen=True, eq=False)
class LabelsOf:
    """The labels of some users, one user after the other."""

    rows: Codes | slice
    """Their rows among all labels, shape (labels,)."""
    kind: LabelKinds
    """The kind of each, shape (labels,)."""
    counts: Codes
    """How many each user has, shape (users,)."""

    def which(self, places: Codes) -> Codes:
        """Return the rows among all labels of these places among these, shape as `places`."""
        return places + self.rows.start if isinstance(self.rows, slice) else self.rows[places]


@dataclass(frozen=True, eq=False)
class ItemIndex(FrozenArrays):
    """Numbers from 0 to `size` for the items of labels and lists, equal where items are."""

    size: int
    labelled: Codes
    """The item of each label, shape (labels,)."""
    starts: Codes
    """Where the rows of each list begin, shape (lists + 1,)."""
    listed: Codes
    """The item of each of these rows, shape (rows,), by numbers of its own where they are `shared`."""
    shared: Codes | None = None
    """What those numbers are here; None where they are the same."""

    def ranked(self, lists: Codes, counts: Codes, rows: int | None) -> Codes:
        """Return the first items of these lists, shape (lists, K); `size` where a list has ended.

        `counts` are the rows of each whole list, of which the first `rows` are taken, None for all.
        """
        longest = int(counts.max(initial=0))
        width = min(longest, rows or np.iinfo(np.int32).max)
        if not width:
            return np.empty((len(lists), 0), np.int64)
        first, length = self.starts[lists], int(self.starts[lists[0] + 1] - self.starts[lists[0]])
        whole = self.listed[first[0] : first[0] + length * len(lists)]
        even = (counts >= width).all() and (np.diff(first) == length).all()
        if even and len(whole) == length * len(lists):
            return self._common(np.ascontiguousarray(whole.reshape(-1, length)[:, :width]))
        ranked = self._common(from_places(self.listed, first, width))
        if self.size > np.iinfo(ranked.dtype).max:
            ranked = ranked.astype(np.int64)
        return np.where(np.arange(width) < counts[:, None], ranked, self.size)

    def kinds(self, ranked: Codes, lists: Codes, labels: LabelsOf, table: "Matcher") -> LabelKinds:
        """Return the kind of label of each of these items of these lists, shape (K, lists)."""
        return table.kinds(ranked, self.labelled[labels.rows], labels.kind, labels.counts)

    def _common(self, listed: Codes) -> Codes:
        return listed if self.shared is None or not listed.size else self.shared.take(listed, mode="clip")


@dataclass(frozen=True, eq=False)
class HashedTextIndex(ItemIndex):
    """Numbers that are hashes of texts: where two are equal, the texts are compared.

    Of labels that have one hash only the last is found, so that each is found or its text differs from one found.
    """

    label_texts: RawIds | None = None
    """The ids of the labels."""
    list_texts: RawIds | None = None
    """The ids of the rows of the lists."""

    def kinds(self, ranked: Codes, lists: Codes, labels: LabelsOf, table: "Matcher") -> LabelKinds:
        """As of any others, shape (K, lists)."""
        assert self.label_texts is not None
        assert self.list_texts is not None
        assert isinstance(table, SharedPlaces)
        found, label = table.found(ranked, self.labelled[labels.rows], labels.counts)
        user, rank = np.divmod(found, max(1, ranked.shape[1]))
        texts = self.label_texts[labels.which(label)]
        wrong = np.flatnonzero(texts.values != self.list_texts[self.starts[lists][user] + rank].values)
        kinds = np.zeros(ranked.shape, np.uint8)
        kinds.ravel()[found] = labels.kind[label]
        for mistaken in np.unique(user[wrong]).tolist():
            kinds[mistaken] = self._by_texts(int(lists[mistaken]), mistaken, labels, ranked.shape[1])
        return np.ascontiguousarray(kinds.T)

    def _by_texts(self, row: int, user: int, labels: LabelsOf, width: int) -> LabelKinds:
        """Return the kind of label of the first items of one list, shape (width,), without hashes."""
        assert self.label_texts is not None
        assert self.list_texts is not None
        first = int(labels.counts[:user].sum())
        label = np.arange(first, first + int(labels.counts[user]))
        texts = self.label_texts[labels.which(label)].values
        kind = dict(zip(texts, labels.kind[label].tolist(), strict=True))
        rows = np.arange(self.starts[row], min(self.starts[row] + width, self.starts[row + 1]))
        found = [kind.get(text, 0) for text in self.list_texts[rows].values]
        return np.array(found + [0] * (width - len(found)), np.uint8)


def hashed_index(labels: Labels, first: FirstRows) -> HashedTextIndex | None:
    """Return the index of lists whose items are not coded; None where it cannot serve these labels.

    Of labels of one hash only the last is found, so a user's labels must be distinct.
    """
    if first.ids is None or labels.item_kind != "text" or not labels.distinct:
        return None
    texts = labels.raw_items or first.ids.of(labels.items, labels.item)
    return HashedTextIndex(1 << HASH_BITS, texts.numbers, first.starts, first.item, None, texts, first.ids)


# tables


def matcher(items: int) -> "Matcher":
    """Return empty tables for this many items. They are written to, so each evaluation makes its own."""
    return Dense(items) if items <= DENSE_ITEMS else SharedPlaces(items)


class Matcher(ABC):
    """Finds the labels of ranked items. A user's labels are distinct; of a label given twice the last counts."""

    @abstractmethod
    def kinds(self, ranked: Codes, item: Codes, kind: LabelKinds, counts: Codes) -> LabelKinds:
        """The kind of each ranked item, shape (K, users), of items of shape (users, K); 0 where there is none.

        `ranked` has the number of items where a list has ended; labels come one user after the other.
        """


class Dense(Matcher):
    """A place for each item, and one for no item."""

    def __init__(self, items: int) -> None:
        self.users = max(8, min(1024, _DENSE_CELLS // (items + 1)))
        self._row = np.arange(self.users, dtype=np.int64) * (items + 1)
        self._kind = np.zeros(self.users * (items + 1), np.uint8)

    def kinds(self, ranked: Codes, item: Codes, kind: LabelKinds, counts: Codes) -> LabelKinds:
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


class SharedPlaces(Matcher):
    """Few places, which the items of many users share: each has a label, which refers to the next one there.

    User and item are one number, which is spread over the places by a multiplication, and which is compared.
    """

    def __init__(self, items: int) -> None:
        self._first = np.zeros(1 << _BITS, np.int32)
        """The label at each place, counted from 1; 0 where there is none."""
        self._item_bits = items.bit_length()
        self._exact = self._item_bits + _BITS < _WORD
        """Whether no two pairs of user and item are one number."""

    def kinds(self, ranked: Codes, item: Codes, kind: LabelKinds, counts: Codes) -> LabelKinds:
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
            known, wanted = (item[labels], np.repeat(owner, counts[users])), (ranked[users], owner[:, None])
            for cell, label in self._met(known, wanted):
                cells.append(cell + users.start * ranked.shape[1])
                found.append(label + labels.start)
        return np.concatenate(cells), np.concatenate(found)

    def _tables(self, counts: Codes, width: int) -> Iterator[tuple[slice, slice]]:
        """Users whose labels share the places, and these labels, as slices; `counts` has shape (users,)."""
        ends, first = np.append(0, np.cumsum(counts)), 0
        while first < len(counts):
            past = int(np.searchsorted(ends, ends[first] + _TOGETHER, side="right")) - 1
            past = max(first + 1, min(past, first + len(self._first) // max(1, width)))
            yield slice(first, past), slice(int(ends[first]), int(ends[past]))
            first = past

    def _met(self, known: tuple[Codes, Codes], wanted: tuple[Codes, Codes]) -> Iterator[tuple[Codes, Codes]]:
        """The cells whose items have a label, and which, both of shape (found,).

        `known` are items and users of the labels, shape (labels,); `wanted` those of the lists, shape (users, K).
        """
        labels, cells = self._numbers(*known), self._numbers(*wanted).ravel()
        place = _places(labels)
        following = self._put(place)
        first = self._first.take(_places(cells))
        self._first[place] = 0
        cell = np.flatnonzero(first != 0)
        label = first[cell] - 1
        while len(cell):
            same = labels[label] == cells[cell]
            if not self._exact:
                for ours, theirs in zip(known, wanted, strict=True):
                    same &= ours[label] == np.broadcast_to(theirs, wanted[0].shape).ravel()[cell]
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

    def _put(self, place: Codes) -> Codes:
        """Put the labels at their places, shape (labels,), and return which label follows each there, from 1.

        Of many at one place that which came last is the first. What follows has shape (labels + 1,), 0 for none.
        """
        label, following = np.arange(1, len(place) + 1, dtype=np.int32), np.zeros(len(place) + 1, np.int32)
        self._first[place] = label
        before = self._first[place]
        while len(late := np.flatnonzero(before != label)):
            before, label = before[late], label[late]
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


class Tables:
    """The empty tables of one evaluation, by index. They are written to, so no two evaluations may share them."""

    def __init__(self) -> None:
        self._of: dict[ItemIndex, Matcher] = {}

    def of(self, items: ItemIndex) -> Matcher:
        """Return the tables for items of this index."""
        if items not in self._of:
            self._of[items] = matcher(items.size)
        return self._of[items]
