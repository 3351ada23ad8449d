"""A report: chapters of pages, printed below each other or written as one file."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from rankconv.pages.page import Page, Title
from rankconv.pages.shown import Shown


@dataclass(frozen=True)
class Chapter:
    """One convention that the report answers."""

    title: str
    bodies: Sequence[Page]

    @property
    def page(self) -> Page:
        """Its title, and below it what was found."""
        return Page([[Title(self.title)], *chain.from_iterable(one.sections for one in self.bodies)])


@dataclass(frozen=True, eq=False, repr=False)
class Report(Shown):
    """What `rc.report` gives: chapters, each of which settings one convention about the same runs."""

    title: str
    chapters: Sequence[Chapter]

    def page(self) -> Page:
        """All chapters below each other."""
        return Page([[Title(self.title)], *chain.from_iterable(one.page.sections for one in self.chapters)])

    def pages(self) -> list[Page]:
        """A page for each chapter."""
        return [one.page for one in self.chapters]

    def to_html(self, title: str = "") -> str:
        """A document that opens by double click, prints well and loads nothing from anywhere."""
        return super().to_html(title or self.title)
