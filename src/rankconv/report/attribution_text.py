"""Why two numbers differ, for a terminal: a waterfall of text bars, and who moves most."""

import math
from collections.abc import Iterator
from itertools import accumulate, pairwise
from textwrap import wrap
from typing import TYPE_CHECKING

from rankconv.attributing.sides import explaining
from rankconv.report.attribution_table import digits_for, notes, shares
from rankconv.report.tables import number

if TYPE_CHECKING:
    from rankconv.attributing.attribution import Attribution, Contribution, Mover

BARS = 40
"""Columns of the bars."""
LEAST = 16
"""Columns of the names, at least."""


def text_of(found: "Attribution", width: int, digits: int | None, files: str) -> str:
    """The whole page."""
    decimals = digits_for(found, digits)
    first, second = (number(one.mean, decimals) for one in (found.first, found.second))
    said = f"{found.difference:+.{decimals}f}" if found.difference else "no difference"
    lines = [*wrap(f"{found.metric}: {found.ours.name} {first}, {found.other.name} {second}: {said}", width), ""]
    if found.contributions:
        lines += [*_waterfall(found, width, decimals), ""]
    for note in notes(found, decimals):
        lines += wrap(note, width, break_on_hyphens=False)
    for one in found.contributions:
        lines += ["", *_movers(found, one, width, decimals, files)]
    return "\n".join(lines)


def _waterfall(found: "Attribution", width: int, digits: int) -> Iterator[str]:
    """Each answer's bar leads from the number before it to the one after it."""
    totals = list(accumulate([one.share for one in found.contributions], initial=found.first.mean))
    scale = _Scale(min(totals), max(totals))
    values = [number(found.first.mean, digits), *shares(found, digits), number(found.second.mean, digits)]
    names = [found.ours.name, *(one.player.change for one in found.contributions), found.other.name]
    bars = [scale.mark(totals[0]), *(scale.bar(*pair) for pair in pairwise(totals))]
    room = max(LEAST, min(width - BARS - digits - 8, max(map(len, names))))
    for name, value, bar in zip(names, values, [*bars, scale.mark(found.second.mean)], strict=True):
        first, *rest = wrap(name, room, break_on_hyphens=False)
        yield f"{first:<{room}}  {value:>{digits + 3}}  {bar}".rstrip()
        yield from (f"  {line}" for line in rest)


class _Scale:
    """Where a number stands among the columns of the bars."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.span = low, (high - low) or 1.0

    def _at(self, value: float) -> float:
        return (value - self.low) / self.span * (BARS - 1)

    def mark(self, value: float) -> str:
        return " " * round(self._at(value)) + "│"

    def bar(self, before: float, after: float) -> str:
        start, end = sorted((round(self._at(before)), round(self._at(after))))
        return " " * start + ("█" * (end - start) or "▏")


def _movers(found: "Attribution", one: "Contribution", width: int, digits: int, files: str) -> Iterator[str]:
    """The users with the largest parts in one answer, and the command that works out the first of them."""
    movers = found.movers(one)
    moved = int((one.parts != 0).sum())
    if not movers:
        return
    more = ", most of all" if moved > len(movers) else ""
    yield from wrap(f"{one.text} moves {moved} {'user' if moved == 1 else 'users'}{more}:", width)
    for mover in movers:
        yield f"  {_told(mover, digits)}"
    yield from (f"  {line}" for line in explaining(movers[0].user, files, found.ours, found.other))


def _told(mover: "Mover", digits: int) -> str:
    values = (mover.before, mover.after)
    before, after = ("not counted" if math.isnan(value) else number(value, digits) for value in values)
    return f"{mover.user!s:<12} {mover.part:+.{digits + 1}f} of it; in all {before} → {after}"
