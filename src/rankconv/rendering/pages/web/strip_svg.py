"""A strip plot as SVG: in a page with the names of the mark in focus, and as a file with names next to marks."""

from collections.abc import Iterator, Sequence
from importlib.resources import files
from xml.etree.ElementTree import Element, tostring

from rankconv.rendering.pages.cells import number
from rankconv.rendering.pages.strip_layout import (
    LANE,
    SIDE,
    SIZE,
    PlacedMark,
    PlacedMeasure,
    label_top,
    laid_out,
    radius,
)
from rankconv.rendering.pages.strip_plot import StripMark, StripPlot, StripRow
from rankconv.rendering.pages.web.elements import element

HIGH = 26
"""Pixels of a row in a page."""


def strip_figure(plot: StripPlot) -> Element:
    """The picture for a page of any width: the names of a mark are shown while it has the pointer or the focus."""
    rows = (one for row in plot.rows for one in (element("p", plot.caption(row)), _row(plot, row)))
    values = dict.fromkeys([plot.low, plot.high])
    ends = (element("span", number(value, plot.digits)) for value in values)
    axis = element("div", *ends, class_="axis")
    words = filter(None, [plot.legend, "the names of a mark: point at it, or Tab"])
    legend = element("p", "; ".join(words), class_="legend")
    return element("figure", element("figcaption", plot.title), *rows, axis, legend, class_="strip")


def _row(plot: StripPlot, row: StripRow) -> Element:
    line = element("line", x1="0", x2="100%", y1=str(HIGH // 2), y2=str(HIGH // 2))
    chosen = row.mark_of(plot.chosen)
    ordered = sorted(row.marks, key=lambda mark: mark is chosen)  # which is drawn above the others
    marks = (_mark(plot, mark, is_chosen=mark is chosen) for mark in ordered)
    return element("svg", line, *marks, width="100%", height=str(HIGH), role="group", aria_label=plot.caption(row))


def _mark(plot: StripPlot, mark: StripMark, *, is_chosen: bool) -> Element:
    words = f"{number(mark.value, plot.digits)}: {', '.join(mark.names)}"
    x, y, size = f"{100 * plot.place(mark.value):.2f}%", str(HIGH // 2), radius(mark)
    shape = (
        element("rect", x=x, y=y, width=f"{2 * size:.1f}", height=f"{2 * size:.1f}")
        if is_chosen
        else element("circle", cx=x, cy=y, r=f"{size:.1f}")
    )
    names = element("foreignObject", element("p", words), x="0", y=str(HIGH), width="100%", height="1")
    kind = "mark chosen" if is_chosen else "mark"
    return element("g", shape, names, class_=kind, tabindex="0", role="img", aria_label=words)


def strip_svg(pictures: Sequence[StripPlot]) -> str:
    """A file: the pictures below each other; names are next to marks, and all names of a mark are its title."""
    layout = laid_out(pictures)
    words = " ".join(f"{plot.title}. {'. '.join(map(plot.caption, plot.rows))}." for plot in pictures)
    root = element(
        "svg",
        element("title", words),
        element("style", (files(__package__) / "strip.css").read_text("utf-8")),
        element("rect", width="100%", height="100%", class_="page"),
        *(part for measure in layout.measures for part in _measure(measure)),
        xmlns="http://www.w3.org/2000/svg",
        width=f"{layout.width:.0f}",
        height=f"{layout.height:.0f}",
        viewBox=f"0 0 {layout.width:.0f} {layout.height:.0f}",
        font_family="sans-serif",
        font_size=str(SIZE),
        role="img",
    )
    return tostring(root, encoding="unicode") + "\n"


def _measure(measure: PlacedMeasure) -> Iterator[Element]:
    yield from _texts(measure.title, measure.top, class_="run")
    top, below = f"{measure.rows[0].top:.1f}", f"{measure.below:.1f}"
    for place, words in measure.ticks:
        x = f"{place:.1f}"
        yield element("line", x1=x, x2=x, y1=top, y2=below, class_="grid", stroke_dasharray="1 4")
        yield _text(words, place, measure.below + SIZE, text_anchor="middle")
    for row in measure.rows:
        yield from _texts(row.caption, row.top)
        yield element("line", x1="0", x2="100%", y1=f"{row.axis:.1f}", y2=f"{row.axis:.1f}", class_="grid")
        yield from (_flag(mark, row.axis) for mark in row.marks if mark.lane)
        yield from (_static_mark(mark, row.axis) for mark in sorted(row.marks, key=lambda mark: mark.is_chosen))


def _texts(lines: Sequence[str], top: float, **more: str) -> Iterator[Element]:
    yield from (_text(line, SIDE, top + LANE * place + SIZE, **more) for place, line in enumerate(lines))


def _flag(mark: PlacedMark, axis: float) -> Element:
    """The names of a mark, with a line to it."""
    high = label_top(mark, axis)
    line = element("path", d=f"M{mark.x:.1f} {axis:.1f}V{high + 2:.1f}")
    return element("g", line, _text(mark.label, mark.x + 3, high + SIZE))


def _static_mark(mark: PlacedMark, axis: float) -> Element:
    title = element("title", ", ".join(mark.mark.names))
    x, size = mark.x, mark.radius
    if mark.is_chosen:
        d = f"M{x:.1f} {axis - size:.1f}l{size:.1f} {size:.1f} {-size:.1f} {size:.1f} {-size:.1f} {-size:.1f}z"
        return element("path", title, d=d, class_="chosen")
    return element("circle", title, cx=f"{x:.1f}", cy=f"{axis:.1f}", r=f"{size:.1f}", class_="mark")


def _text(words: str, x: float, y: float, **more: str) -> Element:
    return element("text", words, x=f"{x:.1f}", y=f"{y:.1f}", **more)
