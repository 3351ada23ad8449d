"""The bars of a waterfall in a terminal."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rich.cells import cell_len

from rankconv.pages.cells import number
from rankconv.pages.page import Waterfall
from rankconv.pages.wrapping import READABLE, longest, wrapped

BARS, SHORTEST = 40, 8
"""Columns of the bars, at most and at least; where there is less room, there are none."""
LEAST = 16
"""Columns of the names, at least."""


def bar_lines(given: Waterfall, width: int | None) -> Iterator[str]:
    """Each step's bar leads from the number before it to the one after it."""
    totals, ends = given.totals, [number(value, given.digits) for _, value in (given.first, given.second)]
    values = [ends[0], *(step.shown for step in given.steps), ends[1]]
    names = [given.first[0], *(", ".join(step.names) for step in given.steps), given.second[0]]
    room, columns = _rooms(names, (width or READABLE) - given.digits - 8)
    scale = _Scale(min(totals), max(totals), columns)
    bars = [scale.mark(totals[0]), *(scale.bar(*pair) for pair in pairwise(totals)), scale.mark(given.second[1])]
    for name, value, bar in zip(names, values, bars, strict=True):
        first, *rest = wrapped(name, room)
        yield f"{first}{' ' * (room - cell_len(first))}  {value:>{given.digits + 3}}  {bar}".rstrip()
        yield from (f"  {line}" for line in rest)


def _rooms(names: Sequence[str], width: int) -> tuple[int, int]:
    """Columns of the names, whose words stay whole, and of the bars, which get what is left."""
    least = max([LEAST, *map(longest, names)])
    room = max(least, min(width - BARS, max(map(cell_len, names))))
    bars = min(BARS, width - room)
    return room, bars if bars >= SHORTEST else 0


class _Scale:
    """Where a number stands among the columns of the bars; nowhere where there are none."""

    def __init__(self, low: float, high: float, columns: int) -> None:
        self.low, self.span, self.columns = low, (high - low) or 1.0, columns

    def _at(self, value: float) -> float:
        return (value - self.low) / self.span * (self.columns - 1)

    def mark(self, value: float) -> str:
        return " " * round(self._at(value)) + "│" if self.columns else ""

    def bar(self, before: float, after: float) -> str:
        if not self.columns:
            return ""
        start, end = sorted((round(self._at(before)), round(self._at(after))))
        return " " * start + ("█" * (end - start) or "▏")
