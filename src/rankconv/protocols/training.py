"""Models that score a new user from items alone, and their training data."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.data.arrays import Codes, Numbers
from rankconv.optional import require
from rankconv.protocols.division import Division

if TYPE_CHECKING:
    import polars as pl
from itertools import pairwise

from rankconv.errors import InputError
from rankconv.inputs.arrays import is_sparse


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
        csr_matrix = require("scipy.sparse", "rankconv[stats]", "A matrix of ratings").csr_matrix
        return csr_matrix((self.rating, (self.user, self.item)), shape=(len(self.users), len(self.items)))

    def to_frame(self) -> "pl.DataFrame":
        """A polars frame of user, item and rating."""
        import polars as pl

        users, items = np.array(self.users, object)[self.user], np.array(self.items, object)[self.item]
        return pl.DataFrame({"user": users.tolist(), "item": items.tolist(), "rating": self.rating})


FORMS = "The ratings of a user are (places, values), two sequences of equal length, or {place: value}"
SPARSE = ("csr", "csc", "coo", "lil", "dok")
"""Sparse formats that hold ratings alone."""
MATRIX = "Pass a matrix of shape (users, items) as scipy.sparse.csr_array(ratings)."


def fold_in(item_factors: Any, ratings: Any, regularization: float = 0.01, *, alpha: float | None = None) -> Numbers:
    """Compute the factors of new users of a factor model.

    Parameters
    ----------
    item_factors : array of shape (items, factors)
        The factors of the items.
    ratings : tuple, dict, list of these or sparse matrix
        `(places of items, values)` of one user, `{place: value}`, or a SciPy matrix of shape (users, items), each
        stored entry of which is a rating, zeros too.
    regularization : float, default 0.01
        The weight of the squared norm of x.
    alpha : float, optional
        Without it the values are explicit ratings r: x minimises sum (r - x·y)² + regularization·x·x. With it they are
        implicit (Hu, Koren and Volinsky 2008): preference 1 for values of 0 or more, confidence 1 + alpha·value. For
        implicit's ALS, which takes confidences, pass these less 1, and `alpha=1`.

    Returns
    -------
    array of shape (factors,) or (users, factors)
        In float64; zeros for a user without ratings.

    Raises
    ------
    InputError
        If ratings have another form, shapes do not match, values are not finite, or `regularization` is below 0.

    Examples
    --------
    >>> import rankconv as rc
    >>> from rankconv import protocols
    >>> protocols.fold_in([[1.0, 0.0], [0.0, 1.0]], ([0], [4.0]), regularization=1.0).tolist()
    [2.0, 0.0]
    """
    factors = np.asarray(item_factors, np.float64)
    if factors.ndim != 2 or not np.isfinite(factors).all():
        raise InputError("item factors are a matrix of finite numbers", allowed="Their shape is (items, factors)")
    if not regularization >= 0:
        raise InputError(f"regularization={regularization!r:.100} is below 0")
    gram = None if alpha is None else factors.T @ factors
    many = is_sparse(ratings) or isinstance(ratings, list)
    users = _rows(ratings, len(factors)) if is_sparse(ratings) else ratings if many else [ratings]
    pairs = [_checked(one, len(factors)) for one in users]
    solved = [_one(factors, *pair, regularization, alpha, gram) for pair in pairs]
    return np.asarray(np.array(solved).reshape(len(solved), factors.shape[1]) if many else solved[0], np.float64)


def _one(
    factors: Numbers, places: Codes, values: Numbers, regularization: float, alpha: float | None, gram: Numbers | None
) -> Numbers:
    """The factors of one user, shape (factors,)."""
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


def _rows(ratings: Any, items: int) -> list[tuple[Codes, Numbers]]:
    """The places and values of each row of a sparse matrix, both of shape (ratings,).

    Raises InputError where its columns are not the items. Formats that fill up blocks or diagonals with zeros do not
    say which zeros are ratings, and are refused too.
    """
    if ratings.format not in SPARSE:
        do = "Pass scipy.sparse.csr_array(ratings.toarray()), in which zeros are not ratings."
        raise InputError(f"a {ratings.format.upper()} matrix may hold zeros that are not ratings", do=do)
    if len(ratings.shape) != 2 or ratings.shape[1] != items:
        turned = len(ratings.shape) == 2 and ratings.shape[0] == items
        do = "Pass ratings.T." if turned else "Pass a column for each row of item_factors."
        wrong = f"the sparse matrix of ratings has the shape {ratings.shape}"
        raise InputError(wrong, allowed=f"Its shape is (users, {items})", do=do)
    rows = ratings.tocsr(copy=True)
    rows.sum_duplicates()
    return [(rows.indices[start:end], rows.data[start:end]) for start, end in pairwise(rows.indptr)]


def _checked(ratings: Any, items: int) -> tuple[Codes, Numbers]:
    """The places and values of one user, both of shape (ratings,); an InputError for what is not in this form."""
    pair = (list(ratings), list(ratings.values())) if isinstance(ratings, dict) else ratings
    try:
        places, values = (np.asarray(part, np.float64) for part in (pair if isinstance(pair, (tuple, list)) else ()))
        shapes = [places.shape, values.shape]
    except (TypeError, ValueError):
        raise InputError(f"{ratings!r:.100} is not the ratings of a user", allowed=FORMS, do=MATRIX) from None
    if {len(shape) for shape in shapes} != {1} or len({*shapes}) > 1:
        text = " and ".join(map(str, shapes))
        raise InputError(f"the places and values of a user have the shapes {text}", allowed=FORMS, do=MATRIX)
    for wrong in places[~((places >= 0) & (places < items) & (places == np.floor(places)))][:1]:
        raise InputError(f"item {wrong:g} has no factors", allowed=f"There are {items} items, from 0 on")
    if not np.isfinite(values).all():
        raise InputError("a rating is not finite")
    return places.astype(np.int64), values
