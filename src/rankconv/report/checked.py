"""The findings of a check: a table of all of them, then each with examples, meaning, advice and what it moves."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from rankconv.checking.finding import Finding, Move, step
from rankconv.escaping import markdown
from rankconv.report.by_value import number_lines
from rankconv.report.drawing import drawn
from rankconv.report.table import Table
from rankconv.report.wrapping import prose

if TYPE_CHECKING:
    from rankconv.checking.checked import Checked

INDENT = "  "
MOST_LINES = 12
"""So many ways to be moved are shown in a terminal, the furthest ones; Markdown and JSON have all of them."""


def checked_text(checked: "Checked", width: int | None = 100) -> str:
    """For a terminal, no line longer than this where it can be broken."""
    parts = [prose(sentence, width) for sentence in _about(checked)]
    if checked.findings:
        parts.append("\n".join(drawn(_summary(checked), width)))
    parts += ["\n".join(_lines(finding, checked, width)) for finding in checked]
    return "\n\n".join("\n".join(line.rstrip() for line in part.splitlines()) for part in parts)


def checked_markdown(checked: "Checked") -> str:
    """The same as Markdown, a section for each finding."""
    parts = [markdown(sentence) for sentence in _about(checked)]
    if checked.findings:
        parts.append(_summary(checked).markdown())
    for finding in checked:
        parts += [f"### {finding.name}", *map(markdown, _sentences(finding))]
        if finding.moves:
            metrics, rows = _moves(finding, checked)
            parts.append(Table([*metrics, "under"], [[*cells, names] for cells, names in rows]).markdown())
    return "\n\n".join(parts)


def moves_most(finding: "Finding") -> str:
    """The number that a finding moves most, and how far."""
    move = finding.furthest
    if move is None:
        return ""
    far = f"{_range(move)} instead of none" if math.isnan(move.by) else f"by {step(move.by)}"
    return f"{move.metric} under {move.preset} {far}"


def _about(checked: "Checked") -> Iterator[str]:
    """What was looked at, and whether all is well."""
    at = checked.looked_at
    labels = f"Users with labels: {at['users with labels']:,} ({at['labels']:,} rows)"
    lists = f"with a list: {at['users with a list']:,} ({at['rows']:,} rows)"
    yield f"{labels}, {lists}; {f'cutoff {checked.cutoff}' if checked.cutoff else 'no cutoff'}."
    yield from checked.notes
    if checked.clean:
        yield "Nothing was found that makes a metric lie."


def _summary(checked: "Checked") -> Table:
    rows = [[finding.name, finding.counted, moves_most(finding) or "–"] for finding in checked]
    return Table(["finding", "how many", "moves most"], rows, labels=3, prose=frozenset({1, 2}))


def _lines(finding: "Finding", checked: "Checked", width: int | None) -> Iterator[str]:
    yield prose(f"{finding.name}: {finding.title}", width, rest=INDENT)
    for sentence in _sentences(finding):
        yield prose(sentence, width, INDENT, INDENT)
    if finding.moves:
        metrics, rows = _moves(finding, checked)
        yield from _columns(metrics, rows[:MOST_LINES], width)
        if len(rows) > MOST_LINES:
            names = sum(len(names.split(", ")) for _, names in rows[MOST_LINES:])
            yield f"{2 * INDENT}and less far under {names} more: --format json"


def _sentences(finding: "Finding") -> Iterator[str]:
    yield f"{_capital(finding.counted)}{f', {finding.note}' if finding.note else ''}."
    yield f"For example: {'; '.join(str(example) for example in finding.examples)}."
    yield finding.means
    yield f"To do: {finding.do}"
    if finding.moves:
        none_now = any(math.isnan(move.mean) for move in finding.moves)
        yield f"What {finding.otherwise} would change{' (in brackets: where there is none now)' if none_now else ''}:"
    elif finding.otherwise:
        yield "It moves none of the numbers looked at."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


Rows = list[tuple[Sequence[str], str]]


def _moves(finding: "Finding", checked: "Checked") -> tuple[list[str], Rows]:
    """The metrics that are moved, and how far each of them is, with the presets under which it is so."""
    moves = {(move.preset, move.metric): move for move in finding.moves}
    metrics = [metric for metric in checked.metrics if any((preset, metric) in moves for preset in checked.presets)]
    names_by_cells: dict[Sequence[str], list[str]] = {}
    for preset in sorted(checked.presets, key=lambda preset: -_furthest(finding, preset)):
        cells = tuple(_cell(moves.get((preset, metric))) for metric in metrics)
        if any(cells):
            names_by_cells.setdefault(cells, []).append(preset)
    return metrics, [(cells, ", ".join(names)) for cells, names in names_by_cells.items()]


def _furthest(finding: "Finding", preset: str) -> float:
    """How far a preset is moved; those without a number now come first."""
    steps = [move.by for move in finding.moves if move.preset == preset]
    return math.inf if any(map(math.isnan, steps)) else max(steps, default=0.0)


def _columns(metrics: Sequence[str], rows: Rows, width: int | None) -> Iterator[str]:
    """A line for each way to be moved, the presets at its end; a folded table where many metrics are moved."""
    wide = [max(map(cell_len, column)) + 2 for column in zip(metrics, *(cells for cells, _ in rows), strict=True)]
    lines = [(cells, [names]) for cells, names in rows]
    room = None if width is None else width - len(INDENT)
    for line in number_lines(lines, wide, metrics, ["under"], room):
        yield from (f"{INDENT}{part}".rstrip() for part in line.split("\n"))


def _cell(move: "Move | None") -> str:
    """How far down and up; or the values, where the preset gives no number for the data as they are."""
    if move is None:
        return ""
    if math.isnan(move.mean):
        return f"({_range(move)})"
    return " ".join(step(by, "+") for by in (move.low - move.mean, move.high - move.mean) if abs(by) > 1e-12)


def _range(move: "Move") -> str:
    low, high = f"{move.low:.4f}", f"{move.high:.4f}"
    return low if low == high else f"{low} to {high}"
