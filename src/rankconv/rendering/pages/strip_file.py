"""Strip plots as a file: SVG, which is written as text, or PNG, for which matplotlib is needed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rankconv.basics.errors import InputError
from rankconv.basics.escaping import plotted
from rankconv.basics.output_files import draft_of
from rankconv.rendering.pages.picture import DOWN, INK, QUIET, UP, Target, picture
from rankconv.rendering.pages.strip_layout import LANE, SIDE, SIZE, PlacedMeasure, label_top, laid_out
from rankconv.rendering.pages.strip_plot import StripPlot
from rankconv.rendering.pages.web.strip_svg import strip_svg

INCH = 96
"""Pixels of the layout."""
POINTS = SIZE * 72 / INCH


def draw(pictures: Sequence[StripPlot], target: Target) -> None:
    """Draw pictures below each other into a file; into an open one as SVG."""
    if not pictures:
        raise InputError("there are no values to draw", do="Print the comparison: it says why.")
    file = Path(target) if isinstance(target, str | Path) else target
    if not isinstance(file, Path):
        file.write(strip_svg(pictures).encode())
    elif file.suffix.lower() == ".svg":
        with draft_of(file, force=True) as draft:
            draft.write_text(strip_svg(pictures), "utf-8")
    else:
        _draw_pixels(pictures, file)


def _draw_pixels(pictures: Sequence[StripPlot], file: Path) -> None:
    layout = laid_out(pictures)
    with picture(file, layout.width / INCH, layout.height / INCH) as axes:
        axes.figure.set_layout_engine("none")
        axes.set_position((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, layout.width)
        axes.set_ylim(layout.height, 0)
        for measure in layout.measures:
            _draw_measure(axes, measure, layout.width)


def _draw_measure(axes: Any, measure: PlacedMeasure, width: float) -> None:
    _texts(axes, measure.title, measure.top, weight="bold")
    for place, words in measure.ticks:
        axes.plot(
            [place, place], [measure.rows[0].top, measure.below], color=QUIET, linewidth=0.7, linestyle=":", zorder=0
        )
        axes.text(place, measure.below + SIZE, plotted(words), fontsize=POINTS, color=INK, horizontalalignment="center")
    for row in measure.rows:
        _texts(axes, row.caption, row.top)
        axes.plot([0, width], [row.axis, row.axis], color=QUIET, linewidth=0.9, zorder=1)
        for mark in row.marks:
            look = {"marker": "D" if mark.is_chosen else "o", "color": DOWN if mark.is_chosen else UP}
            size = 2 * mark.radius * 72 / INCH * (0.7 if mark.is_chosen else 1)
            axes.plot([mark.x], [row.axis], markersize=size, zorder=4 if mark.is_chosen else 3, linestyle="", **look)
            if mark.lane:
                high = label_top(mark, row.axis)
                axes.plot([mark.x, mark.x], [row.axis, high + 2], color=QUIET, linewidth=0.7, zorder=2)
                axes.text(mark.x + 3, high + SIZE, plotted(mark.label), fontsize=POINTS, color=INK)


def _texts(axes: Any, lines: Sequence[str], top: float, **look: str) -> None:
    for place, line in enumerate(lines):
        axes.text(SIDE, top + LANE * place + SIZE, plotted(line), fontsize=POINTS, color=INK, **look)
