"""How items of labels and lists are told apart: by common codes, or by their ids where nobody coded them."""

from dataclasses import dataclass

import numpy as np

from rankconv.data.arrays import Codes, Fixed, distinct, own
from rankconv.data.labels_and_rankings import FirstRows, Labels
from rankconv.data.matching import WIDEST, Kinds, Matcher, Shared, matcher
from rankconv.data.matrices import from_places
from rankconv.data.uncoded import HASH_BITS, Texts


@dataclass(frozen=True, eq=False)
class ToldApart(Fixed):
    """Numbers from 0 to `size` that are equal where items are."""

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
        """The first items of these lists, shape (lists, K); `size` where a list has ended.

        `counts` are the rows of each whole list, and `rows` of them are looked at, None for all.
        """
        longest = int(counts.max(initial=0))
        width = min(longest, rows or np.iinfo(np.int32).max)
        if not width:
            return np.empty((len(lists), 0), np.int64)
        first, length = self.starts[lists], int(self.starts[lists[0] + 1] - self.starts[lists[0]])
        whole = self.listed[first[0] : first[0] + length * len(lists)]
        alike = (counts >= width).all() and (np.diff(first) == length).all()
        if alike and len(whole) == length * len(lists):
            return self._common(np.ascontiguousarray(whole.reshape(-1, length)[:, :width]))
        place = np.arange(width)
        ranked = self._common(from_places(self.listed, first, width))
        if self.size > np.iinfo(ranked.dtype).max:  # lists of narrow ids may meet wide ids of labels
            ranked = ranked.astype(np.int64)
        return np.where(place < counts[:, None], ranked, self.size)

    def kinds(self, ranked: Codes, lists: Codes, labels: "LabelsOf", table: Matcher) -> Kinds:
        """The kind of label of each of these items of these lists, shape (K, lists)."""
        return table.kinds(ranked, self.labelled[labels.rows], labels.kind, labels.counts)

    def _common(self, listed: Codes) -> Codes:
        """The numbers here of listed items, shape as `listed`."""
        return listed if self.shared is None or not listed.size else self.shared.take(listed, mode="clip")


@dataclass(frozen=True, eq=False)
class LabelsOf:
    """The labels of some users, one user after the other."""

    rows: Codes | slice
    """Which ones, shape (labels,)."""
    kind: Kinds
    """The kind of each, shape (labels,)."""
    counts: Codes
    """How many each user has, shape (users,)."""

    def which(self, places: Codes) -> Codes:
        """Which labels of all stand at these places among these, shape as `places`."""
        return places + self.rows.start if isinstance(self.rows, slice) else self.rows[places]


@dataclass(frozen=True, eq=False)
class ToldByTexts(ToldApart):
    """Numbers that are hashes of texts: where two are equal, the texts are compared.

    Of labels that have one hash only the last is found, so that each is found or a text differs from one found.
    """

    label_texts: Texts | None = None
    """Those of the labels."""
    list_texts: Texts | None = None
    """Those of the rows of the lists."""

    def kinds(self, ranked: Codes, lists: Codes, labels: LabelsOf, table: Matcher) -> Kinds:
        """As of any others, shape (K, lists)."""
        assert self.label_texts is not None
        assert self.list_texts is not None
        assert isinstance(table, Shared)
        found, label = table.found(ranked, self.labelled[labels.rows], labels.counts)
        user, rank = np.divmod(found, max(1, ranked.shape[1]))
        known = self.label_texts[labels.which(label)]
        wrong = (known.values != self.list_texts[self.starts[lists][user] + rank].values).arg_true().to_numpy()
        kinds = np.zeros(ranked.shape, np.uint8)
        kinds.ravel()[found] = labels.kind[label]
        for mistaken in distinct(user[wrong]).tolist():
            kinds[mistaken] = self._by_texts(int(lists[mistaken]), mistaken, labels, ranked.shape[1])
        return np.ascontiguousarray(kinds.T)

    def _by_texts(self, row: int, user: int, labels: LabelsOf, width: int) -> Kinds:
        """The kind of label of the first items of one list, shape (width,), without hashes."""
        assert self.label_texts is not None
        assert self.list_texts is not None
        first = int(labels.counts[:user].sum())
        label = np.arange(first, first + int(labels.counts[user]))
        texts = self.label_texts[labels.which(label)].values.to_list()
        kind = dict(zip(texts, labels.kind[label].tolist(), strict=True))
        rows = np.arange(self.starts[row], min(self.starts[row] + width, self.starts[row + 1]))
        found = [kind.get(text, 0) for text in self.list_texts[rows].values.to_list()]
        return np.array(found + [0] * (width - len(found)), np.uint8)


def by_ids(labels: Labels, first: FirstRows) -> ToldApart | None:
    """Items told apart by the ids of the lists; None where these cannot tell them."""
    known, listed = labels.uncoded, first.ids
    if isinstance(known, Texts) and isinstance(listed, Texts):
        told = labels.distinct  # else of labels of one hash only the last is found
        return (
            ToldByTexts(1 << HASH_BITS, known.numbers, first.starts, first.item, None, known, listed) if told else None
        )
    return _by_integers(known.numbers, first) if known.certain and listed is not None and listed.certain else None


def _by_integers(known: Codes, first: FirstRows) -> ToldApart | None:
    """Items told apart by integers, those of labels of shape (labels,); None where these lie too far apart."""
    sides = [ids for ids in (known, first.item) if len(ids)]
    lowest = min((int(ids.min()) for ids in sides), default=0)
    size = max((int(ids.max()) for ids in sides), default=-1) + 1 - lowest
    if 0 <= lowest < size:
        lowest, size = 0, lowest + size
    if size > WIDEST:
        return None
    return ToldApart(size, _from(lowest, known), first.starts, _from(lowest, first.item))


def _from(lowest: int, ids: Codes) -> Codes:
    """How far above the lowest each id is, shape as `ids`."""
    return ids if lowest == 0 else own(ids.astype(np.int64) - lowest)


class Tables:
    """Empty tables in which one evaluation looks labels up. They are written to, so no two may share them."""

    def __init__(self) -> None:
        self._of: dict[ToldApart, Matcher] = {}

    def of(self, items: ToldApart) -> Matcher:
        """The tables for items told apart in this way."""
        if items not in self._of:
            self._of[items] = matcher(items.size)
        return self._of[items]
