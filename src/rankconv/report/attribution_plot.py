"""Why two numbers differ, as a picture: a waterfall from the one number to the other."""

from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankconv.report.attribution_table import digits_for, shares
from rankconv.report.picture import DOWN, INK, QUIET, UP, picture, title
from rankconv.report.tables import number

if TYPE_CHECKING:
    from rankconv.attributing.attribution import Attribution

ROW, REST = 0.42, 1.2
"""Inches that a row takes, and what is above and below them."""
HALF = 0.3
"""Half the height of a bar, in rows."""
ROOM = 0.14
"""For the labels beside the bars, of the span of the numbers."""


def draw(found: "Attribution", file: Path, digits: int | None) -> None:
    """Write the picture; the end of the file's name says whether SVG or PNG."""
    decimals = digits_for(found, digits)
    lines = sum(max(1, len(one.player.turned) - 1) for one in found.contributions)
    with picture(file, 8.4, REST + ROW * (lines + 2)) as axes:
        _bars(axes, found, shares(found, decimals))
        _frame(axes, found, decimals)


def _bars(axes: Any, found: "Attribution", labels: list[str]) -> None:
    totals = _totals(found)
    for row, ((before, after), label) in enumerate(zip(pairwise(totals), labels, strict=True), start=1):
        colour = UP if after > before else DOWN
        axes.barh(row, after - before, left=before, height=2 * HALF, color=colour)
        axes.plot([before, before], [row - 1 + HALF * (row > 1), row - HALF], color=QUIET, linewidth=1, zorder=0)
        error = found.contributions[row - 1].standard_error
        if found.sampled:
            axes.errorbar(after, row, xerr=error, color=INK, linewidth=1, capsize=2)
        place = {"xytext": (5 if after > before else -5, 0), "textcoords": "offset points", "va": "center"}
        axes.annotate(label, (after, row), ha="left" if after > before else "right", color=colour, fontsize=9, **place)
    last = len(totals)
    axes.plot([totals[-1]] * 2, [last - 1 + HALF, last], color=QUIET, linewidth=1, zorder=0)
    axes.plot([totals[0], found.second.mean], [0, last], "D", color=INK, markersize=6)


def _totals(found: "Attribution") -> list[float]:
    """The number before the first answer is turned, and after each."""
    return list(accumulate([one.share for one in found.contributions], initial=found.first.mean))


def _frame(axes: Any, found: "Attribution", digits: int) -> None:
    ends = [f"{side.name}  {number(one.mean, digits)}" for side, one in _ends(found)]
    names = [ends[0], *("\n".join(one.player.changes) for one in found.contributions), ends[1]]
    axes.set_yticks(range(len(names)), names, fontsize=9)
    for place in (0, -1):
        axes.get_yticklabels()[place].set_fontweight("bold")
    axes.set_ylim(len(names) - 0.5, -0.5)
    totals = _totals(found)
    margin = ROOM * (max(totals) - min(totals))
    axes.set_xlim(min(totals) - margin, max(totals) + margin)
    axes.set_xlabel(found.metric)
    axes.grid(axis="x", color=QUIET, linewidth=0.5, alpha=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    title(axes, f"Why {found.metric} of {found.other.name} is not that of {found.ours.name}")


def _ends(found: "Attribution") -> list[Any]:
    return [(found.ours, found.first), (found.other, found.second)]
