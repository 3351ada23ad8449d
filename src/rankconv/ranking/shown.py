"""What a block shows to all metrics: made once, and written to by none of them."""

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")


def shown(function: Callable[[Any], T]) -> cached_property[T]:
    """A property that is made once; an array is read-only, for what one metric did to it others would read."""

    @wraps(function)
    def made(owner: Any) -> T:
        return locked(function(owner))

    return cached_property(made)


def locked(value: T) -> T:
    """The same, read-only if it is an array."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    return value
