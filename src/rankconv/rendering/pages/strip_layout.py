"""A strip plot of a fixed size, for files: where its marks and texts are, so that none covers another."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rankconv.basics.escaping import printable
from rankconv.rendering.pages.cells import number, plural
from rankconv.rendering.pages.strip_plot import StripMark, StripPlot, StripRow
from rankconv.rendering.pages.wrapping import cell_len, wrapped

LETTER = 0.62
"""Width of a letter as a share of its height, on average and a little more."""
SIZE, LANE, SIDE = 11, 15, 14
"""Of a fixed picture in pixels: height of letters and of a line of names, and the margin at the sides."""
PLOT, NAMES = 640, 250
"""Pixels of the axis, and of the names to the right of its end."""
WIDE = SIDE + PLOT + NAMES
LANES, FEWEST = 36, 8
"""Lines of names above the axes, which the rows share, and those of a row at least."""


@dataclass(frozen=True)
class PlacedMark:
    """A mark on a fixed picture: its centre and radius, and the line of names that it has, counted upwards from 1."""

    mark: StripMark
    x: float
    radius: float
    is_chosen: bool
    label: str
    lane: int
    """0 where there is no space for its names."""


@dataclass(frozen=True)
class PlacedRow:
    """A row of a fixed picture: its words, the height of its axis, and its marks."""

    caption: Sequence[str]
    top: float
    axis: float
    marks: Sequence[PlacedMark]


@dataclass(frozen=True)
class PlacedMeasure:
    """One measure on a fixed picture: its title and rows, and the axis below them with places and texts."""

    title: Sequence[str]
    top: float
    rows: Sequence[PlacedRow]
    ticks: Sequence[tuple[float, str]]
    below: float


@dataclass(frozen=True)
class StripLayout:
    """A fixed picture: its measures below each other, its width and height."""

    measures: Sequence[PlacedMeasure]
    width: float
    height: float


def laid_out(pictures: Sequence[StripPlot]) -> StripLayout:
    """The measures below each other; no name covers another, a mark or a line to a mark."""
    made, top, width = list[PlacedMeasure](), 8.0, float(WIDE)
    for plot in pictures:
        title = _lines("; ".join(filter(None, [plot.title, plot.legend, _unnamed(plot)])))
        rows = _placed(plot, top + LANE * (len(title) + 0.5))
        below = rows[-1].axis + 14
        axis = [(x_of(plot, value), f"{value:g}") for value in ticks(plot.low, plot.high)]
        made.append(PlacedMeasure(title, top, rows, axis, below))
        top = below + 2 * LANE
        width = max([width, *(_end(mark.x, mark.label) for row in rows for mark in row.marks if mark.lane)])
    return StripLayout(made, width, top)


def _end(begin: float, label: str) -> float:
    """Where the names end that begin at a mark."""
    return begin + 8 + SIZE * LETTER * cell_len(label)


def _lines(text: str) -> list[str]:
    return wrapped(text, int((WIDE - 2 * SIDE) / (SIZE * LETTER)))


def _unnamed(plot: StripPlot) -> str:
    """How many marks have no names next to them."""
    without = sum(not mark.lane for row in plot.rows for mark in _laid(plot, row))
    return f"no space for the names of {plural(without, 'mark')}" if without else ""


def _placed(plot: StripPlot, top: float) -> list[PlacedRow]:
    """The rows below each other, beginning at this height."""
    rows = []
    for row in plot.rows:
        marks = _laid(plot, row)
        caption = _lines(plot.caption(row))
        axis = top + LANE * (len(caption) + max(mark.lane for mark in marks)) + 16
        rows.append(PlacedRow(caption, top, axis, marks))
        top = axis + 22
    return rows


def _laid(plot: StripPlot, row: StripRow) -> list[PlacedMark]:
    """The marks of a row with the names for which there is space: the chosen, the ends, then those of most names."""
    chosen, most = row.mark_of(plot.chosen), max(FEWEST, LANES // len(plot.rows))

    def rank(place: int) -> tuple[bool, bool, int]:
        mark = row.marks[place]
        return mark is not chosen, place not in (0, len(row.marks) - 1), -len(mark.names)

    named: set[int] = set()
    for place in sorted(range(len(row.marks)), key=rank):
        if max(_lanes(plot, row, named | {place}).values()) <= most:
            named.add(place)
    lanes = _lanes(plot, row, named)
    marks = []
    for place, mark in enumerate(row.marks):
        size = radius(mark) + 2 * (mark is chosen)
        x, label, lane = x_of(plot, mark.value), label_of(plot, mark), lanes.get(place, 0)
        marks.append(PlacedMark(mark, x, size, mark is chosen, label, lane))
    return marks


def _lanes(plot: StripPlot, row: StripRow, named: set[int]) -> dict[int, int]:
    """The line of each name: above those of all marks that are below it, so that it crosses none of their lines."""
    lanes: dict[int, int] = {}
    for place in sorted(named, reverse=True):
        mark = row.marks[place]
        end = _end(x_of(plot, mark.value), label_of(plot, mark))
        above = (lane for other, lane in lanes.items() if x_of(plot, row.marks[other].value) <= end)
        lanes[place] = 1 + max(above, default=0)
    return lanes


def label_of(plot: StripPlot, mark: StripMark) -> str:
    """The value of a mark and some of its names."""
    return printable(f"{number(mark.value, plot.digits)} {mark.label(plot.chosen)}")


def label_top(mark: PlacedMark, axis: float) -> float:
    """The upper side of the names of a mark."""
    return axis - 6 - LANE * mark.lane


def radius(mark: StripMark) -> float:
    """Larger for more names, from 3 to 8 pixels."""
    return min(8.0, 3.0 + math.log2(len(mark.names)))


def x_of(plot: StripPlot, value: float) -> float:
    """Where a value is on a fixed picture."""
    return SIDE + plot.place(value) * PLOT


def ticks(low: float, high: float) -> list[float]:
    """Round values between two others, four to nine of them; none where both are equal.

    >>> ticks(0.1064, 0.6056), ticks(0.41, 0.4107)
    ([0.2, 0.3, 0.4, 0.5, 0.6], [0.41, 0.4101, 0.4102, 0.4103, 0.4104, 0.4105, 0.4106, 0.4107])
    """
    if not low < high:
        return []
    power = 10.0 ** math.floor(math.log10((high - low) / 4))
    step = next(size * power for size in (10, 5, 2, 1) if (high - low) / (size * power) >= 4 or size == 1)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{count * step:.12g}") for count in range(first, last + 1)]
