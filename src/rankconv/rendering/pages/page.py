"""A page: sections of sentences, tables and numbers, in no form yet; each writer makes one form of any page."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from rankconv.rendering.pages.cells import number
from rankconv.rendering.pages.strip_plot import StripPlot
from rankconv.rendering.pages.table import Table

if TYPE_CHECKING:
    from rankconv.rendering.numbers.writing import Expression


class Title(NamedTuple):
    """What the whole page is about."""

    words: str


class Heading(NamedTuple):
    """What a section is about."""

    words: str
    more: str = ""
    """A sentence that goes on after it in a terminal."""


class Paragraph(NamedTuple):
    """Sentences, broken into lines that are read with ease; in a terminal these begin with `first` and `rest`."""

    words: str
    first: str = ""
    rest: str = ""


class TextLine(NamedTuple):
    """One line; where a terminal is too narrow for it, it goes on further in."""

    words: str


class Note(NamedTuple):
    """A sentence below a table: broken into lines in a terminal, one line in a file."""

    words: str


class Aside(NamedTuple):
    """A number or name with words next to it, which go on below themselves."""

    head: str
    words: str
    deeper: str = ""
    """What comes before the lines that they go on in."""


class Code(NamedTuple):
    """Lines of a file to be copied, such as BibTeX."""

    words: str
    language: str


class SettingsColumn(NamedTuple):
    """Settings in a column, each with what it means or did next to it."""

    pairs: Sequence[tuple[str, str]]


class Values(NamedTuple):
    """Rows of numbers, each with the names of those that give it, and what else is shown of it."""

    rows: Sequence[tuple[Sequence[str], Sequence[str]]]
    sizes: Sequence[int]
    """Columns that each number takes in a terminal."""
    heads: Sequence[str] | None
    """Of the numbers; None for a single column that needs none."""
    texts: Sequence[str]
    """Heads of the names and of what else is shown."""
    absent: Sequence[str] = ()
    """Who gives no number, and why."""
    indent: str = ""
    best: frozenset[tuple[int, int]] = frozenset()
    """Row and column of the best number of each row."""

    @property
    def table(self) -> Table:
        """The rows as a table, in which names and what else is shown may be broken into lines."""
        prose = frozenset(range(len(self.sizes), len(self.sizes) + len(self.texts)))
        rows = [[*cells, *words] for cells, words in self.rows]
        return Table([*(self.heads or ["mean"]), *self.texts], rows, 0, self.absent, prose, self.best)


class StatedDefinition(NamedTuple):
    """A definition as a paper states it."""

    words: str
    formulas: Sequence[str]
    """The value of a user, and the number, in LaTeX."""
    symbols: Mapping[str, str]
    """Signs of the formulas in LaTeX, each with its meaning."""
    keys: Sequence[str]
    """Of the sources in BibTeX."""


class Equation(NamedTuple):
    """A name and what it equals, with all the sides that `rankconv.rendering.numbers.exact` finds."""

    name: str
    of: "Expression"


class Fold(NamedTuple):
    """A heading with what is shown where somebody opens it; where nothing can be opened, it is below."""

    words: str
    content: Sequence["Piece"]


class Drawing(NamedTuple):
    """A picture of what is shown elsewhere on the page; only a browser shows it."""

    words: str
    """What is to be seen on it."""
    draw: Callable[[BinaryIO], None]
    """Puts it into a file, as SVG; raises LibraryError where nothing can draw it."""


class WaterfallStep(NamedTuple):
    """One step from the first number towards the second."""

    names: Sequence[str]
    """What is changed, each thing in words."""
    by: float
    shown: str
    """By how much, as it is printed."""


class Waterfall(NamedTuple):
    """Two named numbers and the steps between them."""

    measure: str
    """What the numbers are."""
    first: tuple[str, float]
    second: tuple[str, float]
    steps: Sequence[WaterfallStep]
    digits: int

    @property
    def totals(self) -> list[float]:
        """The number before the first step, and after each."""
        return list(accumulate([step.by for step in self.steps], initial=self.first[1]))

    @property
    def table(self) -> Table:
        """The two numbers, and between them by how much each step changes the first one."""
        steps = [[", ".join(step.names), step.shown] for step in self.steps]
        first, second = ([name, number(value, self.digits)] for name, value in (self.first, self.second))
        return Table(["", self.measure], [first, *steps, second])


Simple = Title | Heading | Paragraph | SettingsColumn | Code | StatedDefinition | Equation | Table
"""What every form has."""
Piece = Simple | TextLine | Note | Aside | Values | Fold | Waterfall | Drawing | StripPlot
"""What a page is made of; some of it is there for the columns of a terminal."""


class Page(NamedTuple):
    """The whole page of one result; a blank line is between two sections."""

    sections: Sequence[Sequence[Piece]]


def simple(pieces: Iterable[Piece]) -> Iterator[Simple]:
    """These pieces for a form without columns: paragraphs for lines, and tables for columns of numbers."""
    for piece in pieces:
        match piece:
            case TextLine(words) | Note(words):
                yield from [Paragraph(words)] if words else []
            case Aside(head, words, _):
                yield Paragraph(f"{head.strip()} {words}".strip())
            case Values() | Waterfall():
                yield piece.table
            case Drawing():
                pass
            case StripPlot():
                yield from map(Paragraph, [piece.title, *map(piece.caption, piece.rows)])
            case Fold(words, inside):
                yield Heading(words)
                yield from simple(inside)
            case _:
                yield piece
