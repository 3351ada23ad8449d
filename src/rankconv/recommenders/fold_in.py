"""A new user in a factor model: their factors by regularised least squares, the item factors being kept."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.errors import InputError


def fold_in(item_factors: Any, ratings: Any, regularization: float = 0.01, *, alpha: float | None = None) -> Numbers:
    """What are the factors of users whom a factor model has not seen? Shape (factors,), or (users, factors) for many.

    `item_factors` has shape (items, factors). `ratings` are `(places of items, values)` of one user, a list of such
    pairs, or `{place: value}`. With no `alpha` the values are ratings, fitted where there are any: x minimises
    sum (r - x·y)² + regularization·|x|². With `alpha` they are implicit (Hu, Koren and Volinsky 2008): an item has
    preference 1 if it is listed with a value of 0 or more, and confidence 1 + alpha·value. implicit's ALS takes
    confidences: pass what it takes less 1, and `alpha=1`. Computed in float64; all zeros for a user without ratings.

    Raises InputError for shapes that do not fit, values that are not finite, and regularization below 0.

    >>> import rankconv as rc
    >>> rc.fold_in([[1.0, 0.0], [0.0, 1.0]], ([0], [4.0]), regularization=1.0).tolist()
    [2.0, 0.0]
    """
    factors = np.asarray(item_factors, np.float64)
    if factors.ndim != 2 or not np.isfinite(factors).all():
        raise InputError("item factors are a matrix of finite numbers", allowed="Their shape is (items, factors)")
    if not regularization >= 0:
        raise InputError(f"regularization={regularization!r:.100} is below 0")
    gram = None if alpha is None else factors.T @ factors
    many = isinstance(ratings, Sequence) and not isinstance(ratings, tuple)
    solved = [_one(factors, one, regularization, alpha, gram) for one in (ratings if many else [ratings])]
    return np.asarray(np.array(solved).reshape(len(solved), factors.shape[1]) if many else solved[0], np.float64)


def _one(factors: Numbers, ratings: Any, regularization: float, alpha: float | None, gram: Numbers | None) -> Numbers:
    """The factors of one user, shape (factors,)."""
    places, values = _checked(ratings, len(factors))
    if not len(places):
        return np.zeros(factors.shape[1])
    rated = factors[places]
    ridge = regularization * np.eye(factors.shape[1])
    if alpha is None or gram is None:
        return _solved(rated.T @ rated + ridge, rated.T @ values)
    more = alpha * values
    return _solved(gram + (rated.T * more) @ rated + ridge, rated.T @ ((values >= 0) * (1 + more)))


def _solved(left: Numbers, right: Numbers) -> Numbers:
    """The solution, shape (factors,); the shortest one where the ratings leave some direction open."""
    try:
        return np.asarray(np.linalg.solve(left, right), np.float64)
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.lstsq(left, right, rcond=None)[0], np.float64)


def _checked(ratings: Any, items: int) -> tuple[Any, Numbers]:
    pair = (list(ratings), list(ratings.values())) if isinstance(ratings, dict) else ratings
    places, values = np.asarray(pair[0], np.int64).ravel(), np.asarray(pair[1], np.float64).ravel()
    if len(places) != len(values):
        raise InputError(f"there are {len(places)} items and {len(values)} values")
    if len(places) and (places.min() < 0 or places.max() >= items):
        raise InputError(f"item {int(places.max())} has no factors", allowed=f"There are {items} items, from 0 on")
    if not np.isfinite(values).all():
        raise InputError("a rating is not finite")
    return places, values
