"""Recommenders of other libraries, each with its own way to take in a new user."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.installed import installed
from rankconv.recommenders.builtin import Scoring
from rankconv.recommenders.training import Training


class Implicit:
    """A model of implicit, which takes in a user by `recalculate_user`.

    `make` gives the model, such as `lambda: AlternatingLeastSquares(factors=50, random_state=0)`.
    """

    def __init__(self, training: Training, make: Callable[[], Any]) -> None:
        self.training, self.model = training, make()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # advice about threads, which are one here
            self.model.fit(training.matrix.astype(np.float32), show_progress=False)

    def recommend(self, items: Sequence[Any], values: Sequence[float], n: int) -> tuple[list[Any], list[float]]:
        """The n items that the model scores highest, with their scores."""
        from scipy.sparse import csr_matrix

        row = csr_matrix(self.training.vector(items, values)[None, :].astype(np.float32))
        n = min(n, len(self.training.items))
        found, scores = self.model.recommend(0, row, N=n, recalculate_user=True, filter_already_liked_items=False)
        kept = [place for place, item in enumerate(found.tolist()) if item >= 0 and np.isfinite(scores[place])]
        return [self.training.items[found[place]] for place in kept], [float(scores[place]) for place in kept]


class Decomposition(Scoring):
    """A decomposition of scikit-learn: a user is transformed, and scored by its components."""

    def __init__(self, training: Training, make: Callable[[], Any]) -> None:
        super().__init__(training)
        self.model = make()
        self.model.fit(training.matrix)

    def score(self, items: Sequence[Any], values: Sequence[float]) -> Numbers:
        """The user's ratings rebuilt from the components, shape (items,)."""
        row = self.training.vector(items, values)[None, :]
        return np.asarray(self.model.transform(row) @ self.model.components_, np.float64).ravel()


def implicit_als(training: Training) -> Implicit:
    """implicit's alternating least squares, 50 factors, on one thread, so that it is the same each time."""
    als = installed("implicit.als", "implicit")
    settings = {"factors": 50, "random_state": 0, "num_threads": 1}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return Implicit(training, lambda: als.AlternatingLeastSquares(**settings))


def implicit_bm25(training: Training) -> Implicit:
    """implicit's item-item model weighted by BM25."""
    nearest = installed("implicit.nearest_neighbours", "implicit")
    return Implicit(training, lambda: nearest.BM25Recommender(num_threads=1))


def sklearn_nmf(training: Training) -> Decomposition:
    """scikit-learn's non-negative matrix factorisation, 20 components."""
    models = installed("sklearn.decomposition", "scikit-learn")
    return Decomposition(training, lambda: models.NMF(n_components=20, init="nndsvda", random_state=0))


def sklearn_svd(training: Training) -> Decomposition:
    """scikit-learn's truncated singular value decomposition, 20 components."""
    models = installed("sklearn.decomposition", "scikit-learn")
    return Decomposition(training, lambda: models.TruncatedSVD(n_components=20, random_state=0))
