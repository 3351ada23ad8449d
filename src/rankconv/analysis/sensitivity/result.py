"""How far a number moves with its definition: printed, drawn, or as data."""

from dataclasses import dataclass
from typing import Any

from rankconv.analysis.sensitivity.numbers import VariedNumber
from rankconv.analysis.sensitivity.page import heat_map, page
from rankconv.analysis.sensitivity.tables import data_of, sensitivity_table
from rankconv.pages import forms
from rankconv.pages.heat_plot import draw
from rankconv.pages.page import Page
from rankconv.pages.picture import Target
from rankconv.pages.shown import Drawn
from rankconv.pages.table import Table


@dataclass(frozen=True, eq=False, repr=False)
class SensitivityResult(Drawn, VariedNumber):
    """How much a number depends on its definition.

    `ranges` has one row for all presets, and one each for orders of ties, cutoffs and thresholds: there it is the
    preset whose number moves most. With several runs, `flips` are the pairs whose order depends on the preset, and
    `tau` says how alike presets order all of them.
    """

    def page(self, digits: int = 4, *, whole: bool = False) -> Page:
        """How far the number goes, and under what; long lists in short, unless the `whole` is asked for."""
        return page(self, digits, whole)

    def table(self, digits: int = 4) -> Table:
        """Every number: a row for each preset and run, a column for each variation."""
        return sensitivity_table(self, digits)

    def text(self, width: int | None = 100, digits: int = 4, *, whole: bool = False) -> str:
        """For a terminal of this width; long lists in short, unless the `whole` is asked for."""
        return forms.text(self.page(digits, whole=whole), width)

    def markdown(self, digits: int = 4) -> str:
        """All numbers as a GitHub Markdown table: a row per preset and run."""
        return self.table(digits).markdown()

    def latex(self, digits: int = 4) -> str:
        """All numbers as a LaTeX table (booktabs)."""
        return self.table(digits).latex()

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; NaN is None, as JSON has it."""
        return data_of(self)

    def plot(self, path: Target, digits: int = 4) -> None:
        """Draw a heat map and parallel coordinates into an SVG or PNG file. Needs matplotlib."""
        draw(heat_map(self, digits), path)
