"""What a paper says of its numbers: the definition in words, its formula, its sources, and who was counted."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rankconv.citing.bibtex import bibtex
from rankconv.citing.cited import Cited
from rankconv.citing.restoring import restored
from rankconv.engine.measured import Measured
from rankconv.engine.saved import SavedDefinition, SavedNumber
from rankconv.pages import forms
from rankconv.pages.page import Code, Page
from rankconv.pages.shown import Shown


@dataclass(frozen=True, eq=False, repr=False)
class Methods(Shown):
    """One or several definitions told to the readers of a paper.

    >>> import rankconv as rc
    >>> told = rc.evaluate({"u": ["a"], "v": []}, {"u": ["x", "a"]}, "mllib:map@5").methods()
    >>> print(told.cited[0].paragraph.split(". ")[-2])
    The number is 0.25; of 2 users, 1 was scored and 1 was counted as 0 (no relevant label)
    >>> print(told.bibtex().split(",")[0])
    @misc{mllib
    """

    cited: tuple[Cited, ...]

    def __iter__(self) -> Iterator[Cited]:
        return iter(self.cited)

    def __len__(self) -> int:
        return len(self.cited)

    @property
    def short(self) -> str:
        """One line for each, to print next to its number."""
        return "\n".join(one.short for one in self.cited)

    def page(self) -> Page:
        """Each definition with its formulas, then the sources of all."""
        return Page([*([one.stated] for one in self.cited), [Code(self.bibtex(), "bibtex")]])

    def text(self, width: int | None = 100) -> str:
        """The paragraphs, formulas and sources for a terminal of this width."""
        return forms.text(self.page(), width)

    def markdown(self) -> str:
        """The paragraphs, formulas and sources as GitHub Markdown."""
        return forms.markdown(self.page())

    def latex(self) -> str:
        """The paragraphs and formulas for a document that uses amsmath; the sources are cited by their keys."""
        return forms.latex(Page([[one.stated] for one in self.cited]))

    def bibtex(self) -> str:
        """The sources, and rankconv itself, for a .bib file."""
        return bibtex(pair for one in self.cited for pair in one.entries)

    def to_dict(self) -> list[dict[str, Any]]:
        """Everything as plain data, one dict for each definition."""
        return [one.to_dict() for one in self.cited]


def of_numbers(numbers: Iterable[Measured | SavedNumber]) -> Methods:
    """The definitions of numbers that came out, with the users behind each; also of numbers that were loaded."""
    cited = []
    for number in numbers:
        given = number.definition
        cited.append(Cited(restored(given) if isinstance(given, SavedDefinition) else given, number))
    return Methods(tuple(cited))
