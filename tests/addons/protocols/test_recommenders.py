"""Recommenders of real libraries: what the adapters list is what the libraries give for the same user.

Skipped where a library is missing: pip install 'rankconv[models]', and lenskit.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from examples.learning_curves import models as libraries
from rankconv import protocols
from rankconv.addons.protocols.named_recommenders import Training

GENERATOR = np.random.default_rng(7)
ROWS = [
    (f"u{user}", f"i{item:02}", int(GENERATOR.integers(1, 6)))
    for user in range(60)
    for item in range(24)
    if GENERATOR.random() < (0.5 if item % 2 == user % 2 else 0.1)
]
pytest.importorskip("polars")
SPLIT = rc.protocol("fastml(given=nested(4), least-users=1)").split(ROWS, 1)
GIVEN = ["i01", "i07", "i13"]
VALUES = [5.0, 3.0, 4.0]
NAMES = [
    ("implicit_als", "implicit"),
    ("implicit_bm25", "implicit"),
    ("sklearn_nmf", "sklearn"),
    ("sklearn_svd", "sklearn"),
    ("lenskit_als", "lenskit"),
    ("lenskit_item_knn", "lenskit"),
]


@pytest.fixture(scope="module")
def training() -> Training:
    pytest.importorskip("scipy")
    return Training.of(SPLIT)


def row_of(training: Training, kind: Any = np.float32) -> Any:
    """The user's ratings as a sparse row, made from the ids by hand."""
    from scipy.sparse import csr_matrix

    places = [list(training.items).index(item) for item in GIVEN]
    return csr_matrix((np.array(VALUES, kind), ([0] * len(places), places)), shape=(1, len(training.items)))


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("NMF", lambda models: models.NMF(n_components=20, init="nndsvda", random_state=0)),
        ("TruncatedSVD", lambda models: models.TruncatedSVD(n_components=20, random_state=0)),
    ],
)
def test_scikit_learns_decompositions(training: Training, name: str, make: Callable[[Any], Any]) -> None:
    models = pytest.importorskip("sklearn.decomposition")
    adapter = {"NMF": libraries.sklearn_nmf, "TruncatedSVD": libraries.sklearn_svd}[name](training)
    items, scores = adapter.recommend(GIVEN, VALUES, 10)
    model = make(models)
    learned = model.fit_transform(training.matrix)
    assert learned.shape == (len(training.users), 20)
    rebuilt = (model.transform(row_of(training, float)) @ model.components_).ravel()
    assert scores == pytest.approx(np.sort(rebuilt)[::-1][:10].tolist(), abs=1e-9)
    assert [rebuilt[list(training.items).index(item)] for item in items] == pytest.approx(scores, abs=1e-9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["als", "bm25"])
def test_implicits_models_take_in_a_user_themselves(training: Training, name: str) -> None:
    pytest.importorskip("implicit")
    from implicit.als import AlternatingLeastSquares
    from implicit.nearest_neighbours import BM25Recommender

    adapter = {"als": libraries.implicit_als, "bm25": libraries.implicit_bm25}[name](training)
    items, scores = adapter.recommend(GIVEN, VALUES, 12)
    made = {
        "als": lambda: AlternatingLeastSquares(factors=50, random_state=0, num_threads=1),
        "bm25": lambda: BM25Recommender(num_threads=1),
    }[name]()
    made.fit(training.matrix.astype(np.float32), show_progress=False)
    found, theirs = made.recommend(0, row_of(training), N=12, recalculate_user=True, filter_already_liked_items=False)
    scored = [(training.items[at], score) for at, score in zip(found, theirs, strict=True) if at >= 0 and score > -1e30]
    assert items[: len(scored)] == [item for item, _ in scored]
    assert scores[: len(scored)] == pytest.approx([score for _, score in scored], abs=1e-5)
    assert len(items) == 12


def test_factors_of_a_new_user_solve_the_normal_equations() -> None:
    generator = np.random.default_rng(3)
    factors, places = generator.normal(size=(40, 7)), generator.choice(40, 12, replace=False)
    values = generator.integers(1, 6, 12).astype(float)
    plain = libraries.fold_in(factors, places, values, 0.3)
    rated = factors[places]
    assert np.abs(rated.T @ (rated @ plain - values) + 0.3 * plain).max() < 1e-12
    weighted = libraries.fold_in(factors, places, values, 0.3, alpha=2.0)
    confidence, liked = np.ones(40), np.zeros(40)
    confidence[places], liked[places] = 1 + 2.0 * values, 1.0
    assert np.abs(factors.T @ (confidence * (factors @ weighted - liked)) + 0.3 * weighted).max() < 1e-11


def test_implicits_factors_of_a_user_are_these(training: Training) -> None:
    pytest.importorskip("implicit")
    model = libraries.implicit_als(training).model
    model.use_cg = False
    theirs = model.recalculate_user(0, row_of(training))
    places = np.array([list(training.items).index(item) for item in GIVEN])
    ours = libraries.fold_in(model.item_factors, places, np.array(VALUES) - 1, model.regularization, alpha=1.0)
    assert np.abs(ours - theirs).max() < 1e-4


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("name", "library"), NAMES)
def test_each_gives_whole_lists_for_every_point_of_a_curve(name: str, library: str) -> None:
    """None of them leaves out, repeats or makes up an item; and knowing the taste beats nothing at all."""
    pytest.importorskip(library, exc_type=ImportError)
    recommender = getattr(libraries, name)
    curve = protocols.learning_curve(SPLIT, [recommender], "mllib:ndcg@5", n_resamples=1, progress=False)
    assert curve.faults[name] == {}
    assert {len(found) for found in curve.lists[name].values()} == {5}
    assert curve.number(name, "mllib:ndcg@5") > 0.1


def test_items_that_a_model_cannot_score_stand_behind() -> None:
    training = Training(["a", "b", "c", "d"], ["u"], np.array([0]), np.array([2]), np.array([5.0]))
    items, scores = libraries.listed(training, np.array([2, 0]), np.array([0.5, 0.1]), 3)
    assert (items, scores) == (["c", "a", "b"], [0.5, 0.1, -np.inf])
    assert libraries.listed(training, np.array([2, 0]), np.array([0.5, 0.1]), 2)[0] == ["c", "a"]
