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
    foreign: str = ""
    """Of a table: a column that the other side would have, where it has none of its own.

    That is a score or a rank of labels without grades, and a grade of lists without scores and ranks.
    """
