"""The tables that users see: a result, a comparison, a preset, the lists of presets and metrics."""

import math
from typing import TYPE_CHECKING

from rankconv.report.table import Table

if TYPE_CHECKING:
    from rankconv.comparison import Comparison
    from rankconv.results import Result

ABSENT, REFUSED = "–", "refused"
"""What stands where a preset does not offer the metric, and where its system would refuse the data."""


def number(value: float, digits: int = 4) -> str:
    """A number as tables show it."""
    return "NaN" if math.isnan(value) else f"{value:.{digits}f}"


def result_table(result: "Result", digits: int = 4) -> Table:
    """Metrics, their means, and how many users are behind them."""
    rows = []
    for spec, one in result.by_spec.items():
        counts = dict(one.counts)
        scored = counts.pop("scored", 0)
        value = REFUSED if one.refusals else number(one.mean, digits)
        rows.append([spec, value, str(scored), ", ".join(f"{name}: {count}" for name, count in counts.items())])
    notes = [f"Preset: {result.preset}" + (f", run: {result.run}" if result.run else "") + "."]
    notes += [f"{spec}: {refusals[0].why}." for spec, refusals in result.errors.items()]
    return Table(["metric", "mean", "scored", "other users"], rows, notes=notes)


def comparison_table(comparison: "Comparison", digits: int = 4, width: int | None = None) -> Table:
    """Metrics by presets; presets by metrics where that does not fit the width."""
    table = _metrics_by_presets(comparison, digits)
    if width is None or table.width <= width:
        return table
    turned = _presets_by_metrics(comparison, digits)
    return turned if turned.width < table.width else table


def _cell(comparison: "Comparison", run: str, metric: str, preset: str, digits: int) -> str:
    cell = comparison.cell(metric, preset, run)
    if cell is None:
        return ABSENT
    return REFUSED if cell.refusals else number(cell.mean, digits)


def _metrics_by_presets(comparison: "Comparison", digits: int) -> Table:
    places = [[(metric, preset) for preset in comparison.presets] for metric in comparison.metrics]
    return _grid(comparison, digits, "metric", comparison.metrics, comparison.presets, places)


def _presets_by_metrics(comparison: "Comparison", digits: int) -> Table:
    places = [[(metric, preset) for metric in comparison.metrics] for preset in comparison.presets]
    return _grid(comparison, digits, "preset", comparison.presets, comparison.metrics, places)


def _grid(
    comparison: "Comparison",
    digits: int,
    corner: str,
    heads: list[str],
    columns: list[str],
    places: list[list[tuple[str, str]]],
) -> Table:
    """One row per head and run, with the numbers of its (metric, preset) places."""
    several = len(comparison.runs) > 1
    rows = [
        [head, *([run] if several else []), *(_cell(comparison, run, *place, digits) for place in line)]
        for head, line in zip(heads, places, strict=True)
        for run in comparison.runs
    ]
    labels = [corner, "run"] if several else [corner]
    return Table([*labels, *columns], rows, labels=len(labels), notes=comparison.notes)
