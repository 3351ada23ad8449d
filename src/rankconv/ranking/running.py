"""Sums down the ranks of a judged block, for every cutoff at once."""

from typing import TYPE_CHECKING

import numpy as np

from rankconv.ranking.ids import Codes
from rankconv.ranking.rows import Numbers

if TYPE_CHECKING:
    from rankconv.ranking.block import Block


_NARROW = 16
"""Users from which on a loop over ranks is faster than one call; both add in the same order, to the same bits."""


class Running:
    """Sums over the ranks from the top down, for every cutoff at once."""

    def __init__(self, block: "Block", values: Numbers) -> None:
        self.block = block
        self.sums = np.empty((len(values) + 1, block.size))
        """Shape (K + 1, users): row j holds the sum over the first j rows."""
        self.sums[0] = 0
        if block.size < _NARROW:
            np.cumsum(values, axis=0, out=self.sums[1:])
            return
        for rank, row in enumerate(values):
            np.add(self.sums[rank], row, out=self.sums[rank + 1])

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
        return np.asarray(self.sums[-1])

    def at(self, k: int | None) -> Numbers:
        """The sum down to rank k, or to the end of the list, shape (users,)."""
        return self.at_rows(self.block.rows_within(k))

    def at_rows(self, rows: int | Codes) -> Numbers:
        """The sum over so many rows: the same for all, or one number per user."""
        if isinstance(rows, int):
            return np.asarray(self.sums[rows])
        return np.asarray(self.sums[np.minimum(rows, len(self.sums) - 1), np.arange(self.block.size)])
