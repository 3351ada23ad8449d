"""Curves as a picture: a line for each name, which is at the line's end, its band, and the number of users of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.escaping import plotted
from rankconv.pages.cells import short
from rankconv.pages.picture import INK, MARGIN, NAME, QUIET, SMALL, Target, inches, picture, title

Numbers = NDArray[np.float64]
WIDE, HIGH, BARS = 6.2, 4.2, 0.9
"""Inches of the lines, and the height of the bars below them."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
"""Those of Okabe and Ito (2008), which people who see colours differently distinguish."""
STYLES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)))
"""Of lines, so that they are distinguished without colours too."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
BANDS, LETTERS, NAMED = 5, 28, 40
"""So many bands are drawn; letters of a name, and lines that are named."""
GAP = 0.06
"""Between the lines and the bars, of the height of the lines."""
PIECE = 0.42
"""Inches of the piece of each line that comes before its name."""
POINTS = 12
"""Markers on a line, about."""


@dataclass(frozen=True, eq=False)
class Curve:
    """One line; arrays have shape (points,)."""

    name: str
    across: Numbers
    up: Numbers
    low: Numbers | None = None
    high: Numbers | None = None
    counts: NDArray[np.int64] | None = None
    """The number of users of each point."""


@dataclass(frozen=True)
class Curves:
    """Several lines on the same axes."""

    title: str
    across: str
    up: str
    lines: Sequence[Curve]
    marks: Sequence[tuple[str, float, float, float]] = ()
    """Places across that are marked, each with its name and an interval."""
    counted: str = ""
    """What the counts are of; empty where there are none."""
    iso: bool = False
    """Whether lines of equal F1 are drawn, for precision against recall."""
    unit: bool = False
    """Whether both axes go from 0 to 1."""


def draw(given: Curves, file: Target) -> None:
    """Draw the picture."""
    names = names_of(given.lines)
    high = max(HIGH, min(len(names), NAMED) * 1.35 * NAME / 72 + 0.6)
    bars = BARS if given.counted else 0.0
    with picture(file, WIDE + PIECE + inches(names, NAME) + MARGIN, high + bars + 0.6) as axes:
        for at, one in enumerate(given.lines):
            _line(axes, one, at, banded=len(given.lines) <= BANDS)
        if given.iso:
            _iso(axes)
        _frame(axes, given)
        for name, place, low, end in given.marks:
            axes.axvspan(low, end, color=QUIET, alpha=0.35, linewidth=0)
            axes.axvline(place, color=INK, linewidth=0.9, linestyle=(0, (2, 2)))
            axes.annotate(
                plotted(f"{name}: {place:g} ({low:g} to {end:g})"),
                (place, 1),
                xycoords=("data", "axes fraction"),
                xytext=(3, -3),
                textcoords="offset points",
                va="top",
                fontsize=SMALL,
                color=INK,
            )
        _names(axes, given.lines[:NAMED], names, high)
        title(axes, given.title)
        if given.counted:
            _bars(axes, given, bars, high)


def names_of(lines: Sequence[Curve]) -> list[str]:
    """The names, short ones of long ones; both ends of those that begin the same."""
    names = [short(one.name, LETTERS) for one in lines]
    half = LETTERS // 2
    return [
        name if names.count(name) == 1 else f"{one.name[: half - 1]}…{one.name[-half:]}"
        for name, one in zip(names, lines, strict=True)
    ]


def _look(at: int) -> dict[str, Any]:
    return {"color": COLOURS[at % len(COLOURS)], "linestyle": STYLES[at % len(STYLES)]}


def _line(axes: Any, one: Curve, at: int, *, banded: bool) -> None:
    shown = ~np.isnan(one.up)
    every = max(1, int(np.ceil(len(one.across) / POINTS)))
    look = {"marker": MARKERS[at % len(MARKERS)], "markersize": 3.5, "markevery": (at % every, every), "linewidth": 1.4}
    axes.plot(one.across[shown], one.up[shown], **look, **_look(at))
    if banded and one.low is not None and one.high is not None:
        axes.fill_between(one.across, one.low, one.high, color=COLOURS[at % len(COLOURS)], alpha=0.15, linewidth=0)


def _frame(axes: Any, given: Curves) -> None:
    axes.set_xlabel(plotted(given.across), fontsize=NAME)
    axes.set_ylabel(plotted(given.up), fontsize=NAME)
    axes.tick_params(labelsize=NAME)
    axes.grid(color=QUIET, linewidth=0.5, alpha=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.02)
    if given.unit:
        axes.set_xlim(0, 1.02)
        axes.set_ylim(0, 1.05)


def _names(axes: Any, lines: Sequence[Curve], names: Sequence[str], high: float) -> None:
    """Each name after the end of its line, moved where ends are near each other."""
    low, top = axes.get_ylim()
    left, right = axes.get_xlim()
    step = 1.3 * NAME / 72 / high * (top - low)
    ends = [(float(one.up[~np.isnan(one.up)][-1]), at) for at, one in enumerate(lines) if (~np.isnan(one.up)).any()]
    ends.sort()
    for (end, at), place in zip(ends, _spaced([end for end, _ in ends], step, low, top), strict=True):
        last = float(lines[at].across[~np.isnan(lines[at].up)][-1])
        begins, stops = (right + share * (right - left) for share in (0.03, 0.03 + PIECE / WIDE))
        axes.plot([last, begins], [end, place], color=COLOURS[at % len(COLOURS)], linewidth=0.5, clip_on=False)
        middle = (begins + stops) / 2
        axes.plot([begins, stops], [place, place], linewidth=1.4, clip_on=False, **_look(at))
        axes.plot(
            [middle], [place], MARKERS[at % len(MARKERS)], markersize=3.5, clip_on=False, color=_look(at)["color"]
        )
        style = {"va": "center", "fontsize": NAME, "color": _look(at)["color"]}
        axes.text(stops + 0.01 * (right - left), place, plotted(names[at]), **style)
    axes.set_xlim(left, right)
    axes.set_ylim(low, top)


def _spaced(places: Sequence[float], step: float, low: float, high: float) -> list[float]:
    """Places in rising order, at least a step from one another, as near to where they were as that allows.

    Those that are too near become blocks around their middle, which is the least sum of squared moves; what is
    beyond the ends then moves inside, where there is room.
    """
    blocks: list[list[float]] = []
    for at, place in enumerate(places):
        blocks.append([place - at * step, 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            mean, size = blocks.pop()
            before, many = blocks[-1]
            blocks[-1] = [(before * many + mean * size) / (many + size), many + size]
    found = [mean for mean, size in blocks for _ in range(int(size))]
    most = high - (len(found) - 1) * step
    return [min(max(one, low), max(most, low)) + at * step for at, one in enumerate(found)]


def _bars(axes: Any, given: Curves, bars: float, high: float) -> None:
    """The number of users of each point of the first line, as bars of so many inches below lines of so many."""
    share = bars / high
    first = next((one for one in given.lines if one.counts is not None), None)
    if first is None or first.counts is None:
        return
    below = axes.inset_axes((0, -share - GAP, 1, share), sharex=axes)
    widths = np.diff(first.across, append=first.across[-1] + 1) if len(first.across) > 1 else np.ones(1)
    below.bar(first.across, first.counts, width=np.minimum(widths, widths.min()) * 0.8, color=QUIET)
    below.set_ylabel(plotted(given.counted), fontsize=SMALL)
    below.tick_params(labelsize=SMALL)
    below.spines[["top", "right"]].set_visible(False)
    below.locator_params(axis="y", nbins=3)
    axes.set_xlabel(
        plotted(given.across), fontsize=NAME, labelpad=(share + GAP) * high * 72 + 16
    )  # which keeps the room
    axes.tick_params(axis="x", labelbottom=False)


def _iso(axes: Any) -> None:
    """Lines on which F1 is the same, under precision against recall."""
    recall = np.linspace(0.01, 1, 200)
    for f in (0.2, 0.4, 0.6, 0.8):
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = f * recall / (2 * recall - f)
        shown = (precision > 0) & (precision <= 1)
        axes.plot(recall[shown], precision[shown], color=QUIET, linewidth=0.8, zorder=0)
        axes.annotate(f"F1 {f:g}", (1, f / (2 - f)), fontsize=SMALL, color="#8a979e", ha="right", va="bottom")
