"""RMSE and MAE by hand, and as scikit-learn has them where it is installed; missing predictions are told."""

from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv.protocols.rating_errors.rating_errors import rating_errors

LABELS = {"ada": {"a": 5, "b": 3}, "bob": {"a": 1}}
PREDICTED = {"ada": {"a": 4, "b": 3, "c": 1}, "bob": {"a": 4}}


def test_by_hand_in_both_readings() -> None:
    found = rating_errors(LABELS, PREDICTED)
    assert (found.mae, found.mae_by_user) == (4 / 3, (1 / 2 + 3) / 2)
    assert found.rmse == pytest.approx((10 / 3) ** 0.5)
    assert found.rmse_by_user == pytest.approx(((1 / 2) ** 0.5 + 3) / 2)
    assert (found.ratings, found.users, found.missing) == (3, 2, 0)


def test_over_all_ratings_it_is_scikit_learns_where_it_is_installed() -> None:
    theirs = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(4)
    true, guess = random.integers(1, 6, 200), random.normal(3, 1, 200)
    labels, run = ([(row % 20, row, float(one)) for row, one in enumerate(values)] for values in (true, guess))
    found = rating_errors(labels, run)
    assert found.rmse == pytest.approx(theirs.root_mean_squared_error(true, guess), rel=1e-12)
    assert found.mae == pytest.approx(theirs.mean_absolute_error(true, guess), rel=1e-12)


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ({"ada": {"a": 4, "b": 3}}, "there is no prediction for user 'bob' rates 'a'"),
        ({"ada": ["a", "b"], "bob": ["a"]}, "the predictions have no scores"),
    ],
)
def test_what_cannot_be_compared(run: Any, said: str) -> None:
    with pytest.raises(rc.InputError, match=said):
        rating_errors(LABELS, run)


def test_what_nobody_predicted_is_skipped_and_counted() -> None:
    found = rating_errors(LABELS, {"ada": {"a": 4, "b": 3}}, "skip")
    assert (found.mae, found.ratings, found.users, found.missing) == (0.5, 2, 1, 1)
    with pytest.raises(rc.InputError, match="no rating has a prediction"):
        rating_errors(LABELS, {"eve": {"a": 4.0}}, "skip")
