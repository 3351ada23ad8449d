"""An explanation as a picture: what each rank adds as bars, the ideal list as outline."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rankconv.escaping import plotted
from rankconv.explaining.explanation import Explanation
from rankconv.explaining.expression import Expression
from rankconv.report.explanation_page import shown
from rankconv.report.explanation_table import short
from rankconv.report.picture import DOWN, QUIET, UP, picture, title

WIDE = 0.7
"""Of the room of a rank, what its bar takes."""
LETTERS = 80
"""That fit below the axis."""
NAMED = 15
"""Ranks up to which items are named below their bars."""
HIT, OTHER, IDEAL = UP, QUIET, DOWN
"""Colours of the bars of hits, of other rows, and of the outline."""


def draw(found: Explanation, file: Path) -> None:
    """Write the picture; the end of the file's name says whether SVG or PNG."""
    with picture(file, 7.2, 3.6) as axes:
        _bars(axes, found)
        _frame(axes, found)


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
    title(axes, f"{found.definition.text} of user {found.user}: {shown(found.value)}")
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
