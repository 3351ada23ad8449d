"""A table of text: to be drawn in a terminal, or written as Markdown, LaTeX or CSV."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from rankconv.basics import escaping
from rankconv.basics.escaping import printable
from rankconv.basics.optional import frame_of
from rankconv.rendering.pages.wrapping import cell_len, longest, wrapped

CellPlaces = frozenset[tuple[int, int]]
"""Row and column of each."""
DIFFERS = "≠"
"""After a number that differs from that of the first preset."""
BEST = "*"
"""After the best number where nothing can be bold."""


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

    best: CellPlaces = frozenset()
    """Numbers of the best run, which are bold."""
    differing: CellPlaces = frozenset()
    """Numbers that differ from those of `first`."""
    first: str = ""
    """Whose numbers they differ from."""

    def legend(self, bold: str = "Bold") -> str:
        """What the marks of cells mean, where there are some; `bold` says how the best are shown."""
        parts = [f"{bold}: best run"] if self.best else []
        return "; ".join([*parts, *([f"{DIFFERS}: differs from {self.first}"] if self.differing else [])])

    def with_signs(self, best: Callable[[str], str]) -> list[list[str]]:
        """The rows with a sign after each number that differs, and the best as `best` shows them."""
        return [
            [self._signed(cell, (row, place), best) for place, cell in enumerate(cells)]
            for row, cells in enumerate(self.rows)
        ]

    def _signed(self, cell: str, place: tuple[int, int], best: Callable[[str], str]) -> str:
        return (best(cell) if place in self.best else cell) + DIFFERS * (place in self.differing)

    @property
    def keys(self) -> int:
        """How many columns say which row it is: the labels before the first prose."""
        return min([self.labels, *self.prose])

    def to_markdown(self) -> str:
        """GitHub Markdown."""
        plain = replace(self, rows=[[escaping.markdown(cell).strip() for cell in row] for row in self.rows])
        heads = [escaping.markdown(head).strip() for head in self.headers]
        cells = [heads, *plain.with_signs("**{}**".format)]
        notes = [*filter(None, [self.legend()]), *self.notes]
        wide = [max([cell_len(head) + 2, *map(cell_len, column)]) for head, *column in zip(*cells, strict=True)]
        left = [place < self.labels or not self.rows for place in range(len(wide))]
        head, *rows = (f"| {' | '.join(map(_placed, row, wide, left))} |" for row in cells)
        rule = f"|{'|'.join('-' * (size + 2) for size in wide)}|"
        return "\n".join([head, rule, *rows, *(f"\n{escaping.markdown(note)}" for note in notes)])

    def to_latex(self) -> str:
        """A tabular with booktabs rules."""
        columns = "".join("l" if place < self.labels else "r" for place in range(len(self.headers)))
        plain = replace(self, rows=[list(map(escaping.latex, row)) for row in self.rows])
        cells = [list(map(escaping.latex, self.headers)), *plain.with_signs(r"\textbf{{{}}}".format)]
        rows = [" & ".join(row).replace(DIFFERS, r"$^{\neq}$") + r" \\" for row in cells]
        body = "\n".join([r"\toprule", rows[0], r"\midrule", *rows[1:], r"\bottomrule"])
        legend = escaping.latex(self.legend()).replace(DIFFERS, r"$\neq$")
        return f"\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}" + (f"\n\n{legend}" if legend else "")

    def to_csv(self) -> str:
        """Comma-separated values, for people and their spreadsheets: no table that rankconv reads again."""
        text = io.StringIO()
        for row in ([*map(escaping.spreadsheet, cells)] for cells in (self.headers, *self.rows)):
            returns = any("\r" in cell for cell in row)  # which the writer leaves unquoted where lines end otherwise
            csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL).writerow(row)
        return text.getvalue()


def csv_of_rows(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows with the same or other names as comma-separated values: numbers in full, nothing where one is missing.

    >>> csv_of_rows([{"run": "a", "mean": 1 / 3}, {"run": "b", "mean": None, "presets": ["x", "y"]}])
    'run,mean,presets\\na,0.3333333333333333,\\nb,,"x, y"\\n'
    """
    heads = list(dict.fromkeys(name for row in rows for name in row))
    return Table(heads, [[_in_full(row.get(name)) for name in heads] for row in rows]).to_csv()


def _in_full(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_in_full, value))
    return "" if value is None else str(value)


def csv_of(frame: Any) -> str:
    """The text of a frame as comma-separated values, for people as `Table.to_csv`."""
    import narwhals.stable.v2 as nw

    columns = nw.from_native(frame, eager_only=True).to_dict(as_series=False)
    harmless = {
        escaping.spreadsheet(name): [escaping.spreadsheet(one) if isinstance(one, str) else one for one in values]
        for name, values in columns.items()
    }
    return str(nw.from_native(frame_of(harmless)).write_csv())


GAP = 2
"""Columns between two cells."""
PROSE = 20
"""A column of prose is not made narrower than this to save a fold."""
BETWEEN = 3
"""Lines of a part of a folded table besides its rows."""
COUNTED = "row"
"""Head of the column that numbers the rows of a folded table whose keys do not distinguish them."""


def fold(table: Table, width: int | None) -> list[Table]:
    """The tables that stand below each other in place of this one; breaks in cells of prose are line ends.

    One table where it fits or the width is None. Else prose is broken into lines; if that is not enough, the columns
    are dealt out over several tables, each with the keys; where a key and one cell are too wide for that, or the keys
    do not distinguish the rows, the rows are numbered. Nothing is cut: a table is wider than the width only where a
    single word or number is.
    """
    table = _signed(table)
    if width is None or _total(sizes(table)) <= width:
        return [table]
    if _total(_least(table)) <= width or len(table.headers) == 1:
        return [_narrowed(table, width)]
    parts = (
        _folded(table, table.keys, width) if _distinguishes(table) else _folded(_counted(table), table.keys + 1, width)
    )
    return parts if max(map(span, parts)) <= width else _folded(_counted(table), 1, width)


def _aligned(table: Table) -> Table:
    """The table with signs after marked numbers, and blanks after the others of their columns."""
    rows, heads = table.with_signs(f"{{}}{BEST}".format), list(table.headers)
    for place in {place for _, place in (*table.best, *table.differing)}:
        sizes = [len(signed[place]) - len(cells[place]) for signed, cells in zip(rows, table.rows, strict=True)]
        for signed, size in zip(rows, sizes, strict=True):
            signed[place] += " " * (max(sizes) - size)
        heads[place] += " " * max(sizes)
    return replace(table, headers=heads, rows=rows, best=frozenset(), differing=frozenset())


def _signed(table: Table) -> Table:
    """The table as its signs are drawn, and safe to print."""
    return _aligned(replace(table, headers=_safe(table.headers), rows=[_safe(row) for row in table.rows]))


def shorter(table: Table, turned: Table, width: int) -> Table:
    """The table; or it turned over, where only that fits the width, or is folded into fewer lines."""
    if span(table) <= width:
        return table
    ours, theirs = (sum(len(part.rows) + BETWEEN for part in fold(one, width)) for one in (table, turned))
    return turned if span(turned) <= width or theirs < ours else table


def _folded(table: Table, keys: int, width: int) -> list[Table]:
    return [_narrowed(_part(table, places), width) for places in _dealt(table, keys, width)]


def span(table: Table) -> int:
    """Columns that a table takes as it is."""
    return _total(sizes(_signed(table)))


def _safe(cells: Sequence[str]) -> list[str]:
    return [printable(cell) for cell in cells]


def _total(sizes: Sequence[int]) -> int:
    return sum(sizes) + GAP * (len(sizes) - 1)


def _columns(table: Table) -> Iterator[tuple[str, ...]]:
    return zip(table.headers, *table.rows, strict=True)


def sizes(table: Table) -> list[int]:
    """How wide each column is, its cells as they are."""
    return [max(cell_len(line) for cell in column for line in cell.split("\n")) for column in _columns(table)]


def _least(table: Table) -> list[int]:
    """Columns that each column takes at least: prose gives way, down to its widest word."""
    return [
        max(min(size, PROSE), *map(longest, column)) if place in table.prose else size
        for place, (size, column) in enumerate(zip(sizes(table), _columns(table), strict=True))
    ]


def _narrowed(table: Table, width: int) -> Table:
    """The table with its prose broken into as few lines as the width allows; the narrower columns are served first."""
    rooms = _least(table)
    spare = max(0, width - _total(rooms))
    wishes = {place: sizes(table)[place] - rooms[place] for place in table.prose}
    for before, place in enumerate(sorted(wishes, key=wishes.__getitem__)):
        given = min(wishes[place], spare // (len(wishes) - before))
        spare, rooms[place] = spare - given, rooms[place] + given

    def broken(cells: Sequence[str]) -> list[str]:
        pairs = enumerate(zip(cells, rooms, strict=True))
        return ["\n".join(wrapped(cell, size)) if at in table.prose else cell for at, (cell, size) in pairs]

    return replace(table, headers=broken(table.headers), rows=[broken(row) for row in table.rows])


def _distinguishes(table: Table) -> bool:
    keys = [tuple(row[: table.keys]) for row in table.rows]
    return len(set(keys)) == len(keys) and (table.keys > 0 or not keys)


def _counted(table: Table) -> Table:
    """The table with its rows numbered, by which a reader finds the parts of a row."""
    rows = [[str(place), *row] for place, row in enumerate(table.rows, start=1)]
    prose = frozenset(place + 1 for place in table.prose)
    return Table([COUNTED, *table.headers], rows, table.labels + 1, prose=prose)


def _dealt(table: Table, keys: int, width: int) -> Iterator[list[int]]:
    """The places of the columns of each part, so many keys always among them."""
    least, always = _least(table), list(range(keys))
    part = always
    for place in range(keys, len(least)):
        if len(part) > keys and _total([least[one] for one in [*part, place]]) > width:
            yield part
            part = always
        part = [*part, place]
    yield part


def _part(table: Table, places: Sequence[int]) -> Table:
    prose = frozenset(at for at, place in enumerate(places) if place in table.prose)
    rows = [[row[place] for place in places] for row in table.rows]
    labels = sum(place < table.labels for place in places)
    return Table([table.headers[place] for place in places], rows, labels, prose=prose)


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
    blanks = " " * (size - cell_len(text))
    return text + blanks if left else blanks + text
