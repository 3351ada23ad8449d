"""Why two numbers differ, as a picture: a waterfall from the one number to the other."""

from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankconv.escaping import plotted
from rankconv.report.attribution_table import digits_for, shares
from rankconv.report.picture import DOWN, INK, LINE, MARGIN, NAME, QUIET, UP, inches, picture, title, title_height
from rankconv.report.tables import number

if TYPE_CHECKING:
    from rankconv.attributing.attribution import Attribution

ROW, BARS, REST = 0.42, 5.0, 1.0
"""Inches that a row takes, that the bars are wide, and what is above and below them besides the title."""
HALF = 0.3
"""Half the height of a bar, in rows."""


def draw(found: "Attribution", file: Path, digits: int | None) -> None:
    """Write the picture; the end of the file's name says whether SVG or PNG."""
    decimals = digits_for(found, digits)
    names, labels = _names(found, decimals), shares(found, decimals)
    width = inches(names, NAME) + 2 * inches(labels, NAME) + BARS
    height = sum(max(ROW, LINE * (name.count("\n") + 1.5)) for name in names)
    with picture(file, width, REST + title_height(_title(found), width) + height) as axes:
        _bars(axes, found, labels)
        _frame(axes, found, names, inches(labels, NAME) + MARGIN / 2)


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
        axes.annotate(
            label, (after, row), ha="left" if after > before else "right", color=colour, fontsize=NAME, **place
        )
    last = len(totals)
    axes.plot([totals[-1]] * 2, [last - 1 + HALF, last], color=QUIET, linewidth=1, zorder=0)
    axes.plot([totals[0], found.second.mean], [0, last], "D", color=INK, markersize=6)


def _totals(found: "Attribution") -> list[float]:
    """The number before the first answer is turned, and after each."""
    return list(accumulate([one.share for one in found.contributions], initial=found.first.mean))


def _names(found: "Attribution", digits: int) -> list[str]:
    """The first definition, the answers that are turned, the second definition."""
    ends = [f"{plotted(side.name)}  {number(one.mean, digits)}" for side, one in _ends(found)]
    return [ends[0], *("\n".join(map(plotted, one.player.changes)) for one in found.contributions), ends[1]]


def _title(found: "Attribution") -> str:
    return f"Why {found.metric} of {found.other.name} is not that of {found.ours.name}"


def _frame(axes: Any, found: "Attribution", names: list[str], room: float) -> None:
    """Names at the left; `room` are the inches that labels need at both sides of the bars."""
    axes.set_yticks(range(len(names)), names, fontsize=NAME)
    for place in (0, -1):
        axes.get_yticklabels()[place].set_fontweight("bold")
    axes.set_ylim(len(names) - 0.5, -0.5)
    totals = _totals(found)
    margin = room / BARS * ((max(totals) - min(totals)) or 1.0)
    axes.set_xlim(min(totals) - margin, max(totals) + margin)
    axes.set_xlabel(plotted(found.metric), fontsize=NAME)
    axes.set_ylabel("answers", fontsize=NAME)
    axes.locator_params(axis="x", nbins=5)
    axes.tick_params(axis="x", labelsize=NAME)
    axes.ticklabel_format(axis="x", useOffset=False)
    axes.grid(axis="x", color=QUIET, linewidth=0.5, alpha=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    title(axes, _title(found))


def _ends(found: "Attribution") -> list[Any]:
    return [(found.ours, found.first), (found.other, found.second)]
