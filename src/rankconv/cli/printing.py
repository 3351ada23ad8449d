"""What a command prints: a table in one of the forms, JSON, or lines."""

import json
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rankconv.cli.options import Format
from rankconv.escaping import printable
from rankconv.pages.terminal import terminal_width

if TYPE_CHECKING:
    from rankconv.pages.page import Page
    from rankconv.pages.table import Table


def print_table(table: "Table", form: Format) -> None:
    """A `Table`, folded to the width of the terminal, or as a row per line; as JSON a list of its rows."""
    if form is Format.table:
        from rankconv.pages.page import Page

        print_page(Page([[table]]))
    elif form is Format.json:
        print_json([dict(zip(table.headers, row, strict=True)) for row in table.rows])
    else:
        print(getattr(table, form.value)(), end="" if form is Format.csv else "\n")


def say(message: str) -> None:
    """A message on stderr, broken at blanks where that is a terminal; as it is where no memory is left to do so."""
    lines = message.split("\n")
    with suppress(MemoryError):
        lines = _folded(lines) if sys.stderr.isatty() else lines
    print("\n".join(lines), file=sys.stderr)


def _folded(lines: list[str]) -> list[str]:
    from rankconv.pages.wrapping import prose

    return [prose(line, terminal_width()) for line in lines]


def print_json(data: Any) -> None:
    """Plain data as JSON."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    print("".join(sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1] for sign in text))


def print_page(page: "Page") -> None:
    """A page for the terminal, or as lines that are not folded where output goes elsewhere."""
    from rankconv.pages import forms

    print_lines([forms.text(page, terminal_width())])


def print_lines(lines: Iterable[str]) -> None:
    """Each line; line breaks and tabs in it stay."""
    for line in lines:
        print("\n".join("\t".join(map(printable, part.split("\t"))) for part in line.split("\n")))
