"""Numbers from lowest to highest, each with those who give it: as lines for a terminal, or as a table."""

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from rankconv.escaping import printable
from rankconv.grouping import Group, Means
from rankconv.report.table import Table
from rankconv.report.tables import number

if TYPE_CHECKING:
    from rankconv.comparison import Comparison

NARROWEST = 10


def value_lines(
    groups: Sequence[Group],
    runs: Sequence[str] = ("",),
    *,
    width: int = 100,
    digits: int = 4,
    steps: bool = True,
    notes: Mapping[Means, str] | None = None,
    absent: Sequence[str] = (),
) -> str:
    """A line for each number; below it, unless `steps` is False, the answers that part it from the line above.

    `notes` are put behind the names of a line, and `absent` says who gives no number.
    """
    cell = max(NARROWEST, digits + 4, *(len(printable(run)) + 2 for run in runs))
    lines = ["".join(f"{printable(run):>{cell}}" for run in runs) + "   presets"] if len(runs) > 1 else []
    for one in groups:
        cells = "".join(f"{number(mean, digits):>{cell}}" for mean in one.means)
        lines.append(beside(cells, ", ".join(sorted(one.names)) + (notes or {}).get(one.means, ""), width))
        if steps and one.step:
            lines.append(beside(" " * len(cells), f"^ {_told(one)}", width))
    lines += [beside(f"{'none':>{cell * len(runs)}}", text, width) for text in absent]
    return "\n".join(lines)


def absent_lines(comparison: "Comparison", metric: str) -> list[str]:
    """Who refuses these data and why, and how many do not have the metric."""
    presets_by_reason: dict[str, list[str]] = {}
    for preset in sorted(comparison.presets):
        cells = [comparison.cell(metric, preset, run) for run in comparison.runs]
        for refusal in [refusal for cell in cells if cell for refusal in cell.refusals][:1]:
            presets_by_reason.setdefault(refusal.why, []).append(preset)
    missing = sum(comparison.cell(metric, preset) is None for preset in comparison.presets)
    texts = [f"{', '.join(presets)}: {why}" for why, presets in presets_by_reason.items()]
    return [*texts, f"{missing} others, which do not define it"] if missing else texts


def comparison_lines(comparison: "Comparison", width: int, digits: int = 4) -> str:
    """Every metric of a comparison by its numbers."""
    return "\n\n".join(
        f"{metric}\n"
        + value_lines(
            comparison.by_value(metric, digits),
            comparison.runs,
            width=width,
            digits=digits,
            absent=absent_lines(comparison, metric),
        )
        for metric in comparison.metrics
    )


def comparison_values(comparison: "Comparison", digits: int = 4) -> Table:
    """The same as a table."""
    rows = [
        [metric, *(number(mean, digits) for mean in one.means), ", ".join(sorted(one.names)), _told(one)]
        for metric in comparison.metrics
        for one in comparison.by_value(metric, digits)
    ]
    heads = ["metric", *(run or "mean" for run in comparison.runs), "presets", "against the row above"]
    return Table(heads, rows, labels=len(heads))


def beside(numbers: str, text: str, width: int) -> str:
    """A line of numbers with text, which goes on below itself."""
    first, rest = f"{numbers}   ", " " * (len(numbers) + 3)
    return fill(printable(text), width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def _told(one: Group) -> str:
    if one.step is None:
        return ""
    return f"{one.step.upper} against {one.step.lower}: {', '.join(one.step.answers) or 'nothing that is an answer'}"
