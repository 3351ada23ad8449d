"""Rows of numbers, each with those who give it: as lines for a terminal, or as a table."""

from collections.abc import Iterator

from rich.cells import cell_len

from rankconv.escaping import printable
from rankconv.pages.drawing import drawn
from rankconv.pages.page import Values
from rankconv.pages.wrapping import BETWEEN, beside

NAMES = 24
"""Columns that names get beside the numbers at least."""


def value_lines(values: Values, width: int | None) -> Iterator[str]:
    """A line for each row of numbers, with names beside them and what else is told below the names.

    Where the numbers leave no room for names, all of it is a table folded to the width.
    """
    room = None if width is None else width - len(values.indent)
    lines = [*_rows(values, room), *_absent(values, room)]
    yield from (f"{values.indent}{part}".rstrip() for line in lines for part in line.split("\n"))


def _rows(values: Values, width: int | None) -> Iterator[str]:
    if _folds(values, width):
        yield from drawn(values.table, width)
        return
    heads = [(values.heads, values.told[:1])] if values.heads else []
    for cells, (names, *more) in [*heads, *values.rows]:
        numbers = "".join(map(_right, cells, values.sizes))
        yield beside(numbers, names, width)
        yield from (beside(" " * len(numbers), words, width) for words in more if words)


def _absent(values: Values, width: int | None) -> Iterator[str]:
    room = values.sizes[0] if _folds(values, width) else sum(values.sizes)
    yield from (beside(f"{'none':>{room}}", words, width) for words in values.absent)


def _folds(values: Values, width: int | None) -> bool:
    """Whether the numbers leave no room for names beside them."""
    return width is not None and sum(values.sizes) + BETWEEN + NAMES > width


def _right(text: str, room: int) -> str:
    return " " * (room - cell_len(printable(text))) + printable(text)
