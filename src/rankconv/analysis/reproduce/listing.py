"""All sources of printed numbers: what each is, how many numbers it has, what is stated of them, where its data are."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from typing_extensions import TypedDict

from rankconv.analysis.reproduce.number_row import RECORDED, Recorded
from rankconv.analysis.reproduce.printed_numbers import printed_numbers
from rankconv.analysis.reproduce.sources import Source, published, registry, source
from rankconv.rendering.pages.display import Tabular
from rankconv.rendering.pages.page import Note, Page
from rankconv.rendering.pages.table import Table

KINDS = {"publication": "published about runs", "tool": "tests and samples of tools", "text": "examples of texts"}
"""The kinds of sources, which are counted separately."""


class SourceData(TypedDict):
    """A source, and how many printed numbers it has."""

    source: str
    title: str
    kind: str
    """`publication`, `tool` or `text`."""
    numbers: int
    stated: dict[Recorded, int]
    """How many numbers have which stated verdict."""
    from_data: int
    """How many numbers were computed again from the files; the others were entered without them."""
    files: int
    """How many files a user fetches; 0 where the package holds the data."""


class SourcesData(TypedDict):
    """All sources of printed numbers."""

    sources: list[SourceData]


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

    def to_dict(self) -> SourceData:
        """The counts as plain data."""
        return {
            "source": self.name,
            "title": self.title,
            "kind": self.kind,
            "numbers": self.stated.total(),
            "stated": {one: self.stated[one] for one in RECORDED},
            "from_data": self.from_data,
            "files": self.files,
        }


@dataclass(frozen=True, repr=False)
class SourceList(Tabular):
    """What `rankconv reproduce --list` prints."""

    sources: tuple[SourceCounts, ...]

    def table(self) -> Table:
        """Return a row per source."""
        heads = ["source", "title", "kind", "numbers", *RECORDED, "checked from data", "files to fetch"]
        counts = [
            [one.stated.total(), *(one.stated[each] for each in RECORDED), one.from_data, one.files]
            for one in self.sources
        ]
        texts = [[one.name, one.title, one.kind] for one in self.sources]
        rows = [[*text, *(str(one or "–") for one in each)] for text, each in zip(texts, counts, strict=True)]
        return Table(heads, rows, labels=3, prose=frozenset({1}))

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

    def to_dict(self) -> SourcesData:
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
