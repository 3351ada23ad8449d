"""A printed number: the values that are printed so, and how many values match an invented number by chance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from rankconv.analysis.reproduce.reproduction import EXACT, FLOAT32, TRUNCATED, Printed, read_printed, reproduced
from rankconv.basics.errors import ConventionError, MetricError
from rankconv.data.arrays import Codes, Mask, Numbers

Bounds = tuple[float, float]

PER_CENT, ONE_OFF = "per cent", "one unit off"
HOW = {EXACT: "rounded", TRUNCATED: "truncated", FLOAT32: "single precision"}
MOST = 10**15


@dataclass(frozen=True)
class PrintedValue:
    """The number that is looked for."""

    text: str
    readings: Sequence[tuple[Printed, str]]
    """What it may stand for, the likeliest first, each with what is said of it."""

    def how(self, value: float) -> str | None:
        """How this value was printed so, if it was: rounded, truncated, …

        >>> sought("0.666").how(2 / 3), sought("66.7").how(2 / 3), sought("0.67").how(0.5)
        ('truncated', 'rounded, per cent', None)
        """
        for printed, said in self.readings:
            verdict = reproduced(printed, value)
            if verdict is not None:
                word = "exact" if verdict == EXACT and printed.unit is None else HOW[verdict]
                return said if said == ONE_OFF else ", ".join(filter(None, (word, said)))
        return None

    def rank(self, how: str) -> int:
        """The likelier first: rounded, then truncated, and so on."""
        likely = ["exact", *HOW.values(), ONE_OFF, ""]
        return len(likely) * (PER_CENT in how) + likely.index(how.split(", ")[0])

    @cached_property
    def intervals(self) -> list[Bounds]:
        """Where a value must be to be printed so, a little wide."""
        rooms = (float(one.unit or 0) + 2e-7 * abs(float(one.number)) + 1e-12 for one, _ in self.readings)
        return [(value - room, value + room) for value, room in zip(self.values, rooms, strict=True)]

    @cached_property
    def accepted(self) -> list[Bounds]:
        """The disjoint rising intervals of the values that are printed so, rounded or cut off.

        >>> sought("0.25").accepted, sought("0.25", tolerance=1).accepted
        ([(0.245, 0.26)], [(0.235, 0.27)])
        """
        found: list[Bounds] = []
        for low, high in sorted(_accepted(printed) for printed, _ in self.readings):
            if found and low <= found[-1][1]:
                found[-1] = found[-1][0], max(high, found[-1][1])
            else:
                found.append((low, high))
        return found

    @property
    def values(self) -> list[float]:
        """What the number may stand for."""
        return [float(printed.number) for printed, _ in self.readings]

    def gap(self, value: float) -> float:
        """How far a value is from the number, in the nearest reading of it."""
        return min(abs(value - each) for each in self.values)


def sought(text: str, tolerance: int = 0) -> PrintedValue:
    """The number in a text, such as 0.4127, 41.27% or 1/3; with `tolerance=1` also its last digit's neighbours.

    A number above 1 may be per cent. What is no number is a MetricError.
    """
    try:
        printed = read_printed(text)
    except ConventionError as error:
        raise MetricError(f"'{text}' is not a number as one prints it", allowed=error.allowed) from None
    if printed.value is None:
        raise MetricError(f"'{text}' is not a number", do="Give the number that was printed, such as 0.4127.")
    if abs(printed.value) > MOST:
        raise MetricError(f"'{text}' is beyond every metric", do="Give the number that was printed, such as 0.4127.")
    readings = [(printed, PER_CENT if "%" in text else "")]
    if printed.value > 1 and "%" not in text:
        unit = Fraction(1) if printed.unit is None else printed.unit
        readings.append((replace(printed, value=printed.number / 100, unit=unit / 100), PER_CENT))
    for one in [one for one, _ in readings] if tolerance else ():
        steps = () if one.unit is None else (-one.unit, one.unit)
        readings += [(replace(one, value=one.number + step), ONE_OFF) for step in steps]
    return PrintedValue(text, readings)


def _accepted(printed: Printed) -> Bounds:
    """Between which values one is rounded to this number, or cut off to it."""
    number, unit = printed.number, printed.unit or Fraction(0)
    half = Fraction(0) if printed.prefix else unit / 2
    below, above = (half if number > 0 else unit), (half if number < 0 else unit)
    return float(number - below), float(number + above)


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
    span: Bounds
    """The lowest and the highest value of the search."""
    value: Numbers
    """Rising, shape (values,)."""
    distance: Codes
    """The number of conventions in which the definition of each value differs from a preset, shape (values,)."""

    @classmethod
    def of(cls, number: PrintedValue, span: Bounds, value: Numbers, distance: Codes) -> "Chance":
        """Make it of the values of definitions in `looked_at(number, span)`, shape (definitions,), and distances."""
        rounded = value.round(DECIMALS)
        order = np.lexsort((distance, rounded))
        different = np.flatnonzero(np.diff(rounded[order], prepend=np.nan) != 0)
        return cls(number, span, value[order][different], distance[order][different])

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


def span_of(values: Numbers) -> Bounds:
    """The lowest and the highest of these values that are finite, shape (values,)."""
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)


def looked_at(number: PrintedValue, span: Bounds) -> list[Bounds]:
    """Where the values of a search are needed: around the number, and where they match."""
    return [*(around for _, around in _windows(number, span)), *number.intervals]


def _windows(number: PrintedValue, span: Bounds) -> Iterator[tuple[Bounds, Bounds]]:
    """Each interval that is printed the same, and the values around it whose density is taken.

    A number that is matched exactly, such as 1 or 1/3, has no such interval.
    """
    for low, high in number.accepted:
        room = max(SHARE * abs(low + high) / 2, WIDTHS * (high - low))
        if low < high:
            yield (low, high), (max(low - room, min(low, span[0])), min(high + room, max(high, span[1])))


def within(values: Numbers, intervals: Sequence[Bounds]) -> Mask:
    """Which values, of any shape, are in one of the intervals."""
    return np.asarray(np.logical_or.reduce([(low <= values) & (values <= high) for low, high in intervals]), bool)


FORM = "Write --value 0.4127 with -m ndcg@10, or --value ndcg@10=0.4127"


def numbers_of(values: Sequence[str], metric: str | None) -> dict[str, str]:
    """Metric → number from `ndcg@10=0.4127`, or from a bare number whose metric is given besides.

    >>> numbers_of(["ndcg(gain=linear)@10=0.4127", "0.23"], "map@10")
    {'ndcg(gain=linear)@10': '0.4127', 'map@10': '0.23'}
    """
    found: dict[str, str] = {}
    for text in values:
        name, sign, number = text.rpartition("=")
        if sign and name.count("(") != name.count(")"):
            raise MetricError(f"'{text}' is not metric=number", allowed=FORM)
        name = name.strip() or metric or ""
        if not name:
            raise MetricError(f"'{text}' comes without a metric", allowed=FORM, do="Or use -m any.")
        if name in found:
            raise MetricError(f"two numbers are given for {name}", do="A metric has one number.")
        found[name] = number.strip()
    return found
