"""A reader who goes down a list rank by rank, as C/W/L has them: where they arrive, go on, and stop."""

from functools import cached_property
from typing import Any

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.preparation.block import Block, of_lists
from rankconv.specs.convention import Setting


class Reader:
    """A reader of the lists of some users; numbers by rank have shape (ranks, users), from rank 1 to the last.

    Ranks below the end of a list are read too, and gain nothing.
    """

    def __init__(self, block: Block, gains: Numbers, users: slice = slice(None)) -> None:
        self._block, self._users, self.gains = block, users, gains
        self.ranks: Numbers = block.brief(block.ranks_down_to(len(gains)))
        """1, 2, 3, …, shape (ranks, 1)."""
        self.goes_on: Numbers = np.ones_like(gains)
        """The probability to go on from each rank to the next."""

    def of_ranks(self, setting: Setting, count: int) -> Numbers:
        """What a setting such as a discount gives for the ranks 1 to count, shape (count, 1).

        (count, users) where the setting reads something of the lists.
        """
        values = self._block.of_ranks(setting, count)
        return values[:, self._users] if of_lists(setting) else values

    def running(self, how: np.ufunc, values: Any) -> Numbers:
        """Sums (`np.add`) or products (`np.multiply`) of values down to each rank and with it, shape (ranks, users)."""
        return self._block.running(how, np.broadcast_to(values, self.gains.shape))

    def total(self, values: Numbers | None = None, /, **named: Numbers) -> Numbers:
        """The sum of values over all ranks, shape (users,); under its name an explanation has them by row."""
        return self._block.total(values, **named)

    @cached_property
    def gain_so_far(self) -> Numbers:
        """The gain of each rank and all above it, shape (ranks, users)."""
        return self.running(np.add, self.gains)

    @cached_property
    def gain_above(self) -> Numbers:
        """The gain of all ranks above each, shape (ranks, users)."""
        return np.asarray(self.gain_so_far - self.gains)

    @cached_property
    def left(self) -> Numbers:
        """The sum of gain / rank over each rank and all below it, shape (ranks, users)."""
        return self.running(np.add, (self.gains / self.ranks)[::-1])[::-1]

    @cached_property
    def arrives(self) -> Numbers:
        """The probability to arrive at each rank, shape (ranks, users)."""
        return self.running(np.multiply, below(self.goes_on, 1.0))

    @cached_property
    def stops(self) -> Numbers:
        """The probability to stop at each rank, shape (ranks, users)."""
        return np.asarray(self.arrives * (1 - self.goes_on))


def below(values: Numbers, first: float) -> Numbers:
    """The values one rank further down, after `first`; shape as `values`."""
    moved = np.roll(values, 1, axis=0)
    moved[:1] = first
    return moved


def above(values: Numbers, last: float) -> Numbers:
    """The values one rank further up, before `last`; shape as `values`."""
    moved = np.roll(values, -1, axis=0)
    moved[-1:] = last
    return moved
