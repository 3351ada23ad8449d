"""Rows of equal score: where each tie starts and ends, and the list as a row of thresholds."""

from collections.abc import Callable
from enum import Enum
from functools import cached_property
from weakref import proxy

import numpy as np

from rankconv.data.arrays import Codes, Mask, Numbers, within
from rankconv.preparation.cumulative import CumulativeSum, Lists
from rankconv.specs.convention import Setting

SHARED: dict[str, Callable[[Numbers, Numbers], Numbers]] = {
    "min": lambda first, last: first + 1.0,
    "max": lambda first, last: last + 1.0,
    "average-floor": lambda first, last: (first + last + 2.0) // 2,
    "average": lambda first, last: (first + last + 2.0) / 2,
}
"""Which rank the rows of a tie may share, given the places of its first and last row, from 0, shape (rows,)."""


class TieEffect(Enum):
    """What a tie rule decides of the rows of a tie."""

    ORDER = "order"
    EXPECTED = "expected"
    """That each has the mean of what it would have in all their orders."""
    SHARED = "shared"
    """Which rank all of them have."""


def reads_order(setting: Setting) -> bool:
    """Whether what a setting makes of a list may hang on the order of its tied rows.

    The trait `reads_order` says so; a plugin's setting without it may, if it reads the block and not grades alone.
    """
    ours = setting.setting_type.function.__module__.startswith("rankconv.")
    free = ours or setting.changes_nothing or setting.trait("plain") == "always" or "block" not in setting.reads
    return bool(setting.trait("reads_order", not free))


def first_of_ties(user: Codes, score: Numbers, rank: Numbers | None = None) -> Mask:
    """Return which rows begin a tie: rows of a user that stand together, of equal score and, if there are any, rank.

    Arrays have shape (rows,).
    """
    new = (user[1:] != user[:-1]) | (score[1:] != score[:-1])
    if rank is not None:
        new |= rank[1:] != rank[:-1]
    return np.append(True, new)[: len(user)]


class Ties:
    """Which rows, grouped by user, are tied: those of equal score that stand together."""

    def __init__(self, user: Codes, score: Numbers, rank: Numbers | None = None) -> None:
        new = first_of_ties(user, score, rank)
        self._starts = np.flatnonzero(new)
        self._tie = np.cumsum(new) - 1
        self._place = within(user)

    @cached_property
    def _sizes(self) -> Codes:
        return np.diff(np.append(self._starts, len(self._tie)))

    @property
    def first(self) -> Codes:
        """The place of the first row of each row's tie, from 0, shape (rows,)."""
        return np.asarray(self._place[self._starts][self._tie])

    @property
    def last(self) -> Codes:
        """The place of the last row of each row's tie, from 0, shape (rows,)."""
        return np.asarray(self.first + self._sizes[self._tie] - 1)

    def shared_ranks(self, at: str) -> Numbers:
        """The rank that all rows of a tie share, shape (rows,); `at` is one of `SHARED`, and the mean may be a half."""
        return SHARED[at](self.first.astype(np.float64), self.last.astype(np.float64))


class Thresholds:
    """The rows of each list by falling score, whatever their rank, as a classifier that cuts at a score sees them.

    All rows of a tie pass a threshold together. Arrays have shape (K, users).
    """

    def __init__(self, block: Lists, user: Codes, score: Numbers) -> None:
        self._block: Lists = proxy(block)
        self._order = np.lexsort((-score, user))
        self._at = (within(user), user)
        ties = Ties(user, score[self._order])
        self._first = self._by_rank(ties.first)
        self._past = self._by_rank(ties.last + 1)

    def _by_rank(self, values: Codes) -> Codes:
        dense = np.zeros((self._block.depth, self._block.size), np.int64)
        dense[self._at] = values
        return dense

    def stand(self, by_rank: Numbers) -> Numbers:
        """Values of the rows by rank, put where the rows stand by score, shape (K, users)."""
        dense = np.zeros_like(by_rank)
        dense[self._at] = by_rank[self._at][self._order]
        return dense

    def back(self, by_score: Numbers) -> Numbers:
        """Values that stand by score, put where their rows stand by rank, shape (K, users)."""
        values = by_score[self._at].copy()
        values[self._order] = by_score[self._at]
        dense = np.zeros_like(by_score)
        dense[self._at] = values
        return dense

    def above(self, values: CumulativeSum) -> Numbers:
        """For each row the sum over the rows of a higher score, shape (K, users)."""
        return np.take_along_axis(values.sums, self._first, axis=0)

    def through(self, values: CumulativeSum) -> Numbers:
        """For each row the sum over the rows of the same score or a higher one, shape (K, users)."""
        return np.take_along_axis(values.sums, self._past, axis=0)

    @property
    def ends(self) -> Numbers:
        """1 where a row is the last of its tie, shape (K, users)."""
        place = np.arange(1, self._block.depth + 1)[:, None]
        return np.asarray(self._past == place, np.float64)
