"""Arithmetic of prepared blocks: sums down the ranks for every cutoff at once, and what settings give for ranks."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Protocol
from weakref import proxy

import numpy as np
from numpy.typing import NDArray

from rankconv.conventions.convention import Setting
from rankconv.data.arrays import Codes, Numbers, set_readonly


class RankValues(Protocol):
    """Values by rank: at one rank, counted from 0, of shape (users,); at a slice of the ranks, (ranks, users)."""

    def __len__(self) -> int: ...
    def __getitem__(self, at: Any, /) -> Numbers: ...


@dataclass(frozen=True, eq=False)
class LazyRanks:
    """Values by rank, shape (ranks, users), made when they are read, so that no array of that size is written."""

    of_rank: Callable[[Any], Numbers]
    """The values at one rank, shape (users,), or at a slice of the ranks, (ranks, users)."""
    ranks: int

    def __len__(self) -> int:
        return self.ranks

    def __getitem__(self, at: Any) -> Numbers:
        return self.of_rank(at)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self[:], dtype)


@dataclass(frozen=True, eq=False)
class DiscountedList:
    """Gain times discount, shape (ranks, users), made when it is read."""

    gains: RankValues
    """Shape (ranks, users)."""
    discounts: Numbers
    """Shape (ranks, 1); (ranks, users) where they hang on the list."""

    def __len__(self) -> int:
        return len(self.gains)

    def __getitem__(self, at: Any) -> Numbers:
        return np.asarray(self.gains[at] * self.discounts[at])


_NARROW = 16
"""Users from which on a loop over ranks is faster than one call; both add in the same order, to the same bits."""
_CELLS = 1 << 13
"""Values by rank are made for so many cells at once: few enough for the processor's cache."""


class CumulativeSum:
    """Sums over the ranks from the top down, for every cutoff at once; no rank below those requested is read."""

    def __init__(self, block: "Arithmetic", values: RankValues) -> None:
        self.block: Arithmetic = proxy(block)
        self._ranks = len(values)
        self.values = values
        """What is summed, shape (ranks, users)."""
        self._known = {0: set_readonly(np.zeros(block.size))}
        """Sums down to the requested cutoffs so far."""

    @cached_property
    def sums(self) -> Numbers:
        """Shape (K + 1, users): row j holds the sum over the first j rows."""
        sums = np.empty((self._ranks + 1, self.block.size))
        sums[0] = 0
        if self.block.size < _NARROW:
            sums[1:] = self.values[:]
            return set_readonly(np.add.accumulate(sums, axis=0, out=sums))
        for rank, values in enumerate(self._by_rank(0, self._ranks)):
            np.add(sums[rank], values, out=sums[rank + 1])
        return set_readonly(sums)

    def _by_rank(self, first: int, end: int) -> Iterator[Numbers]:
        """The values of these ranks, shape (users,) each; of few users, those of many ranks are made in one call."""
        together = _CELLS // self.block.size
        if together < 2:
            yield from map(self.values.__getitem__, range(first, end))
        else:
            for start in range(first, end, together):
                yield from self.values[start : min(start + together, end)]

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

    def at_rows(self, rows: int | Codes | None) -> Numbers:
        """The sum over the first `rows` rows, shape (users,); `rows` is one number, one per user, or None for all."""
        if rows is None:
            return self.whole
        if isinstance(rows, int):
            return self._first(min(rows, self._ranks))
        return np.asarray(self.sums[np.minimum(rows, self._ranks), np.arange(self.block.size)])

    def _first(self, rows: int) -> Numbers:
        """The sum over the first rows, shape (users,), continued from the deepest cutoff above that is known."""
        if "sums" in self.__dict__ or self.block.size < _NARROW:
            return np.asarray(self.sums[rows])
        if rows not in self._known:
            start = max(known for known in self._known if known < rows)
            total = self._known[start].copy()
            for values in self._by_rank(start, rows):
                total += values
            self._known[rows] = set_readonly(total)
        return self._known[rows]


class Arithmetic(ABC):
    """What a metric computes with on a block: floats here, exact numbers in an explanation."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of users."""

    @property
    @abstractmethod
    def depth(self) -> int:
        """K: rows of the longest list."""

    @property
    @abstractmethod
    def lengths(self) -> Numbers:
        """Rows of each prepared list, shape (users,)."""

    @property
    @abstractmethod
    def relevant_count(self) -> Numbers:
        """R: relevant labels that exist, shape (users,)."""

    @abstractmethod
    def rows_within(self, k: int | None) -> int | Codes:
        """How many rows stand at rank k or above: one number, or shape (users,) where tied rows share a rank."""

    # of arrays of shape (K, users)

    def sum(self, values: RankValues | None = None, /, **named: RankValues) -> CumulativeSum:
        """Sums of values of shape (K, users) down the ranks, such as `block.sum(precision=…)`.

        Under its name an explanation has the values.
        """
        return CumulativeSum(self, next(iter(named.values())) if values is None else values)

    def count(self, values: RankValues | None = None, /, **named: RankValues) -> CumulativeSum:
        """Counts down the ranks of values of shape (K, users): sums that an explanation does not spell out."""
        return CumulativeSum(self, next(iter(named.values())) if values is None else values)

    # of any ranks, also those below the lists

    def brief(self, values: Any) -> Numbers:
        """Values of any shape to compute with, whose way is not shown, and whose long fractions are decimals."""
        return np.asarray(values, np.float64)

    def running(self, how: np.ufunc, values: Numbers) -> Numbers:
        """Sums (`np.add`) or products (`np.multiply`) down to each rank and with it, shape (ranks, users)."""
        return np.asarray(how.accumulate(values, axis=0))

    def total(self, values: Numbers | None = None, /, **named: Numbers) -> Numbers:
        """The sum of values of shape (ranks, users) over their ranks, shape (users,).

        Under its name an explanation has the values of the rows.
        """
        down = self.running(np.add, next(iter(named.values())) if values is None else values)
        return np.array(down[-1])  # a copy: a view would keep all ranks

    def number(self, value: float) -> Any:
        """A parameter of the metric, as a number to compute with."""
        return value

    def numbers(self, values: Any) -> Numbers:
        """Values of any shape as an array to compute with."""
        return np.asarray(values, np.float64)

    def ranks_down_to(self, count: int) -> Numbers:
        """1, 2, 3, … shape (count, 1)."""
        return np.arange(1.0, count + 1)[:, None]

    def of_ranks(self, setting: Setting, count: int, beyond: float = 0.0) -> Numbers:
        """What a setting gives for the ranks 1 to count, or `beyond` each, such as their discounts, shape (count, 1).

        (count, users) where the setting reads something of the lists.
        """
        if of_lists(setting):
            return self._of_lists(setting, self.ranks_down_to(count) + beyond)
        if not setting.setting_type.has_name:  # a caller's function may change, and may know few ranks
            values: Numbers = np.asarray(setting(ranks=np.arange(1.0, count + 1) + beyond))
        else:
            values = _of_ranks(setting, -(-count // _TABLE_STEP), beyond)
        return values[:count].reshape(-1, 1)

    def _of_lists(self, setting: Setting, ranks: Numbers) -> Numbers:
        """What a setting that reads something of the lists gives for ranks of shape (ranks, 1) or (ranks, users)."""
        read = {name: of_list(self) for name, of_list in OF_LISTS.items() if name in setting.reads}
        values: Numbers = np.broadcast_to(np.asarray(setting(ranks=ranks, **read)), (len(ranks), self.size))
        return values

    def discounted(self, gains: RankValues, discount: Setting) -> DiscountedList:
        """Gain times discount, shape (ranks, users), where the ranks of the gains are 1, 2, 3 and so on."""
        return DiscountedList(gains, self.of_ranks(discount, len(gains)))

    def at_ranks(self, setting: Setting, ranks: Numbers) -> Numbers:
        """What a setting gives for these ranks, such as their discounts; a rank may be a half. Shape (K, users)."""
        if of_lists(setting):
            return self._of_lists(setting, ranks)
        whole = np.floor(ranks).astype(np.int64)
        values = self.of_ranks(setting, int(whole.max(initial=1)))[:, 0][whole - 1]
        if (whole == ranks).all():
            return values
        return np.where(whole == ranks, values, self.of_ranks(setting, int(whole.max()), 0.5)[:, 0][whole - 1])


OF_LISTS: dict[str, Callable[[Arithmetic], Numbers]] = {
    "lengths": lambda block: block.lengths,
    "relevant_counts": lambda block: block.relevant_count,
}
"""What a setting for ranks, such as a discount, may read of the lists, shape (users,)."""


def of_lists(setting: Setting) -> bool:
    """Whether what a setting gives for a rank hangs on the user's list too."""
    return any(name in OF_LISTS for name in setting.reads)


_TABLE_STEP = 1024  # a whole number of SIMD lanes, so that no entry depends on the length of the table


@lru_cache(maxsize=64)
def _of_ranks(setting: Setting, steps: int, beyond: float) -> Numbers:
    return np.asarray(setting(ranks=np.arange(1.0, steps * _TABLE_STEP + 1) + beyond))
