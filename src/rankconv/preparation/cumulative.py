"""Sums down the ranks of a judged block, for every cutoff at once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol
from weakref import proxy

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Numbers, set_readonly


class Lists(Protocol):
    """What sums down the ranks must know of the lists of a block."""

    @property
    def size(self) -> int:
        """Number of users."""

    @property
    def depth(self) -> int:
        """K: rows of the longest list."""

    def rows_within(self, k: int | None) -> int | Codes:
        """How many rows stand at rank k or above: one number, or shape (users,) where tied rows share a rank."""


class ByRank(Protocol):
    """Values by rank: at one rank, counted from 0, of shape (users,); at a slice of the ranks, (ranks, users)."""

    def __len__(self) -> int: ...
    def __getitem__(self, at: Any, /) -> Numbers: ...


@dataclass(frozen=True, eq=False)
class LazyRanks:
    """Values by rank, shape (ranks, users), made when they are read, so that no array of that size is written."""

    of_rank: Callable[[Any], Numbers]
    """The values at one rank, shape (users,), or at a slice of the ranks, (ranks, users); of one column where users
    share it."""
    ranks: int
    ends: Codes | None = None
    """Where users share one column: how many of its ranks each has, shape (users,), below which there is 0. None where
    each user has a column."""

    def __len__(self) -> int:
        return self.ranks

    def __getitem__(self, at: Any) -> Numbers:
        made = self.of_rank(at)
        if self.ends is None:
            return made
        place = np.arange(self.ranks)[at]
        return np.where(place[..., None] < self.ends, made, 0.0)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self[:], dtype)


def column_of(values: ByRank) -> tuple[Callable[[Any], Numbers], Codes | None]:
    """How to read the column that users share, and how many of its ranks each has, shape (users,).

    Without the latter each user has a column of their own, and all are read.
    """
    return (values.of_rank, values.ends) if isinstance(values, LazyRanks) else (values.__getitem__, None)


_NARROW = 16
"""Users from which on a loop over ranks is faster than one call; both add in the same order, to the same bits."""


class CumulativeSum:
    """Sums over the ranks from the top down, for every cutoff at once; no rank below those requested is read."""

    def __init__(self, block: Lists, values: ByRank) -> None:
        self.block: Lists = proxy(block)
        self._ranks = len(values)
        self._of_rank, self._ends = column_of(values)
        self._known = {0: set_readonly(np.zeros(block.size))}
        """Sums down to the requested cutoffs so far."""

    @cached_property
    def _sums(self) -> Numbers:
        """Shape (K + 1, users), or (K + 1, 1) where users share a column: row j holds the sum over the first j rows."""
        columns = self.block.size if self._ends is None else 1
        sums = np.empty((self._ranks + 1, columns))
        sums[0] = 0
        if columns < _NARROW:
            sums[1:] = self._of_rank(slice(None))
            return set_readonly(np.add.accumulate(sums, axis=0, out=sums))
        for rank in range(self._ranks):
            np.add(sums[rank], self._of_rank(rank), out=sums[rank + 1])
        return set_readonly(sums)

    @property
    def sums(self) -> Numbers:
        """Shape (K + 1, users): row j holds the sum over the first j rows."""
        return self._sums if self._ends is None else self._shared(np.arange(self._ranks + 1)[:, None])

    @property
    def above(self) -> Numbers:
        """The sum over the rows above each row, shape (K, users)."""
        return self.sums[:-1]

    @property
    def down_to(self) -> Numbers:
        """The sum down to each row and with it, shape (K, users)."""
        return self.sums[1:]

    @property
    def whole(self) -> Numbers:
        """The sum over the whole list, shape (users,)."""
        return self._first(self._ranks)

    def at(self, k: int | None) -> Numbers:
        """The sum down to rank k, or to the end of the list, shape (users,)."""
        return self.at_rows(self.block.rows_within(k))

    def at_rows(self, rows: int | Codes) -> Numbers:
        """The sum over the first `rows` rows, shape (users,); `rows` is one number, or one per user."""
        if isinstance(rows, int):
            return self._first(min(rows, self._ranks))
        if self._ends is not None:
            return self._shared(rows)
        return np.asarray(self._sums[np.minimum(rows, self._ranks), np.arange(self.block.size)])

    def _shared(self, rows: int | Codes) -> Numbers:
        """The sum over the first rows of a shared column, each user's ranks of it, shape as `rows` and the users."""
        assert self._ends is not None
        return np.asarray(self._sums[np.minimum(np.minimum(rows, self._ranks), self._ends), 0])

    def _first(self, rows: int) -> Numbers:
        """The sum over the first rows, shape (users,), continued from the deepest cutoff above that is known."""
        if self._ends is not None:
            return self._shared(rows)
        if "_sums" in self.__dict__ or self.block.size < _NARROW:
            return np.asarray(self._sums[rows])
        if rows not in self._known:
            start = max(known for known in self._known if known < rows)
            total = self._known[start].copy()
            for rank in range(start, rows):
                total += self._of_rank(rank)
            self._known[rows] = set_readonly(total)
        return self._known[rows]
