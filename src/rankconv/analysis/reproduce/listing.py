"""All sources of printed numbers: what each is, how many numbers it has, what is stated of them, where its data are."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rankconv.analysis.reproduce.number_row import RECORDED, Recorded
from rankconv.analysis.reproduce.printed_numbers import printed_numbers
from rankconv.analysis.reproduce.sources import Source, published, registry, source
from rankconv.rendering.pages.display import Tabular
from rankconv.rendering.pages.page import Note, Page
from rankconv.rendering.pages.table import Table

KINDS = {"publication": "published about runs", "tool": "tests and samples of tools", "text": "examples of texts"}
"""The kinds of sources, which are counted separately."""


@dataclass(frozen=True)
class SourceCounts:
    """A source, and how many of its printed numbers have which stated verdict."""

    name: str
    title: str
    kind: str
    stated: Counter[Recorded]
    from_data: int
    """Numbers that were recomputed from the files; the others were entered without them."""
    files: int
    """How many files a user fetches; 0 where the package holds the data."""

    def to_dict(self) -> dict[str, Any]:
        """The counts as plain data."""
        stated = {one: self.stated[one] for one in RECORDED}
        known = {"source": self.name, "title": self.title, "kind": self.kind, "numbers": self.stated.total()}
        return known | stated | {"checked from data": self.from_data, "files to fetch": self.files}


@dataclass(frozen=True, repr=False)
class SourceList(Tabular):
    """What `rankconv reproduce --list` prints."""

    sources: tuple[SourceCounts, ...]

    def table(self) -> Table:
        """Return a row per source."""
        cells = [[str(cell) or "–" for cell in one.to_dict().values()] for one in self.sources]
        cells = [[cell if cell != "0" else "–" for cell in row] for row in cells]
        return Table(list(self.sources[0].to_dict()), cells, labels=3, prose=frozenset({1}))

    def totals(self) -> Iterator[str]:
        """How many numbers of each kind there are, a sentence each."""
        for kind, called in KINDS.items():
            here = [one for one in self.sources if one.kind == kind]
            stated = sum((one.stated for one in here), Counter[Recorded]())
            parts = ", ".join(f"{stated[one]:,} {one}" for one in RECORDED)
            checked = sum(one.from_data for one in here)
            yield f"{kind}, {called}: {stated.total():,} numbers, {parts}; {checked:,} checked from data."

    def _page(self) -> Page:
        return Page([[self.table()], [Note(line) for line in self.totals()]])

    def to_dict(self) -> dict[str, Any]:
        """Return the sources as plain data."""
        return {"sources": [one.to_dict() for one in self.sources]}


def list_sources() -> SourceList:
    """Count the numbers of every source as its file states them; nothing is computed.

    >>> next(one for one in list_sources().sources if one.name == "trec-robust-2003").stated["other definition"]
    17
    """
    names = sorted([*published(), *registry()])
    return SourceList(tuple(_counted(source(name)) for name in names))


def _counted(of: Source) -> SourceCounts:
    numbers = [one for one in printed_numbers(of) if not of.file.tables[one.table].computed]
    stated = Counter(one.recorded for one in numbers)
    from_data = sum(not of.recorded(one.inputs) for one in numbers)
    files = sum(len(one.files) for one in of.file.data)
    return SourceCounts(of.file.name, of.file.title, of.file.kind, stated, from_data, files)
