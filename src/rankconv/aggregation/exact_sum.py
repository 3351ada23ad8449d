"""Sums that are rounded once, at the end: no order of the users, and no cutting into blocks, changes a bit."""

import math
from collections.abc import Iterable

import numpy as np

from rankconv.data.arrays import Numbers

_FEW = 64  # that many are added as they are
_SAFE = (1e-200, 1e200)  # where neither the cut nor what is below it leaves the range of doubles


class ExactSum:
    """A sum that values are added to, many at a time."""

    def __init__(self) -> None:
        self.number = 0
        """How many values were added."""
        self._exact: list[float] = []
        """Numbers that add up to the sum exactly."""

    def add(self, values: Numbers) -> None:
        """More values, shape (users,)."""
        self.number += len(values)
        self._exact += _exact_sums(values)

    def include(self, other: "ExactSum") -> None:
        """Add what another sum came to."""
        self.number += other.number
        self._exact += other._exact

    @classmethod
    def of(cls, number: int, exact: Iterable[float]) -> "ExactSum":
        """The sum of so many values, which these numbers add up to exactly."""
        made = cls()
        made.number, made._exact = number, list(exact)
        return made

    def compact(self) -> tuple[float, ...]:
        """The fewest numbers that add up to the sum exactly, which are kept in place of all others.

        They depend on nothing but the sum: each is what is left of it, correctly rounded. One infinity or NaN is
        for a sum that has some.
        """
        left, found = self._exact, list[float]()
        if not all(map(math.isfinite, left)):
            found, left = [self.total], []
        while rounded := math.fsum(left):
            found.append(rounded)
            left = [*left, -rounded]
        self._exact = found
        return tuple(found)

    @property
    def total(self) -> float:
        """The sum, correctly rounded; what floating point makes of it where a value is infinite or NaN."""
        if all(map(math.isfinite, self._exact)):
            return math.fsum(self._exact)
        with np.errstate(invalid="ignore"):
            return float(np.sum(self._exact))


def total(values: Numbers) -> float:
    """The sum of these values, shape (users,), correctly rounded."""
    summed = ExactSum()
    summed.add(values)
    return summed.total


def _exact_sums(values: Numbers) -> list[float]:
    """Few numbers whose exact sum is that of the values, shape (users,).

    The leading bits of all values, cut at one place, add up without rounding; so do those that are left, and so on.
    """
    if len(values) < _FEW:
        return list(map(float, values.tolist()))
    largest = max(float(values.max(initial=0)), -float(values.min(initial=0)))
    if not largest:
        return []
    if not math.isfinite(largest):
        with np.errstate(invalid="ignore"):  # inf and -inf have no sum
            return [float(np.sum(values))]
    if not _SAFE[0] < largest < _SAFE[1]:
        return values.tolist()  # type: ignore[no-any-return]
    sums, left, leading, more = [], values.copy(), np.empty_like(values), True
    bits = len(values).bit_length() + 1
    exponent = math.frexp(largest)[1] + bits
    while more:
        cut = math.ldexp(1.0, exponent)
        np.add(left, cut, out=leading)
        leading -= cut
        sums.append(float(leading.sum()))
        left -= leading
        exponent, more = exponent - 53 + bits, bool(left.any())
    return sums
