"""A figure that ends in an SVG or PNG file, or in a page; matplotlib is loaded when the first one is drawn."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import Any, BinaryIO

from rankconv.errors import InputError, LibraryError
from rankconv.escaping import plotted
from rankconv.pages.cells import number
from rankconv.pages.page import Waterfall
from rankconv.writing import draft_of

FORMS = (".svg", ".png")
Target = str | Path | BinaryIO
"""Where a picture goes: a path, whose end says whether SVG or PNG, or an open file, into which SVG goes."""
UP, DOWN, QUIET, INK = "#2a6f97", "#bc4b1b", "#c9d3d9", "#33414a"
"""Colours of what is good or rises, of what is bad or falls, of what stands back, and of lines and text."""
LETTER = 0.64 / 72
"""Inches that a letter takes for each point of its size, on average and a little more."""
TITLE, NAME, SMALL = 11, 9, 8
"""Points of letters: titles, names at axes, and numbers in cells."""
LINE = 1.3 * NAME / 72
"""Inches from line to line in names."""
MARGIN = 0.2
"""Inches around a figure's text."""


@contextmanager
def picture(target: Target, width: float, height: float, parts: tuple[float, ...] = (1,)) -> Iterator[Any]:
    """The axes to draw on, of so many inches; several, side by side, of these shares of the width."""
    file = Path(target) if isinstance(target, str | Path) else target
    if isinstance(file, Path) and file.suffix.lower() not in FORMS:
        raise InputError(f"{file} is no picture", allowed=f"A plot ends in {' or '.join(FORMS)}")
    figures = _matplotlib()
    figure, axes = figures.subplots(1, len(parts), figsize=(width, height), layout="constrained", width_ratios=parts)
    try:
        yield axes
        if isinstance(file, Path):
            with draft_of(file, force=True) as draft:
                figure.savefig(draft, dpi=150)
        else:
            _into_page(figure, file)
    finally:
        figures.close(figure)


def _into_page(figure: Any, file: BinaryIO) -> None:
    """SVG whose letters stay text, and which is the same each time."""
    from matplotlib import rc_context

    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "rankconv"}):
        figure.savefig(file, format="svg", metadata={"Date": None})


def _matplotlib() -> Any:
    try:
        import_module("matplotlib").use("agg")
        return import_module("matplotlib.pyplot")
    except ImportError:
        raise LibraryError("a plot needs matplotlib", do="Install it: pip install 'rankconv[plots]'.") from None


def inches(texts: Iterable[str], points: float) -> float:
    """How wide the widest line of these texts is, about, in letters of this size."""
    return max((len(line) for text in texts for line in text.split("\n")), default=0) * points * LETTER


def broken(text: str, room: float, points: float) -> str:
    """Text that matplotlib draws as it is, in lines that fit into so many inches."""
    return fill(plotted(text), max(8, int(room / (points * LETTER))), break_on_hyphens=False)


def title(axes: Any, text: str) -> None:
    """What the picture shows, above all of it and at the left."""
    told = broken(text, axes.figure.get_figwidth() - MARGIN, TITLE)
    axes.figure.suptitle(told, fontsize=TITLE, x=0.01, horizontalalignment="left")


def title_height(text: str, width: float) -> float:
    """Inches that a title takes above a picture of this width."""
    return (broken(text, width - MARGIN, TITLE).count("\n") + 1) * 1.3 * TITLE / 72


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
        if step.error is not None:
            axes.errorbar(after, row, xerr=step.error, color=INK, linewidth=1, capsize=2)
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
