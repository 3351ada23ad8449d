"""Tables as lines of text, for a terminal or whatever else shows signs of one width."""

import io
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from rankconv.pages.folding import GAP, fold, sizes, span
from rankconv.pages.table import Table


def drawn(table: Table, width: int | None = None) -> list[str]:
    """The lines of a table, folded to fit the width; where that is None, each row is one line."""
    lines: list[str] = []
    for part in fold(table, width):
        lines += [*([""] if lines else []), *_lines(part)]
    return lines


def _lines(table: Table) -> Iterator[str]:
    """A table that fits: heads, a rule below each, the rows."""
    grid = RichTable.grid(padding=(0, GAP, 0, 0), pad_edge=False)
    for place in range(len(table.headers)):
        left = place < table.labels or place in table.prose
        grid.add_column(justify="left" if left else "right", no_wrap=True, overflow="crop")
    for row in (table.headers, ["─" * size for size in sizes(table)], *table.rows):
        grid.add_row(*map(Text, row))
    page = Console(file=io.StringIO(), width=max(1, span(table)), color_system=None, force_terminal=False)
    with page.capture() as capture:
        page.print(grid)
    yield from (line.rstrip() for line in capture.get().removesuffix("\n").split("\n"))
