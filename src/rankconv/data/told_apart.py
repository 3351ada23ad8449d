"""How items of labels and lists are told apart: by common codes, or by ids that are numbers where nobody coded them."""

from dataclasses import dataclass

import numpy as np

from rankconv.data.arrays import Codes, Fixed, own
from rankconv.data.labels_and_rankings import FirstRows, Labels
from rankconv.data.matching import Matcher, matcher

_WIDEST = 1 << 54
"""Numbers up to here can be looked up: beside each a table has 8 bits for its kind."""


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
        ranked = self._common(self.listed.take(first[:, None] + place, mode="clip"))
        return np.where(place < counts[:, None], ranked, self.size)

    def _common(self, listed: Codes) -> Codes:
        """The numbers here of listed items, shape as `listed`."""
        return listed if self.shared is None or not listed.size else self.shared.take(listed, mode="clip")


def by_ids(labels: Labels, first: FirstRows) -> ToldApart | None:
    """Items told apart by their ids, which are integers; None where these lie too far apart."""
    sides = [ids for ids in (labels.item_ids, first.item) if len(ids)]
    lowest = min((int(ids.min()) for ids in sides), default=0)
    size = max((int(ids.max()) for ids in sides), default=-1) + 1 - lowest
    if 0 <= lowest < size:
        lowest, size = 0, lowest + size
    if size > _WIDEST:
        return None
    return ToldApart(size, _from(lowest, labels.item_ids), first.starts, _from(lowest, first.item))


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
