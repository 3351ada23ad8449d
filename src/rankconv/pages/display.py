"""What every result can do: show itself in a terminal, in a notebook, and as a file to send."""

import os
import shutil
import sys
from typing import TYPE_CHECKING, Any, ClassVar

from rankconv.errors import LibraryError
from rankconv.optional import frame_of
from rankconv.pages.page import Drawing, Page

if TYPE_CHECKING:
    from rankconv.pages.picture import Target
    from rankconv.pages.table import Table


def terminal_width() -> int | None:
    """Columns of the terminal, or as many as the variable COLUMNS says; None where output goes to a file or a pipe."""
    terminal = os.environ.get("COLUMNS", "")
    if terminal.isdecimal() and int(terminal) > 0:
        return int(terminal)
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


class Shown:
    """A result with a page: `print` shows what the command line shows, a notebook the same with tables that sort.

    >>> import rankconv as rc
    >>> found = rc.compare({"ada": {"a": 1}}, {"ada": ["x", "a"]}, "mrr@2", ["blog", "mllib"])
    >>> "<table>" in found.to_html(), "src=" in found.to_html()
    (True, False)
    """

    def _page(self, *args: Any, **kwargs: Any) -> Page:
        """Lay the result out in paragraphs and tables."""
        raise NotImplementedError(f"{type(self).__name__} has no page")

    def _printed(self, width: int | None) -> Page:
        """What a terminal of this width shows, which may be shorter than the whole page."""
        return self._page()

    def _pages(self) -> list[Page]:
        """What a file to send has."""
        return [self._page(), self._pictures()]

    def _signatures(self) -> Page:
        """What a paper and a file to send show below tables: the signatures of their numbers."""
        return Page([])

    def _pictures(self) -> Page:
        """What a notebook and a file to send show below it; nothing, unless the result is drawn."""
        return Page([])

    def to_text(self, width: int | None = 100, **shown: Any) -> str:
        """Return the text for a terminal of `width` columns, unfolded for None; `shown` goes to `page`, as `digits`."""
        return self._page(**shown).to_text(width)

    def to_markdown(self, **shown: Any) -> str:
        """Return GitHub Markdown; `shown` is that of `to_text`."""
        return Page([*self._page(**shown).sections, *self._signatures().sections]).to_markdown()

    def to_latex(self, **shown: Any) -> str:
        """Return a fragment for a document that uses booktabs and amsmath; `shown` is that of `to_text`."""
        return self._page(**shown).to_latex()

    def to_html(self, title: str = "") -> str:
        """A document that opens by double click, prints well and loads nothing from anywhere."""
        from rankconv.pages.web.html import document

        return document([*self._pages(), self._signatures()], title or f"rankconv: {type(self).__name__}")

    def __repr__(self) -> str:
        first = self._printed(None).to_text(None).partition("\n")[0]
        return f"{type(self).__name__}({first})"

    def __str__(self) -> str:
        width = terminal_width()
        return self._printed(width).to_text(width)

    def _repr_html_(self) -> str | None:
        try:
            return Page([*self._printed(None).sections, *self._pictures().sections]).to_html()
        except LibraryError:  # a notebook shows text instead
            return None

    def _repr_markdown_(self) -> str:
        return self._printed(None).to_markdown()


class RowResult(Shown):
    """A result that a frame can hold: the rows under one key of its `to_dict`."""

    rows_in: ClassVar[str]
    """That key."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data; NaN is None, as JSON has it."""
        raise NotImplementedError

    def to_frame(self) -> Any:
        """Return the rows as a frame of polars, or of pandas where that is not installed.

        What a row has below another name is a column of both names, such as `interval_low`.
        """
        return frame_of([_flat(row) for row in self.to_dict()[self.rows_in]])


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            found |= {f"{name}_{key}": one for key, one in _flat(value).items()}
        else:
            found[name] = value
    return found


class Tabular(Shown):
    """A result whose LaTeX is its table."""

    def table(self, *args: Any, **kwargs: Any) -> "Table":
        """Return the table, which has `to_markdown`, `to_latex` and `to_csv`."""
        raise NotImplementedError(f"{type(self).__name__} has no table")

    def to_latex(self, **shown: Any) -> str:
        """Return the table for a document that uses booktabs; `shown` goes to `table`, as `digits`."""
        signatures = self._signatures()
        below = [signatures.to_latex()] if signatures.sections else []
        return "\n\n".join([self.table(**shown).to_latex(), *below])

    def to_csv(self, **shown: Any) -> str:
        """Return the table as CSV; `shown` goes to `table`, as `digits`."""
        return self.table(**shown).to_csv()


class Drawn(Shown):
    """A result that is drawn too: below its page in a notebook, where matplotlib is installed."""

    def plot(self, path: "Target", *args: Any, **kwargs: Any) -> None:
        """Draw it into an SVG or PNG file."""
        raise NotImplementedError(f"{type(self).__name__} is not drawn")

    def _pictures(self) -> Page:
        """The result as it is plotted."""
        return Page([[Drawing(repr(self), self.plot)]])
