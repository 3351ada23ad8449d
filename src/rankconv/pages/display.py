"""What every result can do: show itself in a terminal, in a notebook, and as a file to send."""

import os
import shutil
import sys
from typing import TYPE_CHECKING

from rankconv.pages import forms
from rankconv.pages.page import Drawing, Page

if TYPE_CHECKING:
    from rankconv.pages.picture import Target


def terminal_width() -> int | None:
    """Columns of the terminal, or as many as the variable COLUMNS says; None where output goes to a file or a pipe."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told) > 0:
        return int(told)
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

    def page(self) -> Page:
        """All that is told of the result."""
        raise NotImplementedError(f"{type(self).__name__} has no page")

    def printed(self, width: int | None) -> Page:
        """What a terminal of this width shows, which may be shorter than the whole page."""
        return self.page()

    def pages(self) -> list[Page]:
        """What a file to send has."""
        return [self.page(), self.pictures()]

    def pictures(self) -> Page:
        """What a notebook and a file to send show below it; nothing, unless the result is drawn."""
        return Page([])

    def to_html(self, title: str = "") -> str:
        """A document that opens by double click, prints well and loads nothing from anywhere."""
        return forms.document(self.pages(), title or f"rankconv: {type(self).__name__}")

    def __repr__(self) -> str:
        first = forms.text(self.printed(None), None).partition("\n")[0]
        return f"{type(self).__name__}({first})"

    def __str__(self) -> str:
        width = terminal_width()
        return forms.text(self.printed(width), width)

    def _repr_html_(self) -> str:
        return forms.html(Page([*self.printed(None).sections, *self.pictures().sections]))

    def _repr_markdown_(self) -> str:
        return forms.markdown(self.printed(None))


class Drawn(Shown):
    """A result that is drawn too: below its page in a notebook, where matplotlib is installed."""

    def plot(self, path: "Target") -> None:
        """Draw it into an SVG or PNG file."""
        raise NotImplementedError(f"{type(self).__name__} is not drawn")

    def pictures(self) -> Page:
        """The result as it is plotted."""
        return Page([[Drawing(repr(self), self.plot)]])
