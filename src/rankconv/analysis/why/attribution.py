"""Why two definitions give different numbers: printed, drawn, or as data."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rankconv.analysis.why.shares import Contribution, Mover, Shares
from rankconv.analysis.why.sides import explaining
from rankconv.analysis.why.tables import attribution_table, data_of, digits_for, notes, shares
from rankconv.data.ids import typed
from rankconv.pages import forms
from rankconv.pages.cells import number
from rankconv.pages.page import Command, Page, Paragraph, Piece, Step, Waterfall
from rankconv.pages.picture import Target
from rankconv.pages.shown import Drawn
from rankconv.pages.table import Table
from rankconv.pages.waterfall_plot import draw


@dataclass(frozen=True, eq=False, repr=False)
class Attribution(Drawn, Shares):
    """Why two definitions give different numbers.

    The exact shares of the `contributions` add up to the exact difference of the two numbers. Users have parts in a
    share, which add up to it where the mean is arithmetic and the same users count.
    """

    def page(self, digits: int | None = None, files: str = "LABELS RUN") -> Page:
        """The steps from the one number to the other, and who moves most; `files` stand in the commands."""
        decimals = digits_for(self, digits)
        first, second = (number(one.mean, decimals) for one in (self.first, self.second))
        said = f"{self.difference:+.{decimals}f}" if self.difference else "no difference"
        head = Paragraph(f"{self.metric}: {self.ours.name} {first}, {self.other.name} {second}: {said}")
        steps = [[self.waterfall(digits)]] if self.contributions else []
        movers = (list(_movers(self, one, decimals, files)) for one in self.contributions)
        return Page([[head], *steps, [Paragraph(note) for note in notes(self, decimals)], *filter(None, movers)])

    def table(self, digits: int | None = None) -> Table:
        """The first number, what each setting adds, the second number."""
        return attribution_table(self, digits)

    def waterfall(self, digits: int | None = None) -> Waterfall:
        """The steps from the one number to the other, to be drawn."""
        decimals = digits_for(self, digits)
        steps = [
            Step(one.player.changes, one.share, shown, one.standard_error if self.sampled else None)
            for one, shown in zip(self.contributions, shares(self, decimals), strict=True)
        ]
        first, second = (self.ours.name, self.first.mean), (self.other.name, self.second.mean)
        title = f"Why {self.metric} of {self.other.name} is not that of {self.ours.name}"
        return Waterfall(title, self.metric, first, second, steps, decimals)

    def pictures(self) -> Page:
        """None: a page shows the steps as bars beside their numbers."""
        return Page([])

    def text(self, width: int | None = 100, digits: int | None = None, files: str = "LABELS RUN") -> str:
        """For a terminal of this width; `files` stand in the commands that are printed to be copied."""
        return forms.text(self.page(digits, files), width)

    def markdown(self, digits: int | None = None) -> str:
        """The contributions as a GitHub Markdown table."""
        return self.table(digits).markdown()

    def latex(self, digits: int | None = None) -> str:
        """The contributions as a LaTeX table (booktabs)."""
        return self.table(digits).latex()

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; NaN is None, as JSON has it."""
        return data_of(self)

    def plot(self, path: Target, digits: int | None = None) -> None:
        """Draw the waterfall into an SVG or PNG file. Needs matplotlib."""
        draw(self.waterfall(digits), path)


def _movers(found: Shares, one: Contribution, digits: int, files: str) -> Iterator[Piece]:
    """The users with the largest parts in one setting, and the command that works out the first of them."""
    movers = found.movers(one)
    moved = int((one.parts != 0).sum())
    if not movers:
        return
    more = ", most of all" if moved > len(movers) else ""
    yield Paragraph(f"{one.text} moves {moved} {'user' if moved == 1 else 'users'}{more}:")
    yield from (Paragraph(_told(mover, digits), "  ", "    ") for mover in movers)
    yield from (Command(line, "  ") for line in explaining(movers[0].user, files, found.ours, found.other))


def _told(mover: Mover, digits: int) -> str:
    values = (mover.before, mover.after)
    before, after = ("not counted" if math.isnan(value) else number(value, digits) for value in values)
    return f"{typed(mover.user):<12} {mover.part:+.{digits + 1}f} of it; in all {before} → {after}"
