"""A forest plot: numbers with their intervals, one row below the other; distinguished without colour too."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankconv.basics.escaping import plotted
from rankconv.rendering.pages.picture import (
    DOWN,
    INK,
    MARGIN,
    NAME,
    SMALL,
    UP,
    Target,
    across,
    inches,
    picture,
    title,
    title_height,
)

ROW, BARS, REST = 0.26, 3.6, 0.85
"""Inches: height of a row, width of the intervals, and what is above and below them besides the title."""
TALLEST = 16.0
"""Inches that the rows share, where there are very many."""
READABLE = 80
"""Rows of a picture that is in a page."""
GREY = "#8a979e"


@dataclass(frozen=True)
class Forest:
    """One row: a number with its interval."""

    name: str
    value: float
    low: float
    high: float
    """NaN where there is no interval, as `low`."""
    row_names: str
    """What is at the right end of the row."""
    sure: bool = True
    """Whether it is distinguished from 0: a filled mark, else an empty one."""
    grey: bool = False
    """Whether it is drawn pale."""


def draw(rows: Sequence[Forest], name: str, measure: str, file: Target, zero: float | None = 0.0) -> None:
    """Draw the picture. `zero` has a line of its own."""
    names = [plotted(row.name) for row in rows]
    parts = [plotted(row.row_names) for row in rows]
    width = inches(names, NAME) + inches(parts, SMALL) + BARS + 3 * MARGIN
    size = min(1.0, TALLEST / (ROW * len(rows)))
    with picture(file, width, REST + title_height(name, width) + ROW * len(rows) * size) as axes:
        for place, row in enumerate(rows):
            _row(axes, place, row, zero, size)
        _frame(axes, rows, names, parts, measure, zero, size)
        title(axes, name)


def _row(axes: Any, place: int, row: Forest, zero: float | None, size: float) -> None:
    """The interval as a line with ends, the number as a mark: a triangle towards its side, a circle where unsure."""
    side = 0 if zero is None else int(np.sign(row.value - zero))
    colour = GREY if row.grey else INK if not row.sure or not side else UP if side > 0 else DOWN
    if np.isfinite(row.low + row.high):
        line = {"color": colour, "linewidth": 1.6 * size, "linestyle": "-" if row.sure else (0, (3, 1.5))}
        axes.plot([row.low, row.high], [place, place], **line)
        axes.plot([row.low, row.high], [place, place], "|", color=colour, markersize=6 * size)
    mark = "o" if not row.sure else {1: ">", -1: "<", 0: "s"}[side]
    filling = colour if row.sure else "white"
    axes.plot(row.value, place, mark, color=colour, markerfacecolor=filling, markersize=6.5 * size, zorder=3)


def _frame(
    axes: Any,
    rows: Sequence[Forest],
    names: Sequence[str],
    row_names: Sequence[str],
    measure: str,
    zero: float | None,
    size: float,
) -> None:
    axes.set_yticks(range(len(names)), names, fontsize=NAME * size)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    right = axes.secondary_yaxis("right")
    right.set_yticks(range(len(row_names)), row_names, fontsize=SMALL * size)
    right.spines["right"].set_visible(False)
    for side in (axes, right):
        side.tick_params(axis="y", length=0, pad=6)
    for label, row in zip(axes.get_yticklabels(), rows, strict=True):
        label.set_color(GREY if row.grey else INK)
    if zero is not None:
        axes.axvline(zero, color=INK, linewidth=0.9, zorder=0)
    across(axes, measure)
