"""How far numbers move with their definitions, as tables and as plain data."""

import math
from typing import TYPE_CHECKING, Any

from rankconv.report.table import Table
from rankconv.report.tables import ABSENT, number
from rankconv.varying.variations import AS_IS, CUTOFFS, PRESETS, THRESHOLDS, Variation

if TYPE_CHECKING:
    from rankconv.varying.result import Range, Sensitivity


def shown(value: float, digits: int) -> str:
    """A number; a dash where there is none."""
    return ABSENT if math.isnan(value) else number(value, digits)


def short(variation: Variation) -> str:
    """`worst`, `@5`, and `2` for `relevant=at-least(2)`."""
    return variation.name.removeprefix("relevant=at-least(").removesuffix(")") or "as it is"


def over(found: "Sensitivity", kind: str) -> str:
    """A kind of variation with the variations themselves, where the caller asked for them."""
    names = ", ".join(short(one) for one in found.of_kind(kind))
    return f"{kind} {names}" if kind in (CUTOFFS, THRESHOLDS) else kind


def ranges_table(found: "Sensitivity", digits: int) -> Table:
    """How far each kind of variation moves the number of each run."""
    rows = []
    for one in found.ranges:
        numbers = (number(value, digits) for value in (one.lowest, one.highest, one.span))
        rows.append([over(found, one.kind), one.run, _where(one), *numbers])
    return _without_runs(found, Table(["over", "run", "preset", "lowest", "highest", "apart"], rows, labels=3))


def _where(one: "Range") -> str:
    """Between which presets; else, which of so many moves most."""
    if one.kind == PRESETS:
        return " to ".join(dict.fromkeys(one.at))
    return f"{one.at[0]} (most of {one.presets})" if one.presets > 1 else one.at[0]


def firsts_table(found: "Sensitivity") -> Table:
    """Under how many definitions each run is first."""
    rows = []
    for kind in found.kinds:
        counts = found.firsts(kind)
        rows.append([over(found, kind), str(sum(counts.values())), *map(str, counts.values())])
    return Table(["over", "definitions", *(f"{run} first" for run in found.runs), "equal"], rows)


def sensitivity_table(found: "Sensitivity", digits: int = 4) -> Table:
    """Every number: a row for each preset and run, a column for each variation."""
    columns: list[Variation] = [AS_IS, *(one for kind in found.kinds[1:] for one in found.of_kind(kind))]
    rows = [
        [preset, run, *(shown(found.mean(run, one, preset), digits) for one in columns)]
        for preset in found.comparison.presets
        for run in found.runs
        if found.comparison.cell(found.metric, preset, run)
    ]
    heads = ["preset", "run", found.metric, *(one.name for one in columns[1:])]
    return _without_runs(found, Table(heads, rows, labels=2, notes=left_out_lines(found)))


def _without_runs(found: "Sensitivity", table: Table) -> Table:
    """One run needs no column."""
    if len(found.runs) > 1:
        return table
    place = list(table.headers).index("run")
    rows = [[cell for at, cell in enumerate(row) if at != place] for row in table.rows]
    return Table([head for head in table.headers if head != "run"], rows, labels=table.labels - 1, notes=table.notes)


def left_out_lines(found: "Sensitivity") -> list[str]:
    """Of whom the best and the worst order of ties are not told, and why."""
    return [f"Orders of ties are not told of {', '.join(names)}: {why}." for why, names in found.left_out.items()]


def data_of(found: "Sensitivity") -> dict[str, Any]:
    """All of it: the ranges, every number, and what changes the order of the runs."""
    return {
        "metric": found.metric,
        "ranges": [
            {"over": one.kind, "run": one.run, "lowest": one.lowest, "highest": one.highest, "presets": list(one.at)}
            for one in found.ranges
        ],
        "numbers": [
            {"run": run, "preset": preset, "over": one.kind, "variation": one.name, "mean": _finite(cell.mean)}
            for (run, one, preset), cell in found.cells.items()
        ],
        "left_out": found.left_out,
        "flips": [
            {
                "better": flip.usual[0],
                "worse": flip.usual[1],
                "presets": len(flip.agree),
                "equal": flip.equal,
                "turned": [
                    {"preset": one.preset, "nearest": one.near, "answers": list(one.answers)} for one in flip.changes
                ],
            }
            for flip in found.flips
        ],
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
