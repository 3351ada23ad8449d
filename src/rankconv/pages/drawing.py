"""Tables as lines of text, for a terminal or whatever else shows signs of one width."""

from collections.abc import Iterator
from itertools import zip_longest

from rich.cells import cell_len

from rankconv.pages.folding import GAP, fold, sizes
from rankconv.pages.table import Table


def drawn(table: Table, width: int | None = None) -> list[str]:
    """The lines of a table, folded to fit the width; where that is None, each row is one line."""
    lines: list[str] = []
    for part in fold(table, width):
        lines += [*([""] if lines else []), *_lines(part)]
    return lines


def _lines(table: Table) -> Iterator[str]:
    """A table that fits: heads, a rule below each, the rows."""
    wide = sizes(table)
    left = [place < table.labels or place in table.prose for place in range(len(wide))]
    for row in (table.headers, ["─" * size for size in wide], *table.rows):
        for line in zip_longest(*(cell.split("\n") for cell in row), fillvalue=""):
            yield (" " * GAP).join(map(_placed, line, wide, left)).rstrip()


def _placed(text: str, size: int, left: bool) -> str:
    """A line of a cell in a column of this size."""
    text = text if left else text.rstrip()
    blanks = " " * (size - cell_len(text))
    return text + blanks if left else blanks + text
