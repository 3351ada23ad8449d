"""An explanation as a picture: what each rank adds as a bar, the ideal list as outline; of two definitions both."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rankconv.escaping import plotted
from rankconv.explaining.explanation import Explanation
from rankconv.explaining.expression import Expression
from rankconv.report.explanation_page import shown
from rankconv.report.explanation_table import short
from rankconv.report.picture import DOWN, INK, MARGIN, NAME, QUIET, SMALL, UP, broken, inches, picture, title

ROW, BARS, REST = 0.3, 4.6, 1.9
"""Inches: height of a rank, width of the bars, and what is above and below them."""
HIGH = 0.7
"""Of the room of a rank, what its bar takes."""
NAMED, TALLEST = 50, 12.0
"""Ranks up to which items and numbers stand beside their bars; inches that more ranks share."""
LETTERS = 40
"""Of an item's id that are drawn."""
HIT, OTHER, IDEAL, NOTHING = "relevant", "not relevant", "ideal list", "adds nothing"


def draw(found: Explanation, file: Path) -> None:
    """Write the picture; the end of the file's name says whether SVG or PNG."""
    both = [found] if found.against is None else [found, found.against]
    ranks = max(map(_ranks, both))
    widths = [inches(_names(one), NAME) + inches(_labels(one), SMALL) + BARS + MARGIN for one in both]
    height = REST + min(ROW * ranks, TALLEST if ranks > NAMED else ROW * NAMED)
    with picture(file, sum(widths), height, tuple(widths)) as drawn:
        panels = [drawn] if len(both) == 1 else list(drawn)
        for axes, one in zip(panels, both, strict=True):
            _bars(axes, one)
            _frame(axes, one, ranks)
            told = f"{one.definition.text}: {shown(one.value)}"
            axes.set_title(broken(told, BARS, NAME), fontsize=NAME, loc="left", color=INK)
        title(panels[0], f"User {found.user}")
        marks = {label: mark for axes in panels for mark, label in zip(*axes.get_legend_handles_labels(), strict=True)}
        if marks:
            panels[0].figure.legend(
                marks.values(), marks.keys(), loc="outside lower left", ncols=2, frameon=False, fontsize=NAME
            )


def _values(worth: Sequence[Expression]) -> list[float]:
    return [one.value for one in worth]


def bars(found: Explanation) -> list[float]:
    """What each row adds; its hit where the metric has no such number."""
    worth = _values(found.working.worth)
    return worth or [float(row.hit) for row in found.judged.rows]


def outline(found: Explanation) -> list[float]:
    """What each rank of the ideal list adds."""
    return [] if found.working.ideal is None else _values(found.working.ideal.worth)


def _ranks(found: Explanation) -> int:
    return max(len(bars(found)), len(outline(found)), 1)


def _names(found: Explanation) -> list[str]:
    """Each rank with its item; none where there are too many."""
    ranks, rows = _ranks(found), found.judged.rows
    if ranks > NAMED:
        return []
    items = [short(row.item, LETTERS) for row in rows[:ranks]] + [""] * (ranks - len(rows))
    return [f"{item}  {rank}".strip() for rank, item in enumerate(items, start=1)]


def _labels(found: Explanation) -> list[str]:
    """What stands at the end of each bar: its number, and the ideal one where that is another."""
    heights, best, ranks = bars(found), outline(found), _ranks(found)
    if ranks > NAMED:
        return []
    labels = []
    for at in range(ranks):
        ours, ideal = (values[at] if at < len(values) else None for values in (heights, best))
        told = [] if ours is None or not (ours or ideal) else [_short(ours)]
        labels.append(" ".join([*told, *([f"(ideal {_short(ideal)})"] if ideal and ideal != ours else [])]))
    return labels


def _short(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".") if 1e-4 <= abs(value) < 1e6 or not value else f"{value:.3g}"


def _bars(axes: Any, found: Explanation) -> None:
    heights, best, rows = bars(found), outline(found), found.judged.rows
    hits = [at < len(rows) and rows[at].hit for at in range(len(heights))]
    for hit, colour, label in ((True, UP, HIT), (False, QUIET, OTHER)):
        places = [at + 1 for at, one in enumerate(hits) if one is hit and heights[at]]
        if places:
            axes.barh(places, [heights[place - 1] for place in places], height=HIGH, color=colour, label=label)
    nothing = [at + 1 for at, value in enumerate(heights) if not value]
    if nothing:
        axes.plot([0] * len(nothing), nothing, "x", color="#8a979e", markersize=4, clip_on=False, label=NOTHING)
    _outline(axes, best)
    for rank, label in enumerate(_labels(found), start=1):
        end = max([0.0, *(values[rank - 1] for values in (heights, best) if rank <= len(values))])
        place = {"xytext": (5, 0), "textcoords": "offset points", "va": "center"}
        axes.annotate(label, (end, rank), fontsize=SMALL, color=INK, **place)


def _outline(axes: Any, best: list[float]) -> None:
    """The ideal list: bars without a filling, or one line where there are many."""
    line = {"linewidth": 1.4, "label": IDEAL}
    if len(best) > NAMED:
        edges = [at + 0.5 for at in range(len(best) + 1)]
        axes.stairs(best, edges, orientation="horizontal", color=DOWN, **line)
    elif best:
        axes.barh(range(1, len(best) + 1), best, height=HIGH + 0.1, facecolor="none", edgecolor=DOWN, **line)


def _frame(axes: Any, found: Explanation, ranks: int) -> None:
    axes.set_xlabel(_width_is(found), fontsize=NAME)
    axes.set_ylabel("item and rank" if _names(found) else "rank", fontsize=NAME)
    axes.set_ylim(ranks + 0.6, 0.4)
    low, high = min([0.0, *bars(found)]), max([0.0, *bars(found), *outline(found)])
    room = inches(_labels(found), SMALL) + MARGIN / 2
    axes.set_xlim(low * 1.05, low + ((high - low) or 1.0) * (1 + room / BARS))
    axes.locator_params(axis="x", nbins=5)
    axes.tick_params(axis="x", labelsize=NAME)
    axes.ticklabel_format(axis="x", useOffset=False)
    axes.spines[["top", "right"]].set_visible(False)
    if _names(found):
        names = [plotted(name) for name in _names(found)]
        axes.set_yticks(range(1, len(names) + 1), names, fontsize=NAME)
        axes.tick_params(axis="y", length=0, pad=6)
    else:
        axes.yaxis.get_major_locator().set_params(integer=True)


def _width_is(found: Explanation) -> str:
    ideal = found.working.ideal
    if {"product", "discount"} <= found.working.columns.keys() or (ideal and "discount" in ideal.columns):
        return "gain × discount"
    return "adds to the sum" if found.working.worth else "hit"
