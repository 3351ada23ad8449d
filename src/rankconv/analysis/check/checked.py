"""What `rc.check` gives: the findings, and what was looked at."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankconv.analysis.findings.finding import Finding, Move, step
from rankconv.errors import MetricError
from rankconv.pages import forms
from rankconv.pages.page import Heading, Line, Page, Paragraph, Piece, Values
from rankconv.pages.shown import Shown
from rankconv.pages.table import Table

INDENT = "  "
MOST_LINES = 12
"""So many ways to be moved are shown in a terminal, the furthest ones; Markdown and JSON have all of them."""


@dataclass(frozen=True)
class CheckResult(Shown):
    """What in labels and a run makes metrics lie.

    `checked["ties"]` is a finding by its name; iterating gives all of them: first where the data are wrong, then where
    they can be read in more than one way, each time from what moves a number most to what moves it least.
    """

    findings: Sequence[Finding]
    looked_at: Mapping[str, int]
    """How many users, labels, rows and items there are."""
    cutoff: int | None
    """The rank down to which ties, short lists and unjudged items are looked for; None for whole lists."""
    metrics: Sequence[str]
    presets: Sequence[str]
    notes: Sequence[str] = ()
    """What else must be known to read it."""

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __contains__(self, name: object) -> bool:
        return any(finding.name == name for finding in self.findings)

    def __getitem__(self, name: str) -> Finding:
        for finding in self.findings:
            if finding.name == name:
                return finding
        found = ", ".join(finding.name for finding in self.findings)
        raise MetricError(f"'{name}' was not found", allowed=f"Found: {found}" if found else "Nothing was found")

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "clean": self.clean,
            "looked_at": dict(self.looked_at),
            "cutoff": self.cutoff,
            "metrics": list(self.metrics),
            "presets": list(self.presets),
            "notes": list(self.notes),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def page(self, *, whole: bool = False) -> Page:
        """What was looked at, and each finding: how often, where, what it means, what to do, and what it moves."""
        sections: list[list[Piece]] = [[Paragraph(sentence)] for sentence in _about(self)]
        sections += [[_summary(self)]] if self.findings else []
        return Page([*sections, *(list(_pieces(finding, self, whole)) for finding in self)])

    def to_text(self, width: int | None = 100) -> str:
        """For a terminal of this width."""
        return forms.text(self.page(), width)

    def to_markdown(self) -> str:
        """A table of all findings and a section for each, as Markdown."""
        return forms.markdown(self.page(whole=True))

    def __repr__(self) -> str:
        return f"CheckResult({', '.join(f'{finding.name}: {finding.count}' for finding in self) or 'clean'})"


def moves_most(finding: Finding) -> str:
    """The number that a finding moves most, and how far."""
    move = finding.furthest
    if move is None:
        return ""
    far = f"{_range(move)} instead of none" if math.isnan(move.by) else f"by {step(move.by)}"
    return f"{move.metric} under {move.preset} {far}"


def _about(checked: CheckResult) -> Iterator[str]:
    """What was looked at, and whether all is well."""
    at = checked.looked_at
    labels = f"Users with labels: {at['users with labels']:,} ({at['labels']:,} rows)"
    lists = f"with a list: {at['users with a list']:,} ({at['rows']:,} rows)"
    yield f"{labels}, {lists}; {f'cutoff {checked.cutoff}' if checked.cutoff else 'no cutoff'}."
    yield from checked.notes
    if checked.clean:
        yield "Nothing was found that makes a metric lie."


def _summary(checked: CheckResult) -> Table:
    rows = [[finding.name, finding.counted, moves_most(finding) or "–"] for finding in checked]
    return Table(["finding", "how many", "moves most"], rows, labels=3, prose=frozenset({1, 2}))


def _pieces(finding: Finding, checked: CheckResult, whole: bool) -> Iterator[Piece]:
    from rich.cells import cell_len

    yield Heading(finding.name, finding.title)
    yield from (Paragraph(sentence, INDENT, INDENT) for sentence in _sentences(finding))
    if not finding.moves:
        return
    metrics, rows = _moves(finding, checked)
    if whole:
        yield Table([*metrics, "under"], [[*cells, names] for cells, names in rows], 0, prose=frozenset({len(metrics)}))
        return
    sizes = [max(map(cell_len, column)) + 2 for column in zip(metrics, *(cells for cells, _ in rows), strict=True)]
    yield Values([(cells, [names]) for cells, names in rows[:MOST_LINES]], sizes, metrics, ["under"], indent=INDENT)
    if len(rows) > MOST_LINES:
        names = sum(len(names.split(", ")) for _, names in rows[MOST_LINES:])
        yield Line(f"{2 * INDENT}and less far under {names} more: --format json")


def _sentences(finding: Finding) -> Iterator[str]:
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


def _moves(finding: Finding, checked: CheckResult) -> tuple[list[str], Rows]:
    """The metrics that are moved, and how far each of them is, with the presets under which it is so."""
    moves = {(move.preset, move.metric): move for move in finding.moves}
    metrics = [metric for metric in checked.metrics if any((preset, metric) in moves for preset in checked.presets)]
    names_by_cells: dict[Sequence[str], list[str]] = {}
    for preset in sorted(checked.presets, key=lambda preset: -_furthest(finding, preset)):
        cells = tuple(_cell(moves.get((preset, metric))) for metric in metrics)
        if any(cells):
            names_by_cells.setdefault(cells, []).append(preset)
    return metrics, [(cells, ", ".join(names)) for cells, names in names_by_cells.items()]


def _furthest(finding: Finding, preset: str) -> float:
    """How far a preset is moved; those without a number now come first."""
    steps = [move.by for move in finding.moves if move.preset == preset]
    return math.inf if any(map(math.isnan, steps)) else max(steps, default=0.0)


def _cell(move: Move | None) -> str:
    """How far down and up; or the values, where the preset gives no number for the data as they are."""
    if move is None:
        return ""
    if math.isnan(move.mean):
        return f"({_range(move)})"
    return " ".join(step(by, "+") for by in (move.low - move.mean, move.high - move.mean) if abs(by) > 1e-12)


def _range(move: Move) -> str:
    low, high = f"{move.low:.4f}", f"{move.high:.4f}"
    return low if low == high else f"{low} to {high}"
