"""Where things have their page, and links to them wherever a text is nothing but their names."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from xml.etree.ElementTree import Element

from rankconv.metrics.base import strategy_of
from rankconv.pages.web.elements import Child, add, element

KINDS = ("conventions", "presets", "metrics", "sources")
"""Folders of the site; of a name that several have, the first is meant, unless a text says otherwise."""
_LISTED = re.compile(r"(?P<lead>(?:[^:,]*: )?)(?P<names>[^:]+?)(?P<more>(?: and [\d,]+ more)?\.?)")
_ANSWERED = re.compile(r"(?P<convention>[a-z][a-z0-9-]*)=\S.*")
LINKED = {"dd", "dt", "p"}
HEADS = {
    "convention": "conventions",
    "metrics": "metrics",
    "preset": "presets",
    "presets": "presets",
    "source": "sources",
}
"""What the cells below a head name; under any other head a word that is a name elsewhere is a setting."""


def page(name: str) -> str:
    """The file name of a page without its ending, in which no sign needs to be escaped in an address.

    >>> page("sklearn+unretrieved")
    'sklearn-with-unretrieved'
    """
    return name.replace("+", "-with-")


@dataclass
class Places:
    """The pages of the site by the kind and the name of what they tell of."""

    known: dict[str, set[str]] = field(default_factory=lambda: {kind: set() for kind in KINDS})

    def url(self, kind: str, name: str, ending: str = "html") -> str:
        """From the page of any thing to another one's."""
        return f"../{kind}/{page(name)}.{ending}"

    def of(self, name: str, kinds: Sequence[str] = KINDS) -> str | None:
        """The place of this name among these kinds, a metric's by its spellings too; None if it has no page."""
        for kind in kinds:
            named = (strategy_of(name) or name) if kind == "metrics" else name
            if named in self.known[kind]:
                return self.url(kind, named)
        return None

    def link(self, root: Element) -> Element:
        """Make links of texts that are nothing but names, such as `trec_eval, sklearn`, and of settings."""
        for part in root.iter():
            if part.tag in LINKED:
                self._link(part, self._linked)
        for table in root.iter("table"):
            heads = ["".join(head.itertext()) for head in table.iter("th")]
            for row in table.iter("tr"):
                for head, cell in zip(heads, row.findall("td"), strict=False):
                    if head in HEADS:
                        self._link(cell, partial(self._named, kinds=[HEADS[head]]))
        return root

    def _link(self, part: Element, linked: Callable[[str], Iterator[Child]]) -> None:
        if len(part) == 0 and part.text:
            found = list(linked(part.text))
            part.text = None
            add(part, found)

    def _linked(self, text: str) -> Iterator[Child]:
        answered = _ANSWERED.fullmatch(text)
        if answered and answered["convention"] in self.known["conventions"]:
            name = answered["convention"]
            yield element("a", name, href=self.url("conventions", name))
            yield text.removeprefix(name)
            return
        yield from self._named(text, KINDS)

    def _named(self, text: str, kinds: Sequence[str]) -> Iterator[Child]:
        listed = _LISTED.fullmatch(text)
        names = listed["names"].split(", ") if listed else []
        urls = [self.of(name, kinds) for name in names]
        if listed is None or None in urls:
            yield text
            return
        yield from filter(None, [listed["lead"]])
        for place, (name, url) in enumerate(zip(names, urls, strict=True)):
            yield from [", "] if place else []
            yield element("a", name, href=url or "")
        yield from filter(None, [listed["more"]])
