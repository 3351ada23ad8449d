"""The numbers of presets from lowest to highest, each with those who give it."""

from collections.abc import Iterator, Mapping, Sequence

from rankconv.engine.grouping import Group, Means
from rankconv.escaping import printable
from rankconv.evaluation.compare.compared import ComparedNumbers
from rankconv.pages.cells import number
from rankconv.pages.page import Heading, Page, Values
from rankconv.pages.table import Table

NARROWEST = 10
"""Columns that a number takes at least."""


def values_of(
    groups: Sequence[Group],
    runs: Sequence[str] = ("",),
    *,
    digits: int = 4,
    steps: bool = True,
    notes: Mapping[Means, str] | None = None,
    absent: Sequence[str] = (),
) -> Values:
    """A row for each number; below it, unless `steps` is False, the answers that part it from the row above.

    `notes` are put behind the names of a row, and `absent` says who gives no number.
    """
    from rich.cells import cell_len

    cell = max(NARROWEST, digits + 4, *(cell_len(printable(run)) + 2 for run in runs))
    rows = [([number(mean, digits) for mean in one.means], _texts(one, steps, notes or {})) for one in groups]
    told = ["presets", *(["against the row above"] if steps else [])]
    return Values(rows, [cell] * len(runs), runs if len(runs) > 1 else None, told, absent)


def _texts(one: Group, steps: bool, notes: Mapping[Means, str]) -> list[str]:
    names = ", ".join(sorted(one.names)) + notes.get(one.means, "")
    return [names, f"^ {_told(one)}" if one.step else ""] if steps else [names]


def _told(one: Group) -> str:
    if one.step is None:
        return ""
    return f"{one.step.upper} against {one.step.lower}: {', '.join(one.step.settings) or 'nothing that is an setting'}"


def absent_words(comparison: ComparedNumbers, metric: str) -> list[str]:
    """Who refuses these data and why, and how many do not have the metric."""
    presets_by_reason: dict[str, list[str]] = {}
    for preset in sorted(comparison.presets):
        cells = [comparison.cell(metric, preset, run) for run in comparison.runs]
        for refusal in [refusal for cell in cells if cell for refusal in cell.refusals][:1]:
            presets_by_reason.setdefault(refusal.why, []).append(preset)
    missing = sum(comparison.cell(metric, preset) is None for preset in comparison.presets)
    texts = [f"{', '.join(presets)}: {why}" for why, presets in presets_by_reason.items()]
    return [*texts, f"{missing} others, which do not define it"] if missing else texts


def page(comparison: ComparedNumbers, digits: int = 4) -> Page:
    """Every metric of a comparison by its numbers."""
    return Page([[Heading(metric), _values(comparison, metric, digits)] for metric in comparison.metrics])


def _values(comparison: ComparedNumbers, metric: str, digits: int) -> Values:
    groups, absent = comparison.by_value(metric, digits), absent_words(comparison, metric)
    values = values_of(groups, comparison.runs, digits=digits, absent=absent)
    return values._replace(marked=frozenset(_best(comparison, metric, groups)))


def _best(comparison: ComparedNumbers, metric: str, groups: Sequence[Group]) -> Iterator[tuple[int, int]]:
    """Row and column of the best run of each row, where several are ranked and one end is the better one."""
    if len(comparison.runs) > 1 and comparison.directed(metric):
        for row, one in enumerate(groups):
            best = min if comparison.lower_is_better(metric, one.names[0]) else max
            yield from ((row, place) for place, mean in enumerate(one.means) if mean == best(one.means))


def values_table(comparison: ComparedNumbers, digits: int = 4) -> Table:
    """Every metric by its numbers, as a table."""
    rows = [
        [metric, *(number(mean, digits) for mean in one.means), ", ".join(sorted(one.names)), _told(one)]
        for metric in comparison.metrics
        for one in comparison.by_value(metric, digits)
    ]
    heads = ["metric", *(run or "mean" for run in comparison.runs), "presets", "against the row above"]
    return Table(heads, rows, labels=len(heads))
