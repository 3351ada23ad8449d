"""Recommenders that are named in protocols, and how they are called."""

import importlib.util
import math
import sys
import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, Numbers
from rankconv.data.ids import plain_id
from rankconv.errors import InputError, RankconvError, likely, nearest
from rankconv.optional import require
from rankconv.pages.cells import plural
from rankconv.protocols.training import Training


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
    """Score items by the cosine of the users who rated both, whatever the ratings."""

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


NAMED: dict[str, Callable[[Training], Any]] = {
    "popularity": Popularity,
    "item-item": ItemItem,
    "implicit-als": implicit_als,
    "implicit-bm25": implicit_bm25,
    "lenskit-als": lenskit_als,
    "lenskit-item-knn": lenskit_item_knn,
    "sklearn-nmf": sklearn_nmf,
    "sklearn-svd": sklearn_svd,
}
Recommend = Callable[..., Any]
"""`recommend(items, values, n)`: ids, best first, or ids and scores."""


@dataclass(frozen=True)
class Many:
    """A recommender that gives the lists of several users at once."""

    recommend: Recommend
    """`recommend_many(histories, n)`: a list for each of several (items, values)."""


def name_of(source: Any) -> str:
    """What a recommender is called in tables: `als` of `my_models.py:als`."""
    if callable(source):
        return str(getattr(source, "__name__", type(source).__name__))
    return str(source).rpartition(":")[2]


def maker(source: Any) -> Callable[[Training], Any]:
    """What makes a recommender from training data; an InputError for a name or a file that has none."""
    if callable(source):
        found: Callable[[Training], Any] = source
        return found
    text = str(source)
    file, sign, name = text.rpartition(":")
    if sign and file.endswith(".py"):
        return _of_file(Path(file), name)
    if text not in NAMED:
        allowed = f"There are {', '.join(NAMED)}, and functions in files, written my_models.py:als"
        like = nearest(text, likely(text, NAMED))
        raise InputError(f"'{text:.100}' is no recommender", allowed=allowed, nearest=like)
    return NAMED[text]


def _of_file(file: Path, name: str) -> Callable[[Training], Any]:
    if not file.is_file():
        raise InputError(f"there is no file {file}", do="Name it as my_models.py:als, a function in a file.")
    spec = importlib.util.spec_from_file_location(f"rankconv_recommenders_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise InputError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as problem:
        raise InputError(f"it cannot be loaded: {type(problem).__name__}: {problem}", where=str(file)) from problem
    found = getattr(module, name, None)
    if not callable(found):
        there = [one for one, value in vars(module).items() if callable(value) and not one.startswith("_")]
        wrong, allowed = f"there is no function '{name}'", f"There are: {', '.join(there)}"
        raise InputError(wrong, where=str(file), allowed=allowed, nearest=nearest(name, there))
    made: Callable[[Training], Any] = found
    return made


def made(source: Any, training: Training) -> Recommend | Many:
    """What recommends, learned from training data; InputError where that raises, or makes none."""
    name = name_of(source)
    try:
        model = maker(source)(training)
    except RankconvError:
        raise
    except Exception as problem:
        wrong = f"it cannot learn: {type(problem).__name__}: {problem}"
        raise InputError(wrong, where=f"recommender {name}") from problem
    many = getattr(model, "recommend_many", None)
    if callable(many):
        return Many(many)
    found = getattr(model, "recommend", model)
    if not callable(found):
        do = "Return an object with recommend(items, values, n), or such a function; or with recommend_many."
        raise InputError(f"{type(model).__name__} does not recommend", where=f"recommender {name}", do=do)
    recommend: Recommend = found
    return recommend


RAISES, UNKNOWN, REPEATED = "raises", "unknown item", "repeated item"
NAN, TOO_FEW, NO_LIST = "NaN score", "too few", "no list"


@dataclass(frozen=True)
class ListRequest:
    """One convention: what a user gave, how many items are wanted, and among which."""

    point: int
    items: Sequence[Any]
    values: Sequence[float]
    n: int
    """How many items are judged."""
    allowed: frozenset[Any] | None
    """The candidates; None for the whole catalogue."""
    drop: bool
    """Whether the items given are taken out of the list."""


@dataclass(frozen=True)
class Answered:
    """The list that is judged, and what was wrong with the setting."""

    point: int
    items: tuple[Any, ...]
    faults: tuple[tuple[str, str], ...] = ()
    """Each kind, with what is said of it."""


def ask_each(
    recommend: Recommend | Many, requests: Sequence[ListRequest], catalogue: Collection[Any]
) -> list[Answered]:
    """Ask for several lists; at once, where the recommender can."""
    if not isinstance(recommend, Many):
        return [ask(recommend, one, catalogue) for one in requests]
    most = max((_wanted(one, catalogue) for one in requests), default=0)
    try:
        parts = list(recommend.recommend([(list(one.items), list(one.values)) for one in requests], most))
    except Exception:
        if len(requests) == 1:
            return [_raised(requests[0])]
        return [answered for one in requests for answered in ask_each(recommend, [one], catalogue)]
    if len(parts) != len(requests):
        said = f"it gave {len(parts)} lists for {len(requests)} users"
        return [Answered(one.point, (), ((NO_LIST, said),)) for one in requests]
    return [_answered(one, setting, catalogue) for one, setting in zip(requests, parts, strict=True)]


def ask(recommend: Recommend, request: ListRequest, catalogue: Collection[Any]) -> Answered:
    """Ask for one list, with as many more items as may be dropped; what is not a list of items is reported."""
    try:
        returned = recommend(list(request.items), list(request.values), _wanted(request, catalogue))
    except Exception:
        return _raised(request)
    return _answered(request, returned, catalogue)


def _wanted(request: ListRequest, catalogue: Collection[Any]) -> int:
    return len(catalogue) if request.allowed is not None else min(request.n + len(request.items), len(catalogue))


def _raised(request: ListRequest) -> Answered:
    problem = sys.exception()
    return Answered(request.point, (), ((RAISES, f"it raised {type(problem).__name__}: {problem}"),))


def _answered(request: ListRequest, returned: Any, catalogue: Collection[Any]) -> Answered:
    wanted = _wanted(request, catalogue)
    items, scores = returned if isinstance(returned, tuple) and len(returned) == 2 else (returned, None)
    try:
        ids = [plain_id(item) for item in (items.tolist() if hasattr(items, "tolist") else items)]
    except TypeError:
        return Answered(request.point, (), ((NO_LIST, f"it gave {type(items).__name__}, which is no list of items"),))
    faults = _faults(ids, scores, catalogue)
    known = [item for item in dict.fromkeys(ids) if item in catalogue]
    if len(known) < wanted and not faults:
        faults.append((TOO_FEW, f"it gave {plural(len(known), 'item')} of the {wanted:,} that were requested"))
    given = frozenset(request.items) if request.drop else frozenset()
    kept = [item for item in known if item not in given and (request.allowed is None or item in request.allowed)]
    return Answered(request.point, tuple(kept[: request.n]), tuple(faults))


def _faults(ids: Sequence[Any], scores: Any, catalogue: Collection[Any]) -> list[tuple[str, str]]:
    found = []
    odd = next((item for item in ids if item not in catalogue), None)
    if odd is not None:
        found.append((UNKNOWN, f"it gave {odd!r:.60}, which is no item of these ratings"))
    if len({*ids}) < len(ids):
        twice = next(item for at, item in enumerate(ids) if item in ids[:at])
        found.append((REPEATED, f"it gave {twice!r:.60} more than once"))
    if scores is not None and any(math.isnan(float(score)) for score in scores):
        odd = ids[next(at for at, score in enumerate(scores) if math.isnan(float(score)))]
        found.append((NAN, f"its score of {odd!r:.60} is NaN"))
    return found
