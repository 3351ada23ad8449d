"""Is the built site whole? Every link leads to a page and a place on it, every page is reached, nothing is fetched."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from posixpath import normpath
from urllib.parse import unquote, urlsplit

LOADS = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src"}
"""What a browser fetches without being requested."""
UNREACHED = "404.html"
"""What a server shows for an address without a page: nothing leads there, and its own links begin at the server."""


@dataclass
class Read(HTMLParser):
    """The places of a page, where its links lead, and what it loads."""

    places: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what leads anywhere."""
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADS and LOADS[tag] in given and given.get("rel") not in ("canonical", "next", "prev"):
            self.loads.append(given[LOADS[tag]])


def faults(site: Path) -> list[str]:
    """What is wrong with a built site, a line each."""
    pages = {
        str(file.relative_to(site)): _read(file) for file in sorted(site.rglob("*.html")) if file.name != UNREACHED
    }
    found = [fault for name, page in pages.items() for fault in _of_page(name, page, pages, site)]
    return [*found, *(f"{name}: no page leads here" for name in sorted({*pages} - _reached(pages)))]


def _read(file: Path) -> Read:
    read = Read()
    read.feed(file.read_text("utf-8"))
    return read


def _of_page(name: str, page: Read, pages: dict[str, Read], site: Path) -> Iterator[str]:
    for where in page.loads:
        if urlsplit(where).netloc:
            yield f"{name}: {where} is fetched from elsewhere"
        elif not (site / _target(name, where)).exists():
            yield f"{name}: {where} is not there"
    for where in page.links:
        if urlsplit(where).scheme or urlsplit(where).netloc:
            continue
        target, part = _target(name, where), unquote(urlsplit(where).fragment)
        if target not in pages and not (site / target).is_file():
            yield f"{name}: {where} leads nowhere"
        elif part and target in pages and part not in pages[target].places and part != "__top":
            yield f"{name}: {where} leads to no place on that page"


def _target(name: str, where: str) -> str:
    path = unquote(urlsplit(where).path)
    found = normpath(str(Path(name).parent / path)) if path else name
    return f"{found}/index.html".removeprefix("./") if path.endswith("/") or found == "." else found


def _reached(pages: dict[str, Read]) -> set[str]:
    """The pages to which links lead from the front page."""
    seen, waiting = {"index.html"}, ["index.html"]
    while waiting:
        name = waiting.pop()
        targets = {_target(name, where) for where in pages[name].links if not urlsplit(where).scheme}
        new = (targets & pages.keys()) - seen
        seen |= new
        waiting += new
    return seen
