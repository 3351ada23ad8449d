"""How far numbers move with their definitions, as tables and as plain data."""

import math
from collections.abc import Sequence
from typing import Any

from rankconv.analysis.sensitivity.agreement import Change, Flip
from rankconv.analysis.sensitivity.numbers import Range, VariedNumber
from rankconv.analysis.sensitivity.variations import AS_IS, CUTOFFS, PRESETS, THRESHOLDS, Variation
from rankconv.pages.cells import ABSENT, finite, number
from rankconv.pages.table import Table

NO_SETTING = "nothing that is a setting"


def shown(value: float, digits: int) -> str:
    """A number; a dash where there is none."""
    return ABSENT if math.isnan(value) else number(value, digits)


def short(variation: Variation) -> str:
    """`worst`, `@5`, and `2` for `relevant=at-least(2)`."""
    return variation.name.removeprefix("relevant=at-least(").removesuffix(")") or "as it is"


def over(found: VariedNumber, kind: str) -> str:
    """A kind of variation with the variations themselves, where the caller asked for them."""
    names = ", ".join(short(one) for one in found.of_kind(kind))
    return f"{kind} {names}" if kind in (CUTOFFS, THRESHOLDS) else kind


def ranges_table(found: VariedNumber, digits: int) -> Table:
    """How far each kind of variation moves the number of each run."""
    rows = []
    for one in found.ranges:
        numbers = (number(value, digits) for value in (one.lowest, one.highest, one.span))
        rows.append([over(found, one.kind), one.run, _where(one), *numbers])
    heads = ["over", "run", "preset", "lowest", "highest", "apart"]
    return _without_runs(found, Table(heads, rows, labels=3, prose=frozenset({2})))


def _where(one: Range) -> str:
    """Between which presets; else, which of so many moves most."""
    if one.kind == PRESETS:
        return " to ".join(dict.fromkeys(one.at))
    return f"{one.at[0]} (most of {one.presets})" if one.presets > 1 else one.at[0]


def firsts_table(found: VariedNumber) -> Table:
    """Under how many definitions each run is first."""
    counts = {kind: found.firsts(kind) for kind in found.kinds}
    rows = [[over(found, kind), str(sum(one.values())), *map(str, one.values())] for kind, one in counts.items()]
    return Table(["over", "definitions", *(f"{run} first" for run in found.runs), "equal"], rows)


def firsts_by_run(found: VariedNumber) -> Table:
    """A row for each run: under how many definitions it is first."""
    counts = [found.firsts(kind) for kind in found.kinds]
    rows = [[run or "equal", *(str(one[run]) for one in counts)] for run in counts[0]]
    total = ["definitions", *(str(sum(one.values())) for one in counts)]
    return Table(["first", *(over(found, kind) for kind in found.kinds)], [*rows, total])


def pairs_table(flips: Sequence[Flip]) -> Table:
    """The pairs of runs whose order depends on the preset: under how many presets it is which."""
    rows = [[*flip.usual, *(str(len(one)) for one in (flip.agree, flip.changes, flip.equal))] for flip in flips]
    return Table(["better", "worse", "presets", "turned", "equal"], rows, labels=2)


def reasons_table(flips: Sequence[Flip]) -> Table:
    """The answers that turn pairs of runs, the most frequent first, each with an example."""
    found: dict[tuple[str, ...], list[tuple[Change, Flip]]] = {}
    for flip in flips:
        for change in flip.changes:
            found.setdefault(change.settings, []).append((change, flip))
    pairs = {settings: len({flip.usual for _, flip in turns}) for settings, turns in found.items()}
    often = sorted(found, key=lambda settings: -pairs[settings])
    examples = {settings: found[settings][0][0] for settings in often}
    rows = [
        [str(pairs[settings]), ", ".join(settings) or NO_SETTING, f"{one.preset} against {one.near}"]
        for settings, one in examples.items()
    ]
    return Table(["pairs", "turned by", "such as"], rows, labels=0, prose=frozenset({1, 2}))


def sensitivity_table(found: VariedNumber, digits: int = 4) -> Table:
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


def _without_runs(found: VariedNumber, table: Table) -> Table:
    """One run needs no column."""
    if len(found.runs) > 1:
        return table
    place = list(table.headers).index("run")
    rows = [[cell for at, cell in enumerate(row) if at != place] for row in table.rows]
    heads = [head for head in table.headers if head != "run"]
    prose = frozenset(one - (one > place) for one in table.prose)
    return Table(heads, rows, labels=table.labels - 1, notes=table.notes, prose=prose)


def left_out_lines(found: VariedNumber) -> list[str]:
    """Of whom the best and the worst order of ties are not told, and why."""
    return [f"Orders of ties are not told of {', '.join(names)}: {why}." for why, names in found.left_out.items()]


def data_of(found: VariedNumber) -> dict[str, Any]:
    """All of it: the ranges, every number, and what changes the order of the runs."""
    return {
        "metric": found.metric,
        "ranges": [
            {"over": one.kind, "run": one.run, "lowest": one.lowest, "highest": one.highest, "presets": list(one.at)}
            for one in found.ranges
        ],
        "numbers": [
            {"run": run, "preset": preset, "over": one.kind, "variation": one.name, "mean": finite(cell.mean)}
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
                    {"preset": one.preset, "nearest": one.near, "settings": list(one.settings)} for one in flip.changes
                ],
            }
            for flip in found.flips
        ],
    }
