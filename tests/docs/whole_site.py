"""Faults of a built site: links without a target, pages that no link reaches, files loaded from elsewhere."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from posixpath import normpath
from urllib.parse import unquote, urlsplit

LOADS = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src"}
"""What a browser fetches by itself."""
UNREACHED = {"search.html", "genindex.html", "py-modindex.html"}
"""Pages that a form or a script opens."""


@dataclass
class PageLinks(HTMLParser):
    """The ids of a page, its links, and what it loads."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note ids and addresses."""
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADS and LOADS[tag] in given and given.get("rel") not in ("canonical", "next", "prev"):
            self.loads.append(given[LOADS[tag]])


def faults(site: Path) -> list[str]:
    """Return every fault of a built site in a line."""
    pages = {}
    for file in sorted(site.rglob("*.html")):
        if "_static" not in file.parts:
            pages[str(file.relative_to(site))] = links = PageLinks()
            links.feed(file.read_text("utf-8"))
    wrong = [fault for name, page in pages.items() for fault in _of_page(name, page, pages, site)]
    return [*wrong, *(f"{name}: no page leads here" for name in sorted({*pages} - _reached(pages) - UNREACHED))]


def _of_page(name: str, page: PageLinks, pages: dict[str, PageLinks], site: Path) -> Iterator[str]:
    for where in page.loads:
        if urlsplit(where).netloc:
            yield f"{name}: {where} is fetched from elsewhere"
        elif not urlsplit(where).scheme and not (site / _target(name, where)).exists():
            yield f"{name}: {where} does not exist"
    for where in page.links:
        if urlsplit(where).scheme or urlsplit(where).netloc:
            continue
        target, part = _target(name, where), unquote(urlsplit(where).fragment)
        if target not in pages and not (site / target).is_file():
            yield f"{name}: {where} leads nowhere"
        elif part and target in pages and part not in pages[target].ids:
            yield f"{name}: {where} leads to no place on that page"


def _target(name: str, where: str) -> str:
    path = unquote(urlsplit(where).path)
    return normpath(str(Path(name).parent / path)) if path else name


def _reached(pages: dict[str, PageLinks]) -> set[str]:
    """Return the pages to which links lead from the front page."""
    seen, waiting = {"index.html"}, ["index.html"]
    while waiting:
        name = waiting.pop()
        new = ({_target(name, where) for where in pages[name].links if not urlsplit(where).scheme} & {*pages}) - seen
        seen |= new
        waiting += new
    return seen
