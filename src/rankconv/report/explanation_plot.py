"""An explanation as a picture: what each rank adds as bars, the ideal list as outline."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from rankconv.errors import InputError, LibraryError
from rankconv.escaping import plotted
from rankconv.explaining.explanation import Explanation
from rankconv.explaining.expression import Expression
from rankconv.report.explanation_page import shown
from rankconv.report.explanation_table import short
from rankconv.writing import beside

FORMS = (".svg", ".png")
WIDE = 0.7
"""Of the room of a rank, what its bar takes."""
LETTERS = 80
"""That fit below the axis."""
NAMED = 15
"""Ranks up to which items are named below their bars."""
HIT, OTHER, IDEAL = "#2a6f97", "#c9d3d9", "#bc4b1b"
"""Colours of the bars of hits, of other rows, and of the outline."""


def draw(found: Explanation, file: Path) -> None:
    """Write the picture; the end of the file's name says whether SVG or PNG."""
    if file.suffix.lower() not in FORMS:
        raise InputError(f"{file} is no picture", allowed=f"A plot ends in {' or '.join(FORMS)}")
    figures = _matplotlib()
    figure, axes = figures.subplots(figsize=(7.2, 3.6), layout="constrained")
    _bars(axes, found)
    _frame(axes, found)
    try:
        with beside(file, force=True) as draft:
            figure.savefig(draft, dpi=150)
    finally:
        figures.close(figure)


def _matplotlib() -> Any:
    try:
        import_module("matplotlib").use("agg")
        return import_module("matplotlib.pyplot")
    except ImportError:
        raise LibraryError("a plot needs matplotlib", do="Install it: pip install 'rankconv[plots]'.") from None


def _values(worth: Sequence[Expression]) -> list[float]:
    return [one.value for one in worth]


def bars(found: Explanation) -> list[float]:
    """What each row adds; its hit where the metric has no such number."""
    worth = _values(found.working.worth)
    return worth or [float(row.hit) for row in found.judged.rows]


def outline(found: Explanation) -> list[float]:
    """What each rank of the ideal list adds."""
    return [] if found.working.ideal is None else _values(found.working.ideal.worth)


def _bars(axes: Any, found: Explanation) -> None:
    heights, best, rows = bars(found), outline(found), found.judged.rows
    colours = [HIT if at < len(rows) and rows[at].hit else OTHER for at in range(len(heights))]
    places = range(1, len(heights) + 1)
    axes.bar(places, heights, width=WIDE, color=colours)
    missed = [place for place, height in zip(places, heights, strict=True) if not height]
    if missed:
        axes.plot(missed, [0] * len(missed), "x", color="#8a979e", markersize=4, clip_on=False, label="adds nothing")
    _outline(axes, best)
    if best or missed:
        axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=2, borderaxespad=0)


def _outline(axes: Any, best: list[float]) -> None:
    """The ideal list: bars without a filling, or one line where there are many."""
    line = {"linewidth": 1.4, "label": "ideal list"}
    if len(best) > NAMED:
        axes.stairs(best, [at + 0.5 for at in range(len(best) + 1)], color=IDEAL, **line)
    elif best:
        axes.bar(range(1, len(best) + 1), best, width=WIDE + 0.1, facecolor="none", edgecolor=IDEAL, **line)


def _frame(axes: Any, found: Explanation) -> None:
    ranks = max(len(bars(found)), len(outline(found)), 1)
    title = f"{found.definition.text} of user {found.user}: {shown(found.value)}"
    axes.figure.suptitle(plotted(title), fontsize=11, x=0.01, horizontalalignment="left")
    axes.set_xlabel("rank")
    axes.set_ylabel(_height_is(found))
    axes.set_xlim(0.3, ranks + 0.7)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.spines[["top", "right"]].set_visible(False)
    if ranks <= NAMED:
        items = [plotted(short(row.item, max(LETTERS // ranks, 4))) for row in found.judged.rows]
        names = [f"{rank}\n{items[rank - 1]}" if rank <= len(items) else str(rank) for rank in range(1, ranks + 1)]
        axes.set_xticks(range(1, ranks + 1), names, fontsize=9)


def _height_is(found: Explanation) -> str:
    ideal = found.working.ideal
    if {"product", "discount"} <= found.working.columns.keys() or (ideal and "discount" in ideal.columns):
        return "gain × discount"
    return "adds to the sum" if found.working.worth else "hit"
