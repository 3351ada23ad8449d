"""Numbers of one or several runs under many definitions: as tables, as a frame, or as plain data."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.engine.measured import Measured
from rankconv.evaluation.compare.by_value import page
from rankconv.evaluation.compare.compared import ComparedNumbers
from rankconv.evaluation.compare.comparison_tables import comparison_table, shortened
from rankconv.pages.page import Note, Page
from rankconv.pages.shown import Shown
from rankconv.pages.table import Table

if TYPE_CHECKING:
    import polars as pl

ALL = "to_frame() has every number, page() who agrees with whom"


@dataclass(frozen=True, eq=False)
class Comparison(Shown, ComparedNumbers):
    """Numbers of one or several runs, by metric and preset.

    `comparison["ndcg@10", "mllib"]` is a mean: NaN where the preset does not offer the metric or refuses the data.
    """

    def page(self, digits: int = 4) -> Page:
        """Each metric's numbers from lowest to highest, with who gives them and what parts them."""
        return page(self, digits)

    def printed(self, width: int | None) -> Page:
        """The table, summed up where it would be long."""
        return self._summed_up(width, ALL)

    def pages(self) -> list[Page]:
        """The table, then each metric's numbers with who gives them."""
        return [self._summed_up(None, "each number stands below, with who gives it"), self.page()]

    def _summed_up(self, width: int | None, rest: str) -> Page:
        """The table; where it would be long in short, with the words for where the `rest` is."""
        table, left_out = shortened(self, width=width)
        return Page([[table, *([Note(f"{left_out}: {rest}.")] if left_out else [])]])

    def table(self, digits: int = 4, width: int | None = None) -> Table:
        """Metrics by presets; presets by metrics where only that fits the width, or is folded into fewer lines."""
        return comparison_table(self, digits, width)

    def to_dict(self) -> dict[str, Any]:
        """Plain data: run → metric → preset → mean (None where there is none), and the notes."""
        numbers = {
            run: {m: {p: _json_number(self.cell(m, p, run)) for p in self.presets} for m in self.metrics}
            for run in self.runs
        }
        return {"metrics": numbers if len(self.runs) > 1 else numbers[self.runs[0]], "notes": self.notes}

    def to_frame(self) -> "pl.DataFrame":
        """One row per number: run, metric, preset, mean, why it is missing, and a note on values outside its bounds."""
        import polars as pl

        rows = [
            {
                "run": run,
                "metric": metric,
                "preset": preset,
                "mean": _json_number(cell),
                "missing": _missing(cell),
                "note": _note(cell),
            }
            for run in self.runs
            for metric in self.metrics
            for preset in self.presets
            for cell in [self.cell(metric, preset, run)]
        ]
        texts = dict.fromkeys(("run", "metric", "preset"), pl.String)
        schema = {**texts, "mean": pl.Float64, "missing": pl.String, "note": pl.String}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def to_markdown(self, digits: int = 4) -> str:
        """The table and its notes as Markdown."""
        return self.table(digits).markdown()

    def to_latex(self, digits: int = 4) -> str:
        """The table as LaTeX (booktabs)."""
        return self.table(digits).latex()

    def __repr__(self) -> str:
        return f"Comparison({len(self.metrics)} metrics × {len(self.presets)} presets × {len(self.runs)} runs)"


def _json_number(cell: Measured | None) -> float | None:
    return None if cell is None or np.isnan(cell.mean) else cell.mean


def _note(cell: Measured | None) -> str | None:
    return None if cell is None else cell.note or None


def _missing(cell: Measured | None) -> str | None:
    if cell is None:
        return "not offered"
    return cell.refusals[0].why if cell.refusals else None
