"""Curves as a picture: lines with their bands, a legend, and the number of users of each point as bars."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.basics.escaping import plotted
from rankconv.rendering.pages.picture import INK, NAME, QUIET, SMALL, Target, broken, inches, legend, picture, title

Coordinates = NDArray[np.float64]
WIDE, HIGH, BARS = 6.2, 4.2, 0.9
"""Inches of the lines, and the height of the bars below them."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
"""Those of Okabe and Ito (2008), which people who see colours differently distinguish."""
STYLES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)))
"""Of lines, so that they are distinguished without colours too."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
BANDS, NAMED = 5, 40
"""So many bands are drawn, and lines named."""
ROOM, SIGN = 2.4, 0.6
"""Inches of the names in the legend, and of the piece of line before each."""
POINTS = 12
"""Markers on a line, about."""


@dataclass(frozen=True, eq=False)
class PlottedCurve:
    """One line; arrays have shape (points,)."""

    name: str
    across: Coordinates
    up: Coordinates
    low: Coordinates | None = None
    high: Coordinates | None = None
    counts: NDArray[np.int64] | None = None
    """The number of users of each point."""


@dataclass(frozen=True)
class Curves:
    """Several lines on the same axes."""

    title: str
    across: str
    up: str
    lines: Sequence[PlottedCurve]
    marks: Sequence[tuple[str, float, float, float]] = ()
    """Places across that are marked, each with its name and an interval."""
    counted: str = ""
    """What the counts are of; empty where there are none."""
    unit: bool = False
    """Whether both axes go from 0 to 1."""


def draw(given: Curves, file: Target) -> None:
    """Draw the picture."""
    names = [broken(one.name, ROOM, NAME) for one in given.lines[:NAMED]]
    high = max(HIGH, sum(name.count("\n") + 1 for name in names) * 1.6 * NAME / 72)
    bars = BARS if given.counted else 0.0
    with picture(file, WIDE + SIGN + inches(names, NAME), high + bars + 0.6, heights=(high, bars)) as found:
        axes, *below = found if given.counted else [found]
        for at, one in enumerate(given.lines):
            _line(axes, one, at, names[at] if at < NAMED else None, banded=len(given.lines) <= BANDS)
        axes.set_ylabel(plotted(given.up), fontsize=NAME)
        axes.grid(color=QUIET, linewidth=0.5, alpha=0.6)
        axes.set_axisbelow(True)
        axes.margins(x=0.02)
        if given.unit:
            axes.set_xlim(0, 1.02)
            axes.set_ylim(0, 1.05)
        for name, place, low, end in given.marks:
            axes.axvspan(low, end, color=QUIET, alpha=0.35, linewidth=0)
            axes.axvline(place, color=INK, linewidth=0.9, linestyle=(0, (2, 2)))
            axes.set_title(plotted(f"{name}: {place:g} ({low:g} to {end:g})"), fontsize=SMALL, color=INK)
        legend(axes)
        for one in below:
            _bars(one, given)
            one.sharex(axes)
            axes.tick_params(axis="x", labelbottom=False)
        for one in (axes, *below):
            one.tick_params(labelsize=NAME)
            one.spines[["top", "right"]].set_visible(False)
        [axes, *below][-1].set_xlabel(plotted(given.across), fontsize=NAME)
        title(axes, given.title)


def _line(axes: Any, one: PlottedCurve, at: int, name: str | None, *, banded: bool) -> None:
    """A line with its markers, and its band where few are drawn."""
    shown, colour = ~np.isnan(one.up), COLOURS[at % len(COLOURS)]
    every = max(1, int(np.ceil(len(one.across) / POINTS)))
    look = {"color": colour, "linestyle": STYLES[at % len(STYLES)], "linewidth": 1.4, "label": name}
    look |= {"marker": MARKERS[at % len(MARKERS)], "markersize": 3.5, "markevery": (at % every, every)}
    axes.plot(one.across[shown], one.up[shown], **look)
    if banded and one.low is not None and one.high is not None:
        axes.fill_between(one.across, one.low, one.high, color=colour, alpha=0.15, linewidth=0)


def _bars(axes: Any, given: Curves) -> None:
    """The number of users of each point of the first line that has them."""
    first = next((one for one in given.lines if one.counts is not None), None)
    if first is None or first.counts is None:
        return
    widths = np.diff(first.across, append=first.across[-1] + 1)
    axes.bar(first.across, first.counts, width=widths.min() * 0.8, color=QUIET)
    axes.set_ylabel(plotted(given.counted), fontsize=NAME)
    axes.locator_params(axis="y", nbins=3)
