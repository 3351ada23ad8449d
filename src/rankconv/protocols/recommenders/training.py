"""What a recommender learns from: the training ratings, and the items that it may recommend."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.data.arrays import Codes, Numbers
from rankconv.errors import LibraryError
from rankconv.protocols.division import Division

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class Training:
    """Training ratings by place: users 0, 1, … and items by their place in `items`.

    `user`, `item` and `rating` have shape (ratings,).
    """

    items: Sequence[Any]
    """The ids of the catalogue, in the order of their text."""
    users: Sequence[Any]
    """The ids of those who train."""
    user: Codes
    item: Codes
    rating: Numbers

    @classmethod
    def of(cls, split: Division) -> "Training":
        """The training part of a split; ratings of items outside the catalogue are left out."""
        ratings, there = split.train, split.catalogue
        place = np.full(len(ratings.items), -1)
        place[there] = np.arange(len(there))
        kept = place[ratings.item] >= 0
        known, user = np.unique(ratings.user[kept], return_inverse=True)
        items, users = ratings.items.values[there].tolist(), ratings.users.values[known].tolist()
        return cls(items, users, user, place[ratings.item[kept]], ratings.rating[kept])

    @cached_property
    def place(self) -> dict[Any, int]:
        """The place of each item."""
        return {item: at for at, item in enumerate(self.items)}

    def places(self, items: Sequence[Any]) -> Codes:
        """The places of these items, shape (items known,); those that are not in the catalogue are left out."""
        return np.array([self.place[item] for item in items if item in self.place], np.int64)

    def vector(self, items: Sequence[Any], values: Sequence[float]) -> Numbers:
        """A user's ratings, 0 where there is none, shape (items,)."""
        found = np.zeros(len(self.items))
        for item, value in zip(items, values, strict=True):
            if item in self.place:
                found[self.place[item]] = value
        return found

    @cached_property
    def matrix(self) -> Any:
        """The ratings as a SciPy matrix, shape (users, items), compressed by rows; LibraryError without SciPy."""
        try:
            from scipy.sparse import csr_matrix
        except ImportError:
            do = "Install it: pip install 'rankconv[stats]'."
            raise LibraryError("a matrix of ratings needs SciPy", do=do) from None
        return csr_matrix((self.rating, (self.user, self.item)), shape=(len(self.users), len(self.items)))

    def to_frame(self) -> "pl.DataFrame":
        """A polars frame of user, item and rating."""
        import polars as pl

        users, items = np.array(self.users, object)[self.user], np.array(self.items, object)[self.item]
        return pl.DataFrame({"user": users.tolist(), "item": items.tolist(), "rating": self.rating})
