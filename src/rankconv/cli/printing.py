"""What a command prints: a table in one of the forms, JSON, or lines."""

import json
import sys
from collections.abc import Iterable
from typing import Any

from rankconv.cli.options import Format
from rankconv.escaping import printable


def width() -> int:
    """Characters in a line of the terminal."""
    from rich.console import Console

    return Console().width


def text_width(widest: int = 100) -> int:
    """Characters in a line of text: as many as the terminal has, and never more than this."""
    return min(width(), widest) if sys.stdout.isatty() else widest


def print_table(table: Any, form: Format) -> None:
    """A `Table`; as JSON a list of its rows."""
    from rich.console import Console

    if form is Format.table:
        console = Console(width=max(table.width + 4, width()) if not sys.stdout.isatty() else None)
        console.print(table.rich())
        for note in table.notes:
            console.print(printable(note), markup=False, highlight=False)
    elif form is Format.json:
        print_json([dict(zip(table.headers, row, strict=True)) for row in table.rows])
    else:
        print(getattr(table, form.value)(), end="" if form is Format.csv else "\n")


def print_json(data: Any) -> None:
    """Plain data as JSON."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    print("".join(sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1] for sign in text))


def print_lines(lines: Iterable[str]) -> None:
    """Each line; line breaks and tabs in it stay."""
    for line in lines:
        print("\n".join("\t".join(map(printable, part.split("\t"))) for part in line.split("\n")))
