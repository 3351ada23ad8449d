"""A number as it was printed, and the ways in which a definition's own number may have become it."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from rankconv.analysis.reproduce.printed_numbers import Printed, read_printed
from rankconv.analysis.reproduce.reproduction import EXACT, FLOAT32, TRUNCATED, reproduced
from rankconv.errors import ConventionError, InputError, MetricError

PER_CENT, ONE_OFF = "per cent", "one unit off"
HOW = {EXACT: "rounded", TRUNCATED: "truncated", FLOAT32: "single precision"}
HUNDRED = 100
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
        for (printed, said), (low, high) in zip(self.readings, self.intervals, strict=True):
            verdict = reproduced(printed, value) if low <= value <= high else None
            if verdict is not None:
                word = "exact" if verdict == EXACT and printed.unit is None else HOW[verdict]
                return said if said == ONE_OFF else ", ".join(filter(None, (word, said)))
        return None

    def rank(self, how: str) -> int:
        """The likelier first: rounded, then truncated, and so on."""
        likely = ["exact", *HOW.values(), ONE_OFF, ""]
        return len(likely) * (PER_CENT in how) + likely.index(how.split(", ")[0])

    @cached_property
    def intervals(self) -> list[tuple[float, float]]:
        """Where a value must be to be printed so, a little wide."""
        found = []
        for printed, _ in self.readings:
            assert printed.value is not None
            room = float(printed.unit or 0) + 2e-7 * abs(float(printed.value)) + 1e-12
            found.append((float(printed.value) - room, float(printed.value) + room))
        return found

    @cached_property
    def accepted(self) -> list[tuple[float, float]]:
        """The disjoint rising intervals of the values that are printed so, rounded or cut off.

        >>> sought("0.25").accepted, sought("0.25", tolerance=1).accepted
        ([(0.245, 0.26)], [(0.235, 0.27)])
        """
        found: list[tuple[float, float]] = []
        for low, high in sorted(_accepted(printed) for printed, _ in self.readings):
            if found and low <= found[-1][1]:
                found[-1] = found[-1][0], max(high, found[-1][1])
            else:
                found.append((low, high))
        return found

    @property
    def values(self) -> list[float]:
        """What the number may stand for."""
        return [float(printed.value) for printed, _ in self.readings if printed.value is not None]

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
        readings.append((_per_cent(printed), PER_CENT))
    if tolerance:
        readings += [(near, ONE_OFF) for one, _ in readings for near in _neighbours(one)]
    return PrintedValue(text, readings)


def _per_cent(printed: Printed) -> Printed:
    assert printed.value is not None
    unit = Fraction(1) if printed.unit is None else printed.unit
    return replace(printed, value=printed.value / HUNDRED, unit=unit / HUNDRED)


def _accepted(printed: Printed) -> tuple[float, float]:
    """Between which values one is rounded to this number, or cut off to it."""
    assert printed.value is not None
    unit = Fraction(0) if printed.unit is None else printed.unit
    half = Fraction(0) if printed.prefix else unit / 2
    below, above = (half if printed.value > 0 else unit), (half if printed.value < 0 else unit)
    return float(printed.value - below), float(printed.value + above)


def _neighbours(printed: Printed) -> list[Printed]:
    if printed.unit is None or printed.value is None:
        return []
    return [replace(printed, value=printed.value + step * printed.unit) for step in (-1, 1)]


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


def numbers_of_table(file: Path) -> dict[str, str]:
    """Metric → number from the first two columns of a CSV or TSV file; a first line without a digit is a header."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"the table cannot be read ({problem})", where=str(file)) from None
    separator = "\t" if "\t" in text else ","
    rows = [row for row in csv.reader(text.splitlines(), delimiter=separator) if any(cell.strip() for cell in row)]
    if rows and len(rows[0]) > 1 and not any(sign.isdigit() for sign in rows[0][1]):
        rows = rows[1:]
    short = next((row for row in rows if len(row) < 2), None)
    if not rows or short is not None:
        raise InputError(
            "the table has no line with a metric and a number", where=str(file), do="Write: ndcg@10,0.4127"
        )
    return numbers_of([f"{row[0].strip()}={row[1].strip()}" for row in rows], None)
