"""Two recommenders in a few lines each: what most people rated, and what people with the same history rated."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array

Numbers = NDArray[np.float64]
Scores = Callable[[Numbers], Numbers]
"""From what a user has rated, 1 per film, to the score of each film."""


@dataclass(frozen=True)
class History:
    """Who rated which film, whatever the rating."""

    ratings: pl.DataFrame

    @cached_property
    def users(self) -> NDArray[np.int64]:
        """Ids in rising order; the rows of `rated`."""
        return np.unique(self.ratings["user"].to_numpy())

    @cached_property
    def films(self) -> NDArray[np.int64]:
        """Ids in rising order; the columns of `rated`."""
        return np.unique(self.ratings["film"].to_numpy())

    @cached_property
    def rated(self) -> csr_array:
        """1 where a user rated a film."""
        row = np.searchsorted(self.users, self.ratings["user"].to_numpy())
        column = np.searchsorted(self.films, self.ratings["film"].to_numpy())
        return csr_array((np.ones(len(row)), (row, column)), shape=(len(self.users), len(self.films)))

    def of(self, user: int) -> Numbers:
        """What one user has rated; nothing, if the user is new."""
        return np.isin(self.films, self.ratings.filter(pl.col("user") == user)["film"].to_numpy()).astype(np.float64)


def popularity(history: History) -> Scores:
    """How many have rated the film: the same list for everybody."""
    count = np.asarray(history.rated.sum(axis=0), np.float64)
    return lambda rated: count


def item_item(history: History) -> Scores:
    """How like the films of this user is it, by the cosine of who rated both? Whoever is new gets what is popular."""
    popular = popularity(history)
    length = np.sqrt(history.rated.sum(axis=0))
    films = csr_array(history.rated / length)  # each film a column of length 1

    def score(rated: Numbers) -> Numbers:
        # The cosines with all films of the user, summed, without the matrix of films by films.
        return np.asarray(films.T @ (films @ rated), np.float64) if rated.any() else popular(rated)

    return score


def recommend(score: Scores, history: History, users: Iterable[int], count: int = 20) -> dict[int, dict[int, float]]:
    """The best films for each user with their scores, without those that the user had rated already."""
    return {user: _best(score, history, user, count) for user in users}


def _best(score: Scores, history: History, user: int, count: int) -> dict[int, float]:
    rated = history.of(user)
    # Rounded, so that equal scores are equal on every machine; of equal scores the lower film id comes first.
    scores = np.round(score(rated), 9)
    order = np.lexsort((history.films, -scores, rated))[:count]
    return dict(zip(history.films[order].tolist(), scores[order].tolist(), strict=True))
