"""How far numbers move with their definitions, for a terminal."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rankconv.errors import LibraryError
from rankconv.grouping import Group
from rankconv.report.by_value import NARROWEST, absent_lines, beside, number_lines, value_lines
from rankconv.report.drawing import drawn
from rankconv.report.folding import span
from rankconv.report.sensitivity_table import (
    NO_ANSWER,
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
from rankconv.report.wrapping import prose
from rankconv.varying.variations import AS_IS, TIES

if TYPE_CHECKING:
    from rankconv.varying.agreement import Flip
    from rankconv.varying.result import Sensitivity

ORDERS = 3
"""From so many runs on, two presets can agree in part."""
FEW = 12
"""So many changes of order, pairs of runs and reasons are told one by one."""
LINES = 60
"""A section that is longer is summed up, unless the whole is asked for."""
ALL = "--whole prints all, --format csv and json have them"


def text_of(found: "Sensitivity", width: int | None, digits: int, whole: bool = False) -> str:
    """The whole page; long sections in short, unless `whole`."""
    sections = [_ranges(found, width, digits)]
    if len(found.runs) > 1:
        sections.append(_winners(found, width, whole))
    sections.append(_presets(found, width, digits, whole))
    if len(found.runs) == 1:
        sections += [_varied(found, kind, width, digits) for kind in found.kinds[1:]]
    left_out = [prose(line, width, rest="  ") for line in left_out_lines(found)]
    return "\n\n".join(filter(None, [*sections, "\n".join(left_out)]))


def _ranges(found: "Sensitivity", width: int | None, digits: int) -> str:
    lines = [prose(f"How far {found.metric} goes", width), *drawn(ranges_table(found, digits), width)]
    if TIES not in found.kinds and not found.left_out:
        lines.append(prose("No list has rows of equal score, so there is no order of ties.", width))
    return "\n".join(lines)


def _winners(found: "Sensitivity", width: int | None, whole: bool) -> str:
    table = firsts_table(found)
    fits = width is None or span(table) <= width
    lines = ["Which run is first", *drawn(table if fits else firsts_by_run(found), width)]
    if not found.flips:
        lines += ["", prose("No preset changes the order of two runs.", width)]
    elif whole or sum(len(flip.changes) for flip in found.flips) <= FEW:
        lines += [line for flip in found.flips for line in ("", *_flip(flip, width))]
    else:
        lines += ["", *_flips_in_short(found, width)]
    return "\n".join([*lines, *_agreement(found, width)])


def _flip(flip: "Flip", width: int | None) -> Iterator[str]:
    better, worse = flip.usual
    equal = f", equal under {len(flip.equal)}" if flip.equal else ""
    told = f"{better} > {worse} under {len(flip.agree)} presets, {worse} > {better} under {len(flip.changes)}{equal}:"
    yield prose(told, width)
    for one in flip.changes:
        told = ", ".join(one.answers) or NO_ANSWER
        yield beside("", f"{one.preset} differs from {one.near} only in {told}", width)


def _flips_in_short(found: "Sensitivity", width: int | None) -> Iterator[str]:
    """The pairs that most presets turn, and the answers that turn most pairs."""
    flips = sorted(found.flips, key=lambda flip: -len(flip.changes))
    pairs = len(found.runs) * (len(found.runs) - 1) // 2
    yield prose(f"Pairs of runs whose order depends on the preset: {len(flips)} of {pairs}", width)
    yield from drawn(pairs_table(flips[:FEW]), width)
    yield from _more(len(flips) - FEW, "pairs", width)
    yield ""
    reasons = reasons_table(flips)
    yield prose("The answers behind it, each with how many pairs it turns", width)
    yield from drawn(replace(reasons, rows=reasons.rows[:FEW]), width)
    yield from _more(len(reasons.rows) - FEW, "sets of answers", width)


def _more(count: int, what: str, width: int | None) -> Iterator[str]:
    if count > 0:
        yield prose(f"{count} more {what}: {ALL}.", width)


def _agreement(found: "Sensitivity", width: int | None) -> Iterator[str]:
    """How alike the presets order the runs, where there are enough of these."""
    if len(found.runs) < ORDERS:
        return
    yield ""
    try:
        names, tau = found.tau
    except LibraryError as problem:
        yield prose(str(problem), width)
        return
    rows, columns = np.triu_indices(len(names), 1)
    values = tau[rows, columns]
    if np.isfinite(values).any():
        least = int(np.nanargmin(values))
        said = f"Kendall's tau between two presets' orders of the runs: {np.nanmean(values):.2f} on average, "
        said += f"{values[least]:.2f} at least ({names[rows[least]]} and {names[columns[least]]})."
        yield prose(said, width)


def _presets(found: "Sensitivity", width: int | None, digits: int, whole: bool) -> str:
    groups = [Group(means, names) for means, names in found.comparison.groups(found.metric, digits).items()]
    absent = absent_lines(found.comparison, found.metric)
    lines = value_lines(groups, found.runs, width=width, digits=digits, steps=False, absent=absent)
    if not whole and len(found.runs) > 1 and lines.count("\n") > LINES:
        none = [beside(f"{'none':>{NARROWEST}}", text, width) for text in absent]
        told = f"{sum(len(one.names) for one in groups)} presets give {len(groups)} different rows of numbers: {ALL}."
        lines = "\n".join([prose(told, width), *none])
    return f"The presets\n{lines}"


def _varied(found: "Sensitivity", kind: str, width: int | None, digits: int) -> str:
    """A line for each row of numbers of the one run, with the presets that give it."""
    names = ["as it is", *map(short, found.of_kind(kind))]
    rooms = [max(len(name), digits + 2) + 3 for name in names]
    rows = found.grouped(found.runs[0], [AS_IS, *found.of_kind(kind)], digits).items()
    lines = [([shown(value, digits) for value in row], [", ".join(sorted(presets))]) for row, presets in rows]
    head = prose(f"Over {over(found, kind)}", width)
    return "\n".join([head, *number_lines(lines, rooms, names, ["presets"], width)])
