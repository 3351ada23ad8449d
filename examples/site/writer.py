"""A page of the package as a page of the site: headings in Markdown, so that contents and search know them."""

import json
import re
from collections.abc import Iterable, Sequence

from places import Places

from rankconv.escaping import markdown as escaped
from rankconv.pages.page import Aside, Heading, Page, Piece, Settings, Title
from rankconv.pages.web.elements import Child, element, written
from rankconv.pages.web.html import parts


def site_page(title: str, *blocks: str, about: str = "", hide: Sequence[str] = ()) -> str:
    """A whole page: its title, what search engines show, these blocks below each other, without what is hidden."""
    meta = {"title": title, "description": about, "hide": list(hide)}
    head = "\n".join(f"{name}: {json.dumps(words, ensure_ascii=False)}" for name, words in meta.items() if words)
    return "\n\n".join([f"---\n{head}\n---", f"# {escaped(title)}", *filter(None, blocks)]) + "\n"


def heading(words: str, level: int = 2, anchor: str = "") -> str:
    """A heading; with an anchor, by which other pages lead to it."""
    return f"{'#' * level} {escaped(words)}" + (f" {{#{anchor}}}" if anchor else "")


def anchor(name: str) -> str:
    """A setting as part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")


def shown(page: Page, places: Places, level: int = 2) -> str:
    """Every section of a page."""
    return "\n\n".join(filter(None, (pieces(section, places, level) for section in page.sections)))


def pieces(given: Iterable[Piece], places: Places, level: int = 2) -> str:
    """The pieces of a section: headings in Markdown, all else as elements between them."""
    blocks: list[str] = []
    waiting: list[Piece] = []
    for piece in given:
        if not isinstance(piece, Title | Heading):
            waiting.append(_named(piece))
            continue
        blocks += [html(waiting, places), heading(piece.words, level + isinstance(piece, Heading))]
        waiting = []
    return "\n\n".join(filter(None, [*blocks, html(waiting, places)]))


def _named(piece: Piece) -> Piece:
    """What is next to a name belongs to it."""
    if isinstance(piece, Aside) and piece.head.strip():
        return Settings([(piece.head.strip(), piece.words)])
    return piece


def html(given: Sequence[Piece], places: Places) -> str:
    """These pieces as elements, with links to what has a page."""
    return elements(list(parts(given)), places) if given else ""


def elements(given: Sequence[Child], places: Places) -> str:
    """Elements as a block of a page."""
    return written(places.link(element("div", *given, class_="rankconv"))).replace("\n\n", "\n&#10;")
