"""The front page: a box that finds any convention, and below it everything that has a page."""

from collections.abc import Iterable, Mapping, Sequence
from xml.etree.ElementTree import Element

from places import page
from protocol_pages import CONVENTIONS_PAGE
from writer import anchor, site_page

from rankconv.analysis.show import presets_table
from rankconv.metrics import METRICS
from rankconv.pages.web.elements import element, written
from rankconv.protocols.draws import PROTOCOL
from rankconv.protocols.presets import list_protocols, protocol
from rankconv.specs.convention import CONVENTIONS

ABOUT = "Every library and paper defines its ranking metrics a little differently. Here each difference has a name."
HIDDEN = ("navigation", "toc")
Entry = tuple[str, str, str]
"""A name, its address, and more words by which it is found."""


def front_page(systems: Mapping[str, str], sources: Mapping[str, str], disputes: Iterable[Entry]) -> str:
    """All links; without a script they stand there, and with one the box leaves those that are meant."""
    groups: dict[str, Sequence[Entry]] = {
        "Coming from …": [(name, f"coming_from/{place}.html", "") for name, place in systems.items()],
        "Conventions on which systems differ": [
            (name, f"conventions/{name}.html", f"{one.description} {', '.join(one.names)}")
            for name, one in CONVENTIONS.items()
        ],
        "Metrics": [
            (name, f"metrics/{name}.html", f"{', '.join(one.spellings)} {one.about()}") for name, one in METRICS.items()
        ],
        "Presets": [(row[2], f"presets/{page(row[2])}.html", f"{row[1]}, {row[4]}") for row in presets_table().rows],
        "Protocols": [
            (name, f"protocols/{name}.html", f"{protocol(name).title}, splits, held out") for name in list_protocols()
        ],
        "Conventions of protocols": [
            (name, f"protocols/{CONVENTIONS_PAGE}.html#{anchor(name)}", f"{one.description} {', '.join(one.names)}")
            for name, one in PROTOCOL.items()
        ],
        "Published sources": [(name, f"sources/{name}.html", title) for name, title in sources.items()],
        "Disputes": list(disputes),
    }
    box = element(
        "input", type="search", id="find-a-page", autocomplete="off", placeholder="ties, idcg, spark, 2^g - 1 …"
    )
    label = element("label", "Find any convention, metric, system or source", box, class_="find")
    all_of_it = element("div", *(_group(title, entries) for title, entries in groups.items()), class_="all")
    status = element("p", id="found", role="status")
    more = "Look at [pictures](examples/gallery.md), or read [what it is](examples/readme.md) and "
    more += "[what the words mean](glossary/index.md)."
    return site_page(
        "Which NDCG is it?", f"{ABOUT} {more}", *map(written, (label, status, all_of_it)), about=ABOUT, hide=HIDDEN
    )


def _group(title: str, entries: Sequence[Entry]) -> Element:
    items = (element("li", element("a", name, href=url), element("span", f" {words}")) for name, url, words in entries)
    return element("section", element("h2", title), element("ul", *items))


def list_page(title: str, entries: Iterable[Entry]) -> str:
    """All pages of one kind, each with what it is."""
    items = [f"* [{name}]({url})" + (f": {_escaped(words)}" if words else "") for name, url, words in entries]
    return site_page(title, "\n".join(items))


def _escaped(words: str) -> str:
    return words.replace("<", "&lt;").replace("*", r"\*").replace("[", r"\[")
