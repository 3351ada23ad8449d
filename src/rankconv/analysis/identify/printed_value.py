"""A printed number: what it may stand for, and the values that are printed so."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from rankconv.analysis.reproduce.reproduction import (
    ALLOWED,
    EXACT,
    FLOAT32,
    NUMBERS,
    TRUNCATED,
    Printed,
    is_exactly,
    read_printed,
    reproduced,
)
from rankconv.basics.errors import ConventionError, MetricError
from rankconv.data.arrays import Codes, Mask, Numbers

Bounds = tuple[float, float]

_EITHER = re.compile(r"[+-]?\d{1,3},\d{3}")
"""A comma that separates thousands, or decimals."""
PER_CENT, ONE_OFF = "per cent", "one unit off"
HOW = {EXACT: "rounded", TRUNCATED: "truncated", FLOAT32: "single precision"}
MOST = 10**15
FINEST = Fraction(1, 10**12)
"""Further decimals are those of rounding errors; a number without decimals, such as 1 or 1/3, is exact."""
MOST_STEPS = 2**62


@dataclass(frozen=True)
class PrintedValue:
    """The number that is looked for."""

    text: str
    readings: Sequence[tuple[Printed, str]]
    """What it may stand for, the likeliest first, each with what is said of it."""

    def how(self, value: float) -> str | None:
        """How this value was printed so, if it was: exact, rounded, truncated, …

        >>> sought("0.666").how(2 / 3), sought("66.7").how(2 / 3), sought("0.67").how(0.5)
        ('truncated', 'rounded, per cent', None)
        """
        if not any(low <= value <= high for low, high in self.intervals):
            return None
        for printed, said in self.readings:
            verdict = reproduced(printed, value)
            if verdict is not None:
                word = EXACT if verdict == EXACT and is_exactly(printed, value) else HOW[verdict]
                return said if said == ONE_OFF else ", ".join(filter(None, (word, said)))
        return None

    def rank(self, how: str) -> int:
        """The likelier first: rounded, then truncated, and so on."""
        likely = [EXACT, *HOW.values(), ONE_OFF, ""]
        return len(likely) * (PER_CENT in how) + likely.index(how.split(", ")[0])

    @cached_property
    def intervals(self) -> list[Bounds]:
        """Where a value must be to be printed so, a little wide."""
        rooms = (float(one.unit or 0) + 2e-7 * abs(float(one.number)) + 1e-12 for one, _ in self.readings)
        return [(value - room, value + room) for value, room in zip(self.values, rooms, strict=True)]

    @property
    def own(self) -> int:
        """The number itself in units of its last digit."""
        printed, _ = self.readings[0]
        return min(round(printed.number / _unit(printed)), MOST_STEPS)

    def printed_as(self, values: Numbers) -> Codes:
        """As which numbers of this precision each value is printed, in units of the last digit, shape (values, ways).

        >>> sought("0.36").printed_as(np.array([2 / 3])).tolist()     # rounded, or cut off
        [[67, 66]]
        """
        ways = list[Numbers]()
        for printed, said in self.readings:
            if said != ONE_OFF:
                steps = values / float(_unit(printed))
                cut = np.trunc(steps + np.copysign(1e-9 + 1e-15 * np.abs(steps), steps))
                ways += [cut] if printed.prefix else [np.floor(steps + 0.5), cut]
        if any(said == ONE_OFF for _, said in self.readings):
            ways += [way + step for way in ways for step in (-1, 1)]
        return np.clip(np.column_stack(ways), -MOST_STEPS, MOST_STEPS).astype(np.int64)

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
    if tolerance not in (0, 1):
        raise MetricError(f"{tolerance!r:.40} is not a tolerance", allowed="It is 0, or 1 in the last digit")
    try:
        printed = read_printed(text)
    except ConventionError as error:
        allowed = f"Write {NUMBERS}" if error.allowed == ALLOWED else error.allowed
        raise MetricError(f"'{text}' is not a number as one prints it", allowed=allowed) from None
    if printed.value is None:
        raise MetricError(f"'{text}' is not a number", do="Give the number that was printed, such as 0.4127.")
    if _EITHER.fullmatch(text.strip()):
        whole, part = text.strip().replace(",", ""), text.strip().replace(",", ".")
        raise MetricError(f"'{text}' may be {whole} or {part}", do="Write the one that was printed, without a comma.")
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


def _unit(printed: Printed) -> Fraction:
    """What the last digit is worth, as far as doubles distinguish numbers."""
    return max(printed.unit or FINEST, FINEST)


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
            do = "Give each number with its own metric: --value ndcg@10=0.4127 --value map=0.23."
            raise MetricError(f"two numbers are given for {name}", do=do)
        found[name] = number.strip()
    return found
