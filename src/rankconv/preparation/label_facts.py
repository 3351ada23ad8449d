"""What the labels of a judged block add up to, per user."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Numbers, cached_array, within
from rankconv.preparation.rows import Known, LabelRows


class LabelFacts(ABC):
    """Counts and sums over the labels that exist; arrays have shape `(users,)`."""

    def __init__(self, users: Codes) -> None:
        self.users = users
        """The joined codes of the block's users."""

    @property
    @abstractmethod
    def known(self) -> Known:
        """The labels that exist, one entry for each."""

    @property
    @abstractmethod
    def _labels(self) -> LabelRows:
        """The label rows after preparation."""

    @property
    def size(self) -> int:
        """Number of users."""
        return len(self.users)

    @cached_array
    def relevant_count(self) -> Numbers:
        """R: relevant labels that exist, shape (users,)."""
        return self.sum_of_known(self.known.relevant)

    @cached_array
    def non_relevant_count(self) -> Numbers:
        """Labels that exist and are not relevant, shape (users,)."""
        return self.sum_of_known(~self.known.relevant)

    @cached_array
    def non_zero_count(self) -> Numbers:
        """Labels that exist with a grade other than 0, shape (users,)."""
        return self.sum_of_known(self.known.grade != 0)

    @cached_array
    def judged_count(self) -> Numbers:
        """Labels that are judgments, shape (users,)."""
        exists = self._labels.exists & ~self._labels.in_pool
        return np.bincount(self._labels.user[exists], minlength=self.size).astype(np.float64)

    @cached_array
    def grade_sum(self) -> Numbers:
        """Sum of the grades that exist, shape (users,)."""
        return self.sum_of_known(self.known.grade)

    @cached_array
    def relevant_grade_sum(self) -> Numbers:
        """Sum of the grades of the relevant labels that exist, shape (users,)."""
        return self.sum_of_known(np.where(self.known.relevant, self.known.grade, 0.0))

    @cached_array
    def highest_grade(self) -> Numbers:
        """The highest grade that exists, shape (users,); 0 where there is none."""
        highest = np.full(self.size, -np.inf)
        np.maximum.at(highest, self.known.user, self.known.grade)
        return np.where(np.isinf(highest), 0.0, highest)

    def labels_above(self, level: float) -> Numbers:
        """Labels that exist with a grade above the level, returned or not, shape (users,)."""
        labels = self._labels
        judged = labels.exists & ~labels.in_pool
        return np.bincount(labels.user[judged & (labels.grade > level)], minlength=self.size).astype(np.float64)

    def sum_of_known(self, values: NDArray[Any]) -> Numbers:
        """The sum over each user's labels of values in the order of `labels-used`, shape (users,)."""
        # One user's labels are summed in their own order, so the sum does not depend on the block.
        return np.bincount(self.known.user, weights=values, minlength=self.size).astype(np.float64)

    def stacked(self, values: Numbers, user: Codes, ranks: int | None = None) -> Numbers:
        """Values of rows that stand grouped by user, in one column per user, shape (ranks, users); 0 below the last."""
        place = within(user)
        if ranks is not None:
            kept = place < ranks
            place, user, values = place[kept], user[kept], values[kept]
        stack = np.zeros((int(place.max(initial=-1)) + 1, self.size))
        stack[place, user] = values
        return stack
