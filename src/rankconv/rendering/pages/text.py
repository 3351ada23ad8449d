"""A page as lines for a terminal, or for a file: nothing is cut, and no line is longer than the width if it can be."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from rankconv.basics.escaping import printable
from rankconv.rendering.pages.cells import number
from rankconv.rendering.pages.page import (
    Aside,
    Code,
    Drawing,
    Equation,
    Fold,
    Heading,
    Note,
    Page,
    Paragraph,
    Piece,
    SettingsColumn,
    StatedDefinition,
    TextLine,
    Title,
    Values,
    Waterfall,
)
from rankconv.rendering.pages.strip_plot import StripPlot, block_lines
from rankconv.rendering.pages.table import BEST, Table, drawn
from rankconv.rendering.pages.wrapping import BETWEEN, READABLE, cell_len, hanging, in_columns, longest, prose, wrapped

BARS, SHORTEST = 40, 8
"""Columns of the bars, at most and at least; where there is less room, there are none."""
LEAST = 16
"""Columns of the names, at least."""


def bar_lines(given: Waterfall, width: int | None) -> Iterator[str]:
    """Each step's bar leads from the number before it to the one after it."""
    totals, ends = given.totals, [number(value, given.digits) for _, value in (given.first, given.second)]
    values = [ends[0], *(step.shown for step in given.steps), ends[1]]
    names = [given.first[0], *(", ".join(step.names) for step in given.steps), given.second[0]]
    room, columns = _rooms(names, (width or READABLE) - given.digits - 8)
    low, span = min(totals), (max(totals) - min(totals)) or 1.0
    places = [round((total - low) / span * (columns - 1)) for total in (*totals, given.second[1])]
    begin, end = (" " * place + "│" for place in (places[0], places[-1]))
    steps = [" " * min(pair) + ("█" * (max(pair) - min(pair)) or "▏") for pair in pairwise(places[:-1])]
    bars = [begin, *steps, end] if columns else [""] * len(names)
    for name, value, bar in zip(names, values, bars, strict=True):
        first, *rest = wrapped(name, room)
        yield f"{first}{' ' * (room - cell_len(first))}  {value:>{given.digits + 3}}  {bar}".rstrip()
        yield from (f"  {line}" for line in rest)


def _rooms(names: Sequence[str], width: int) -> tuple[int, int]:
    """Columns of the names, whose words stay whole, and of the bars, which get what is left."""
    least = max([LEAST, *map(longest, names)])
    room = max(least, min(width - BARS, max(map(cell_len, names))))
    bars = min(BARS, width - room)
    return room, bars if bars >= SHORTEST else 0


NAMES = 24
"""Columns that names get next to the numbers at least."""


def value_lines(values: Values, width: int | None) -> Iterator[str]:
    """A line for each row of numbers, with names next to them and what else is shown below the names.

    Where the numbers leave no room for names, all of it is a table folded to the width.
    """
    room = None if width is None else width - len(values.indent)
    legend = [values.table.legend(BEST)] if values.best else []
    lines = [*_rows(values, room), *_absent(values, room), *legend]
    yield from (f"{values.indent}{part}".rstrip() for line in lines for part in line.split("\n"))


def _rows(values: Values, width: int | None) -> Iterator[str]:
    if _folds(values, width):
        yield from drawn(values.table, width)
        return
    heads = [(values.heads, values.texts[:1])] if values.heads else []
    for cells, (names, *more) in [*heads, *_starred(values)]:
        numbers = "".join(map(_right, cells, values.sizes))
        yield in_columns(numbers, names, width)
        yield from (in_columns(" " * len(numbers), words, width) for words in more if words)


def _starred(values: Values) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """The rows with a sign after the best numbers, and a blank after the others."""
    for row, (cells, words) in enumerate(values.rows):
        signs = [BEST if (row, place) in values.best else " " for place in range(len(cells))]
        yield [cell + sign for cell, sign in zip(cells, signs, strict=True)] if values.best else cells, words


def _absent(values: Values, width: int | None) -> Iterator[str]:
    room = values.sizes[0] if _folds(values, width) else sum(values.sizes)
    yield from (in_columns(f"{'none':>{room}}", words, width) for words in values.absent)


def _folds(values: Values, width: int | None) -> bool:
    """Whether the numbers leave no room for names next to them."""
    return width is not None and sum(values.sizes) + BETWEEN + NAMES > width


def _right(text: str, room: int) -> str:
    return " " * (room - cell_len(printable(text))) + printable(text)


NARROW = 60
"""Columns up to which settings stand above what they did."""
DEEPER = "    "
"""Comes before the lines in which a formula or title goes on."""


def text(page: Page, width: int | None = 100) -> str:
    """The whole page; where the width is None, tables are not folded and prose is as wide as can be read."""
    sections = ("\n".join(lines(pieces, width)) for pieces in page.sections)
    return "\n\n".join(filter(None, sections))


def lines(pieces: Iterable[Piece], width: int | None) -> list[str]:
    """The lines of these pieces."""
    return [line for piece in pieces for part in _piece_texts(piece, width) for line in part.split("\n")]


def _piece_texts(piece: Piece, width: int | None) -> Iterable[str]:
    """One piece as lines, some of which may have line ends in them."""
    match piece:
        case Title(words):
            return [prose(words, width, rest=DEEPER)]
        case Heading(words, more):
            return [prose(f"{words}: {more}", width, rest="  ") if more else words]
        case Paragraph(words, first, rest):
            return [prose(words, width, first, rest)]
        case TextLine(words) | Code(words):
            return [hanging(line, width) for line in words.split("\n")]
        case Note(words):
            return [printable(words) if width is None else prose(words, width)]
        case Aside(head, words, deeper):
            return [in_columns(head, words, width, deeper)]
        case SettingsColumn(pairs):
            return _settings(pairs, width)
        case Values():
            return value_lines(piece, width)
        case StatedDefinition():
            return _stated(piece, width)
        case Fold(words, pieces):
            return [prose(words, width, rest=DEEPER), "", *lines(pieces, width)]
        case Equation():
            return [prose(_equation(piece), width, rest=DEEPER)]
        case Table():
            return _table(piece, width)
        case Waterfall():
            return bar_lines(piece, width)
        case StripPlot():
            return block_lines(piece, width)
        case Drawing():
            return []


def _equation(given: Equation) -> str:
    from rankconv.rendering.numbers.exact import equation_sides
    from rankconv.rendering.numbers.writing import text as written

    return given.name + "".join(f" {'=' if equal else '≈'} {written(side)}" for equal, side in equation_sides(given.of))


def _table(table: Table, width: int | None) -> list[str]:
    notes = [*filter(None, [table.legend(BEST)]), *table.notes]
    return [*drawn(table, width), *([""] if notes else []), *lines(map(Note, notes), width)]


def _settings(pairs: Sequence[tuple[str, str]], width: int | None) -> Iterator[str]:
    """Settings in a column, what they did next to them; below them where that is narrow."""
    column, room = max((len(setting) for setting, _ in pairs), default=0), width or READABLE
    for setting, words in pairs:
        if column <= room // 2 and room > NARROW:
            yield in_columns(f"  {setting:<{column}}", words, width and min(width, READABLE))
        else:
            yield from (hanging(f"  {setting}", width), prose(words, width, DEEPER, DEEPER))


def _stated(given: StatedDefinition, width: int | None) -> Iterator[str]:
    yield prose(given.words, width)
    yield ""
    yield prose("LaTeX of the value of a user, and of the number:", width)
    yield from (hanging(f"  {formula}", width) for formula in given.formulas)
    if given.symbols:
        yield ""
        yield prose(f"{'; '.join(f'{sign}: {words}' for sign, words in given.symbols.items())}.", width)
