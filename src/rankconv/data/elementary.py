"""Elementary functions whose bits are the same on every processor.

NumPy computes them by vector instructions where a processor has some, and the last bit then differs from that of other
processors. Here each distinct number is computed once, by the C library.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray


def log2(values: Any) -> NDArray[np.float64]:
    """Compute the logarithm to base 2; shape as `values`."""
    return _of_each(np.log2, math.log2, values)


def log(values: Any, base: float = math.e) -> NDArray[np.float64]:
    """Compute the logarithm to this base; shape as `values`."""
    if base == 2:
        return log2(values)
    logarithms = _of_each(np.log, math.log, values)
    return logarithms if base == math.e else np.asarray(logarithms / math.log(base))


def exp(values: Any) -> NDArray[np.float64]:
    """Compute e to each power; shape as `values`."""
    return _of_each(np.exp, math.exp, values)


def exp2(values: Any) -> NDArray[np.float64]:
    """Compute 2 to each power; shape as `values`. NumPy is exact for whole numbers."""
    if isinstance(values, np.ndarray) and values.dtype == np.float64 and (np.rint(values) == values).all():
        return np.exp2(values)
    return _of_each(np.exp2, math.exp2, values)


def power(base: Any, exponents: Any) -> NDArray[np.float64]:
    """Compute the base, one number, to each power; shape as `exponents`."""
    if not isinstance(base, float | int):
        exact: NDArray[np.float64] = base**exponents
        return exact
    number = float(base)
    return _of_each(lambda some: number**some, lambda one: number**one, exponents)


def _of_each(of_all: Callable[[Any], Any], of_one: Callable[[float], float], values: Any) -> NDArray[np.float64]:
    """Apply `of_one` to each distinct number, and `of_all` where that has no finite result or numbers are exact.

    Shape as `values`.
    """
    if not isinstance(values, np.ndarray) or values.dtype == object:
        exact: NDArray[np.float64] = of_all(values)
        return exact
    distinct, places = np.unique(values.astype(np.float64), return_inverse=True)
    results = np.asarray(of_all(distinct), np.float64)
    finite = np.isfinite(results)
    results[finite] = [of_one(one) for one in distinct[finite].tolist()]
    return results[places.reshape(values.shape)]
