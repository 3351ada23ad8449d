"""A figure that ends in an SVG or PNG file, or in a page; matplotlib is loaded when the first one is drawn."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill
from typing import Any, BinaryIO

from rankconv.basics.errors import InputError
from rankconv.basics.escaping import plotted
from rankconv.basics.optional import require
from rankconv.basics.output_files import draft_of

FORMS = (".svg", ".png")
Target = str | Path | BinaryIO
"""Where a picture goes: a path, whose end says whether SVG or PNG, or an open file, into which SVG goes."""
UP, DOWN, QUIET, INK = "#2a6f97", "#bc4b1b", "#c9d3d9", "#33414a"
"""Colours of what is good or rises, of what is bad or falls, of what is drawn pale, and of lines and text."""
LETTER = 0.64 / 72
"""Inches that a letter takes for each point of its size, on average and a little more."""
TITLE, NAME, SMALL = 11, 9, 8
"""Points of letters: titles, names at axes, and numbers in cells."""
MARGIN = 0.2
"""Inches around a figure's text."""


def check_picture(file: Path, *, drawn_by_hand: bool = False) -> None:
    """Refuse a file that could not be drawn, before anything is computed for it.

    What is `drawn_by_hand` needs no matplotlib as SVG.
    """
    if file.suffix.lower() not in FORMS:
        raise InputError(f"{file} is no picture", allowed=f"A plot ends in {' or '.join(FORMS)}")
    if not (drawn_by_hand and file.suffix.lower() == ".svg"):
        _matplotlib()


@contextmanager
def picture(
    target: Target,
    width: float,
    height: float,
    widths: tuple[float, ...] = (1,),
    heights: tuple[float, ...] = (1,),
) -> Iterator[Any]:
    """The axes to draw on, of so many inches; several side by side, or below each other, of these shares of them."""
    file = Path(target) if isinstance(target, str | Path) else target
    if isinstance(file, Path):
        check_picture(file)
    figures = _matplotlib()
    shares = {"width_ratios": widths, "height_ratios": [one for one in heights if one]}
    shape = len(shares["height_ratios"]), len(widths)
    figure, axes = figures.subplots(*shape, figsize=(width, height), layout="constrained", **shares)
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
    require("matplotlib", "rankconv[plots]", "A plot").use("agg")
    return require("matplotlib.pyplot", "rankconv[plots]", "A plot")


def inches(texts: Iterable[str], points: float) -> float:
    """How wide the widest line of these texts is, about, in letters of this size."""
    return max((len(line) for text in texts for line in text.split("\n")), default=0) * points * LETTER


def broken(text: str, room: float, points: float) -> str:
    """Text that matplotlib draws as it is, in lines that fit into so many inches."""
    return fill(plotted(text), max(8, int(room / (points * LETTER))), break_on_hyphens=False)


def title(axes: Any, text: str) -> None:
    """What the picture shows, above all of it and at the left."""
    lines = broken(text, axes.figure.get_figwidth() - MARGIN, TITLE)
    axes.figure.suptitle(lines, fontsize=TITLE, x=0.01, horizontalalignment="left")


def title_height(text: str, width: float) -> float:
    """Inches that a title takes above a picture of this width."""
    return (broken(text, width - MARGIN, TITLE).count("\n") + 1) * 1.3 * TITLE / 72


def legend(axes: Any) -> None:
    """What the lines are, at the right of them."""
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1), fontsize=NAME, borderaxespad=0)


def across(axes: Any, label: str) -> None:
    """The horizontal axis of rows of numbers, with a pale grid and no frame at the sides."""
    axes.set_xlabel(plotted(label), fontsize=NAME)
    axes.locator_params(axis="x", nbins=6)
    axes.tick_params(axis="x", labelsize=NAME)
    axes.ticklabel_format(axis="x", useOffset=False)
    axes.grid(axis="x", color=QUIET, linewidth=0.5, alpha=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
