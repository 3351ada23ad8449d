"""Arrays that nobody can write to: what is handed out can spoil no number, and a caller's own array is not kept."""

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Element = TypeVar("Element", bound=np.generic)
T = TypeVar("T")


def fixed(array: NDArray[Element]) -> NDArray[Element]:
    """An array of any shape that nobody can write to: the array itself if that is so already, else a copy.

    >>> import numpy as np
    >>> mine = np.array([3, 1, 2])
    >>> kept = fixed(mine)
    >>> mine.sort()
    >>> kept.tolist(), kept.flags.writeable, fixed(kept) is kept
    ([3, 1, 2], False, True)
    """
    if not _is_writeable(array):
        return array
    copy = np.array(array)
    copy.flags.writeable = False
    return copy


def own(array: NDArray[Element]) -> NDArray[Element]:
    """An array of any shape that was just made here and that nobody else has, made read-only; most are not copied."""
    if type(array) is not np.ndarray or array.base is not None:
        return fixed(array)
    array.flags.writeable = False
    return array


def _is_writeable(array: Any) -> bool:
    """Whether someone can write to the array, or to the array that it is a view of."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable or type(array) is not np.ndarray:
            return True
        array = array.base
    return False


class Fixed:
    """A frozen dataclass whose arrays are fixed too, also after it was pickled or copied."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, fixed(value))

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(
            {name: own(value) if isinstance(value, np.ndarray) else value for name, value in state.items()}
        )
        self.__post_init__()


def locked(value: T) -> T:
    """The value itself, made read-only if it is an array of any shape; a view of another array stays a view."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    return value


def shown(function: Callable[[Any], T]) -> cached_property[T]:
    """A property of a block, computed once and read by all metrics; its array is read-only, so none can change it."""

    @wraps(function)
    def made(owner: Any) -> T:
        return locked(function(owner))

    return cached_property(made)
