"""How many matches does an invented number have?

The different values that a search computes near the number are counted. An invented number is taken to lie evenly
among them. On average it then matches their density times the width of the interval that is printed alike.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rankconv.analysis.identify.printed_value import PrintedValue
from rankconv.data.arrays import Mask, Numbers

Counts = NDArray[np.int64]
Interval = tuple[float, float]

LEAST = 0.05
"""A match is no likelier than chance where an invented number has this many on average, or more."""
SHARE, WIDTHS = 0.1, 10
"""The density is that of the values within this share of the number, or within so many widths of the interval."""
DECIMALS = 12
"""Values that are equal to so many decimals are one."""


@dataclass(frozen=True, eq=False)
class Chance:
    """The different values that a search computes near a number, and how many of them an invented one would match."""

    number: PrintedValue
    span: tuple[float, float]
    """The lowest and the highest value of the search."""
    value: Numbers
    """Rising, shape (values,)."""
    distance: Counts
    """The number of conventions in which the definition of each value differs from a preset, shape (values,)."""

    @classmethod
    def of(cls, number: PrintedValue, span: tuple[float, float], values: Sequence[tuple[Numbers, Counts]]) -> "Chance":
        """Make it of the values of definitions in `looked_at(number, span)`, shape (definitions,), and distances."""
        value = np.concatenate([np.empty(0), *(each for each, _ in values)])
        rounded = value.round(DECIMALS)
        distance = np.concatenate([np.empty(0, np.int64), *(each for _, each in values)])
        order = np.lexsort((distance, rounded))
        different = np.flatnonzero(np.diff(rounded[order], prepend=np.nan) != 0)
        return cls(number, span, value[order][different], distance[order][different])

    @classmethod
    def of_presets(cls, number: PrintedValue, values: Iterable[float]) -> "Chance":
        """From the values of presets' own definitions alone."""
        value = np.array([*values], np.float64)
        return cls.of(number, span_of(value), [(value, np.zeros(len(value), np.int64))])

    @property
    def matches(self) -> int:
        """How many of the different values match the number."""
        near = self.value[within(self.value, self.number.intervals)]
        return sum(self.number.how(one) is not None for one in near.tolist())

    def expected(self, distance: float = np.inf) -> float:
        """How many values at most so far from a preset an invented number matches on average."""
        return float(self._weight[self.distance <= distance].sum())

    @cached_property
    def _weight(self) -> Numbers:
        """How likely an invented number matches each value, shape (values,)."""
        weight = np.zeros(len(self.value))
        for (low, high), around in _windows(self.number, self.span):
            weight += within(self.value, [around]) * (high - low) / (around[1] - around[0])
        return weight


def span_of(values: Numbers) -> tuple[float, float]:
    """The lowest and the highest of these values that are finite, shape (values,)."""
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)


def looked_at(number: PrintedValue, span: tuple[float, float]) -> list[Interval]:
    """Where the values of a search are needed: around the number, and where they match."""
    return [*(around for _, around in _windows(number, span)), *number.intervals]


def _windows(number: PrintedValue, span: tuple[float, float]) -> Iterator[tuple[Interval, Interval]]:
    """Each interval that is printed alike, and the values around it whose density is taken.

    A number that is matched exactly, such as 1 or 1/3, has no such interval.
    """
    for low, high in number.accepted:
        room = max(SHARE * abs(low + high) / 2, WIDTHS * (high - low))
        if low < high:
            yield (low, high), (max(low - room, min(low, span[0])), min(high + room, max(high, span[1])))


def within(values: Numbers, intervals: Sequence[Interval]) -> Mask:
    """Which values, of any shape, lie in one of the intervals."""
    return np.asarray(np.logical_or.reduce([(low <= values) & (values <= high) for low, high in intervals]), bool)
