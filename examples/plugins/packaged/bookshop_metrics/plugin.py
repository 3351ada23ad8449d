"""The metric of the bookshop: importing this module registers it."""

from typing import ClassVar

import numpy as np

import rankconv as rc
from rankconv import plugin


class HitOnTop(plugin.Metric):
    """Is the book in the window one that the customer wants?

    1 where the first item is relevant, else 0. Range 0 to 1.
    """

    name: ClassVar[str] = "hit_on_top"
    formula: ClassVar[str] = "1 if the first item is relevant else 0"
    linear: ClassVar[bool] = True  # in hits, so expected hits give its expected value over all orders of a tie
    splits: ClassVar[bool] = False

    def per_user(self, block: plugin.Block) -> plugin.Ratio:
        """A list without rows shows nothing, and has no hit."""
        return plugin.Ratio(block.hits[:, :1].sum(axis=1), np.ones(block.size))
