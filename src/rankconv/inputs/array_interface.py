"""Arrays of any library, through the interfaces that they share; none of these libraries is imported."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.errors import InputError

NO_ITEM = -1
"""Fills the ends of rows with fewer items than columns, unless the caller says what does."""


def is_array(data: Any) -> bool:
    """Whether this is an array: of NumPy, or of torch, jax and others that say how they can be read."""
    if isinstance(data, np.ndarray):
        return True
    shared = hasattr(data, "__array__") or hasattr(data, "__dlpack__")
    return not isinstance(data, type | np.generic) and shared and hasattr(data, "shape")


def named(data: Any) -> str:
    """The array as messages call it."""
    library = type(data).__module__.partition(".")[0]
    return {"numpy": "a NumPy array", "torch": "a torch tensor", "jaxlib": "a jax array"}.get(
        library, f"a {library} array"
    )


def as_numpy(data: Any, source: str) -> NDArray[Any]:
    """The array as a plain NumPy array of its shape, also a `numpy.matrix`; not copied where that can be avoided.

    An InputError where values are masked, which a plain array could not say.
    """
    if np.ma.isMaskedArray(data):
        filled = NO_ITEM if data.dtype.kind in "iu" else "numpy.nan"
        raise InputError("the array is masked", where=source, do=f"Fill it with no item: array.filled({filled})")
    try:
        return np.asarray(data) if hasattr(data, "__array__") else np.from_dlpack(data)
    except Exception as problem:  # each library has its own
        said = str(problem).partition("\n")[0]
        do = "Bring it to the CPU first: tensor.detach().cpu()"
        raise InputError(f"the array cannot be read: {said}", where=source, do=do) from None
