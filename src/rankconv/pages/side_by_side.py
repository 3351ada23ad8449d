"""Two pages of the same sections for a terminal, side by side or section by section, the lines marked that differ."""

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from rankconv.pages.page import Page, Pair, Piece, Title
from rankconv.pages.table import Table, span
from rankconv.pages.text import GAP, filled, lines
from rankconv.pages.wrapping import READABLE

HALF = 45
"""Columns that a page needs at least next to another; with less room they stand below each other."""
DIFFERS, SAME = "≠", " "
Layout = Callable[[list[str], list[str], bool], list[str]]
"""Puts the lines of two sections together; the last says whether these are the titles."""


def both_texts(one: Page, other: Page, names: tuple[str, str], width: int | None = 100) -> str:
    """The titles, then section by section; `names` stand above parts that differ and are below each other."""
    half = _half(one, other, width)
    if half is not None:
        return _pages(one, other, half, lambda ours, theirs, _: _columns(ours, theirs, half))
    room = None if width is None else width - len(f"{SAME} ")
    return _pages(one, other, room, lambda ours, theirs, title: _below(ours, theirs, None if title else names))


def _pages(one: Page, other: Page, room: int | None, layout: Layout) -> str:
    """Titles, then section by section, as the layout puts lines of so much room."""
    (ours, *more), (theirs, *others) = one.sections, other.sections
    found = layout(_titles(ours, room), _titles(theirs, room), True)
    for (heading, *pieces), (_, *opposite) in zip(more, others, strict=True):
        found += ["", *lines([heading], room), *layout(lines(pieces, room), lines(opposite, room), False)]
    return "\n".join(line.rstrip() for line in found)


def _titles(section: Sequence[Piece], room: int | None) -> list[str]:
    return lines([piece for piece in section if isinstance(piece, Title)], room)


def _half(one: Page, other: Page, width: int | None) -> int | None:
    """Columns of each of two pages side by side; with no width given, so many that no table is folded."""
    if width is not None:
        half = (width - GAP) // 2
        return half if half >= HALF else None
    widest = max(map(span, [*_tables(one), *_tables(other)]), default=0)
    return next((half for half in ((READABLE - GAP) // 2, READABLE) if widest <= half), None)


def _tables(page: Page) -> Iterator[Table]:
    for piece in (piece for section in page.sections for piece in section):
        match piece:
            case Pair(left, right):
                yield from (left, right)
            case Table():
                yield piece


def _columns(ours: list[str], theirs: list[str], half: int) -> list[str]:
    pairs = _aligned([line.strip() for line in ours], [line.strip() for line in theirs])
    return [
        f"{filled(ours[one] if one >= 0 else '', half)} {sign} {theirs[other] if other >= 0 else ''}"
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
    """The places of lines that stand side by side, -1 where there is none, and the sign between them."""
    for kind, first, last, start, end in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        sign = SAME if kind == "equal" else DIFFERS
        yield from ((*pair, sign) for pair in zip_longest(range(first, last), range(start, end), fillvalue=-1))
