"""The arrays that are passed around, by what stands in them, and what is asked of them everywhere."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.signedinteger[Any]]
"""Numbers that stand for ids, rows or places; an array as long as the users or the items may be of 32 bits."""
Mask = NDArray[np.bool_]
Numbers = NDArray[np.float64]


def is_zero(values: NDArray[Any]) -> Mask:
    """Where the values are 0, shape as `values`."""
    return np.asarray(values == 0)


def below(values: NDArray[Any], limit: NDArray[Any] | float) -> Mask:
    """Where the values are less than the limit, shape as `values`; the limit is one number or one per value."""
    return np.asarray(values < limit)


def within(group: Codes) -> Codes:
    """The place of each row inside its group, from 0, shape as `group`; rows of a group stand together."""
    if not len(group):
        return group.astype(np.int64)
    first = np.flatnonzero(np.append(True, group[1:] != group[:-1]))
    return np.arange(len(group)) - np.repeat(first, np.diff(np.append(first, len(group))))
