"""What every result can do: show itself in a terminal, in a notebook, and as a file to send."""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from rankconv.basics.errors import LibraryError
from rankconv.basics.guessed_names import OF_RESULTS
from rankconv.basics.optional import frame_of

if TYPE_CHECKING:
    from rankconv.rendering.pages.page import Page, Piece
    from rankconv.rendering.pages.picture import Target
    from rankconv.rendering.pages.table import Table


def terminal_width() -> int | None:
    """Columns of the terminal, or as many as the variable COLUMNS says; None where output goes to a file or a pipe."""
    terminal = os.environ.get("COLUMNS", "")
    if terminal.isdecimal() and int(terminal) > 0:
        return int(terminal)
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


# Pages, and what writes a form of them, are imported when the first page is made so: results import none of them.
def page_of(*sections: "Sequence[Piece]") -> "Page":
    """A page of these sections."""
    from rankconv.rendering.pages.page import Page

    return Page(list(sections))


def text(page: "Page", width: int | None = 100) -> str:
    """Lines for a terminal of this width; where it is None, tables are not folded."""
    from rankconv.rendering.pages.text import text

    return text(page, width)


def markdown(page: "Page") -> str:
    """GitHub Markdown."""
    from rankconv.rendering.pages.markup import markdown

    return markdown(page)


def latex(page: "Page") -> str:
    """A fragment for a document that uses booktabs and amsmath."""
    from rankconv.rendering.pages.markup import latex

    return latex(page)


def notebook_html(page: "Page") -> str | None:
    """What a notebook shows; None where a library is missing, so that it shows text instead."""
    from rankconv.rendering.pages.web.html import fragment

    try:
        return fragment(page)
    except LibraryError:
        return None


PAGES = {"markdown": markdown, "latex": latex}
"""The forms of pages that are put into other files, by name."""


class PagedResult:
    """A result with a page: `print` shows what the command line shows, a notebook the same with tables that sort.

    >>> import rankconv as rc
    >>> found = rc.compare({"ada": {"a": 1}}, {"ada": ["x", "a"]}, "mrr@2", ["blog", "mllib"])
    >>> "<table>" in found.to_html(), "src=" in found.to_html()
    (True, False)
    """

    def _page(self, *args: Any, **kwargs: Any) -> "Page":
        """Lay the result out in paragraphs and tables."""
        raise NotImplementedError(f"{type(self).__name__} has no page")

    def _printed(self, width: int | None) -> "Page":
        """What a terminal of this width shows, which may be shorter than the whole page."""
        return self._page()

    def _pages(self) -> "list[Page]":
        """What a file to send has."""
        return [self._page(), self._pictures()]

    def _signatures(self) -> "Page":
        """What a paper and a file to send show below tables: the signatures of their numbers."""
        return page_of()

    def _pictures(self) -> "Page":
        """What a notebook and a file to send show below it; nothing, unless the result is drawn."""
        return page_of()

    def to_text(self, width: int | None = 100, **shown: Any) -> str:
        """Return the text for a terminal of `width` columns, unfolded for None; `shown` goes to `page`, as `digits`."""
        return text(self._page(**shown), width)

    def to_markdown(self, **shown: Any) -> str:
        """Return GitHub Markdown; `shown` is that of `to_text`."""
        return markdown(page_of(*self._page(**shown).sections, *self._signatures().sections))

    def to_latex(self, **shown: Any) -> str:
        """Return a fragment for a document that uses booktabs and amsmath; `shown` is that of `to_text`."""
        return latex(self._page(**shown))

    def to_html(self, title: str = "") -> str:
        """A document that opens by double click, prints well and loads nothing from anywhere."""
        from rankconv.rendering.pages.web.html import document

        return document([*self._pages(), self._signatures()], title or f"rankconv: {type(self).__name__}")

    if not TYPE_CHECKING:  # a checker shall find names that do not exist

        def __getattr__(self, name: str) -> NoReturn:
            fix = OF_RESULTS.get(name, "")
            advice = f". Write {fix}" if fix and hasattr(type(self), fix.removesuffix("()")) else ""
            raise AttributeError(
                f"'{type(self).__name__}' object has no attribute '{name}'{advice}", name=name, obj=self
            )

    def __repr__(self) -> str:
        first = text(self._printed(None), None).partition("\n")[0]
        return f"{type(self).__name__}({first})"

    def __str__(self) -> str:
        width = terminal_width()
        return text(self._printed(width), width)

    def _repr_html_(self) -> str | None:
        return notebook_html(page_of(*self._printed(None).sections, *self._pictures().sections))

    def _repr_markdown_(self) -> str:
        return markdown(self._printed(None))


class RowResult(PagedResult):
    """A result that a frame can hold: the rows under one key of its `to_dict`."""

    rows_in: ClassVar[str]
    """That key."""

    def to_dict(self) -> Mapping[str, Any]:
        """Return everything as plain data; NaN is None, as JSON has it."""
        raise NotImplementedError

    @property
    def library(self) -> str:
        """The library whose table the data came in, for `to_frame`; empty where they came in none."""
        return ""

    def to_frame(self) -> Any:
        """Return the rows as a frame of pandas or a table of pyarrow, where the data came in one.

        All else becomes a frame of polars, or of pandas where that is not installed. What a row has below another name
        is a column of both names, such as `interval_low`.
        """
        return frame_of([_flat(row) for row in self.to_dict()[self.rows_in]], library=self.library)


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            found |= {f"{name}_{key}": one for key, one in _flat(value).items()}
        else:
            found[name] = value
    return found


class Tabular(PagedResult):
    """A result whose LaTeX is its table."""

    def table(self, *args: Any, **kwargs: Any) -> "Table":
        """Return the table, which has `to_markdown`, `to_latex` and `to_csv`."""
        raise NotImplementedError(f"{type(self).__name__} has no table")

    def to_latex(self, **shown: Any) -> str:
        """Return the table for a document that uses booktabs; `shown` goes to `table`, as `digits`."""
        signatures = self._signatures()
        below = [latex(signatures)] if signatures.sections else []
        return "\n\n".join([self.table(**shown).to_latex(), *below])

    def to_csv(self, **shown: Any) -> str:
        """Return the table as CSV; `shown` goes to `table`, as `digits`."""
        return self.table(**shown).to_csv()


class RowTable(Tabular, RowResult):
    """A result with rows whose CSV has all of them: numbers in full, the ends of an interval in a column each."""

    def to_csv(self, **shown: Any) -> str:
        """Return the rows as CSV, numbers in full; `shown` has no effect."""
        from rankconv.rendering.pages.table import csv_of_rows

        return csv_of_rows(self._csv_rows())

    def _csv_rows(self) -> list[dict[str, Any]]:
        """The rows, each value under a name of its own."""
        return [_flat(row) for row in self.to_dict()[self.rows_in]]


class Drawn(PagedResult):
    """A result that is drawn too: below its page in a notebook, where matplotlib is installed."""

    def plot(self, path: "Target", *args: Any, **kwargs: Any) -> None:
        """Draw it into an SVG or PNG file."""
        raise NotImplementedError(f"{type(self).__name__} is not drawn")

    def _pictures(self) -> "Page":
        """The result as it is plotted."""
        from rankconv.rendering.pages.page import Drawing

        return page_of([Drawing(repr(self), self.plot)])
