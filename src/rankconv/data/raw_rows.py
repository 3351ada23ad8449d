"""Labels and rankings whose item ids are texts: items get codes, and rows their order, on first use.

Most metrics read the first ranks of each list alone. These are found without sorting the others, and their items are
compared by hashes of the texts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, FrozenArrays, Mask, Numbers, take_ownership
from rankconv.data.ids import IdKind, Ids, RawIds
from rankconv.data.joined import rows_of
from rankconv.data.labels_and_rankings import FirstRows, Labels, Run, Scores
from rankconv.data.ordering import SortKey, by_key, far_longer, first_by_key, is_sorted, owners_of_repeats

_LOOKED_AT = 50
"""Lists that tell whether scores are tied."""


@dataclass(frozen=True, eq=False)
class RawLists(FrozenArrays):
    """Ranked rows in the order given, their items not coded. Arrays have shape (rows,)."""

    starts: Codes
    """Where the rows of each list begin once those of a user are together, shape (lists + 1,)."""
    item: RawIds
    score: Scores | None
    key: SortKey | None
    """What the rows of a list are sorted by, those of a list together; None where they keep the order given."""
    falling: bool
    together: Codes | None
    """The rows of each list together, as they came; None where they came so."""
    agree: Mask | None = None
    """Whose ranks agree with their scores, shape (lists,); None where no ranks count."""

    @cached_property
    def order(self) -> Codes | None:
        """All rows, list after list, sorted, shape (rows,); None where they came so."""
        if self._sorted is None or self.together is None:
            return self.together if self._sorted is None else self._sorted
        return self.together[self._sorted]

    @cached_property
    def _sorted(self) -> Codes | None:
        """The rows of the lists by key, shape (rows,), as places among those together; None where these are sorted."""
        return None if self._is_sorted or self.key is None else by_key(self.starts, self.key, falling=self.falling)

    @cached_property
    def _is_sorted(self) -> bool:
        return self.key is None or is_sorted(self.starts, self.key, falling=self.falling)

    @property
    def rank(self) -> Numbers | None:
        """The rank of each row, list after list, shape (rows,), 0 for users whose do not count; None if none do."""
        if self.agree is None or self.key is None:
            return None
        key = self.key if self._sorted is None else self.key[self._sorted]
        return np.where(np.repeat(self.agree, np.diff(self.starts)), key.astype(np.float64), 0.0)

    def first(self, count: int) -> FirstRows:
        """Return the ids of the first rows of each list."""
        rows, begin = self._first(count)
        items = self.item[rows]
        return FirstRows(begin, items.numbers, items)

    def first_scores(self, count: int) -> tuple[Codes, Scores]:
        """Return where each list begins, shape (lists + 1,), and the scores of its first rows and the next to them."""
        assert self.score is not None
        if self.together is None and self._is_sorted:
            return self.starts, self.score
        rows, begin = self._first(count)
        return begin, self.score[rows]

    def _first(self, count: int) -> tuple[Codes, Codes]:
        """The first rows of each list and the next to them, shape (found,), and where those of each list begin.

        They are kept until more are needed.
        """
        kept: tuple[int, Codes, Codes] | None = vars(self).get("_kept")
        if kept is None or kept[0] < count:
            if self.key is None or self._is_sorted:
                rows, begin = _first_of_each(self.starts, count + 1)
            elif not far_longer(self.starts, count + 1) and (
                "_sorted" in vars(self)
                or (self.falling and len(owners_of_repeats(self.starts[: _LOOKED_AT + 1], self.key)) > 0)
            ):  # metrics will need all rows sorted, as scores are with ties, by the first lists
                places, begin = _first_of_each(self.starts, count + 1)
                rows = places if self._sorted is None else self._sorted[places]
            else:
                rows, begin = first_by_key(self.starts, self.key, count + 1, falling=self.falling)
            kept = count, take_ownership(rows if self.together is None else self.together[rows]), take_ownership(begin)
            vars(self)["_kept"] = kept
        return kept[1:]


class RawItems:
    """Items whose ids are texts, coded on first use."""

    raw_items: Any = None
    """The id of the item in each row."""

    @cached_property
    def _coded(self) -> tuple[Ids, Codes]:
        ids, codes = self.raw_items.coded()
        return ids, take_ownership(codes)

    @cached_property
    def items(self) -> Ids:
        """All items by first appearance."""
        return self._coded[0]

    @cached_property
    def item(self) -> Codes:
        """Code of the item in each row, shape (rows,)."""
        return self._coded[1]

    @property
    def item_kind(self) -> IdKind:
        return "text"


class RawRankings(RawItems, Run):
    """Rankings whose items are coded, and rows sorted, on first use."""

    lists: RawLists

    def __init__(self, users: Ids, lists: RawLists, about: Mapping[str, Any]) -> None:
        """Take these lists; `about` has the other fields of rankings."""
        self._set(about, users=users, starts=lists.starts, lists=lists, _deepest=None)

    @property
    def raw_items(self) -> RawIds:
        """The id of the item in each row."""
        order = self.lists.order
        return self.lists.item if order is None else self.lists.item[order]

    def some_items(self, count: int) -> set[Any]:
        return self.lists.item.some(count)

    @cached_property
    def score(self) -> Numbers | None:
        """Score of each row, shape (rows,), or None where the input has none."""
        score, order = self.lists.score, self.lists.order
        return None if score is None else take_ownership((score if order is None else score[order]).astype(np.float64))

    @cached_property
    def rank(self) -> Numbers | None:
        """Rank of each row, shape (rows,), or None where no ranks count."""
        rank = self.lists.rank
        return None if rank is None else take_ownership(rank)

    @property
    def scored(self) -> bool:
        return self.lists.score is not None

    @property
    def scores_in_any_order(self) -> Scores | None:
        return self.lists.score

    def owners_of_repeats(self, rows: int | None) -> Codes:
        first = self.first(rows)
        owners = owners_of_repeats(first.starts, first.item, rows)
        if first.ids is None or not len(owners):
            return owners
        begin = np.append(0, np.cumsum(np.diff(first.starts)[owners]))
        return owners[owners_of_repeats(begin, first.ids[rows_of(first.starts, owners)[1]].coded()[1], rows)]

    def first(self, rows: int | None) -> FirstRows:
        if "_coded" in vars(self):
            return super().first(rows)
        depth, deepest = np.iinfo(np.int32).max if rows is None else rows, vars(self)["_deepest"]
        if deepest is None or deepest[0] < depth:
            items = self.raw_items if rows is None else None
            found = self.lists.first(depth) if items is None else FirstRows(self.starts, items.numbers, items)
            vars(self)["_deepest"] = deepest = depth, found
        first: FirstRows = deepest[1]
        return first

    def first_scores(self, rows: int) -> tuple[Codes, Scores] | None:
        ordered = "score" in vars(self) or not self.by_score
        return super().first_scores(rows) if ordered else self.lists.first_scores(rows)


class RawLabels(RawItems, Labels):
    """Labels whose items are coded on first use."""

    def __init__(self, users: Ids, raw_items: RawIds, about: Mapping[str, Any], *, distinct: bool) -> None:
        """Take labels of these items; `about` has the other fields of labels.

        They are `distinct` where it is known that no user has two for an item. Equal hashes leave that open.
        """
        known = distinct or not len(owners_of_repeats(about["starts"], raw_items.numbers))
        self._set(about, users=users, raw_items=raw_items, is_distinct=known or None)

    def some_items(self, count: int) -> set[Any]:
        some: set[Any] = self.raw_items.some(count)
        return some


def _first_of_each(starts: Codes, count: int) -> tuple[Codes, Codes]:
    """The first rows of each list, shape (found,), and where those of each list begin, shape (lists + 1,)."""
    lengths = np.minimum(np.diff(starts), count)
    begin = np.append(0, np.cumsum(lengths))
    if (lengths == count).all():
        return (starts[:-1, None] + np.arange(count)).ravel(), begin
    return np.repeat(starts[:-1] - begin[:-1], lengths) + np.arange(begin[-1]), begin
