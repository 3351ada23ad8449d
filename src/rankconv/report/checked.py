"""The findings of a check: a table of all of them, then each with examples, meaning, advice and what it moves."""

import math
from collections.abc import Iterator
from textwrap import fill
from typing import TYPE_CHECKING

from rankconv.report.table import Table, escape_markdown

if TYPE_CHECKING:
    from rankconv.checking.checked import Checked
    from rankconv.checking.finding import Finding, Move

INDENT = "  "


def checked_text(checked: "Checked", width: int = 100) -> str:
    """For a terminal, no line longer than this where it can be broken."""
    parts = [fill(sentence, width) for sentence in _about(checked)]
    if checked.findings:
        parts.append("\n".join(_summary(checked).text()))
    parts += ["\n".join(_lines(finding, checked, width)) for finding in checked]
    return "\n\n".join("\n".join(line.rstrip() for line in part.splitlines()) for part in parts)


def checked_markdown(checked: "Checked") -> str:
    """The same as Markdown, a section for each finding."""
    parts = [escape_markdown(sentence) for sentence in _about(checked)]
    if checked.findings:
        parts.append(_summary(checked).markdown())
    for finding in checked:
        parts += [f"### {finding.name}", *map(escape_markdown, _sentences(finding))]
        parts += [_moves(finding, checked).markdown()] if finding.moves else []
    return "\n\n".join(parts)


def _about(checked: "Checked") -> Iterator[str]:
    """What was looked at, and whether all is well."""
    at = checked.looked_at
    yield (
        f"{at['users with labels']:,} users with labels ({at['labels']:,} rows), {at['users with a list']:,} with a "
        f"list ({at['rows']:,} rows)" + (f"; cutoff {checked.cutoff}." if checked.cutoff else "; no cutoff.")
    )
    yield from checked.notes
    if checked.clean:
        yield "Nothing was found that makes a metric lie."


def _summary(checked: "Checked") -> Table:
    rows = [[finding.name, finding.counted, _furthest(finding)] for finding in checked]
    return Table(["finding", "how many", "moves most"], rows, labels=3)


def _furthest(finding: "Finding") -> str:
    move = finding.furthest
    if move is None:
        return "–"
    far = "a refused number" if math.isnan(move.by) else _distance(move.by)
    return f"{move.metric} under {move.preset}: {far}"


def _distance(by: float) -> str:
    return f"{by:.4f}" if by >= 0.00005 else "below 0.0001"


def _lines(finding: "Finding", checked: "Checked", width: int) -> Iterator[str]:
    yield f"{finding.name}: {finding.title}"
    for sentence in _sentences(finding):
        yield fill(sentence, width, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False)
    if finding.moves:
        for line in _moves(finding, checked).text():
            yield fill(line, width, initial_indent=2 * INDENT, subsequent_indent=2 * INDENT)


def _sentences(finding: "Finding") -> Iterator[str]:
    yield f"{_capital(finding.counted)}{f', {finding.note}' if finding.note else ''}."
    yield f"For example: {'; '.join(str(example) for example in finding.examples)}."
    yield finding.means
    yield f"To do: {finding.do}"
    if finding.moves:
        yield f"{_capital(finding.otherwise)} would move:"
    elif finding.otherwise:
        yield "It moves none of the numbers looked at."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _moves(finding: "Finding", checked: "Checked") -> Table:
    """A line for each way in which presets are moved, by metric."""
    moves = {(move.preset, move.metric): move for move in finding.moves}
    metrics = [metric for metric in checked.metrics if any((preset, metric) in moves for preset in checked.presets)]
    presets_by_cells: dict[tuple[str, ...], list[str]] = {}
    for preset in checked.presets:
        cells = tuple(_cell(moves.get((preset, metric))) for metric in metrics)
        presets_by_cells.setdefault(cells, []).append(preset)
    still = ("",) * len(metrics)
    rows = [[", ".join(names), *cells] for cells, names in presets_by_cells.items() if cells != still]
    return Table(["under", *metrics], rows)


def _cell(move: "Move | None") -> str:
    """How far down and up; or the values, where the preset refuses the data as they are."""
    if move is None:
        return ""
    if math.isnan(move.mean):
        return f"refused, else {_range(move)}"
    return " ".join(f"{step:+.4f}" for step in (move.low - move.mean, move.high - move.mean) if abs(step) > 1e-12)


def _range(move: "Move") -> str:
    low, high = f"{move.low:.4f}", f"{move.high:.4f}"
    return low if low == high else f"{low} to {high}"
