"""Numbers as a heat map, with lines next to it where its columns are compared, as a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.escaping import plotted
from rankconv.pages.cells import number
from rankconv.pages.picture import (
    DOWN,
    INK,
    LINE,
    MARGIN,
    NAME,
    QUIET,
    SMALL,
    Target,
    inches,
    legend,
    picture,
    title,
    title_height,
)

Numbers = NDArray[np.float64]
ROW, COLUMN, LINES, REST = 0.26, 0.8, 4.6, 1.3
"""Inches: height of a row, width of a column, width of the lines, and what is above and below besides heads."""
ENTRY = 0.22
"""Inches that a run takes in the legend."""
HEAT = "GnBu"
"""The colour map."""
COLOURS, STYLES = 10, ("-", "--", ":", "-.")
"""Different colours of lines, and the styles that more runs have."""
DARK = 0.6
"""From this share of the colours on, text on them is white."""


@dataclass(frozen=True)
class HeatMap:
    """Numbers in rows and columns, each with a name."""

    title: str
    rows: Sequence[str]
    rows_are: str
    columns: Sequence[str]
    """Their heads, of one line or more."""
    columns_are: str
    values: Numbers
    """Shape (rows, columns) float64; NaN where there is none."""
    digits: int
    compared: bool
    """Whether the columns are compared with each other in each row, by lines next to it."""
    lower_is_better: bool = False


def draw(given: HeatMap, file: Target) -> None:
    """Draw the picture."""
    values, digits = given.values, given.digits
    columns = ["\n".join(map(plotted, head.split("\n"))) for head in given.columns]
    room = _column(values, digits)
    wide = inches(given.rows, SMALL) + room * len(columns) + MARGIN
    lines = LINES + inches(columns, NAME) + 2 * MARGIN if given.compared else 0.0
    height = max(ROW * len(values), ENTRY * len(columns) if given.compared else 0, MARGIN * 5)
    heads = REST + _head_height(columns, room) + title_height(given.title, wide + lines)
    with picture(file, wide + lines, heads + height, (wide, lines) if given.compared else (1,)) as axes:
        heat = axes[0] if given.compared else axes
        _heat(heat, given, columns)
        if given.compared:
            _compared(axes[1], given, columns, heat)
        title(heat, given.title)


def _column(values: Numbers, digits: int) -> float:
    """Inches that a column needs for the widest of these numbers, shape (rows, columns)."""
    return max(COLUMN, inches([number(value, digits) for value in values.ravel()], SMALL) + MARGIN / 2)


def _upright(columns: list[str], room: float) -> bool:
    """Whether the heads are turned, since they would run into each other."""
    return inches(columns, NAME) + MARGIN / 2 > room


def _head_height(columns: list[str], room: float) -> float:
    lines = max(head.count("\n") for head in columns) + 1
    return inches(columns, NAME) if _upright(columns, room) else lines * LINE


def _heat(axes: Any, given: HeatMap, columns: list[str]) -> None:
    values, digits = given.values, given.digits
    low, high = np.nanmin(values), np.nanmax(values)
    axes.imshow(values, cmap=HEAT, aspect="auto", vmin=low, vmax=high)
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value):
            colour = "white" if value - low > DARK * (high - low) else INK
            axes.text(column, row, number(value, digits), ha="center", va="center", color=colour, fontsize=SMALL)
    turned = {"rotation": 90, "va": "bottom"} if _upright(columns, _column(values, digits)) else {}
    axes.set_xticks(range(len(columns)), columns, fontsize=NAME, **turned)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.set_xlabel(given.columns_are, fontsize=NAME)
    axes.set_yticks(range(len(values)), [plotted(name) for name in given.rows], fontsize=SMALL)
    axes.set_ylabel(given.rows_are, fontsize=NAME)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _compared(axes: Any, given: HeatMap, columns: list[str], rows: Any) -> None:
    """A line for each column down the rows: where two lines cross, the order of the columns changes."""
    values = given.values
    with np.errstate(divide="ignore", invalid="ignore"):
        percent = 100 * (values / values.mean(axis=1, keepdims=True) - 1)
    for place, column in enumerate(columns):
        style = {"color": f"C{place % COLOURS}", "linestyle": STYLES[place // COLOURS % len(STYLES)]}
        axes.plot(
            percent[:, place], range(len(percent)), marker="o", markersize=4, linewidth=1.5, label=column, **style
        )
    axes.axvline(0, color=QUIET, linewidth=1, zorder=0)
    axes.set_ylim(len(percent) - 0.5, -0.5)
    axes.set_yticks([])
    axes.set_xlabel(f"% above the mean of the {given.columns_are}s", fontsize=NAME)
    axes.tick_params(axis="x", labelsize=NAME)
    axes.locator_params(axis="x", nbins=6)
    legend(axes)
    axes.spines[["top", "right", "left"]].set_visible(False)
    first = (values.argmin if given.lower_is_better else values.argmax)(axis=1)
    usual = np.bincount(first).argmax()
    for row in np.flatnonzero(first != usual):
        axes.axhspan(row - 0.5, row + 0.5, color=DOWN, alpha=0.12, linewidth=0)
        rows.get_yticklabels()[row].set_color(DOWN)
