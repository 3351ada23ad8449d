"""An explanation for the terminal: one page, or two side by side with the lines marked that differ."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from textwrap import fill

from rankconv.escaping import printable
from rankconv.explaining.equation import Equation
from rankconv.explaining.writing import text
from rankconv.report.explanation_page import IDEAL, Answers, Page, Piece, Section
from rankconv.report.table import Table

NARROW = 60
"""Characters of a column in which answers stand above what they did, and tables are cut."""
NEEDLESS = ("score", "discount", "tie", "grade", "sum")
"""Columns that a narrow table leaves out, in this order, until it fits."""
GAP = 3
"""Characters between two tables, or two pages, that stand side by side."""
DIFFERS, SAME = "≠", " "


def text_of(page: Page, width: int = 100) -> str:
    """The whole page, no line longer than this where it can be broken."""
    parts = [_wrapped(page.title, width), _wrapped(page.about, width)]
    for section in page.sections:
        lines = [section.heading, *_lines(section, width)]
        parts.append("\n".join(["", *(line.rstrip() for line in lines)]))
    return "\n".join(parts)


def side_by_side(one: Page, other: Page, width: int = 100) -> str:
    """Two pages in two columns, a sign between the lines that differ."""
    half = (width - GAP) // 2
    lines = _beside([_wrapped(one.title, half)], [_wrapped(other.title, half)], half)
    for ours, theirs in zip(one.sections, other.sections, strict=True):
        lines += ["", ours.heading, *_beside(list(_lines(ours, half)), list(_lines(theirs, half)), half)]
    return "\n".join(line.rstrip() for line in lines)


def _beside(ours: list[str], theirs: list[str], half: int) -> list[str]:
    left, right = "\n".join(ours).split("\n"), "\n".join(theirs).split("\n")
    pairs = _aligned([line.strip() for line in left], [line.strip() for line in right])
    return [
        f"{left[one] if one >= 0 else '':<{half}} {sign} {right[other] if other >= 0 else ''}"
        for one, other, sign in pairs
    ]


def _aligned(ours: list[str], theirs: list[str]) -> Iterator[tuple[int, int, str]]:
    """The places of lines that stand beside each other, -1 where there is none, and the sign between them."""
    for kind, first, last, start, end in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        sign = SAME if kind == "equal" else DIFFERS
        yield from ((*pair, sign) for pair in zip_longest(range(first, last), range(start, end), fillvalue=-1))


def _lines(section: Section, width: int) -> Iterator[str]:
    """The pieces of a section; two tables side by side where they fit."""
    pieces = section.pieces
    tables = [piece for piece in pieces if isinstance(piece, Table)]
    if len(tables) == 2:
        joined = _joined(tables[0].text(), _narrower(tables[1], len(tables[0].rows)).text())
        if max(map(len, joined)) <= width:
            yield from joined
            rest = [piece for piece in pieces if piece not in tables and piece != IDEAL]
            yield from (line for piece in rest for line in _piece(piece, width))
            return
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


def _fitting(table: Table, width: int) -> Table:
    """The table, in a narrow column without what is needless."""
    if width > NARROW:
        return table
    short = Table(["rel." if name == "relevant" else name for name in table.headers], table.rows, table.labels)
    cuts = (_without(short, NEEDLESS[:count]) for count in range(len(NEEDLESS)))
    return next((cut for cut in cuts if max(map(len, cut.text())) <= width), _without(short, NEEDLESS))


def _joined(left: list[str], right: list[str]) -> list[str]:
    wide = max(map(len, left))
    return [f"{one:<{wide}}{' ' * GAP}{other}" for one, other in zip_longest(left, right, fillvalue="")]


def _piece(piece: Piece, width: int) -> list[str]:
    match piece:
        case Answers(pairs):
            return _answers(pairs, width)
        case Equation():
            return [_wrapped(_equation(piece), width)]
        case Table():
            return _fitting(piece, width).text()
    return [_wrapped(piece, width)]


def _answers(pairs: list[tuple[str, str]], width: int) -> list[str]:
    """Answers in a column, what they did beside them; below them where that is narrow."""
    column = max(len(answer) for answer, _ in pairs)
    if column <= width // 2 and width > NARROW:
        return [_wrapped(words, width, f"  {answer:<{column}}   ", " " * (column + 5)) for answer, words in pairs]
    return [line for answer, words in pairs for line in (f"  {answer}", _wrapped(words, width, "    "))]


def _equation(equation: Equation) -> str:
    return equation.name + "".join(f" {'=' if equal else '≈'} {text(side)}" for equal, side in equation.sides)


def _wrapped(words: str, width: int, first: str = "", rest: str = "    ") -> str:
    return fill(
        printable(" ".join(words.split())), width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    )
