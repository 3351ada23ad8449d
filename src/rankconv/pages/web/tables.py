"""Tables for a browser: numbers right, labels left, long ones folded; and the steps from one number to another."""

import itertools
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from rankconv.pages.page import Waterfall
from rankconv.pages.table import Table
from rankconv.pages.web.elements import Child, element

LONGEST, FIRST = 40, 20
"""Rows of a table that is shown whole; and those that are seen of a longer one before somebody unfolds it."""


def drawn(table: Table) -> Iterator[Element]:
    """The table and the sentences below it."""
    if table.headers:
        yield _folded(table) if len(table.rows) > LONGEST else _scrolling(_grid(table, [table.rows]))
    yield from (element("p", note, class_="note") for note in table.notes)


def bars(steps: Waterfall) -> Iterator[Element]:
    """The steps from the first number to the second, each with the stretch that it covers."""
    table, totals = steps.table, steps.totals
    low, high = min(0.0, *totals), max(0.0, *totals)
    reach = (high - low) or 1.0
    stretches = [(low, steps.first[1]), *itertools.pairwise(totals), (low, steps.second[1])]
    grid = _grid(table, [table.rows])
    heads, *rows = grid.iter("tr")
    heads.append(element("td"))
    for row, (start, end) in zip(rows, stretches, strict=True):
        left, wide = (min(start, end) - low) / reach, abs(end - start) / reach
        place = f"left:{100 * left:.2f}%;width:{100 * wide:.2f}%"
        bar = element("i", style=place, class_="down" if end < start else "up")
        row.append(element("td", element("span", bar, class_="bar")))
    yield _scrolling(grid)


def _grid(table: Table, bodies: Sequence[Sequence[Sequence[str]]]) -> Element:
    heads = [_cell("th", head, table, place, scope="col") for place, head in enumerate(table.headers)]
    parts = [element("thead", element("tr", *heads))]
    lines = enumerate(row for rows in bodies for row in rows)
    for number, rows in enumerate(bodies):
        shown = [_row(table, *next(lines)) for _ in rows]
        parts.append(element("tbody", *shown, **({"class_": "more"} if number else {})))
    return element("table", *parts)


def _row(table: Table, line: int, row: Sequence[str]) -> Element:
    marked = (element("mark", cell) if (line, at) in table.marked else cell for at, cell in enumerate(row))
    return element("tr", *(_cell("td", cell, table, at) for at, cell in enumerate(marked)))


def _cell(tag: str, text: Child, table: Table, place: int, **more: str) -> Element:
    kind = "prose" if place in table.prose else "label" if place < table.labels else ""
    return element(tag, text, **more, **({"class_": kind, "dir": "auto"} if kind else {}))


def _scrolling(table: Element) -> Element:
    """A wide table scrolls by itself, by keys too."""
    return element("div", table, class_="scroll", tabindex="0", role="group")


def _folded(table: Table) -> Element:
    box = element("label", element("input", type="checkbox"), f" all {len(table.rows):,} rows", class_="fold")
    grid = _grid(table, [table.rows[:FIRST], table.rows[FIRST:]])
    return element("div", _scrolling(grid), box, class_="folded")
