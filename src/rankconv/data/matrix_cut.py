"""A score matrix of which only the first rows of each list were read, with what metrics need to know of the others."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Mask


class NeedsWholeLists(Exception):  # noqa: N818  # caught where it may be raised
    """Something looks below the first rows of lists that were cut."""


@dataclass(frozen=True, eq=False)
class MatrixCut:
    """The matrix, whose rows are users and whose columns are items, and the lengths of the lists before the cut."""

    scores: NDArray[np.floating]
    """Shape (users, items); -inf is no item."""
    lengths: Codes
    """Items of each user, shape (users,)."""
    excluded: Codes | None
    """Sorted cells, user * items + item, that are no items either."""

    def holds(self, user: Codes, item: Codes) -> Mask:
        """Whether these items are in the lists of these users before the cut; arrays have shape (pairs,)."""
        users, items = self.scores.shape
        found: Mask = (user >= 0) & (user < users) & (item >= 0) & (item < items)
        user, item = user[found], item[found]
        listed = self.scores[user, item] != -np.inf
        if self.excluded is not None:
            listed &= ~np.isin(user * np.int64(items) + item, self.excluded)
        found[found] = listed
        return found
