"""Single numbers and ids as they stand in tables."""

import math
from collections.abc import Sequence

from rankconv.basics.escaping import printable

ABSENT, REFUSED = "–", "refused"
"""Shown where a preset does not offer the metric, and where its system would refuse the data."""


def number(value: float, digits: int = 4) -> str:
    """A number as tables show it."""
    return "NaN" if math.isnan(value) else f"{value:.{digits}f}"


def finite(value: float) -> float | None:
    """The number, or None where JSON has none."""
    return value if math.isfinite(value) else None


def short(item: str, letters: int = 24) -> str:
    """The id of an item, cut where it is long."""
    plain = printable(item)
    return plain if len(plain) <= letters else f"{plain[: letters - 1]}…"


def plural(count: int, what: str) -> str:
    """A number of things in words: "1 row", "2 rows"."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def some(names: Sequence[str], most: int) -> str:
    """The first of these names, and how many others there are: "a, b and 3 more"."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
