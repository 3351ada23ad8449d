"""A page as HTML: a fragment for a notebook, or a document that needs nothing but itself."""

import base64
import hashlib
import io
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from xml.etree.ElementTree import Element, fromstring

from rankconv.basics.errors import RankconvError
from rankconv.basics.optional import require
from rankconv.rendering.pages.markup import equation_of
from rankconv.rendering.pages.page import (
    Code,
    Drawing,
    Equation,
    Fold,
    Heading,
    Page,
    Paragraph,
    Piece,
    SettingsColumn,
    Simple,
    StatedDefinition,
    Title,
    simple,
)
from rankconv.rendering.pages.strip_plot import StripPlot
from rankconv.rendering.pages.table import Table
from rankconv.rendering.pages.web.elements import Child, element, markup_text
from rankconv.rendering.pages.web.strip_svg import strip_figure


def latex_converter() -> Any:
    """The library that draws formulas; a LibraryError where it is missing."""
    return require("latex2mathml.converter", "rankconv[plots]", "A formula on a page of HTML")


def mathematics(latex: str, *, alone: bool = True) -> Element:
    """LaTeX as MathML, which browsers draw without a script; on lines of its own, or in a sentence."""
    drawn = fromstring(latex_converter().convert(latex, display="block" if alone else "inline"))
    for part in drawn.iter():
        part.tag = part.tag.rpartition("}")[2]  # HTML knows these names without a namespace
    return drawn


NOTES = 2
"""More sentences below a table are folded."""


def drawn(table: Table) -> Iterator[Element]:
    """The table and the sentences below it."""
    if table.headers:
        # a wide table scrolls by itself, by keys too
        yield element("div", _grid(table), class_="scroll", tabindex="0", role="group")
    if legend := table.legend():
        yield element("p", legend, class_="note")
    notes = [element("p", note, class_="note") for note in table.notes]
    if len(notes) <= NOTES:
        yield from notes
    else:
        yield element("details", element("summary", f"{len(notes)} notes"), *notes)


def _grid(table: Table) -> Element:
    heads = [
        _cell("th", head, table, place, scope="col") if head else element("td")
        for place, head in enumerate(table.headers)
    ]
    rows = (_row(table, line, row) for line, row in enumerate(table.rows))
    return element("table", element("thead", element("tr", *heads)), element("tbody", *rows))


def _row(table: Table, line: int, row: Sequence[str]) -> Element:
    return element("tr", *(_cell("td", _marked(cell, table, (line, at)), table, at) for at, cell in enumerate(row)))


def _marked(cell: str, table: Table, place: tuple[int, int]) -> Child:
    """A number: the best in bold, and with a sign where it differs."""
    shown: Child = element("strong", cell) if place in table.best else cell
    return element("mark", shown) if place in table.differing else shown


def _cell(tag: str, text: Child, table: Table, place: int, **more: str) -> Element:
    kind = "prose" if place in table.prose else "label" if place < table.labels else ""
    return element(tag, text, **more, **({"class_": kind, "dir": "auto"} if kind else {}))


def pictured(given: Drawing) -> Iterator[Element]:
    """The picture; nothing where it cannot be drawn, since the page tells all of it in words and tables too."""
    file = io.BytesIO()
    try:
        given.draw(file)
    except RankconvError:
        return
    packed = base64.b64encode(file.getvalue()).decode()
    yield element("img", src=f"data:image/svg+xml;base64,{packed}", alt=given.words)


def fragment(page: Page) -> str:
    """What a notebook shows: the page with its style; its tables sort and its folds open on paper where scripts run."""
    return markup_text(
        element("div", element("style", _asset("style.css")), *_sections(page), _script(), class_="rankconv")
    )


def document(pages: Sequence[Page], title: str) -> str:
    """A file that opens by double click and loads nothing from anywhere."""
    head = [
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=content_policy()),
        element("title", title),
        element("style", ":root { color-scheme: light dark; } body { margin: 1.2rem; }" + _asset("style.css")),
    ]
    parts = [part for page in pages for part in _sections(page)]
    body = element("main", element("h1", title), *parts, _script(), class_="rankconv")
    return "<!doctype html>\n" + markup_text(element("html", element("head", *head), element("body", body), lang="en"))


def content_policy() -> str:
    """What such a document may do: show its own style, run its own script, and load nothing."""
    digest = base64.b64encode(hashlib.sha256(_asset("page.js").encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'"


@cache
def _asset(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8")


def _script() -> Element:
    return element("script", _asset("page.js"))


def _sections(page: Page) -> Iterator[Element]:
    for found in map(list, map(piece_elements, page.sections)):
        if found:
            yield element("section", *found)


def piece_elements(pieces: Sequence[Piece]) -> Iterator[Element]:
    """The elements of these pieces."""
    for piece in pieces:
        for one in [piece] if isinstance(piece, Fold | Drawing | StripPlot) else simple([piece]):
            yield from _piece(one)


def _piece(piece: Simple | Fold | Drawing | StripPlot) -> Iterator[Element]:
    match piece:
        case Fold(words, pieces):
            yield element("details", element("summary", words), *piece_elements(pieces))
        case Drawing():
            yield from pictured(piece)
        case StripPlot():
            yield strip_figure(piece)
        case Title(words):
            yield element("h2", words)
        case Heading(words, more):
            yield element("h3", f"{words}: {more}" if more else words)
        case Paragraph(words):
            yield element("p", words)
        case Code(words):
            yield element("pre", element("code", words))
        case StatedDefinition(words, formulas, symbols):
            yield element("p", words)
            yield from map(mathematics, formulas)
            yield from (element("p", mathematics(one, alone=False), f": {said}") for one, said in symbols.items())
        case Equation():
            yield mathematics(equation_of(piece))
        case Table():
            yield from drawn(piece)
        case SettingsColumn(pairs):
            cells = (element(tag, words) for pair in pairs for tag, words in zip(("dt", "dd"), pair, strict=True))
            yield element("dl", *cells)
