"""A waterfall from one number to another, as a picture."""

from itertools import pairwise
from typing import Any

from rankconv.escaping import plotted
from rankconv.pages.cells import number
from rankconv.pages.page import Waterfall
from rankconv.pages.picture import (
    DOWN,
    INK,
    LINE,
    MARGIN,
    NAME,
    QUIET,
    UP,
    Target,
    inches,
    picture,
    title,
    title_height,
)

ROW, BARS, REST = 0.42, 5.0, 1.0
"""Inches that a row takes, that the bars are wide, and what is above and below them besides the title."""
HALF = 0.3
"""Half the height of a bar, in rows."""


def draw(given: Waterfall, file: Target) -> None:
    """Draw the picture."""
    names = _names(given)
    room = inches([step.shown for step in given.steps], NAME)
    width = inches(names, NAME) + 2 * room + BARS
    height = sum(max(ROW, LINE * (name.count("\n") + 1.5)) for name in names)
    with picture(file, width, REST + title_height(given.title, width) + height) as axes:
        _bars(axes, given)
        _frame(axes, given, names, room + MARGIN / 2)


def _bars(axes: Any, given: Waterfall) -> None:
    totals = given.totals
    for row, ((before, after), step) in enumerate(zip(pairwise(totals), given.steps, strict=True), start=1):
        colour = UP if after > before else DOWN
        axes.barh(row, after - before, left=before, height=2 * HALF, color=colour)
        axes.plot([before, before], [row - 1 + HALF * (row > 1), row - HALF], color=QUIET, linewidth=1, zorder=0)
        place = {"xytext": (5 if after > before else -5, 0), "textcoords": "offset points", "va": "center"}
        axes.annotate(
            step.shown, (after, row), ha="left" if after > before else "right", color=colour, fontsize=NAME, **place
        )
    last = len(totals)
    axes.plot([totals[-1]] * 2, [last - 1 + HALF, last], color=QUIET, linewidth=1, zorder=0)
    axes.plot([totals[0], given.second[1]], [0, last], "D", color=INK, markersize=6)


def _names(given: Waterfall) -> list[str]:
    """The first name, what is changed step by step, the second name."""
    first, second = (f"{plotted(name)}  {number(value, given.digits)}" for name, value in (given.first, given.second))
    return [first, *("\n".join(map(plotted, step.names)) for step in given.steps), second]


def _frame(axes: Any, given: Waterfall, names: list[str], room: float) -> None:
    """Names at the left; `room` are the inches that labels need at both sides of the bars."""
    axes.set_yticks(range(len(names)), names, fontsize=NAME)
    for place in (0, -1):
        axes.get_yticklabels()[place].set_fontweight("bold")
    axes.set_ylim(len(names) - 0.5, -0.5)
    totals = given.totals
    margin = room / BARS * ((max(totals) - min(totals)) or 1.0)
    axes.set_xlim(min(totals) - margin, max(totals) + margin)
    axes.set_xlabel(plotted(given.measure), fontsize=NAME)
    axes.set_ylabel("settings", fontsize=NAME)
    axes.locator_params(axis="x", nbins=5)
    axes.tick_params(axis="x", labelsize=NAME)
    axes.ticklabel_format(axis="x", useOffset=False)
    axes.grid(axis="x", color=QUIET, linewidth=0.5, alpha=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    title(axes, given.title)
