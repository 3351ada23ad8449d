"""Aligned arrays of labels and scores, a row for each user and a column for each item."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rankconv as rc
from rankconv.typing import Number
from rankconv.compat.errors import WrongDivision, WrongValue, refused_as

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pair:
    """Labels and scores, shape (users, items) each."""

    labels: Floats
    scores: Floats

    def number(self, definition: rc.Definition) -> Number:
        """What a definition gives for all rows."""
        with refused_as(WrongValue):
            found: Number = definition(self.labels, self.scores)
        return found


def array(values: Any, name: str, dimensions: tuple[int, ...] = (1, 2)) -> Floats:
    """Finite numbers, shape (rows,) or (rows, columns); WrongValue for all else, in scikit-learn's words.

    >>> array([[1, 0]], "y_true").shape
    (1, 2)
    """
    dense = values.toarray() if hasattr(values, "toarray") else values
    try:
        made = np.asarray(dense, np.float64)
    except (TypeError, ValueError) as problem:
        raise WrongValue(f"{name} is no array of numbers: {problem}") from None
    if made.ndim not in dimensions:
        raise WrongValue(f"{name}: Expected 2D array, got {made.ndim}D array instead")
    if not made.size:
        what = "sample(s)" if not len(made) else "feature(s)"
        raise WrongValue(f"{name}: Found array with 0 {what} (shape={made.shape}) while a minimum of 1 is required.")
    if not np.isfinite(made).all():
        raise WrongValue(f"Input {name} contains {'NaN' if np.isnan(made).any() else 'infinity'}.")
    return made


def check_rows(**arrays: Any) -> None:
    """WrongValue unless all of these arrays that are given have as many rows."""
    sizes = {name: len(one) for name, one in arrays.items() if one is not None}
    if len(set(sizes.values())) > 1:
        raise WrongValue(f"Found input variables with inconsistent numbers of samples: {[*sizes.values()]}")


def weighed(number: Number, weights: Any) -> float:
    """The caller's weighted mean of the users' values; without weights the number as it is.

    `weights` has shape (users,). Raises WrongValue where they do not fit, WrongDivision where they sum to 0.
    """
    if weights is None:
        return number
    given = array(weights, "sample_weight", (1,))
    check_rows(y_true=number.users, sample_weight=given)
    if not given.sum():
        raise WrongDivision("Weights sum to zero, can't be normalized")
    return float(np.average(number.per_user, weights=given))
