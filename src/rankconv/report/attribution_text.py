"""Why two numbers differ, for a terminal: a waterfall of text bars, and who moves most."""

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from rich.cells import cell_len

from rankconv.attributing.sides import explaining
from rankconv.report.attribution_table import digits_for, notes, shares
from rankconv.report.tables import number
from rankconv.report.wrapping import READABLE, command, longest, prose, wrapped

if TYPE_CHECKING:
    from rankconv.attributing.attribution import Attribution, Contribution, Mover

BARS, SHORTEST = 40, 8
"""Columns of the bars, at most and at least; where there is less room, there are none."""
LEAST = 16
"""Columns of the names, at least."""


def text_of(found: "Attribution", width: int | None, digits: int | None, files: str) -> str:
    """The whole page."""
    decimals = digits_for(found, digits)
    first, second = (number(one.mean, decimals) for one in (found.first, found.second))
    said = f"{found.difference:+.{decimals}f}" if found.difference else "no difference"
    lines = [prose(f"{found.metric}: {found.ours.name} {first}, {found.other.name} {second}: {said}", width), ""]
    if found.contributions:
        lines += [*_waterfall(found, width, decimals), ""]
    lines += [prose(note, width) for note in notes(found, decimals)]
    for one in found.contributions:
        lines += ["", *_movers(found, one, width, decimals, files)]
    return "\n".join(lines)


def _waterfall(found: "Attribution", width: int | None, digits: int) -> Iterator[str]:
    """Each answer's bar leads from the number before it to the one after it."""
    totals = list(accumulate([one.share for one in found.contributions], initial=found.first.mean))
    values = [number(found.first.mean, digits), *shares(found, digits), number(found.second.mean, digits)]
    names = [found.ours.name, *(one.player.change for one in found.contributions), found.other.name]
    room, columns = _rooms(names, (width or READABLE) - digits - 8)
    scale = _Scale(min(totals), max(totals), columns)
    bars = [scale.mark(totals[0]), *(scale.bar(*pair) for pair in pairwise(totals)), scale.mark(found.second.mean)]
    for name, value, bar in zip(names, values, bars, strict=True):
        first, *rest = wrapped(name, room)
        yield f"{first}{' ' * (room - cell_len(first))}  {value:>{digits + 3}}  {bar}".rstrip()
        yield from (f"  {line}" for line in rest)


def _rooms(names: Sequence[str], width: int) -> tuple[int, int]:
    """Columns of the names, whose words stay whole, and of the bars, which get what is left."""
    least = max([LEAST, *map(longest, names)])
    room = max(least, min(width - BARS, max(map(cell_len, names))))
    bars = min(BARS, width - room)
    return room, bars if bars >= SHORTEST else 0


class _Scale:
    """Where a number stands among the columns of the bars; nowhere where there are none."""

    def __init__(self, low: float, high: float, columns: int) -> None:
        self.low, self.span, self.columns = low, (high - low) or 1.0, columns

    def _at(self, value: float) -> float:
        return (value - self.low) / self.span * (self.columns - 1)

    def mark(self, value: float) -> str:
        return " " * round(self._at(value)) + "│" if self.columns else ""

    def bar(self, before: float, after: float) -> str:
        if not self.columns:
            return ""
        start, end = sorted((round(self._at(before)), round(self._at(after))))
        return " " * start + ("█" * (end - start) or "▏")


def _movers(found: "Attribution", one: "Contribution", width: int | None, digits: int, files: str) -> Iterator[str]:
    """The users with the largest parts in one answer, and the command that works out the first of them."""
    movers = found.movers(one)
    moved = int((one.parts != 0).sum())
    if not movers:
        return
    more = ", most of all" if moved > len(movers) else ""
    yield prose(f"{one.text} moves {moved} {'user' if moved == 1 else 'users'}{more}:", width)
    for mover in movers:
        yield prose(_told(mover, digits), width, "  ", "    ")
    for line in explaining(movers[0].user, files, found.ours, found.other):
        yield from command(line, width, "  ")


def _told(mover: "Mover", digits: int) -> str:
    values = (mover.before, mover.after)
    before, after = ("not counted" if math.isnan(value) else number(value, digits) for value in values)
    return f"{mover.user!s:<12} {mover.part:+.{digits + 1}f} of it; in all {before} → {after}"
