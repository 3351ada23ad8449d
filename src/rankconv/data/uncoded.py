"""Items of rows as they came, told by their ids: nobody has given them codes, and of texts nobody made Python's."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.data.arrays import Codes, Fixed, own
from rankconv.data.coded import coded_integers
from rankconv.data.coded_texts import coded_texts
from rankconv.data.ids import Ids, Kind, plain_ids

if TYPE_CHECKING:
    import polars as pl

HASH_BITS = 31
"""Of so many bits are the numbers of texts."""


class Uncoded(ABC):
    """The id of the item in each row."""

    kind: Kind
    certain: bool
    """Whether equal numbers are of one item; else they are of one or, seldom, of several."""

    @property
    @abstractmethod
    def numbers(self) -> Codes:
        """A number for each row, shape (rows,), equal where items are."""

    @abstractmethod
    def __getitem__(self, rows: Codes) -> "Uncoded":
        """The items of these rows, which have shape (rows,)."""

    @abstractmethod
    def coded(self) -> tuple[Ids, Codes]:
        """The distinct items by first appearance, and the code of each row, shape (rows,)."""

    @abstractmethod
    def some(self, count: int) -> set[Any]:
        """The ids of the first `count` rows."""


@dataclass(frozen=True, eq=False)
class Integers(Uncoded, Fixed):
    """Ids that are integers, which are their own numbers."""

    values: Codes
    """Shape (rows,)."""
    kind = "integer"
    certain = True

    @property
    def numbers(self) -> Codes:
        return self.values

    def __getitem__(self, rows: Codes) -> "Integers":
        return Integers(own(self.values[rows]))

    def coded(self) -> tuple[Ids, Codes]:
        return coded_integers(self.values)

    def some(self, count: int) -> set[Any]:
        return set(self.values[:count].tolist())


@dataclass(frozen=True, eq=False)
class Texts(Uncoded):
    """Ids that are texts, one for each row, and none missing; their numbers are hashes."""

    values: "pl.Series"
    kind = "text"
    certain = False

    @cached_property
    def numbers(self) -> Codes:
        hashes, numbers = self.values.hash().to_numpy(), np.empty(len(self.values), np.int32)
        np.right_shift(hashes, np.uint64(64 - HASH_BITS), out=numbers, casting="unsafe")
        return own(numbers)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: Codes) -> "Texts":
        return Texts(self.values.gather(rows))

    def __getstate__(self) -> dict[str, Any]:
        """Without the hashes, which another process may make otherwise."""
        return {"values": self.values}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)

    def coded(self) -> tuple[Ids, Codes]:
        return coded_texts(self.values)

    def some(self, count: int) -> set[Any]:
        return set(self.values.head(count).to_list())


class PythonTexts(Texts):
    """Texts in a list of Python's, which nobody changes: a column is made of those rows that somebody looks at."""

    _listed: list[str]

    def __init__(self, listed: list[str]) -> None:
        vars(self)["_listed"] = listed

    @cached_property
    def values(self) -> "pl.Series":
        """All of them as a column, shape (rows,)."""
        return _column(self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    def __getitem__(self, rows: Codes) -> Texts:
        return Texts(_column(_items(self._listed, rows.tolist())))

    def __reduce__(self) -> tuple[Any, ...]:
        return Texts, (self.values,)

    def some(self, count: int) -> set[Any]:
        return set(plain_ids(self._listed[:count]))


def _items(listed: list[str], places: list[int]) -> list[str]:
    """What stands at these places; of two and more they are gathered at once, which is faster."""
    return list(itemgetter(*places)(listed)) if len(places) > 1 else [listed[place] for place in places]


def _column(texts: list[str]) -> "pl.Series":
    import polars as pl

    return pl.Series(texts, dtype=pl.String)


def told_by_id(item: "Codes | Texts") -> Uncoded:
    """The items of rows of which the ids are given, shape (rows,); an array is made read-only."""
    return item if isinstance(item, Texts) else Integers(own(item))


def of_codes(ids: Ids, item: Codes) -> Uncoded:
    """The items of rows that have codes, shape (rows,)."""
    if ids.kind != "text":
        return Integers(np.asarray(ids.values, np.int64)[item] if len(item) else item)
    import polars as pl

    return Texts(pl.Series(ids.values.tolist(), dtype=pl.String).gather(item))
