"""A search for a number, as lines for a terminal."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rankconv.report.by_value import beside
from rankconv.report.wrapping import prose

if TYPE_CHECKING:
    from rankconv.identifying.identified import Identified, Row
    from rankconv.identifying.together import IdentifiedTogether, Together

FIGURES = 10
"""Decimals of the full values."""
FEW = 6
"""So many presets are named."""
IN_FULL = "All of it: --all, in Python text(most=None)."
"""What shows what was left out."""


def identified_text(found: "Identified", width: int | None, most: int | None) -> str:
    """Each row with its value in full, its presets, and what parts it from the row above; then what is still open."""
    return "\n".join(_lines(found, width, most))


def together_text(found: "IdentifiedTogether", width: int | None, most: int | None) -> str:
    """What gives all numbers, then what gives each."""
    return "\n".join(_together_lines(found, width, most))


def _together_lines(found: "IdentifiedTogether", width: int | None, most: int | None) -> Iterator[str]:
    numbers = ", ".join(f"{metric} = {one.sought.text}" for metric, one in found.each.items())
    if not found.found:
        yield prose(f"{numbers}: no preset, and no judging and averaging shared by all, gives these together.", width)
    else:
        ways = "1 way" if len(found.rows) == 1 else f"{len(found.rows)} ways"
        yield prose(f"{numbers}: {ways} to give them together.", width)
    for row in found.rows[:most]:
        yield ""
        yield from _way_lines(row, width, most)
    hidden = 0 if most is None else max(0, len(found.rows) - most)
    if hidden:
        yield f"\nAnd {hidden} more, further from the presets."
    for metric, one in found.each.items():
        told = _classes(len(one.rows)) if one.found else "none"
        yield f"\n{metric} = {one.sought.text} alone: {told} of {one.tried:,} definitions tried."
    if hidden or (most is not None and any(len(row.presets) > FEW for row in found.rows)):
        yield f"\n{IN_FULL}"


def _way_lines(row: "Together", width: int | None, most: int | None) -> Iterator[str]:
    if row.presets:
        yield prose(_few(row.presets, "presets", most), width)
    else:
        yield f"{row.distance} answer{'s' if row.distance > 1 else ''} from a preset"
    for metric, definition in row.definitions.items():
        yield beside(f"  {row.values[metric]:.{FIGURES}f}", definition.text, width)


def _few(names: Sequence[str], what: str, most: int | None) -> str:
    if most is None or len(names) <= FEW:
        return ", ".join(names)
    return f"{', '.join(names[:FEW])} and {len(names) - FEW} more {what}"


def _lines(found: "Identified", width: int | None, most: int | None) -> Iterator[str]:
    number = f"{found.metric} = {found.sought.text}"
    if not found.found:
        yield prose(f"{number}: none of {found.tried:,} definitions gives it for {_users(found.users)}.", width)
        yield from _not_found(found, width)
        return
    classes = _classes(len(found.rows))
    yield prose(f"{number}: {classes} of {found.tried:,} definitions tried on {_users(found.users)}.", width)
    for row in found.rows[:most]:
        yield ""
        yield from _row_lines(row, width, most)
    hidden = 0 if most is None else max(0, len(found.rows) - most)
    if hidden or found.left_off:
        yield ""
        yield prose(_further(hidden, found.left_off), width)
    yield ""
    yield from _open(found, width, most)
    listed = [found.who_would_tell, *map(_others, found.rows)]
    if hidden or (most is not None and any(len(names) > FEW for names in listed)):
        yield IN_FULL


def _users(count: int) -> str:
    return f"{count:,} user{'s' * (count != 1)}"


def _classes(count: int) -> str:
    return "1 class" if count == 1 else f"{count} classes"


def _row_lines(row: "Row", width: int | None, most: int | None = 0) -> Iterator[str]:
    value = f"{row.value:.{FIGURES}f}"
    indent = " " * len(value)
    how = "labels and run exchanged; " if row.exchanged else ""
    away = f"; {row.distance} from {row.definition.preset}" if row.distance else ""
    yield beside(value, f"{row.told}   ({how}{row.how}{away})", width)
    if _others(row):
        yield beside(indent, f"also {_few(_others(row), 'presets', most)}", width)
    if row.count > max(1, len(row.presets)):
        yield beside(indent, f"{row.count:,} definitions are equal here", width)
    if row.separating:
        yield beside(indent, f"^ against the row above: {', '.join(row.separating)}", width)


def _others(row: "Row") -> list[str]:
    """The presets that give the row besides the one that it is written with."""
    names = dict.fromkeys(text.partition(":")[0] for text in row.presets)
    return [name for name in names if name != row.definition.preset]


def _further(hidden: int, left_off: int) -> str:
    told = [f"{hidden} more rows, further from the presets"] if hidden else []
    told += [f"{left_off:,} groups that lie still further and were not looked at"] if left_off else []
    return f"And {', and '.join(told)}."


def _open(found: "Identified", width: int | None, most: int | None) -> Iterator[str]:
    if len(found.rows) > 1:
        told = f"{found.digits} decimals would tell these rows apart"
        none = "No number of decimals tells these rows apart; other data would."
        yield prose(f"{told}." if found.digits else none, width)
    if found.who_would_tell:
        shown = found.who_would_tell[: None if most is None else FEW]
        more = len(found.who_would_tell) - len(shown)
        told = "; ".join(shown) + (f"; and {more} more" if more else "")
        yield prose(f"These data cannot decide between the definitions of the first row. What would: {told}.", width)


def _not_found(found: "Identified", width: int | None) -> Iterator[str]:
    if found.elsewhere:
        yield "It comes out elsewhere:"
        for row in found.elsewhere[:FEW]:
            yield from _row_lines(row, width)
    yield "Nearest presets:"
    for row in found.nearest:
        yield beside(f"{row.value:.{FIGURES}f}", f"{row.told}, {found.sought.gap(row.value):.2g} away", width)
    causes = (
        "a definition further from all presets, a mistake in the number, or other data: another split, filtered items"
    )
    tried = "the usual cutoffs and the levels of relevance in the data were tried too"
    yield prose(f"What remains: {causes}" + ("" if found.elsewhere else f" ({tried})") + ".", width)
