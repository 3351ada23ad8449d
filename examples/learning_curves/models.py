"""Recommenders of implicit, LensKit and scikit-learn, for learning curves.

pip install 'rankconv[models]'        # and lenskit
rankconv learning-curve ratings.csv -r popularity -r examples/learning_curves/models.py:implicit_als
"""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rankconv.addons.protocols.named_recommenders import Scoring, Training
from rankconv.basics.optional import require
from rankconv.data.arrays import Codes, Numbers


class Implicit:
    """A model of implicit, which takes in a user by `recalculate_user`.

    `make` gives the model, such as `lambda: AlternatingLeastSquares(factors=50, random_state=0)`.
    """

    def __init__(self, training: Training, make: Callable[[], Any]) -> None:
        self.training, self.model = training, make()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # advice about threads, which are one here, and forms of matrices
            self.model.fit(training.matrix.astype(np.float32), show_progress=False)

    def recommend(self, items: Sequence[Any], values: Sequence[float], n: int) -> tuple[list[Any], list[float]]:
        """The n items that the model scores highest, with their scores."""
        from scipy.sparse import csr_matrix

        row = csr_matrix(self.training.vector(items, values)[None, :].astype(np.float32))
        n = min(n, len(self.training.items))
        found, scores = self.model.recommend(0, row, N=n, recalculate_user=True, filter_already_liked_items=False)
        kept = (found >= 0) & np.isfinite(scores) & (scores > np.finfo(np.float32).min)
        return listed(self.training, found[kept], scores[kept], n)


class LensKit:
    """A scorer of LensKit in its own top-n pipeline, which takes in a user by the ratings of the query.

    `make` gives the scorer, such as `lambda: ItemKNNScorer(max_nbrs=20)`.
    """

    def __init__(self, training: Training, make: Callable[[], Any]) -> None:
        data, pipelines = require("lenskit.data", "lenskit"), require("lenskit.pipeline", "lenskit")
        options = require("lenskit.training", "lenskit").TrainingOptions(rng=0)
        frames = require("pandas", "pandas")
        self.training = training
        columns = {"user_id": training.user, "item_id": training.item, "rating": training.rating}
        self.pipeline = pipelines.topn_pipeline(make())
        self.pipeline.train(data.from_interactions_df(frames.DataFrame(columns)), options)
        self.every = data.ItemList(item_ids=np.arange(len(training.items)))

    def recommend(self, items: Sequence[Any], values: Sequence[float], n: int) -> tuple[list[Any], list[float]]:
        """The n items that the model scores highest, with their scores."""
        data, lenskit = require("lenskit.data", "lenskit"), require("lenskit", "lenskit")
        known = [at for at, item in enumerate(items) if item in self.training.place]
        places = self.training.places([items[at] for at in known])
        given = data.ItemList(item_ids=places, rating=np.array([values[at] for at in known], np.float64))
        found = lenskit.recommend(self.pipeline, data.RecQuery(history_items=given), n, items=self.every)
        return listed(self.training, np.asarray(found.ids(), np.int64), np.asarray(found.scores(), np.float64), n)


def listed(training: Training, places: Codes, scores: Numbers, n: int) -> tuple[list[Any], list[float]]:
    """The items at these places with their scores, both of shape (items scored,); then, to make n of them, the others.

    A model that cannot score an item leaves it out; it then comes after those scored, in the order of the catalogue,
    with the score of minus infinity.
    """
    rest = np.setdiff1d(np.arange(len(training.items)), places)[: max(0, n - len(places))]
    all_scores = np.concatenate([scores, np.full(len(rest), -np.inf)]).tolist()
    return [training.items[place] for place in [*places.tolist(), *rest.tolist()]], all_scores


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
    als = require("implicit.als", "implicit")
    settings = {"factors": 50, "random_state": 0, "num_threads": 1}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return Implicit(training, lambda: als.AlternatingLeastSquares(**settings))


def implicit_bm25(training: Training) -> Implicit:
    """implicit's item-item model weighted by BM25."""
    nearest = require("implicit.nearest_neighbours", "implicit")
    return Implicit(training, lambda: nearest.BM25Recommender(num_threads=1))


def sklearn_nmf(training: Training) -> Decomposition:
    """scikit-learn's non-negative matrix factorisation, 20 components."""
    models = require("sklearn.decomposition", "scikit-learn")
    return Decomposition(training, lambda: models.NMF(n_components=20, init="nndsvda", random_state=0))


def sklearn_svd(training: Training) -> Decomposition:
    """scikit-learn's truncated singular value decomposition, 20 components."""
    models = require("sklearn.decomposition", "scikit-learn")
    return Decomposition(training, lambda: models.TruncatedSVD(n_components=20, random_state=0))


def lenskit_als(training: Training) -> LensKit:
    """LensKit's alternating least squares for implicit feedback, 50 factors."""
    models = require("lenskit.als", "lenskit")
    return LensKit(training, lambda: models.ImplicitMFScorer(embedding_size=50))


def lenskit_item_knn(training: Training) -> LensKit:
    """LensKit's nearest neighbours of items, 20 of them, whatever the ratings."""
    models = require("lenskit.knn", "lenskit")
    return LensKit(training, lambda: models.ItemKNNScorer(max_nbrs=20, feedback="implicit"))


def fold_in(
    item_factors: Numbers, places: Codes, values: Numbers, regularization: float = 0.01, alpha: float | None = None
) -> Numbers:
    """Compute the factors of a new user, shape (factors,), who gave the items at these places these values.

    Without `alpha` the values are explicit ratings r: x minimises sum (r - x·y)² + regularization·x·x. With it they are
    implicit (Hu, Koren and Volinsky 2008): preference 1 for values of 0 or more, confidence 1 + alpha·value. For
    implicit's ALS, which takes confidences, pass these less 1, and `alpha=1`.
    """
    factors = np.asarray(item_factors, np.float64)
    rated, ridge = factors[places], regularization * np.eye(factors.shape[1])
    if alpha is None:
        left, right = rated.T @ rated, rated.T @ values
    else:
        left = factors.T @ factors + (rated.T * (alpha * values)) @ rated
        right = rated.T @ ((values >= 0) * (1 + alpha * values))
    return np.asarray(np.linalg.solve(left + ridge, right), np.float64)
