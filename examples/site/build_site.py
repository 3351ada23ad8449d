"""All pages of the site, from the registries; then mkdocs draws them, and every link is tried."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path

from api_pages import PAGES, api_page
from convention_pages import page_of_convention
from decided import Dispute, disputes
from example_pages import ROOT, example_names, example_page, gallery
from front_page import Entry, front_page, list_page
from glossary import glossary
from metric_pages import metric_page
from places import Places, page
from preset_pages import Shelf, preset_text
from protocol_pages import CONVENTIONS_PAGE, conventions_text, protocol_text
from source_pages import source_page, sources_page
from system_pages import system_pages
from three_lines import example
from whole_site import faults

import rankconv as rc
from rankconv.analysis.show import conventions_table, presets_table
from rankconv.metrics import METRICS
from rankconv.protocols.presets import list_protocols, protocol
from rankconv.specs.convention import CONVENTIONS

HERE = Path(__file__).parent
Say = Callable[[str], None]


class Sources:
    """The folder of Markdown from which the site is drawn."""

    def __init__(self, to: Path, say: Say) -> None:
        self.to, self.say = to, say
        names = [row[2] for row in presets_table().rows]
        self.published = rc.reproduce()
        self.shelf = Shelf(names)
        kinds = {"conventions": CONVENTIONS, "presets": names, "metrics": METRICS, "sources": self.published.titles}
        self.places = Places({kind: set(found) for kind, found in kinds.items()})
        self.disputes = disputes()

    def write(self, place: str, text: str) -> None:
        """One page."""
        file = self.to / f"{place}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def everything(self) -> None:
        """All pages."""
        for part in (
            self.conventions,
            self.presets,
            self.metrics,
            self.protocols,
            self.sources,
            self.examples,
            self.rest,
        ):
            self.say(f"{part.__name__} …")
            part()

    def conventions(self) -> None:
        """A page for each convention, and a list of them."""
        parts = {row[0]: row[1] for row in conventions_table().rows}
        for name, convention in [*CONVENTIONS.items()]:  # an example may make another of them
            decided = [one for one in self.disputes if name in one.decided_by]
            self.write(
                f"conventions/{name}", page_of_convention(convention, example(convention), decided, parts, self.places)
            )
        self._list("conventions", "Conventions", {name: one.description for name, one in CONVENTIONS.items()})

    def presets(self) -> None:
        """A page for each preset, and a list of them."""
        for name in self.shelf.names:
            text = preset_text(rc.preset(name), self.shelf, [*self.published.titles], self.places)
            self.write(f"presets/{page(name)}", text)
        self._list("presets", "Presets", {row[2]: row[4] for row in presets_table().rows})

    def metrics(self) -> None:
        """A page for each metric, and a list of them."""
        for name, metric in METRICS.items():
            self.write(f"metrics/{name}", metric_page(metric, self.shelf, self.places))
        self._list("metrics", "Metrics", {name: one.about() for name, one in METRICS.items()})

    def protocols(self) -> None:
        """A page for each protocol, one of their conventions, and a list of them."""
        for name in list_protocols():
            self.write(f"protocols/{name}", protocol_text(name, self.places))
        self.write(f"protocols/{CONVENTIONS_PAGE}", conventions_text(self.places))
        first = {CONVENTIONS_PAGE: "What is decided before any list is scored, and which protocol decides how"}
        self._list("protocols", "Protocols", first | {name: protocol(name).title for name in list_protocols()})

    def sources(self) -> None:
        """A page for each published source, and a table of them."""
        for name, title in self.published.titles.items():
            self.write(f"sources/{name}", source_page(name, title, self.places))
        self.write("sources/index", sources_page(self.published, self.places))

    def examples(self) -> None:
        """The pages of the examples, the README, and the pictures."""
        folder = self.to / "examples"
        folder.mkdir(parents=True, exist_ok=True)
        for name in example_names():
            self.write(f"examples/{name}", example_page(ROOT / "examples" / name / "README.md", folder))
        self.write("examples/readme", example_page(ROOT / "README.md", folder))
        self.write("examples/gallery", gallery(folder))

    def rest(self) -> None:
        """Systems, the glossary, what Python offers, the front page and what it needs."""
        systems = system_pages(self.places)
        for place, (_, text) in systems.items():
            self.write(f"coming_from/{place}", text)
        named = {title: place for place, (title, _) in systems.items()}
        self.write("coming_from/index", list_page("Coming from …", [(t, f"{p}.md", "") for t, p in named.items()]))
        self.write("glossary/index", glossary(self.places))
        for kind in PAGES:
            self.write(f"api/{kind}", api_page(kind))
        self.write("index", front_page(named, self.published.titles, map(_of_dispute, self.disputes)))
        assets = self.to / "assets"
        assets.mkdir(exist_ok=True)
        for name in ("site.css", "find.js"):
            shutil.copy(HERE / name, assets)
        sort = (files("rankconv.pages.web") / "sort.js").read_text("utf-8")
        (assets / "sort.js").write_text(sort.replace("document.currentScript.parentElement", "document"), "utf-8")

    def _list(self, kind: str, title: str, texts: Mapping[str, str]) -> None:
        self.write(
            f"{kind}/index", list_page(title, [(name, f"{page(name)}.md", words) for name, words in texts.items()])
        )


def _of_dispute(one: Dispute) -> Entry:
    return one.title, one.place.replace(".md", ".html"), ", ".join(sorted(one.decided_by))


def build(to: Path, work: Path, say: Say) -> list[str]:
    """Write the site into this folder; returns what is wrong with it."""
    Sources(work / "docs", say).everything()
    (work / "mkdocs.yml").write_text(
        f"{(HERE / 'mkdocs.yml').read_text('utf-8')}nav:\n{_contents(work / 'docs')}", "utf-8"
    )
    say("drawing …")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(to.resolve())]
    subprocess.run(command, cwd=work, check=True, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"})
    return faults(to)


NAV = {
    "Find": "",
    "Coming from": "coming_from",
    "Conventions": "conventions",
    "Metrics": "metrics",
    "Presets": "presets",
}
NAV |= {"Protocols": "protocols", "Sources": "sources", "Examples": "examples", "Python": "api", "Glossary": "glossary"}


def _contents(docs: Path) -> str:
    """The tabs, each with the pages below it."""
    lines = []
    for title, folder in NAV.items():
        if not folder:
            lines.append(f"  - {title}: index.md")
            continue
        lines.append(f"  - {title}:")
        names = sorted((file.stem for file in (docs / folder).glob("*.md")), key=lambda name: (name != "index", name))
        lines += [f"    - {folder}/{name}.md" for name in names]
    return "\n".join(lines) + "\n"
