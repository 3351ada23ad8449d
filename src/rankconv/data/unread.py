"""Labels and rankings that keep their rows as they came, and code and order them when somebody looks.

Most look at the first ranks of each list alone: these are found without ordering the others, and told by ids.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, Fixed, Mask, Numbers, own
from rankconv.data.ids import Ids, Kind
from rankconv.data.joined import rows_of
from rankconv.data.labels_and_rankings import FirstRows, Labels, Run, Scores, owners_of_repeats
from rankconv.data.ordering import Key, by_key, far_longer, first_by_key, stands
from rankconv.data.uncoded import Uncoded

_LOOKED_AT = 50
"""So many lists tell whether scores are tied."""


@dataclass(frozen=True, eq=False)
class ListsAsGiven(Fixed):
    """Ranked rows in the order given, which items are told by their ids. Arrays have shape (rows,)."""

    starts: Codes
    """Where the rows of each list begin once those of a user stand together, shape (lists + 1,)."""
    item: Uncoded
    """The id of each item."""
    score: Scores | None
    key: Key | None
    """By what the rows of a list stand, in their order there; None where they stand as given."""
    falling: bool
    together: Codes | None
    """The rows of each list together, as they came; None where they came so."""
    agree: Mask | None = None
    """Whose ranks agree with their scores, shape (lists,); None where no ranks count."""

    @cached_property
    def order(self) -> Codes | None:
        """All rows, list after list, as they stand there, shape (rows,); None where they came so."""
        order = self._order_of_key
        if order is None or self.together is None:
            return self.together if order is None else order
        return self.together[order]

    @cached_property
    def _order_of_key(self) -> Codes | None:
        """The rows of the lists by key, shape (rows,), told as places among those together; None where these are so."""
        return None if self.stand else by_key(self.starts, self._key, falling=self.falling)

    @property
    def rank(self) -> Numbers | None:
        """The rank of each row, list after list, shape (rows,), 0 for users whose do not count; None if nobody's do."""
        if self.agree is None:
            return None
        key = self._key if self._order_of_key is None else self._key[self._order_of_key]
        return np.where(np.repeat(self.agree, np.diff(self.starts)), key.astype(np.float64), 0.0)

    @cached_property
    def stand(self) -> bool:
        """Whether the rows of each list came in their order."""
        return self.key is None or stands(self.starts, self.key, falling=self.falling)

    @property
    def _key(self) -> Key:
        assert self.key is not None
        return self.key

    @property
    def _as_they_came(self) -> bool:
        """Whether the rows came list after list, and each list in its order."""
        return self.together is None and self.stand

    def first(self, count: int) -> FirstRows:
        """The ids of the first rows of each list."""
        if self._as_they_came and self.item.certain:
            return FirstRows(self.starts, self.item.numbers, self.item)
        rows, begin = self._first(count)
        items = self.item[rows]
        return FirstRows(begin, items.numbers, items)

    def first_scores(self, count: int) -> tuple[Codes, Scores]:
        """Where those of each list begin, shape (lists + 1,), and the scores of its first rows and the next to them."""
        assert self.score is not None
        if self._as_they_came:
            return self.starts, self.score
        rows, begin = self._first(count)
        return begin, self.score[rows]

    @property
    def _needs_order(self) -> bool:
        """Whether all rows will be asked for in their order, as scores are with ties, by the first lists."""
        return "_order_of_key" in vars(self) or (
            self.falling and len(owners_of_repeats(self.starts[: _LOOKED_AT + 1], self._key)) > 0
        )

    def _first(self, count: int) -> tuple[Codes, Codes]:
        """The first rows of each list and the next to them, shape (found,), and where those of each list begin.

        They are kept until somebody looks deeper.
        """
        found: tuple[int, Codes, Codes] | None = vars(self).get("_found")
        if found is None or found[0] < count:
            if self.stand:
                rows, begin = _first_of_each(self.starts, count + 1)
            elif self._needs_order and not far_longer(self.starts, count + 1):
                assert self._order_of_key is not None
                places, begin = _first_of_each(self.starts, count + 1)
                rows = self._order_of_key[places]
            else:
                rows, begin = first_by_key(self.starts, self._key, count + 1, falling=self.falling)
            found = count, own(rows if self.together is None else self.together[rows]), own(begin)
            vars(self)["_found"] = found
        return found[1:]


class Unread(ABC):
    """Rows whose items get codes when somebody asks for these."""

    _read: type
    """What they are once somebody put a part in place of one of these."""

    def __new__(cls, *parts: Any, **named: Any) -> Any:
        """With a part in place of one of these, as `dataclasses.replace` gives it, they are no longer as they came."""
        return cls._read(*parts, **named) if parts or named else object.__new__(cls)

    @property
    @abstractmethod
    def uncoded(self) -> Uncoded:
        """The id of the item in each row."""

    @cached_property
    def _coded(self) -> tuple[Ids, Codes]:
        ids, codes = self.uncoded.coded()
        return ids, own(codes)

    @cached_property
    def items(self) -> Ids:
        """All items by first appearance."""
        return self._coded[0]

    @cached_property
    def item(self) -> Codes:
        """Code of the item in each row, shape (rows,)."""
        return self._coded[1]

    def some_items(self, count: int) -> set[Any]:
        """Some of the items, about so many."""
        return self.uncoded.some(count)


class UnreadRankings(Unread, Run):
    """Rankings as they came."""

    _read = Run
    _given: ListsAsGiven
    _deepest: tuple[int, FirstRows] | None

    @classmethod
    def of(cls, users: Ids, given: ListsAsGiven, about: Mapping[str, Any]) -> "UnreadRankings":
        """These lists; `about` has all that rankings tell beside users and rows."""
        made: UnreadRankings = object.__new__(cls)
        vars(made).update(about, users=users, starts=given.starts, _given=given, _deepest=None)
        return made

    @property
    def uncoded(self) -> Uncoded:
        """The id of the item in each row."""
        order = self._given.order
        return self._given.item if order is None else self._given.item[order]

    def some_items(self, count: int) -> set[Any]:
        """Some of the items, about so many."""
        return self._given.item.some(count)

    @cached_property
    def score(self) -> Numbers | None:
        """Score of each row, shape (rows,), or None where the input has none."""
        score, order = self._given.score, self._given.order
        return None if score is None else own((score if order is None else score[order]).astype(np.float64))

    @cached_property
    def rank(self) -> Numbers | None:
        """Rank of each row, shape (rows,), or None where no ranks count."""
        rank = self._given.rank
        return None if rank is None else own(rank)

    @property
    def scored(self) -> bool:
        return self._given.score is not None

    @property
    def scores_in_any_order(self) -> Scores | None:
        return self._given.score

    @property
    def item_kind(self) -> Kind:
        return self._given.item.kind

    def owners_of_repeats(self, rows: int | None) -> Codes:
        first = self.first(rows)
        owners = owners_of_repeats(first.starts, first.item, rows)
        if first.ids is None or first.ids.certain or not len(owners):
            return owners
        of_them = rows_of(first.starts, owners)[1]
        begin = np.append(0, np.cumsum(np.diff(first.starts)[owners]))
        return owners[owners_of_repeats(begin, first.ids[of_them].coded()[1], rows)]

    def first(self, rows: int | None) -> FirstRows:
        if "_coded" in vars(self):
            return super().first(rows)
        depth = np.iinfo(np.int32).max if rows is None else rows
        if self._deepest is None or self._deepest[0] < depth:
            vars(self)["_deepest"] = depth, self._all if rows is None else self._given.first(rows)
        assert self._deepest is not None
        return self._deepest[1]

    def first_scores(self, rows: int) -> tuple[Codes, Scores] | None:
        ordered = "score" in vars(self) or not self.by_score
        return super().first_scores(rows) if ordered else self._given.first_scores(rows)

    @property
    def _all(self) -> FirstRows:
        items = self.uncoded
        return FirstRows(self.starts, items.numbers, items)


class UnreadLabels(Unread, Labels):
    """Labels as they came."""

    _read = Labels
    _ids: Uncoded

    @classmethod
    def of(cls, users: Ids, ids: Uncoded, about: Mapping[str, Any], *, distinct: bool = False) -> "UnreadLabels":
        """Labels of items of these ids, as many as labels; `about` has all that they tell beside users and items.

        They are `distinct` where it is known that no user has two for an item.
        """
        made: UnreadLabels = object.__new__(cls)
        told: bool | None = distinct or not len(owners_of_repeats(about["starts"], ids.numbers))
        if not told and not ids.certain:
            told = None
        vars(made).update(about, users=users, _ids=ids, told_distinct=told)
        return made

    @property
    def uncoded(self) -> Uncoded:
        """The id of the item in each row."""
        return self._ids

    @property
    def item_kind(self) -> Kind:
        return self._ids.kind


def _first_of_each(starts: Codes, count: int) -> tuple[Codes, Codes]:
    """The first rows of each list, shape (found,), and where those of each list begin, shape (lists + 1,)."""
    lengths = np.minimum(np.diff(starts), count)
    begin = np.append(0, np.cumsum(lengths))
    if (lengths == count).all():
        return (starts[:-1, None] + np.arange(count)).ravel(), begin
    return np.repeat(starts[:-1] - begin[:-1], lengths) + np.arange(begin[-1]), begin
