"""Blocks of reference pages: Markdown and HTML, in which names of conventions, presets and metrics are links."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from xml.etree.ElementTree import Element

from rankconv.basics.escaping import markdown as escaped
from rankconv.metrics.base import strategy_of
from rankconv.rendering.pages.page import Aside, Heading, Page, Piece, SettingsColumn, Title
from rankconv.rendering.pages.web.elements import Child, add, element, markup_text
from rankconv.rendering.pages.web.html import piece_elements

_LIST = re.compile(r"(?P<lead>(?:[^:,]*: )?)(?P<names>[^:]+?)(?P<more>(?: and [\d,]+ more)?\.?)")
_SETTING = re.compile(r"(?P<convention>[a-z][a-z0-9-]*)=\S.*")
HEADS = {
    "convention": "conventions",
    "metrics": "metrics",
    "preset": "presets",
    "presets": "presets",
    "source": "sources",
}
"""Column heads, with the kind of the names in their cells; below another head a word that is a name is a setting."""


def page_name(name: str) -> str:
    """Return the file name of a page without its ending, in which no sign needs to be escaped in an address.

    >>> page_name("sklearn+unretrieved")
    'sklearn-with-unretrieved'
    """
    return name.replace("+", "-with-").replace("@", "-at-")


def document(title: str, *blocks: str) -> str:
    """Join a title and blocks to a page."""
    return "\n\n".join([f"# {escaped(title)}", *filter(None, blocks)]) + "\n"


def heading(words: str, level: int = 2) -> str:
    """Write a heading."""
    return f"{'#' * level} {escaped(words)}"


def code(text: str, language: str) -> str:
    """Write a block of code."""
    return f"```{language}\n{text}\n```"


def entries(rows: Iterable[tuple[str, str, str]]) -> str:
    """List names with their addresses and a description each."""
    return "\n".join(f"* [{escaped(name)}]({address}): {escaped(words)}" for name, address, words in rows)


@dataclass(frozen=True)
class Links:
    """The pages of the reference: the names of each kind, the kind that takes precedence first."""

    names: Mapping[str, Set[str]]

    def address(self, kind: str, name: str, ending: str = "html") -> str:
        """Return the address of a page, as seen from the page of any name."""
        return f"../{kind}/{page_name(name)}.{ending}"

    def find(self, name: str, kinds: Iterable[str]) -> str | None:
        """Return the address of this name among these kinds; spellings of a metric and versions of a preset too."""
        for kind in kinds:
            wanted = (strategy_of(name) or name) if kind == "metrics" else name.partition("@")[0]
            if wanted in self.names[kind]:
                return self.address(kind, wanted)
        return None

    def link(self, root: Element) -> Element:
        """Link texts that are only names, such as `trec_eval, sklearn`, and the conventions of settings."""
        for part in root.iter():
            if part.tag in ("dd", "dt", "p"):
                self._replace(part, self._linked)
        for table in root.iter("table"):
            heads = ["".join(head.itertext()) for head in table.iter("th")]
            for row in table.iter("tr"):
                for head, cell in zip(heads, row.findall("td"), strict=False):
                    if head in HEADS:
                        self._replace(cell, partial(self._linked_names, kinds=[HEADS[head]]))
        return root

    def _replace(self, part: Element, linked: Callable[[str], Iterator[Child]]) -> None:
        if len(part) == 0 and part.text:
            children = list(linked(part.text))
            part.text = None
            add(part, children)

    def _linked(self, text: str) -> Iterator[Child]:
        setting = _SETTING.fullmatch(text)
        if setting and setting["convention"] in self.names["conventions"]:
            name = setting["convention"]
            yield element("a", name, href=self.address("conventions", name))
            yield text.removeprefix(name)
        else:
            yield from self._linked_names(text, [*self.names])

    def _linked_names(self, text: str, kinds: Sequence[str]) -> Iterator[Child]:
        listed = _LIST.fullmatch(text)
        names = listed["names"].split(", ") if listed else []
        addresses = [self.find(name, kinds) for name in names]
        if listed is None or None in addresses:
            yield text
            return
        yield from filter(None, [listed["lead"]])
        for place, (name, address) in enumerate(zip(names, addresses, strict=True)):
            yield from [", "] if place else []
            yield element("a", name, href=address or "")
        yield from filter(None, [listed["more"]])

    def html(self, children: Iterable[Child]) -> str:
        """Write elements as one HTML block of a Markdown page."""
        listed = list(children)
        block = markup_text(self.link(element("div", *listed, class_="rankconv"))) if listed else ""
        return block.replace("\n\n", "\n&#10;")

    def page(self, page: Page, level: int = 2) -> str:
        """Write every section of a page."""
        return "\n\n".join(filter(None, (self.section_text(section, level) for section in page.sections)))

    def section_text(self, pieces: Iterable[Piece], level: int = 2) -> str:
        """Write the pieces of a section: headings in Markdown, everything else as HTML between them."""
        blocks: list[str] = []
        waiting: list[Piece] = []
        for piece in pieces:
            if isinstance(piece, Title | Heading):
                blocks += [self.html(piece_elements(waiting)), heading(piece.words.rstrip(":"), level)]
                waiting = []
            elif isinstance(piece, Aside) and piece.head.strip():
                waiting.append(SettingsColumn([(piece.head.strip(), piece.words)]))
            else:
                waiting.append(piece)
        return "\n\n".join(filter(None, [*blocks, self.html(piece_elements(waiting))]))
