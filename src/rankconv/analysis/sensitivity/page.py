"""The result of a sensitivity analysis: tables and page."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from rankconv.analysis.sensitivity.variations import (
    AS_IS,
    CUTOFFS,
    PRESETS,
    THRESHOLDS,
    TIES,
    Change,
    Flip,
    Range,
    Variation,
    VariedNumber,
)
from rankconv.engine.plan import Group
from rankconv.errors import InputError, LibraryError
from rankconv.escaping import printable
from rankconv.evaluation.compare.comparison import NARROWEST, absent_words, values_of
from rankconv.pages.cells import ABSENT, finite, number
from rankconv.pages.display import Drawn, RowResult, Tabular
from rankconv.pages.heat_plot import HeatMap, draw
from rankconv.pages.page import Aside, Fitting, Heading, Page, Paragraph, Piece, Shortened, Values
from rankconv.pages.picture import Target
from rankconv.pages.table import Table

NO_SETTING = "nothing that is a setting"


def shown(value: float, digits: int) -> str:
    """A number; a dash where there is none."""
    return ABSENT if math.isnan(value) else number(value, digits)


def short(variation: Variation) -> str:
    """`worst`, `@5`, and `2` for `relevant=at-least(2)`."""
    return variation.name.removeprefix("relevant=at-least(").removesuffix(")") or "as it is"


def over(found: VariedNumber, kind: str) -> str:
    """A kind of variation with the variations themselves, where the caller requested them."""
    names = ", ".join(short(one) for one in found.of_kind(kind))
    return f"{kind} {names}" if kind in (CUTOFFS, THRESHOLDS) else kind


def ranges_table(found: VariedNumber, digits: int) -> Table:
    """How far each kind of variation moves the number of each run."""
    rows = []
    for one in found.ranges:
        numbers = (number(value, digits) for value in (one.lowest, one.highest, one.span))
        rows.append([over(found, one.kind), one.run, _where(one), *numbers])
    heads = ["over", "run", "preset", "lowest", "highest", "range"]
    return _without_runs(found, Table(heads, rows, labels=3, prose=frozenset({2})))


def _where(one: Range) -> str:
    """Between which presets; else, which of so many largest effect."""
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
    """The settings that turn pairs of runs, the most frequent first, each with an example."""
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
    """Presets under which the best and the worst order of ties are not known, and why."""
    return [f"No orders of ties for {', '.join(names)}: {why}." for why, names in found.left_out.items()]


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


ORDERS = 3
"""From so many runs on, two presets can agree in part."""
FEW = 12
"""So many changes of order, pairs of runs and reasons are shown one by one."""
LINES = 61
"""A section that is longer is summed up, unless the whole is requested."""
ALL = "--full prints all, --format csv and json have them"


def page(found: VariedNumber, digits: int, whole: bool = False) -> Page:
    """The whole page; long sections in short, unless `whole`."""
    sections = [_ranges(found, digits)]
    if len(found.runs) > 1:
        sections += _winners(found, whole)
    sections.append(_presets(found, digits, whole))
    if len(found.runs) == 1:
        sections += [_varied(found, kind, digits) for kind in found.kinds[1:]]
    left_out: list[Piece] = [Paragraph(line, rest="  ") for line in left_out_lines(found)]
    return Page([*sections, *([left_out] if left_out else [])])


def _ranges(found: VariedNumber, digits: int) -> list[Piece]:
    pieces: list[Piece] = [Paragraph(f"How far {found.metric} goes"), ranges_table(found, digits)]
    if TIES not in found.kinds and not found.left_out:
        pieces.append(Paragraph("No list has rows of equal score, so there is no order of ties."))
    return pieces


def _winners(found: VariedNumber, whole: bool) -> Iterator[list[Piece]]:
    yield [Heading("Which run is first"), Fitting(firsts_table(found), firsts_by_run(found))]
    if not found.flips:
        yield [Paragraph("No preset changes the order of two runs.")]
    elif whole or sum(len(flip.changes) for flip in found.flips) <= FEW:
        yield from (list(_flip(flip)) for flip in found.flips)
    else:
        yield from _flips_in_short(found)
    if len(found.runs) >= ORDERS:
        yield list(_agreement(found))


def _flip(flip: Flip) -> Iterator[Piece]:
    better, worse = flip.usual
    equal = f", equal under {len(flip.equal)}" if flip.equal else ""
    text = f"{better} > {worse} under {len(flip.agree)} presets, {worse} > {better} under {len(flip.changes)}{equal}:"
    yield Paragraph(text)
    for one in flip.changes:
        yield Aside("", f"{one.preset} differs from {one.near} only in {', '.join(one.settings) or NO_SETTING}")


def _flips_in_short(found: VariedNumber) -> Iterator[list[Piece]]:
    """The pairs that most presets turn, and the settings that turn most pairs."""
    flips = sorted(found.flips, key=lambda flip: -len(flip.changes))
    pairs = len(found.runs) * (len(found.runs) - 1) // 2
    paragraph = Paragraph(f"Pairs of runs whose order depends on the preset: {len(flips)} of {pairs}")
    yield [paragraph, pairs_table(flips[:FEW]), *_more(len(flips) - FEW, "pairs")]
    reasons = reasons_table(flips)
    paragraph = Paragraph("The settings, each with the number of pairs that it reverses")
    yield [paragraph, replace(reasons, rows=reasons.rows[:FEW]), *_more(len(reasons.rows) - FEW, "sets of settings")]


def _more(count: int, what: str) -> list[Piece]:
    return [Paragraph(f"{count} more {what}: {ALL}.")] if count > 0 else []


def _agreement(found: VariedNumber) -> Iterator[Piece]:
    """How similarly the presets order the runs."""
    try:
        names, tau = found.tau
    except LibraryError as problem:
        yield Paragraph(str(problem))
        return
    rows, columns = np.triu_indices(len(names), 1)
    values = tau[rows, columns]
    if np.isfinite(values).any():
        least = int(np.nanargmin(values))
        said = f"Kendall's tau between two presets' orders of the runs: {np.nanmean(values):.2f} on average, "
        said += f"{values[least]:.2f} at least ({names[rows[least]]} and {names[columns[least]]})."
        yield Paragraph(said)


def _presets(found: VariedNumber, digits: int, whole: bool) -> list[Piece]:
    groups = [Group(means, names) for means, names in found.comparison.groups(found.metric, digits).items()]
    absent = absent_words(found.comparison, found.metric)
    values = values_of(groups, found.runs, digits=digits, steps=False, absent=absent)
    heading = Heading("The presets")
    if whole or len(found.runs) == 1:
        return [heading, values]
    text = f"{sum(len(one.names) for one in groups)} presets give {len(groups)} different rows of numbers: {ALL}."
    none = [Aside(f"{'none':>{NARROWEST}}", words) for words in absent]
    return [heading, Shortened([values], LINES, [Paragraph(text), *none])]


def _varied(found: VariedNumber, kind: str, digits: int) -> list[Piece]:
    """A line for each row of numbers of the one run, with the presets that give it."""
    names = ["as it is", *map(short, found.of_kind(kind))]
    rooms = [max(len(name), digits + 2) + 3 for name in names]
    rows = found.grouped(found.runs[0], [AS_IS, *found.of_kind(kind)], digits).items()
    lines = [([shown(value, digits) for value in row], [", ".join(sorted(presets))]) for row, presets in rows]
    return [Paragraph(f"Over {over(found, kind)}"), Values(lines, rooms, names, ["presets"])]


def heat_map(found: VariedNumber, digits: int) -> HeatMap:
    """Runs, or what is varied, by the presets; a row for each different row of numbers, with how many share it."""
    several = len(found.runs) > 1
    variations = [AS_IS, *(one for kind in found.kinds[1:] for one in found.of_kind(kind))]
    if several:
        groups = found.comparison.groups(found.metric, digits)
        columns = [printable(run) for run in found.runs]
    else:
        groups = found.grouped(found.runs[0], variations, digits)
        columns = [_headed(one) for one in variations]
    if not groups:
        raise InputError("there is nothing to draw", do="No preset gives a number on these data.")
    of_run = f" of {found.runs[0]}" if found.runs[0] and not several else ""
    presets = sum(map(len, groups.values()))
    title = f"{found.metric}{of_run} under {presets} preset{'s' * (presets != 1)}"
    rows, values = [_named(names) for names in groups.values()], np.array(list(groups))
    columns_are = "run" if several else "what is varied"
    lower = any(found.comparison.lower_is_better(found.metric, preset) for preset in found.comparison.presets)
    return HeatMap(title, found.metric, rows, "presets", columns, columns_are, values, digits, several, lower)


def _headed(variation: Variation) -> str:
    heads = {TIES: "ties\n", THRESHOLDS: "relevant\nfrom "}
    return heads.get(variation.kind, "") + printable(short(variation))


def _named(names: list[str]) -> str:
    first = min(names)
    return f"{first} +{len(names) - 1}" if len(names) > 1 else first


@dataclass(frozen=True, eq=False, repr=False)
class SensitivityResult(Drawn, Tabular, RowResult, VariedNumber):
    """How much a number depends on its definition.

    `ranges` has one row for all presets, and one each for orders of ties, cutoffs and thresholds: there it is the
    preset whose number largest effect. With several runs, `flips` are the pairs whose order depends on the preset, and
    `tau` says how similarly presets order all of them.
    """

    rows_in: ClassVar[str] = "numbers"

    def _page(self, digits: int = 4, *, whole: bool = False) -> Page:
        """How far the number goes, and under what; long lists in short, unless the `whole` is requested."""
        return page(self, digits, whole)

    def table(self, digits: int = 4) -> Table:
        """Every number: a row for each preset and run, a column for each variation."""
        return sensitivity_table(self, digits)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; NaN is None, as JSON has it."""
        return data_of(self)

    def plot(self, path: Target, digits: int = 4) -> None:
        """Draw a heat map and parallel coordinates into an SVG or PNG file. Needs matplotlib."""
        draw(heat_map(self, digits), path)
