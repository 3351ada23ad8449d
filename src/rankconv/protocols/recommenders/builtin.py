"""Two recommenders that need no training: what most rated, and what those rated who rated the same."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, Numbers
from rankconv.protocols.recommenders.training import Training


def best(scores: Numbers, n: int) -> Codes:
    """The places of the n highest scores, highest first, shape (n,); of equal ones the lower place; scores (items,)."""
    if n >= len(scores):
        return np.argsort(-scores, kind="stable")
    least = np.partition(scores, len(scores) - n)[len(scores) - n]
    above, at = np.flatnonzero(scores > least), np.flatnonzero(scores == least)
    chosen = np.concatenate([above, at[: n - len(above)]])
    return chosen[np.lexsort((chosen, -scores[chosen]))]


class Scoring:
    """A recommender that scores all items for a user."""

    def __init__(self, training: Training) -> None:
        self.training = training

    def score(self, items: Sequence[Any], values: Sequence[float]) -> Numbers:
        """The score of each item for a user who gave these items these values, shape (items,)."""
        raise NotImplementedError

    def recommend(self, items: Sequence[Any], values: Sequence[float], n: int) -> tuple[list[Any], list[float]]:
        """The n items of the highest scores, with these; of equal ones the first by text."""
        scores = self.score(items, values)
        places = best(scores, n)
        return [self.training.items[place] for place in places], scores[places].tolist()


class Popularity(Scoring):
    """How many have rated the item: the same list for everybody."""

    @cached_property
    def _counts(self) -> Numbers:
        return np.bincount(self.training.item, minlength=len(self.training.items)).astype(np.float64)

    def score(self, items: Sequence[Any], values: Sequence[float]) -> Numbers:
        """Training ratings of each item, shape (items,)."""
        return self._counts


class ItemItem(Scoring):
    """How like the user's items is it, by the cosine of who rated both, whatever the ratings?"""

    @cached_property
    def _lengthened(self) -> Any:
        rated = self.training.matrix.copy()
        rated.data = np.ones(len(rated.data))
        counts = np.asarray(rated.sum(axis=0)).ravel()
        scale = np.divide(1.0, np.sqrt(counts), out=np.zeros(len(counts)), where=counts > 0)
        return rated.multiply(scale[None, :]).tocsr()

    def score(self, items: Sequence[Any], values: Sequence[float]) -> Numbers:
        """The sum of the cosines with the user's items, shape (items,); rounded, so that equal ones are equal."""
        columns = self._lengthened
        liked = np.zeros(len(self.training.items))
        liked[self.training.places(items)] = 1.0
        return np.round(np.asarray(columns.T @ (columns @ liked)).ravel(), 9)
