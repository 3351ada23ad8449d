"""Labels and rankings that keep their rows as they came, and code and order them when somebody looks.

Most look at the first ranks of each list alone: these are found without ordering the others, and told by ids.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, Fixed, Numbers, own
from rankconv.data.coded import coded_integers
from rankconv.data.ids import Ids, Kind
from rankconv.data.labels_and_rankings import FirstRows, Labels, Rankings, Scores
from rankconv.data.ordering import Key, by_key, first_by_key, stands


@dataclass(frozen=True, eq=False)
class ListsAsGiven(Fixed):
    """Ranked rows in the order given, which items are told by integer ids. Arrays have shape (rows,)."""

    starts: Codes
    """Where the rows of each list begin once those of a user stand together, shape (lists + 1,)."""
    item: Codes
    """The id of each item."""
    score: Scores | None
    key: Key | None
    """By what the rows of a list stand, in their order there; None where they stand as given."""
    falling: bool
    together: Codes | None
    """The rows of each list together, as they came; None where they came so."""

    @cached_property
    def order(self) -> Codes | None:
        """All rows, list after list, as they stand there, shape (rows,); None where they came so."""
        order = None if self.stand else by_key(self.starts, self._key, falling=self.falling)
        if order is None or self.together is None:
            return self.together if order is None else order
        return self.together[order]

    @cached_property
    def stand(self) -> bool:
        """Whether the rows of each list came in their order."""
        return self.key is None or stands(self.starts, self.key, falling=self.falling)

    @property
    def _key(self) -> Key:
        assert self.key is not None
        return self.key

    def first(self, count: int) -> FirstRows:
        """The ids of the first rows of each list."""
        if not self.stand:
            rows, begin = first_by_key(self.starts, self._key, count, falling=self.falling)
        elif self.together is None:
            return FirstRows(self.starts, self.item, as_ids=True)
        else:
            rows, begin = _first_of_each(self.starts, count)
        given = rows if self.together is None else self.together[rows]
        return FirstRows(own(begin), own(self.item[given]), as_ids=True)


class UnreadRankings(Rankings):
    """Rankings as they came. An item is an integer."""

    _given: ListsAsGiven
    _deepest: tuple[int, FirstRows] | None

    def __new__(cls, *parts: Any, **named: Any) -> Any:
        """With a part in place of one of these, as `dataclasses.replace` gives it, they are no longer as they came."""
        return Rankings(*parts, **named) if parts or named else object.__new__(cls)

    @classmethod
    def of(cls, users: Ids, given: ListsAsGiven, about: Mapping[str, Any]) -> "UnreadRankings":
        """These lists; `about` has all that rankings tell beside users and rows."""
        made: UnreadRankings = object.__new__(cls)
        vars(made).update(about, users=users, starts=given.starts, _given=given, _deepest=None)
        return made

    @cached_property
    def _coded(self) -> tuple[Ids, Codes]:
        order = self._given.order
        ids, codes = coded_integers(self._given.item if order is None else self._given.item[order])
        return ids, own(codes)

    @cached_property
    def items(self) -> Ids:
        """All items by first appearance."""
        return self._coded[0]

    @cached_property
    def item(self) -> Codes:
        """Code of the item in each row, shape (rows,)."""
        return self._coded[1]

    @cached_property
    def score(self) -> Numbers | None:
        """Score of each row, shape (rows,), or None where the input has none."""
        score, order = self._given.score, self._given.order
        return None if score is None else own((score if order is None else score[order]).astype(np.float64))

    @property
    def scored(self) -> bool:
        return self._given.score is not None

    @property
    def scores_in_any_order(self) -> Scores | None:
        return self._given.score

    @property
    def item_kind(self) -> Kind:
        return "integer"

    def first(self, rows: int | None) -> FirstRows:
        if rows is None or "_coded" in vars(self):
            return super().first(rows)
        if self._deepest is None or self._deepest[0] < rows:
            vars(self)["_deepest"] = rows, self._given.first(rows)
        assert self._deepest is not None
        return self._deepest[1]


class UnreadLabels(Labels):
    """Labels as they came. An item is an integer."""

    _ids: Codes

    def __new__(cls, *parts: Any, **named: Any) -> Any:
        """With a part in place of one of these, as `dataclasses.replace` gives it, they are no longer as they came."""
        return Labels(*parts, **named) if parts or named else object.__new__(cls)

    @classmethod
    def of(cls, users: Ids, ids: Codes, about: Mapping[str, Any]) -> "UnreadLabels":
        """Labels of items of these ids, shape (labels,); `about` has all that labels tell beside users and items."""
        made: UnreadLabels = object.__new__(cls)
        vars(made).update(about, users=users, _ids=ids)
        return made

    @cached_property
    def _coded(self) -> tuple[Ids, Codes]:
        ids, codes = coded_integers(self._ids)
        return ids, own(codes)

    @cached_property
    def items(self) -> Ids:
        """All items by first appearance."""
        return self._coded[0]

    @cached_property
    def item(self) -> Codes:
        """Code of the item in each row, shape (labels,)."""
        return self._coded[1]

    @property
    def item_kind(self) -> Kind:
        return "integer"

    @property
    def item_ids(self) -> Codes:
        return self._ids


def _first_of_each(starts: Codes, count: int) -> tuple[Codes, Codes]:
    """The first rows of each list, shape (found,), and where those of each list begin, shape (lists + 1,)."""
    lengths = np.minimum(np.diff(starts), count)
    begin = np.append(0, np.cumsum(lengths))
    return np.repeat(starts[:-1] - begin[:-1], lengths) + np.arange(begin[-1]), begin
