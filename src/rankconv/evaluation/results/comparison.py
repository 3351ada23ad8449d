"""A comparison and its tables: values by run, preset and metric, and what separates presets."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from typing_extensions import TypedDict

from rankconv.basics.errors import MetricError
from rankconv.basics.escaping import printable
from rankconv.basics.optional import frame_of
from rankconv.conventions.spec import at_cutoff, preset_and_rest
from rankconv.engine.metric_result import Measured
from rankconv.evaluation.results.differences import ComparedNumbers, EqualNumbers, Means
from rankconv.evaluation.results.strips import strip_of, strips
from rankconv.presets import arguments
from rankconv.presets.arguments import metric as metric_of
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset
from rankconv.rendering.pages.cells import ABSENT, REFUSED, finite, number
from rankconv.rendering.pages.display import Drawn, Tabular, markdown, text
from rankconv.rendering.pages.page import Heading, Note, Page, Piece, Values
from rankconv.rendering.pages.table import Table, csv_of_rows
from rankconv.rendering.pages.wrapping import cell_len

if TYPE_CHECKING:
    from rankconv.evaluation.results.circumstances import SignedData
    from rankconv.rendering.pages.picture import Target

DefinitionsByColumn = dict[str, Definition]
"""Definitions by the name of their column."""


def are_columns(metrics: Any, presets: Any) -> bool:
    """Whether definitions are to be put side by side, and not metrics under presets."""
    if presets is not None:
        return False
    if isinstance(metrics, (Definition, Mapping)):
        return True
    several = isinstance(metrics, Iterable) and not isinstance(metrics, (str, bytes))
    return several and any(_is_whole(one) for one in metrics)


def _is_whole(given: Any) -> bool:
    return isinstance(given, Definition) or (isinstance(given, str) and preset_and_rest(given)[0] is not None)


def columns(metrics: Any, house: Preset) -> DefinitionsByColumn:
    """The columns; a spec without a preset is the house's. MetricError where two definitions have one name."""
    given = metrics.items() if isinstance(metrics, Mapping) else [(None, one) for one in _listed(metrics)]
    found: DefinitionsByColumn = {}
    for label, one in given:
        definition = one if isinstance(one, Definition) else metric_of(arguments.spec(one), house)
        name = definition.text if label is None else str(label)
        if found.setdefault(name, definition) != definition:
            do = "Name them: rc.compare(labels, run, {'mine': …, 'theirs': …})."
            raise MetricError(f"two different definitions are called '{name}'", do=do)
    return found


def _listed(metrics: Any) -> list[Any]:
    return [metrics] if isinstance(metrics, (str, Definition)) else list(metrics)


def row_of(found: DefinitionsByColumn) -> str:
    """What the one row is called: the metric and the cutoff that all have, else "value"."""
    names = {at_cutoff(one.metric.name, one.k) for one in found.values()}
    return names.pop() if len(names) == 1 else "value"


class ComparisonData(TypedDict):
    """The values of one run or several under several presets."""

    metrics: dict[str, dict[str, float | None]] | dict[str, dict[str, dict[str, float | None]]]
    """The mean by metric and preset, of several runs by run, metric and preset; null where there is none."""
    notes: list[str]


class ComparisonRow(TypedDict):
    """The value of one run, metric and preset."""

    run: str
    """The name of the run; empty where it has none."""
    metric: str
    preset: str
    mean: float | None
    """Null where it is missing, or not finite."""
    missing: str | None
    """Why the mean is missing: `not offered`, or what the preset refuses; null where it is there."""
    note: str | None
    """What is said of values outside the bounds of the metric."""


ALL = "to_frame() has every value, page() the groups of equal presets"


@dataclass(frozen=True, eq=False)
class Comparison(Drawn, Tabular, ComparedNumbers):
    """Numbers of one or several runs, by metric and preset.

    `comparison["ndcg@10", "mllib"]` is a mean: NaN where the preset does not offer the metric or refuses the data.
    """

    signed: dict[str, "SignedData"] = field(default_factory=dict, repr=False)
    """The data of each run for signatures; of files that are larger than memory none."""

    def _page(self, digits: int = 4) -> Page:
        """Each metric's numbers from lowest to highest, with who gives them and what parts them."""
        return page(self, digits)

    def _printed(self, width: int | None) -> Page:
        """The table, summed up where it would be long."""
        return self._summed_up(width, ALL)

    def _pages(self) -> list[Page]:
        """The table, its picture, then each metric's numbers with who gives them."""
        table = self._summed_up(None, "each value is below, with the presets that give it")
        return [table, self._pictures(), page(self, 4, drawn=False)]

    def _summed_up(self, width: int | None, rest: str) -> Page:
        """The table; where it would be long in short, with the words for where the `rest` is."""
        table, left_out = shortened(self, width=width)
        return Page([[table, *([Note(f"{left_out}: {rest}.")] if left_out else [])]])

    def plot(self, path: "Target", digits: int = 4) -> None:
        """Draw the values of each metric on an axis, with the presets that give them, into an SVG or PNG file.

        A PNG file needs matplotlib.
        """
        from rankconv.rendering.pages.strip_file import draw

        draw([one for metric in self.metrics if (one := strip_of(self, metric, digits))], path)

    def _pictures(self) -> Page:
        return Page([[one] for one in strips(self)])

    def table(self, digits: int = 4, width: int | None = None) -> Table:
        """Metrics by presets; presets by metrics where only that fits the width, or is folded into fewer lines."""
        return comparison_table(self, digits, width)

    def to_text(self, width: int | None = 100, **shown: Any) -> str:
        """Return the whole table for a terminal of `width` columns, unfolded for None."""
        return text(Page([[self.table(width=width, **shown)]]), width)

    def to_markdown(self, **shown: Any) -> str:
        """Return the whole table as GitHub Markdown, and the signatures of its numbers."""
        return markdown(Page([[self.table(**shown)], *self._signatures().sections]))

    @property
    def signatures(self) -> list[str]:
        """The signature of each number, each once."""
        from rankconv.evaluation.results.circumstances import UNSIGNED, signature_of

        each = (signature_of(cell, self.signed.get(run, UNSIGNED)) for (run, _, _), cell in self.cells.items())
        return list(dict.fromkeys(each))

    def _signatures(self) -> Page:
        from rankconv.evaluation.results.circumstances import paper_page

        return paper_page(self.signatures)

    def to_dict(self) -> ComparisonData:
        """Plain data: run → metric → preset → mean (None where there is none), and the notes."""
        numbers = {
            run: {m: {p: _json_number(self.cell(m, p, run)) for p in self.presets} for m in self.metrics}
            for run in self.runs
        }
        return {"metrics": numbers if len(self.runs) > 1 else numbers[self.runs[0]], "notes": self.notes}

    def rows(self) -> list[ComparisonRow]:
        """One row per number: run, metric, preset, mean, why it is missing, and a note on values outside its bounds."""
        places = product(self.runs, self.metrics, self.presets)
        return [
            {
                "run": run,
                "metric": metric,
                "preset": preset,
                "mean": _json_number(cell),
                "missing": "not offered" if cell is None else cell.refusals[0].why if cell.refusals else None,
                "note": None if cell is None else cell.note or None,
            }
            for run, metric, preset in places
            for cell in [self.cell(metric, preset, run)]
        ]

    def to_csv(self, **shown: Any) -> str:
        """Return the `rows` as CSV, numbers in full; `shown` has no effect."""
        return csv_of_rows(self.rows())

    def to_frame(self) -> Any:
        """The `rows` as a frame."""
        return frame_of(self.rows(), {"mean": float, "missing": str, "note": str}, self.library)

    def __repr__(self) -> str:
        return f"Comparison({len(self.metrics)} metrics × {len(self.presets)} presets × {len(self.runs)} runs)"


def _json_number(cell: Measured | None) -> float | None:
    return None if cell is None else finite(cell.mean)


NARROWEST = 10
"""Columns that a number takes at least."""


def values_of(
    groups: Sequence[EqualNumbers],
    runs: Sequence[str] = ("",),
    *,
    digits: int = 4,
    steps: bool = True,
    notes: Mapping[Means, str] | None = None,
    absent: Sequence[str] = (),
) -> Values:
    """A row for each number; below it, unless `steps` is False, the settings that separate it from the row above.

    `notes` are put after the names of a row, and `absent` says who gives no number.
    """
    cell = max(NARROWEST, digits + 4, *(cell_len(printable(run)) + 2 for run in runs))
    rows = [([number(mean, digits) for mean in one.means], _texts(one, steps, notes or {})) for one in groups]
    parts = ["presets", *(["against the row above"] if steps else [])]
    return Values(rows, [cell] * len(runs), runs if len(runs) > 1 else None, parts, absent)


def _texts(one: EqualNumbers, steps: bool, notes: Mapping[Means, str]) -> list[str]:
    names = ", ".join(sorted(one.names)) + notes.get(one.means, "")
    return [names, f"^ {_step_text(one)}" if one.step else ""] if steps else [names]


def _step_text(one: EqualNumbers) -> str:
    if one.step is None:
        return ""
    return f"{one.step.upper} against {one.step.lower}: {', '.join(one.step.settings) or 'nothing that is a setting'}"


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


def page(comparison: ComparedNumbers, digits: int = 4, *, drawn: bool = True) -> Page:
    """Every metric of a comparison by its numbers, with its picture where it is `drawn` and there are many presets."""
    pictures = strips(comparison, digits) if drawn and len(comparison.presets) > FEW else []

    def section(metric: str) -> list[Piece]:
        picture = [one for one in pictures if one.measure == metric]
        return [Heading(metric), *picture, _values(comparison, metric, digits)]

    return Page(list(map(section, comparison.metrics)))


def _values(comparison: ComparedNumbers, metric: str, digits: int) -> Values:
    groups, absent = comparison.by_value(metric, digits), absent_words(comparison, metric)
    absent = [*(note for note in comparison.group_notes if f":{metric}" in note), *absent]
    values = values_of(groups, comparison.runs, digits=digits, absent=absent)
    return values._replace(best=frozenset(_best(comparison, metric, groups)))


def _best(comparison: ComparedNumbers, metric: str, groups: Sequence[EqualNumbers]) -> Iterator[tuple[int, int]]:
    """Row and column of the best run of each row, where several are ranked and one end is the better one."""
    for row, one in enumerate(groups):
        best = comparison.best_runs(metric, one.names[0])
        yield from ((row, place) for place, run in enumerate(comparison.runs) if run in best)


def values_table(comparison: ComparedNumbers, digits: int = 4) -> Table:
    """Every metric by its numbers, as a table."""
    rows = [
        [metric, *(number(mean, digits) for mean in one.means), ", ".join(sorted(one.names)), _step_text(one)]
        for metric in comparison.metrics
        for one in comparison.by_value(metric, digits)
    ]
    heads = ["metric", *(run or "mean" for run in comparison.runs), "presets", "against the row above"]
    return Table(heads, rows, labels=len(heads))


FEW = 12
"""What separates the presets is shown for at most so many."""


def comparison_table(
    comparison: ComparedNumbers, digits: int = 4, width: int | None = None, presets: Sequence[str] | None = None
) -> Table:
    """Metrics by presets; presets by metrics where only that fits the width, or is folded into fewer lines."""
    presets = comparison.presets if presets is None else presets
    table = _grid(comparison, presets, digits, of_presets=True)
    if width is None:
        return table
    from rankconv.rendering.pages.table import shorter

    return shorter(table, _grid(comparison, presets, digits, of_presets=False), width)


def shortened(comparison: ComparedNumbers, digits: int = 4, width: int | None = None) -> tuple[Table, str]:
    """What a terminal of this width shows of the numbers, and in words what is left out of it, if anything is."""
    if len(comparison.presets) <= FEW:
        table = comparison_table(comparison, digits, width)
        return (table if width is None else replace(table, notes=comparison.brief_notes)), ""
    defining = [
        one for one in comparison.presets if any(comparison.cell(of, one) is not None for of in comparison.metrics)
    ]
    table = comparison_table(comparison, digits, width, defining)
    return replace(table, notes=short_notes(comparison, defining)), "What parts so many presets is left out"


def short_notes(comparison: ComparedNumbers, defining: Sequence[str]) -> list[str]:
    """How many presets define nothing, who refuses some number, and how often the order of the runs changes."""
    refusing = sorted({preset for (_, _, preset), cell in comparison.cells.items() if cell.refusals})
    notes = [*comparison.group_notes, *comparison.absent_notes]
    if without := len(comparison.presets) - len(defining):
        [metric, *others] = comparison.metrics
        notes.append(
            f"Left out: {without} presets, which define {'none of the metrics' if others else f'no {metric}'}."
        )
    notes += [f"Some number is refused by {', '.join(refusing)}."] if refusing else []
    outside = {metric for (_, metric, _), cell in comparison.cells.items() if cell.note}
    notes += [f"{metric}: {_outside(comparison, metric)}." for metric in comparison.metrics if metric in outside]
    for metric in comparison.metrics if len(comparison.runs) > 1 else []:
        orders = list(comparison.orders(metric).values())
        if len(set(orders)) > 1:
            [(first, often)] = Counter(order[0] for order in orders).most_common(1)
            text = f"{first} is first under {often} of {len(orders)} presets"
            notes.append(f"{metric}: the presets put the runs into {len(set(orders))} different orders; {text}.")
    return notes


def _outside(comparison: ComparedNumbers, metric: str) -> str:
    """Under how many presets a metric has values outside its bounds, and the first note of them."""
    noted = {preset: cell.note for (_, one, preset), cell in comparison.cells.items() if one == metric and cell.note}
    first = next(iter(noted))
    return f"values outside its bounds under {len(noted)} presets; under {first}, {noted[first]}"


def _cell(comparison: ComparedNumbers, run: str, metric: str, preset: str, digits: int) -> str:
    cell = comparison.cell(metric, preset, run)
    if cell is None:
        return ABSENT
    return REFUSED if cell.refusals else number(cell.mean, digits)


def _grid(comparison: ComparedNumbers, presets: Sequence[str], digits: int, *, of_presets: bool) -> Table:
    """A row per metric and run, a column for each preset, or the other way round; best and differing are marked."""
    metrics, several = comparison.metrics, len(comparison.runs) > 1
    corner, heads, columns = ("metric", metrics, presets) if of_presets else ("preset", presets, metrics)
    places = [[(head, column) if of_presets else (column, head) for column in columns] for head in heads]
    rows = [
        [head, *([run] if several else []), *(_cell(comparison, run, *place, digits) for place in line)]
        for head, line in zip(heads, places, strict=True)
        for run in comparison.runs
    ]
    labels = [corner, "run"] if several else [corner]
    firsts = [
        [*([""] * len(labels)), *(_cell(comparison, run, metric, presets[0], digits) for metric, _ in line)]
        for line in places
        for run in comparison.runs
    ]
    differing = frozenset(
        (row, place)
        for row, (cells, first) in enumerate(zip(rows, firsts, strict=True))
        for place in range(len(labels), len(cells))
        if cells[place] not in (first[place], ABSENT) and first[place] != ABSENT
    )
    runs = list(product(places, comparison.runs))
    best = frozenset(
        (row, len(labels) + at)
        for row, (line, run) in enumerate(runs)
        for at, (metric, preset) in enumerate(line)
        if run in comparison.best_runs(metric, preset)
    )
    table = Table([*labels, *columns], rows, labels=len(labels), notes=comparison.notes)
    return replace(table, best=best, differing=differing, first=presets[0])
