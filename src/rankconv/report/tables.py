"""The tables that users see: a result, a comparison, a preset, the lists of presets and metrics."""

import math
from collections import Counter
from typing import TYPE_CHECKING

from rankconv.report.folding import fold, span
from rankconv.report.table import Table

if TYPE_CHECKING:
    from rankconv.comparison import Comparison
    from rankconv.results import Result

ABSENT, REFUSED = "–", "refused"
"""What stands where a preset does not offer the metric, and where its system would refuse the data."""

BETWEEN = 3
"""Lines of a part of a folded table besides its rows."""


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
    return Table(["metric", "mean", "scored", "other users"], rows, notes=notes, prose=frozenset({3}))


def comparison_table(comparison: "Comparison", digits: int = 4, width: int | None = None) -> Table:
    """Metrics by presets; presets by metrics where only that fits the width, or is folded into fewer lines."""
    table = _metrics_by_presets(comparison, digits)
    if width is None or span(table) <= width:
        return table
    turned = _presets_by_metrics(comparison, digits)
    return turned if span(turned) <= width or _lines(turned, width) < _lines(table, width) else table


def _lines(table: Table, width: int) -> int:
    return sum(len(part.rows) + BETWEEN for part in fold(table, width))


def comparison_summary(comparison: "Comparison", digits: int = 4) -> Table:
    """For each metric and run, how far the numbers of the presets go, and how many different ones there are."""
    rows = []
    for metric in comparison.metrics:
        named = comparison.measured(metric)
        for place, run in enumerate(comparison.runs):
            means = [cells[place].mean for cells in named.values() if math.isfinite(cells[place].mean)]
            shown = [number(mean, digits) for mean in means]
            ends = [number(end(means), digits) if means else ABSENT for end in (min, max)]
            rows.append([metric, run, *ends, str(len(means)), str(len(set(shown)))])
    heads = ["metric", "run", "lowest", "highest", "presets", "different"]
    return Table(heads, rows, labels=2, notes=short_notes(comparison))


def short_notes(comparison: "Comparison") -> list[str]:
    """Who refuses some number, and how often the order of the runs changes."""
    refusing = sorted({preset for (_, _, preset), cell in comparison.cells.items() if cell.refusals})
    notes = [f"Some number is refused by {', '.join(refusing)}."] if refusing else []
    for metric in comparison.metrics if len(comparison.runs) > 1 else []:
        orders = list(comparison.orders(metric).values())
        if len(set(orders)) > 1:
            [(first, often)] = Counter(order[0] for order in orders).most_common(1)
            told = f"{first} is first under {often} of {len(orders)} presets"
            notes.append(f"{metric}: the presets put the runs into {len(set(orders))} different orders; {told}.")
    return notes


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
