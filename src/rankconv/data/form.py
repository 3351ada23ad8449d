"""What data came as, as far as it tells whether labels and rankings belong together."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Form:
    """The array or the table that labels or rankings were read from; of other data nothing is said."""

    kind: Literal["", "dense", "sparse", "ids"] = ""
    """Of an array with one row per user: a number for each item, the same without most of them, or item ids."""
    shape: tuple[int, int] = (0, 0)
    """Of an array: users, and items or ranks."""
    named: bool = False
    """Of a table: whether a column of numbers has a name that tells grades from scores."""
    assumed: str = ""
    """Of a table: what is assumed in place of the numbers that it does not have, in words."""
