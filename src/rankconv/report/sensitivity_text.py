"""How far numbers move with their definitions, for a terminal."""

from collections.abc import Iterator
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from rankconv.errors import LibraryError
from rankconv.report.by_value import absent_lines, beside, value_lines
from rankconv.report.sensitivity_table import firsts_table, left_out_lines, over, ranges_table, short, shown
from rankconv.varying.variations import AS_IS, TIES

if TYPE_CHECKING:
    from rankconv.varying.agreement import Flip
    from rankconv.varying.result import Sensitivity

ORDERS = 3
"""From so many runs on, two presets can agree in part."""


def text_of(found: "Sensitivity", width: int, digits: int) -> str:
    """The whole page."""
    sections = [_ranges(found, digits)]
    if len(found.runs) > 1:
        sections.append(_winners(found, width))
    sections.append(_presets(found, width, digits))
    if len(found.runs) == 1:
        sections += [_varied(found, kind, width, digits) for kind in found.kinds[1:]]
    left_out = [fill(line, width, subsequent_indent="  ", break_on_hyphens=False) for line in left_out_lines(found)]
    return "\n\n".join(filter(None, [*sections, "\n".join(left_out)]))


def _ranges(found: "Sensitivity", digits: int) -> str:
    lines = [f"How far {found.metric} goes", *(line.rstrip() for line in ranges_table(found, digits).text())]
    if TIES not in found.kinds and not found.left_out:
        lines.append("No list has rows of equal score, so there is no order of ties.")
    return "\n".join(lines)


def _winners(found: "Sensitivity", width: int) -> str:
    lines = ["Which run is first", *(line.rstrip() for line in firsts_table(found).text())]
    for flip in found.flips:
        lines += ["", *_flip(flip, width)]
    if not found.flips:
        lines += ["", "No preset changes the order of two runs."]
    return "\n".join([*lines, *_agreement(found, width)])


def _flip(flip: "Flip", width: int) -> Iterator[str]:
    better, worse = flip.usual
    equal = f", equal under {len(flip.equal)}" if flip.equal else ""
    yield f"{better} > {worse} under {len(flip.agree)} presets, {worse} > {better} under {len(flip.changes)}{equal}:"
    for one in flip.changes:
        told = ", ".join(one.answers) or "nothing that is an answer"
        yield beside("", f"{one.preset} differs from {one.near} only in {told}", width)


def _agreement(found: "Sensitivity", width: int) -> Iterator[str]:
    """How alike the presets order the runs, where there are enough of these."""
    if len(found.runs) < ORDERS:
        return
    yield ""
    try:
        names, tau = found.tau
    except LibraryError as problem:
        yield str(problem)
        return
    rows, columns = np.triu_indices(len(names), 1)
    values = tau[rows, columns]
    if np.isfinite(values).any():
        least = int(np.nanargmin(values))
        said = f"Kendall's tau between two presets' orders of the runs: {np.nanmean(values):.2f} on average, "
        said += f"{values[least]:.2f} at least ({names[rows[least]]} and {names[columns[least]]})."
        yield fill(said, width, break_on_hyphens=False)


def _presets(found: "Sensitivity", width: int, digits: int) -> str:
    groups = found.comparison.by_value(found.metric, digits)
    absent = absent_lines(found.comparison, found.metric)
    lines = value_lines(groups, found.runs, width=width, digits=digits, steps=False, absent=absent)
    return f"The presets\n{lines}"


def _varied(found: "Sensitivity", kind: str, width: int, digits: int) -> str:
    """A line for each row of numbers of the one run, with the presets that give it."""
    names = ["as it is", *map(short, found.of_kind(kind))]
    rooms = [max(len(name), digits + 2) + 3 for name in names]
    heads = "".join(f"{name:>{room}}" for name, room in zip(names, rooms, strict=True))
    lines = [f"Over {over(found, kind)}", f"{heads}   presets"]
    for row, presets in found.grouped(found.runs[0], [AS_IS, *found.of_kind(kind)], digits).items():
        cells = "".join(f"{shown(value, digits):>{room}}" for value, room in zip(row, rooms, strict=True))
        lines.append(beside(cells, ", ".join(sorted(presets)), width))
    return "\n".join(lines)
