"""A setting of your own: one decorated function, and every metric that asks for a gain takes it."""

import numpy as np
from numpy.typing import NDArray

import rankconv as rc


@rc.convention("gain").setting("square", rule="g^2", says="an item of grade g gains g^2", tex="g_j^2")
def square(grades: NDArray[np.float64]) -> NDArray[np.float64]:
    """Between the grade itself and 2^g - 1."""
    return grades**2
