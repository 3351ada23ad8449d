"""Tables are drawn as rich draws a grid, which takes longer to load than most tables take to be made."""

import io
import subprocess
import sys

from hypothesis import given, settings
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from rankconv.pages.table import GAP, Table, drawn, fold, sizes, span
from tests.pages.test_folding import tables


def by_rich(table: Table) -> list[str]:
    """The lines of a table that fits."""
    grid = Grid.grid(padding=(0, GAP, 0, 0), pad_edge=False)
    for place in range(len(table.headers)):
        left = place < table.labels or place in table.prose
        grid.add_column(justify="left" if left else "right", no_wrap=True, overflow="crop")
    for row in (table.headers, ["─" * size for size in sizes(table)], *table.rows):
        grid.add_row(*map(Text, row))
    page = Console(file=io.StringIO(), width=max(1, span(table)), color_system=None, force_terminal=False)
    with page.capture() as capture:
        page.print(grid)
    return [line.rstrip() for line in capture.get().removesuffix("\n").split("\n")]


@settings(derandomize=True, deadline=None)
@given(tables())
def test_as_rich_draws_it(table: Table) -> None:
    for width in (None, 10, 30):
        parts = fold(table, width)
        lines = [line for part in parts for line in ["", *by_rich(part)]][1:]
        assert drawn(table, width) == lines


def test_a_table_is_drawn_without_loading_rich() -> None:
    code = "import sys, rankconv.pages.text; print(*{'rich.console', 'rich.table', 'rich.text'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
