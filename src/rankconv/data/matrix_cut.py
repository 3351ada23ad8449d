"""What metrics need to know of the rows and labels of matrices that were not read, as few metrics look at them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Mask, among


class NeedsWholeLists(Exception):  # noqa: N818  # caught where it may be raised
    """Something looks at rows or labels that were not read."""


@dataclass(frozen=True, eq=False)
class LabelsCut:
    """Labels that were counted and not read; of each grade that a user has, one label was read."""

    counts: Codes
    """How many of each grade, 0, 1, …, each user has, shape (users, grades)."""
    listed: Codes
    """Those of them whose item is in the user's list, shape (users, grades)."""


@dataclass(frozen=True, eq=False)
class MatrixCut:
    """The matrix, whose rows are users and whose columns are items, and the lengths of the lists before the cut."""

    scores: NDArray[np.floating]
    """Shape (users, items); -inf is no item."""
    lengths: Codes
    """Items of each user, shape (users,)."""
    excluded: Codes | None
    """Sorted cells, user * items + item, that are no items either."""
    rows: int
    """So many rows of each list were read."""
    tied: Codes
    """How many rows that tie with the last of these were not, without a label and with a grade of 0: (users, 2)."""

    def holds(self, user: Codes, item: Codes) -> Mask:
        """Whether these items are in the lists of these users before the cut; arrays have shape (pairs,)."""
        users, items = self.scores.shape
        found: Mask = (user >= 0) & (user < users) & (item >= 0) & (item < items)
        user, item = user[found], item[found]
        listed = self.scores[user, item] != -np.inf
        if self.excluded is not None:
            listed &= ~among(user * np.int64(items) + item, self.excluded)
        found[found] = listed
        return found
