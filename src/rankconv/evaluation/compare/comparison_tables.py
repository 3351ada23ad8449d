"""A comparison as tables: metrics by presets, or how far each metric goes."""

import math
from collections import Counter
from dataclasses import replace

from rankconv.evaluation.compare.compared import ComparedNumbers
from rankconv.pages.cells import ABSENT, REFUSED, number
from rankconv.pages.table import Table

MANY, FEW = 150, 12
"""From more rows on a comparison is summed up; what separates the presets is told of at most so many."""


def comparison_table(comparison: ComparedNumbers, digits: int = 4, width: int | None = None) -> Table:
    """Metrics by presets; presets by metrics where only that fits the width, or is folded into fewer lines."""
    table = _metrics_by_presets(comparison, digits)
    if width is None:
        return table
    from rankconv.pages.folding import shorter

    return shorter(table, _presets_by_metrics(comparison, digits), width)


def shortened(comparison: ComparedNumbers, digits: int = 4, width: int | None = None) -> tuple[Table, str]:
    """What a terminal of this width shows of the numbers, and in words what is left out of it, if anything is."""
    if len(comparison.presets) * len(comparison.runs) > MANY:
        told = f"{len(comparison.presets)} presets and {len(comparison.runs)} runs, in short"
        return comparison_summary(comparison, digits), told
    table = comparison_table(comparison, digits, width)
    if len(comparison.presets) <= FEW:
        return table, ""
    return replace(table, notes=short_notes(comparison)), "What parts so many presets is left out"


def comparison_summary(comparison: ComparedNumbers, digits: int = 4) -> Table:
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


def short_notes(comparison: ComparedNumbers) -> list[str]:
    """Who refuses some number, and how often the order of the runs changes."""
    refusing = sorted({preset for (_, _, preset), cell in comparison.cells.items() if cell.refusals})
    notes = [f"Some number is refused by {', '.join(refusing)}."] if refusing else []
    outside = {metric for (_, metric, _), cell in comparison.cells.items() if cell.note}
    notes += [f"{metric}: {_outside(comparison, metric)}." for metric in comparison.metrics if metric in outside]
    for metric in comparison.metrics if len(comparison.runs) > 1 else []:
        orders = list(comparison.orders(metric).values())
        if len(set(orders)) > 1:
            [(first, often)] = Counter(order[0] for order in orders).most_common(1)
            told = f"{first} is first under {often} of {len(orders)} presets"
            notes.append(f"{metric}: the presets put the runs into {len(set(orders))} different orders; {told}.")
    return notes


def _outside(comparison: ComparedNumbers, metric: str) -> str:
    """Under how many presets a metric has values outside its bounds, and the first note of them."""
    noted = {preset: cell.note for (_, one, preset), cell in comparison.cells.items() if one == metric and cell.note}
    first = next(iter(noted))
    return f"values outside its bounds under {len(noted)} presets; under {first}, {noted[first]}"


def _cell(comparison: ComparedNumbers, run: str, metric: str, preset: str, digits: int) -> str:
    cell = comparison.cell(metric, preset, run)
    if cell is None:
        return ABSENT
    return REFUSED if cell.refusals else number(cell.mean, digits)


def _metrics_by_presets(comparison: ComparedNumbers, digits: int) -> Table:
    places = [[(metric, preset) for preset in comparison.presets] for metric in comparison.metrics]
    return _grid(comparison, digits, "metric", comparison.metrics, comparison.presets, places)


def _presets_by_metrics(comparison: ComparedNumbers, digits: int) -> Table:
    places = [[(metric, preset) for metric in comparison.metrics] for preset in comparison.presets]
    return _grid(comparison, digits, "preset", comparison.presets, comparison.metrics, places)


def _grid(
    comparison: ComparedNumbers,
    digits: int,
    corner: str,
    heads: list[str],
    columns: list[str],
    places: list[list[tuple[str, str]]],
) -> Table:
    """One row per head and run, with the numbers of its (metric, preset) places; marked where the first differs."""
    several = len(comparison.runs) > 1
    rows = [
        [head, *([run] if several else []), *(_cell(comparison, run, *place, digits) for place in line)]
        for head, line in zip(heads, places, strict=True)
        for run in comparison.runs
    ]
    labels = [corner, "run"] if several else [corner]
    firsts = [
        [*([""] * len(labels)), *(_cell(comparison, run, metric, comparison.presets[0], digits) for metric, _ in line)]
        for line in places
        for run in comparison.runs
    ]
    marked = frozenset(
        (row, place)
        for row, (cells, first) in enumerate(zip(rows, firsts, strict=True))
        for place in range(len(labels), len(cells))
        if cells[place] not in (first[place], ABSENT)
    )
    return Table([*labels, *columns], rows, labels=len(labels), notes=comparison.notes, marked=marked)
