"""A search for a number, as lines for a terminal."""

from collections.abc import Iterator
from textwrap import fill
from typing import TYPE_CHECKING

from rankconv.report.by_value import beside

if TYPE_CHECKING:
    from rankconv.identifying.identified import Identified, Row

FIGURES = 10
"""Decimals of the full values."""
FEW = 6
"""So many presets are named."""


def identified_text(found: "Identified", width: int, most: int) -> str:
    """Each row with its value in full, its presets, and what parts it from the row above; then what is still open."""
    return "\n".join(_lines(found, width, most))


def _lines(found: "Identified", width: int, most: int) -> Iterator[str]:
    number = f"{found.metric} = {found.sought.text}"
    if not found.found:
        yield f"{number}: none of {found.tried:,} definitions gives it on these {found.users:,} users."
        yield from _not_found(found, width)
        return
    yield f"{number}: {_classes(len(found.rows))} of {found.tried:,} definitions tried on {found.users:,} users."
    for row in found.rows[:most]:
        yield ""
        yield from _row_lines(row, width)
    hidden = max(0, len(found.rows) - most)
    if hidden or found.left_off:
        yield ""
        yield fill(_further(hidden, found.left_off), width)
    yield ""
    yield from _open(found, width)


def _classes(count: int) -> str:
    return "1 class" if count == 1 else f"{count} classes"


def _row_lines(row: "Row", width: int) -> Iterator[str]:
    value = f"{row.value:.{FIGURES}f}"
    indent = " " * len(value)
    how = "labels and run exchanged; " if row.exchanged else ""
    away = f"; {row.distance} from {row.definition.preset}" if row.distance else ""
    yield beside(value, f"{row.spec}   ({how}{row.how}{away})", width)
    if len(row.presets) > 1:
        yield beside(indent, _presets(row), width)
    if row.count > max(1, len(row.presets)):
        yield beside(indent, f"{row.count:,} definitions are equal here", width)
    if row.separating:
        yield beside(indent, f"^ against the row above: {', '.join(row.separating)}", width)


def _presets(row: "Row") -> str:
    names = [text.partition(":")[0] for text in row.presets]
    told = ", ".join(dict.fromkeys(names[:FEW]))
    more = len(set(names)) - FEW
    return f"also {told}" + (f" and {more} more presets" if more > 0 else "")


def _further(hidden: int, left_off: int) -> str:
    told = [f"{hidden} more rows, further from the presets"] if hidden else []
    told += [f"{left_off:,} groups that lie still further and were not looked at"] if left_off else []
    return f"And {', and '.join(told)}."


def _open(found: "Identified", width: int) -> Iterator[str]:
    if len(found.rows) > 1:
        told = f"{found.digits} decimals would tell these rows apart"
        yield f"{told}." if found.digits else "No number of decimals tells these rows apart; other data would."
    if found.who_would_tell:
        told = "; ".join(found.who_would_tell)
        yield fill(f"These data cannot decide between the definitions of the first row. What would: {told}.", width)


def _not_found(found: "Identified", width: int) -> Iterator[str]:
    if found.elsewhere:
        yield "It comes out elsewhere:"
        for row in found.elsewhere[:FEW]:
            yield from _row_lines(row, width)
    yield "Nearest presets:"
    for row in found.nearest:
        yield beside(f"{row.value:.{FIGURES}f}", f"{row.spec}, {found.sought.gap(row.value):.2g} away", width)
    causes = "a definition further from all presets, a mistake in the number, or other data: another split, filtered items"
    tried = "the usual cutoffs and the levels of relevance in the data were tried too"
    yield fill(f"What remains: {causes}" + ("" if found.elsewhere else f" ({tried})") + ".", width)
