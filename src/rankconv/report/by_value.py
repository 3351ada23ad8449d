"""Numbers from lowest to highest, each with those who give it: as lines for a terminal, or as a table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from rankconv.escaping import printable
from rankconv.grouping import Group, Means
from rankconv.report.drawing import drawn
from rankconv.report.table import Table
from rankconv.report.tables import number
from rankconv.report.wrapping import longest, wrapped

if TYPE_CHECKING:
    from rankconv.comparison import Comparison

NARROWEST, NAMES = 10, 24
"""Columns that a number takes at least, and that names get beside the numbers at least."""
BETWEEN = 3
"""Columns between the numbers and the names."""
BELOW = 4
"""Columns before names that stand below their numbers."""


def value_lines(
    groups: Sequence[Group],
    runs: Sequence[str] = ("",),
    *,
    width: int | None = 100,
    digits: int = 4,
    steps: bool = True,
    notes: Mapping[Means, str] | None = None,
    absent: Sequence[str] = (),
) -> str:
    """A line for each number; below it, unless `steps` is False, the answers that part it from the line above.

    `notes` are put behind the names of a line, and `absent` says who gives no number. Where the numbers of many runs
    leave no room for names, all of it is a table folded to the width.
    """
    cell = max(NARROWEST, digits + 4, *(cell_len(printable(run)) + 2 for run in runs))
    rows = [([number(mean, digits) for mean in one.means], _texts(one, steps, notes or {})) for one in groups]
    heads, told = (runs if len(runs) > 1 else None), ["presets", *(["against the row above"] if steps else [])]
    lines = number_lines(rows, [cell] * len(runs), heads, told, width)
    none = f"{'none':>{cell * (1 if folds([cell] * len(runs), width) else len(runs))}}"
    return "\n".join([*lines, *(beside(none, text, width) for text in absent)])


def _texts(one: Group, steps: bool, notes: Mapping[Means, str]) -> list[str]:
    names = ", ".join(sorted(one.names)) + notes.get(one.means, "")
    return [names, f"^ {_told(one)}" if one.step else ""] if steps else [names]


def folds(sizes: Sequence[int], width: int | None) -> bool:
    """Whether numbers of these columns leave no room for names beside them."""
    return width is not None and sum(sizes) + BETWEEN + NAMES > width


def number_lines(
    rows: Sequence[tuple[Sequence[str], Sequence[str]]],
    sizes: Sequence[int],
    heads: Sequence[str] | None,
    told: Sequence[str],
    width: int | None,
) -> Iterator[str]:
    """Numbers in columns of these sizes, with names beside them and what else is told below the names.

    Where the numbers leave no room for names, a folded table; `heads` and `told` are the heads of its columns.
    """
    if folds(sizes, width):
        prose = frozenset(range(len(sizes), len(sizes) + len(told)))
        yield from drawn(
            Table([*(heads or ["mean"]), *told], [[*cells, *text] for cells, text in rows], 0, (), prose), width
        )
        return
    for cells, (names, *more) in [*([(heads, told[:1])] if heads else []), *rows]:
        numbers = "".join(map(_right, cells, sizes))
        yield beside(numbers, names, width)
        yield from (beside(" " * len(numbers), text, width) for text in more if text)


def _right(text: str, room: int) -> str:
    return " " * (room - cell_len(printable(text))) + printable(text)


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


def comparison_lines(comparison: "Comparison", width: int | None, digits: int = 4) -> str:
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


def beside(numbers: str, text: str, width: int | None) -> str:
    """A line of numbers with text, which goes on below itself; all of it below where a word would not fit beside."""
    first = numbers + " " * BETWEEN
    indent = cell_len(first)
    if width is None or indent + longest(printable(text)) <= width or indent <= BELOW:
        return "\n".join(wrapped(text, width, first, " " * indent))
    lines = wrapped(text, width, " " * BELOW, " " * BELOW)
    return "\n".join([numbers, *lines] if numbers.strip() else lines)


def _told(one: Group) -> str:
    if one.step is None:
        return ""
    return f"{one.step.upper} against {one.step.lower}: {', '.join(one.step.answers) or 'nothing that is an answer'}"
