"""Curves of runs: their points, as a table and as a picture."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.pages import forms
from rankconv.pages.cells import finite, number
from rankconv.pages.curve_plot import Curve, Curves, draw
from rankconv.pages.page import Page
from rankconv.pages.picture import Target
from rankconv.pages.shown import Drawn
from rankconv.pages.table import Table

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class Line:
    """One curve; arrays have shape (ranks,), from rank 1 on."""

    across: Numbers
    up: Numbers
    low: Numbers | None = None
    """The lower ends of the band of 95 %; None where there is none."""
    high: Numbers | None = None


@dataclass(frozen=True, eq=False, repr=False)
class RankCurve(Drawn):
    """Metrics of runs at each length of the list, or precision against recall; NaN where there is no value."""

    lines: Mapping[str, Line]
    across: str
    """What stands across: `k` or `recall`."""
    up: str
    title: str
    interpolated: bool = field(default=False)

    def to_frame(self) -> "pl.DataFrame":
        """All that is drawn: the line, k, what stands across, the value, and the ends of its band."""
        import polars as pl

        frames = [self._frame_of(name, one) for name, one in self.lines.items()]
        return pl.concat(frames) if self.across != "k" else pl.concat(frames).drop("across")

    def _frame_of(self, name: str, one: Line) -> "pl.DataFrame":
        import polars as pl

        size, nothing = len(one.up), np.full(len(one.up), np.nan)
        told: dict[str, Any] = {
            "line": [name] * size,
            "k": np.arange(1, size + 1),
            "across": one.across,
            "value": one.up,
        }
        if self.across != "k":
            return pl.DataFrame(told).rename({"across": self.across})
        ends = {end: nothing if values is None else values for end, values in (("low", one.low), ("high", one.high))}
        return pl.DataFrame({**told, **ends})

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; NaN is None."""
        told = {name: self._data_of(one) for name, one in self.lines.items()}
        return {"across": self.across, "up": self.up, "interpolated": self.interpolated, "lines": told}

    def _data_of(self, one: Line) -> dict[str, list[float | None]]:
        named = {self.across: one.across, self.up: one.up, "low": one.low, "high": one.high}
        return {name: list(map(finite, values.tolist())) for name, values in named.items() if values is not None}

    def table(self, digits: int = 4) -> Table:
        """A row for each rank: the values of all lines; against recall two columns for each."""
        longest = max((len(one.up) for one in self.lines.values()), default=0)
        heads, columns = ["k"], [[str(at + 1) for at in range(longest)]]
        for name, one in self.lines.items():
            for head, values in ((f"{name} {self.across}", one.across),) if self.across != "k" else ():
                heads.append(head)
                columns.append([number(value, digits) for value in values])
            heads.append(f"{name} {self.up}" if self.across != "k" else name)
            columns.append([number(value, digits) for value in one.up])
        filled = [column + [""] * (longest - len(column)) for column in columns]
        return Table(heads, list(zip(*filled, strict=True)), 0)

    def text(self, width: int | None = 100) -> str:
        """For a terminal of this width."""
        return forms.text(self.page(), width)

    def page(self) -> Page:
        """The table alone."""
        return Page([[self.table()]])

    def __repr__(self) -> str:
        return f"RankCurve({self.title})"

    def plot(self, path: Target) -> None:
        """Draw the curves into an SVG or PNG file."""
        of_recall = self.across != "k"
        lines = [Curve(name, one.across, one.up, one.low, one.high) for name, one in self.lines.items()]
        draw(Curves(self.title, self.across, self.up, lines, iso=of_recall, unit=of_recall), path)


def interpolated(up: Numbers) -> Numbers:
    """At each point the highest value there or further on, shape as `up`; NaN is passed over."""
    filled = np.where(np.isnan(up), -np.inf, up)
    best = np.maximum.accumulate(filled[::-1])[::-1]
    return np.where(np.isfinite(best), best, np.nan)
