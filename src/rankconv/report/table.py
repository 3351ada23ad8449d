"""A table that can be printed, or written as Markdown, LaTeX or CSV."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rankconv import escaping
from rankconv.escaping import printable

if TYPE_CHECKING:
    from rich.table import Table as RichTable


@dataclass(frozen=True)
class Table:
    """Text cells under headers; the first columns are labels, the others numbers."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    labels: int = 1
    """How many columns are labels, and stand left."""
    notes: Sequence[str] = field(default=())
    """Sentences below the table."""

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

    def text(self) -> list[str]:
        """Lines of plain text, as narrow as the cells allow."""
        align = self._alignment or ("left",) * len(self.headers)
        headers, *rows = [[printable(cell) for cell in row] for row in (self.headers, *self.rows)]
        wide = [max(map(len, column)) for column in zip(headers, *rows, strict=True)]
        lines = []
        for row in (headers, ["─" * size for size in wide], *rows):
            cells = zip(row, wide, align, strict=True)
            lines.append("  ".join(one.ljust(size) if side == "left" else one.rjust(size) for one, size, side in cells))
        return lines

    def csv(self) -> str:
        """Comma-separated values."""
        text = io.StringIO()
        for row in (self.headers, *self.rows):
            returns = any("\r" in cell for cell in row)  # which the writer leaves unquoted where lines end otherwise
            csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL).writerow(row)
        return text.getvalue()

    def rich(self) -> "RichTable":
        """For a terminal."""
        from rich import box
        from rich.markup import escape
        from rich.table import Table as RichTable

        table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
        for place, header in enumerate(self.headers):
            left = place < self.labels
            table.add_column(escape(printable(header)), justify="left" if left else "right", no_wrap=True)
        for row in self.rows:
            table.add_row(*(escape(printable(cell)) for cell in row))
        return table

    @property
    def width(self) -> int:
        """Characters that the widest row takes in a terminal."""
        columns = zip(self.headers, *self.rows, strict=True)
        return sum(max(map(len, column)) + 3 for column in columns)

    @property
    def _alignment(self) -> tuple[str, ...] | None:
        if not self.rows:
            return None
        return tuple("left" if place < self.labels else "right" for place in range(len(self.headers)))
