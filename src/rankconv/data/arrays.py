"""Array types, common operations on arrays, and read-only arrays.

An array that a caller gets cannot change a result, and the array of a caller is not kept.
"""

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property, reduce, wraps
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Element = TypeVar("Element", bound=np.generic)
T = TypeVar("T")
Codes = NDArray[np.signedinteger[Any]]
"""Integers in place of ids, rows or places; an array as long as the users or the items may be of 32 bits."""
Mask = NDArray[np.bool_]
Numbers = NDArray[np.float64]
CELLS = 1 << 18
"""Cells that are read or filled at a time: they fit the processor's cache."""


def stretches(rows: int) -> Iterator[slice]:
    """Give all rows in slices that fit the processor's cache."""
    for first in range(0, rows, CELLS):
        yield slice(first, first + CELLS)


def is_zero(values: NDArray[Any]) -> Mask:
    """Where the values are 0, shape as `values`."""
    return np.asarray(values == 0)


def below(values: NDArray[Any], limit: NDArray[Any] | float) -> Mask:
    """Where the values are less than the limit, shape as `values`; the limit is one number or one per value."""
    return np.asarray(values < limit)


def agree(values: Numbers, others: Numbers) -> bool:
    """Whether values are those of others to 12 significant digits, both of one shape; NaN agrees with NaN.

    This is when two definitions give the same numbers. What rounding leaves of a largest value agrees with 0.

    >>> import numpy as np
    >>> agree(np.array([0.1 + 0.2, 1.0]), np.array([0.3, 1.0])), agree(np.array([0.3]), np.array([0.3 + 1e-9]))
    (True, False)
    """
    if values.shape != others.shape or not np.array_equal(there := ~np.isnan(values), ~np.isnan(others)):
        return False
    ours, theirs = values[there], others[there]
    sizes = np.maximum(np.abs(ours), np.abs(theirs))
    with np.errstate(invalid="ignore"):
        near = np.abs(ours - theirs) <= _DIGITS * sizes + _ROUNDED * sizes.max(initial=0, where=np.isfinite(sizes))
    return bool((near | (ours == theirs)).all())


_DIGITS, _ROUNDED = 1e-12, 2.0**-49
"""By how much of itself, and of the largest, a value may differ from another that agrees with it."""


SPARSE = 32
"""Cells for each key beyond which marking them costs more than sorting the keys."""


def surely_distinct(keys: Codes, cells: int) -> bool:
    """Whether no key occurs twice, if that is quick to see; keys, shape (rows,), are between 0 and `cells`."""
    if cells > SPARSE * len(keys):
        return False
    there = np.zeros(cells, bool)
    there[keys] = True
    return int(np.count_nonzero(there)) == len(keys)


def begins(*keys: NDArray[Any]) -> Mask:
    """Which rows begin a stretch of rows that are equal in all of these keys; all have shape (rows,)."""
    new = reduce(np.logical_or, (key[1:] != key[:-1] for key in keys))
    return np.append(True, new)[: len(keys[0])]


def summed_in_turn(values: Any) -> Any:
    """The sum over the first axis, from its first value on; NumPy adds otherwise where an array has one column."""
    return np.add.accumulate(values, axis=0)[-1] if len(values) else values.sum(axis=0)


def within(group: Codes) -> Codes:
    """The place of each row inside its group, from 0, shape as `group`; rows of a group are together."""
    if not len(group):
        return group.astype(np.int64)
    first = np.flatnonzero(begins(group))
    return np.arange(len(group)) - np.repeat(first, np.diff(np.append(first, len(group))))


def frozen_array(array: NDArray[Element]) -> NDArray[Element]:
    """Return a read-only array of any shape: the array itself if it is so already, else a copy.

    >>> import numpy as np
    >>> mine = np.array([3, 1, 2])
    >>> kept = frozen_array(mine)
    >>> mine.sort()
    >>> kept.tolist(), kept.flags.writeable, frozen_array(kept) is kept
    ([3, 1, 2], False, True)
    """
    if not _is_writeable(array):
        return array
    copy = np.array(array)
    copy.flags.writeable = False
    return copy


def take_ownership(array: NDArray[Element]) -> NDArray[Element]:
    """Make a new array of any shape, which nothing else refers to, read-only; most are not copied."""
    if type(array) is not np.ndarray or array.base is not None:
        return frozen_array(array)
    array.flags.writeable = False
    return array


def _is_writeable(array: Any) -> bool:
    """Whether someone can write to the array, or to the array that it is a view of."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable or type(array) is not np.ndarray:
            return True
        array = array.base
    return False


class FrozenArrays:
    """A frozen dataclass whose arrays are read-only too, also after it was pickled or copied."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, frozen_array(value))

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(
            {name: take_ownership(value) if isinstance(value, np.ndarray) else value for name, value in state.items()}
        )
        self.__post_init__()


def set_readonly(value: T) -> T:
    """The value itself, made read-only if it is an array of any shape; a view of another array stays a view."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    return value


def cached_array(function: Callable[[Any], T]) -> cached_property[T]:
    """A property of a block, computed once and read by all metrics; its array is read-only, so none can change it."""

    @wraps(function)
    def made(owner: Any) -> T:
        return set_readonly(function(owner))

    return cached_property(made)


def among(values: Codes, rising: Codes) -> Mask:
    """Which values are among these, which rise; shape as `values`."""
    if not len(rising):
        return np.zeros(len(values), bool)
    return np.asarray(rising[np.minimum(np.searchsorted(rising, values), len(rising) - 1)] == values)


def first_places(values: Codes, given: Codes) -> Codes:
    """The first place of each value among those given, in any order, shape as `values`; their number if it has none.

    >>> first_places(np.array([5, 6, 7]), np.array([7, 5, 5])).tolist()
    [1, 3, 0]
    """
    different, first = np.unique(given, return_index=True)
    at = np.searchsorted(different, values)
    return np.where(among(values, different), np.append(first, len(given))[at], len(given))


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
    numbers = values.astype(np.float64)
    distinct = np.unique(numbers)
    results = np.asarray(of_all(distinct), np.float64)
    finite = np.isfinite(results)
    results[finite] = [of_one(one) for one in distinct[finite].tolist()]
    return results[np.searchsorted(distinct, numbers)]  # which is faster than places from the sort


_FEW = 64  # that many values are added as they are
_SAFE = (1e-200, 1e200)  # where neither the cut nor what is below it leaves the range of doubles
LARGEST = sys.float_info.max
"""The largest number that floating point has."""


def _rounded_sum(values: Sequence[float]) -> float:
    """The sum of finite numbers, correctly rounded; an OverflowError where it is beyond the largest number."""
    try:
        return math.fsum(values)
    except OverflowError:  # also where only a part of the values adds up to too much
        return float(sum(map(Fraction, values)))


def _infinite_sum(values: Numbers) -> float:
    """The sum of values, shape (values,), of which some are infinite or NaN: these alone decide it."""
    with np.errstate(invalid="ignore"):  # inf and -inf have no sum
        return float(np.sum(values[~np.isfinite(values)]))


def _nearest_sum(values: Sequence[float]) -> float:
    """The number that is nearest to the sum of finite numbers: the largest one where the sum is beyond it."""
    try:
        return _rounded_sum(values)
    except OverflowError:
        return LARGEST if sum(map(Fraction, values)) > 0 else -LARGEST


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

        They depend on nothing but the sum: each is the number nearest to what is left of it. One infinity or NaN is
        for a sum that has some.
        """
        left, found = self._exact, list[float]()
        if not all(map(math.isfinite, left)):
            found, left = [self.total], []
        while rounded := _nearest_sum(left):
            found.append(rounded)
            left = [*left, -rounded]
        self._exact = found
        return tuple(found)

    @property
    def total(self) -> float:
        """The sum, correctly rounded; what floating point makes of it where a value is infinite or NaN.

        An OverflowError where values are finite and their sum is beyond the largest number.
        """
        return _rounded_sum(self._exact) if self._is_finite else _infinite_sum(np.array(self._exact))

    @property
    def nearest(self) -> float:
        """As `total`; the largest number where the sum is beyond it."""
        return _nearest_sum(self._exact) if self._is_finite else _infinite_sum(np.array(self._exact))

    @property
    def _is_finite(self) -> bool:
        return all(map(math.isfinite, self._exact))


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
        return [_infinite_sum(values)]
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
