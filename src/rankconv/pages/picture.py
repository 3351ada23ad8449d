"""A figure that ends in an SVG or PNG file; matplotlib is loaded when the first one is drawn."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from textwrap import fill
from typing import Any

from rankconv.errors import InputError, LibraryError
from rankconv.escaping import plotted
from rankconv.writing import beside

FORMS = (".svg", ".png")
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
def picture(file: Path, width: float, height: float, parts: tuple[float, ...] = (1,)) -> Iterator[Any]:
    """The axes to draw on, of so many inches; several, side by side, of these shares of the width.

    The end of the file's name says whether SVG or PNG.
    """
    if file.suffix.lower() not in FORMS:
        raise InputError(f"{file} is no picture", allowed=f"A plot ends in {' or '.join(FORMS)}")
    figures = _matplotlib()
    figure, axes = figures.subplots(1, len(parts), figsize=(width, height), layout="constrained", width_ratios=parts)
    try:
        yield axes
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
