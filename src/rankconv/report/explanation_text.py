"""An explanation for the terminal: one page, or two side by side with the lines marked that differ."""

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from rich.cells import cell_len

from rankconv.explaining.equation import Equation
from rankconv.explaining.writing import text
from rankconv.report.drawing import drawn
from rankconv.report.explanation_page import IDEAL, Answers, Page, Piece, Section
from rankconv.report.folding import span
from rankconv.report.table import Table
from rankconv.report.wrapping import READABLE, prose

NARROW = 60
"""Columns up to which answers stand above what they did."""
GAP = 3
"""Columns between two tables, or two pages, that stand side by side."""
HALF = 45
"""Columns that a page needs at least beside another; with less room they stand below each other."""
DIFFERS, SAME = "≠", " "
Layout = Callable[[list[str], list[str], tuple[str, str] | None], list[str]]
"""Puts the lines of two sections together; the names are those of the two definitions, None for the titles."""


def text_of(page: Page, width: int | None = 100) -> str:
    """The whole page, no line longer than this where it can be broken."""
    parts = [_said(page.title, width), _said(page.about, width)]
    parts += ["\n".join(["", section.heading, *_lines(section, width)]) for section in page.sections]
    return "\n".join(parts)


def both_pages(one: Page, other: Page, width: int | None = 100) -> str:
    """Two pages side by side, or section by section below each other, the lines marked that differ."""
    half = _half(one, other, width)
    if half is not None:
        return _pages(one, other, half, lambda ours, theirs, _: _beside(ours, theirs, half))
    return _pages(one, other, None if width is None else width - len(f"{SAME} "), _below)


def _pages(one: Page, other: Page, room: int | None, layout: Layout) -> str:
    """Titles, then section by section, as the layout puts lines of so much room."""
    lines = layout(_said(one.title, room).split("\n"), _said(other.title, room).split("\n"), None)
    for ours, theirs in zip(one.sections, other.sections, strict=True):
        lines += [
            "",
            ours.heading,
            *layout(list(_lines(ours, room)), list(_lines(theirs, room)), (one.name, other.name)),
        ]
    return "\n".join(line.rstrip() for line in lines)


def _half(one: Page, other: Page, width: int | None) -> int | None:
    """Columns of each of two pages side by side; with no width given, so many that no table is folded."""
    if width is not None:
        half = (width - GAP) // 2
        return half if half >= HALF else None
    sections = [*one.sections, *other.sections]
    tables = [piece for section in sections for piece in section.pieces if isinstance(piece, Table)]
    widest = max(map(span, tables), default=0)
    return next((half for half in ((READABLE - GAP) // 2, READABLE) if widest <= half), None)


def _beside(ours: list[str], theirs: list[str], half: int) -> list[str]:
    pairs = _aligned([line.strip() for line in ours], [line.strip() for line in theirs])
    return [
        f"{_filled(ours[one] if one >= 0 else '', half)} {sign} {theirs[other] if other >= 0 else ''}"
        for one, other, sign in pairs
    ]


def _below(ours: list[str], theirs: list[str], names: tuple[str, str] | None) -> list[str]:
    """What is the same in both once; else the one, then the other, each under its name, its other lines marked."""
    if ours == theirs:
        return [f"{SAME} {line}" for line in ours]
    pairs = list(_aligned([line.strip() for line in ours], [line.strip() for line in theirs]))
    first = [f"{sign} {ours[one]}" for one, _, sign in pairs if one >= 0]
    second = [f"{sign} {theirs[other]}" for _, other, sign in pairs if other >= 0]
    return [*first, *second] if names is None else [f"{names[0]}:", *first, "", f"{names[1]}:", *second]


def _aligned(ours: list[str], theirs: list[str]) -> Iterator[tuple[int, int, str]]:
    """The places of lines that stand beside each other, -1 where there is none, and the sign between them."""
    for kind, first, last, start, end in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        sign = SAME if kind == "equal" else DIFFERS
        yield from ((*pair, sign) for pair in zip_longest(range(first, last), range(start, end), fillvalue=-1))


def _lines(section: Section, width: int | None) -> Iterator[str]:
    """The pieces of a section; two tables side by side where they fit."""
    pieces = section.pieces
    tables = [piece for piece in pieces if isinstance(piece, Table)]
    if len(tables) == 2:
        joined = _joined(drawn(tables[0]), drawn(_narrower(tables[1], len(tables[0].rows))))
        if width is None or max(map(cell_len, joined)) <= width:
            yield from joined
            pieces = [piece for piece in pieces if piece not in tables and piece != IDEAL]
    for piece in pieces:
        yield from [""] if piece == IDEAL else []
        yield from _piece(piece, width)


def _narrower(ideal: Table, beside: int) -> Table:
    """The ideal list without what stands in the table beside it, of so many rows."""
    return _without(ideal, ("rank", "discount") if len(ideal.rows) <= beside else ("discount",))


def _without(table: Table, columns: Sequence[str]) -> Table:
    kept = [place for place, name in enumerate(table.headers) if name not in columns]
    rows = [[row[place] for place in kept] for row in table.rows]
    labels = sum(name not in columns for name in table.headers[: table.labels])
    return Table([table.headers[place] for place in kept], rows, labels=labels)


def _joined(left: list[str], right: list[str]) -> list[str]:
    wide = max(map(cell_len, left)) + GAP
    return [f"{_filled(one, wide)}{other}".rstrip() for one, other in zip_longest(left, right, fillvalue="")]


def _filled(line: str, columns: int) -> str:
    return line + " " * (columns - cell_len(line))


def _piece(piece: Piece, width: int | None) -> list[str]:
    match piece:
        case Answers(pairs):
            return [line for answer in _answers(pairs, width) for line in answer.split("\n")]
        case Equation():
            return _said(_equation(piece), width).split("\n")
        case Table():
            return drawn(piece, width)
    return _said(piece, width).split("\n")


def _answers(pairs: list[tuple[str, str]], width: int | None) -> list[str]:
    """Answers in a column, what they did beside them; below them where that is narrow."""
    column, room = max(len(answer) for answer, _ in pairs), width or READABLE
    if column <= room // 2 and room > NARROW:
        return [prose(_plain(words), width, f"  {answer:<{column}}   ", " " * (column + 5)) for answer, words in pairs]
    return [line for answer, words in pairs for line in (f"  {answer}", prose(_plain(words), width, "    ", "    "))]


def _equation(equation: Equation) -> str:
    return equation.name + "".join(f" {'=' if equal else '≈'} {text(side)}" for equal, side in equation.sides)


def _said(words: str, width: int | None) -> str:
    return prose(_plain(words), width, rest="    ")


def _plain(words: str) -> str:
    return " ".join(words.split())
