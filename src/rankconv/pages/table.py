"""A table of text: to be drawn in a terminal, or written as Markdown, LaTeX or CSV."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field

from rankconv import escaping


@dataclass(frozen=True)
class Table:
    """Text cells under headers; the first columns are labels, the others numbers."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    labels: int = 1
    """How many columns are labels, and stand left."""
    notes: Sequence[str] = field(default=())
    """Sentences below the table."""
    prose: frozenset[int] = frozenset()
    """The places of columns whose cells may be broken at blanks; the cells of all others stand whole on one line."""

    marked: frozenset[tuple[int, int]] = frozenset()
    """Row and column of cells that are to be seen first, such as numbers that differ from those of the first column."""

    @property
    def keys(self) -> int:
        """How many columns say which row it is: the labels before the first prose."""
        return min([self.labels, *self.prose])

    def markdown(self) -> str:
        """GitHub Markdown."""
        from tabulate import tabulate

        cells = [[escaping.markdown(cell) for cell in row] for row in self.rows]
        headers = [escaping.markdown(header) for header in self.headers]
        body = tabulate(cells, headers, tablefmt="github", colalign=self._alignment, disable_numparse=True)
        return "\n".join([body, *(f"\n{escaping.markdown(note)}" for note in self.notes)])

    def latex(self) -> str:
        """A tabular with booktabs rules."""
        columns = "".join("l" if place < self.labels else "r" for place in range(len(self.headers)))
        rows = [" & ".join(map(escaping.latex, row)) + r" \\" for row in (self.headers, *self.rows)]
        body = "\n".join([r"\toprule", rows[0], r"\midrule", *rows[1:], r"\bottomrule"])
        return f"\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}"

    def csv(self) -> str:
        """Comma-separated values."""
        text = io.StringIO()
        for row in (self.headers, *self.rows):
            returns = any("\r" in cell for cell in row)  # which the writer leaves unquoted where lines end otherwise
            csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL).writerow(row)
        return text.getvalue()

    @property
    def _alignment(self) -> tuple[str, ...] | None:
        if not self.rows:
            return None
        return tuple("left" if place < self.labels else "right" for place in range(len(self.headers)))
