"""How far a number moves with its definition, as a page and as a heat map."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rankconv.analysis.sensitivity.agreement import Flip
from rankconv.analysis.sensitivity.numbers import VariedNumber
from rankconv.analysis.sensitivity.tables import (
    NO_SETTING,
    firsts_by_run,
    firsts_table,
    left_out_lines,
    over,
    pairs_table,
    ranges_table,
    reasons_table,
    short,
    shown,
)
from rankconv.analysis.sensitivity.variations import AS_IS, THRESHOLDS, TIES, Variation
from rankconv.engine.grouping import Group
from rankconv.errors import InputError, LibraryError
from rankconv.escaping import printable
from rankconv.evaluation.compare.comparison import NARROWEST, absent_words, values_of
from rankconv.pages.heat_plot import HeatMap
from rankconv.pages.page import Beside, Fitting, Heading, Page, Paragraph, Piece, Shortened, Values

ORDERS = 3
"""From so many runs on, two presets can agree in part."""
FEW = 12
"""So many changes of order, pairs of runs and reasons are told one by one."""
LINES = 61
"""A section that is longer is summed up, unless the whole is asked for."""
ALL = "--full prints all, --format csv and json have them"


def page(found: VariedNumber, digits: int, whole: bool = False) -> Page:
    """All that is told; long sections in short, unless `whole`."""
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
    told = f"{better} > {worse} under {len(flip.agree)} presets, {worse} > {better} under {len(flip.changes)}{equal}:"
    yield Paragraph(told)
    for one in flip.changes:
        yield Beside("", f"{one.preset} differs from {one.near} only in {', '.join(one.settings) or NO_SETTING}")


def _flips_in_short(found: VariedNumber) -> Iterator[list[Piece]]:
    """The pairs that most presets turn, and the answers that turn most pairs."""
    flips = sorted(found.flips, key=lambda flip: -len(flip.changes))
    pairs = len(found.runs) * (len(found.runs) - 1) // 2
    told = Paragraph(f"Pairs of runs whose order depends on the preset: {len(flips)} of {pairs}")
    yield [told, pairs_table(flips[:FEW]), *_more(len(flips) - FEW, "pairs")]
    reasons = reasons_table(flips)
    told = Paragraph("The settings behind it, each with how many pairs it turns")
    yield [told, replace(reasons, rows=reasons.rows[:FEW]), *_more(len(reasons.rows) - FEW, "sets of settings")]


def _more(count: int, what: str) -> list[Piece]:
    return [Paragraph(f"{count} more {what}: {ALL}.")] if count > 0 else []


def _agreement(found: VariedNumber) -> Iterator[Piece]:
    """How alike the presets order the runs."""
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
    told = f"{sum(len(one.names) for one in groups)} presets give {len(groups)} different rows of numbers: {ALL}."
    none = [Beside(f"{'none':>{NARROWEST}}", words) for words in absent]
    return [heading, Shortened([values], LINES, [Paragraph(told), *none])]


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
