"""The definitions that explain a printed table of several runs and metrics."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Unpack

from typing_extensions import TypedDict

from rankconv.analysis.identify.candidates import entries
from rankconv.analysis.identify.identify_result import few
from rankconv.analysis.identify.printed_table import TableCell, read_table
from rankconv.analysis.identify.table_search import TableExplanation, TableSearch
from rankconv.basics.errors import InputError, nearest
from rankconv.basics.progress import INTERRUPTED, INTERRUPTS, watching
from rankconv.data import inputs
from rankconv.data.inputs.several_runs import several
from rankconv.evaluation.joining import SideDataLike, choose, join, takes_side_data
from rankconv.presets.definition import Definition
from rankconv.presets.preset_registry import preset
from rankconv.rendering.pages.cells import finite, number, plural
from rankconv.rendering.pages.display import RowResult
from rankconv.rendering.pages.page import Aside, Page, Paragraph, Piece
from rankconv.rendering.pages.table import Table

CONTRADICTS = "✗"
"""After a number that no explanation gives."""


class TableWayData(TypedDict):
    """A way to compute the table."""

    presets: list[str]
    """Those that give these numbers so; the one that most people use first."""
    slips: list[str]
    """What is changed of them: `cutoff 15`, `order=given`; empty where they are taken as they are."""
    definitions: dict[str, str]
    """Those of the first preset, by metric as it was printed, with its place if it has one."""
    against: str
    """The preset of the first way, for the ways after it."""
    differs: dict[str, str]
    """The settings in which definitions differ from those of that preset, whatever the metric."""
    numbers: int
    """How many numbers of the table it gives."""
    chance: float
    """How likely at most some way that was tried gives so many invented numbers."""


class TableCellData(TypedDict):
    """A number of the table."""

    run: str
    metric: str
    place: str
    """Where in the source the number is, if the table says it."""
    printed: str
    way: int | None
    """The place of the way that gives it, the first being 0; null where none does."""
    definition: str | None
    """The definition that gives it, or in its place another value; null where no preset gives any."""
    value: float | None
    """That other value; null where the number is explained, or no definition gives a value."""


class TableIdentifyData(TypedDict):
    """Which definitions explain a printed table."""

    found: bool
    """Whether some definition explains some of the numbers."""
    ok: bool
    """Whether every number is explained."""
    interrupted: bool
    """Whether it was stopped before everything was tried."""
    tried: int
    """How many definitions were measured."""
    without_run: list[str]
    """Runs of the table that were not given."""
    ways: list[TableWayData]
    """The one that gives the most numbers first."""
    rows: list[TableCellData]


@dataclass(frozen=True, eq=False)
class OtherValue:
    """A number that no explanation gives, and what a definition gives in its place."""

    cell: TableCell
    definition: Definition | None
    """That which explains other numbers of its metric; without one, that of the nearest preset."""
    value: float | None


@dataclass(frozen=True, eq=False, repr=False)
class TableIdentifyResult(RowResult):
    """Which definitions explain the numbers of a printed table, and which numbers contradict them.

    >>> import rankconv as rc
    >>> labels = {"q1": ["a", "b"], "q2": ["c"], "q3": ["d"]}
    >>> lists = {"one": ["a", "xc", "d"], "two": ["b", "c", "x"], "three": ["xa", "xc", "xd"]}
    >>> runs = {name: dict(zip(labels, map(list, of_queries))) for name, of_queries in lists.items()}
    >>> table = {"one": {"MRR": "0.8333"}, "two": {"MRR": "0.6667"}, "three": {"MRR": "0.9000"}}
    >>> found = rc.identify_table(table, labels, rc.Runs(runs))
    >>> [(other.cell.run, other.cell.number.text, other.value) for other in found.contradictions]
    [('three', '0.9000', 0.5)]
    """

    rows_in: ClassVar[str] = "rows"

    cells: Sequence[TableCell]
    explanations: Sequence[TableExplanation]
    """The one that gives the most numbers first."""
    contradictions: Sequence[OtherValue]
    """The numbers that none of them gives."""
    tried: int
    """How many definitions were measured."""
    without_run: Sequence[str] = ()
    """Runs of the table that were not given."""
    interrupted: bool = False
    """Whether it was stopped before everything was tried."""
    library: str = field(default="", repr=False)
    """The library whose table the data came in, for `to_frame`."""

    @property
    def found(self) -> bool:
        """Whether some definition explains some of the numbers."""
        return bool(self.explanations)

    @property
    def ok(self) -> bool:
        """Whether every number is explained."""
        return not self.contradictions

    def _page(self, most: int | None = 12) -> Page:
        """How many numbers are explained, by what, and where the others are."""
        explained = len(self.cells) - len(self.contradictions)
        runs = plural(len({cell.run for cell in self.cells}), "run")
        numbers, ways = plural(len(self.cells), "number"), plural(len(self.explanations), "way")
        head = f"{explained} of {numbers} of {runs} are given by {ways} to compute them."
        if not self.explanations:
            head = f"No definition gives some of {numbers} of {runs} but by chance."
        sections: list[list[Piece]] = [[Paragraph(f"{INTERRUPTED * self.interrupted}{head}")]]
        sections += [[self._explained(place, one, most)] for place, one in enumerate(self.explanations, 1)]
        sections.append([self.table()])
        if self.contradictions:
            shown = self.contradictions[:most]
            lines: list[Piece] = [Paragraph(_other(one)) for one in shown]
            hidden = len(self.contradictions) - len(shown)
            sections.append(
                [*lines, *([Paragraph(f"And {hidden} more: --full, in Python to_text(most=None).")] if hidden else [])]
            )
        if self.without_run:
            sections.append(
                [Paragraph(f"Not given: {plural(len(self.without_run), 'run')}, {', '.join(self.without_run)}.")]
            )
        return Page(sections)

    def table(self) -> Table:
        """Return the printed table, with the number of the explanation after each value, or ✗."""
        columns = list(dict.fromkeys(cell.column for cell in self.cells))
        places = {id(cell): place for place, one in enumerate(self.explanations, 1) for cell in one.cells}
        texts = {(cell.run, cell.column): _marked(cell, places.get(id(cell))) for cell in self.cells}
        runs = dict.fromkeys(cell.run for cell in self.cells)
        rows = [[run, *(texts.get((run, column), "") for column in columns)] for run in runs]
        marks = ["[1]: as in way 1"] if self.explanations else []
        marks += [f"{CONTRADICTS}: given by {'none of them' if marks else 'no way'}"] if self.contradictions else []
        notes = [f"{'; '.join(marks)}."]
        return Table(["run", *columns], rows, notes=notes)

    def _explained(self, place: int, one: TableExplanation, most: int | None) -> Aside:
        """A way: its presets and slips, the columns that it gives, and how it differs from the first."""
        slips = f" with {', '.join(map(str, one.slips))}" if one.slips else ""
        texts = "; ".join(dict.fromkeys(definition.text for definition in one.definitions.values()))
        words = f"{few(one.presets, most)}{slips}: {plural(len(one.cells), 'number')} of {', '.join(one.definitions)}."
        differs = ", ".join(f"{name}={setting or 'none'}" for name, setting in self.differing(one).items())
        against = f" Against {self.explanations[0].presets[0]}: {differs}." if differs else ""
        return Aside(f"[{place}]", f"{words} {texts}.{against}")

    def differing(self, one: TableExplanation) -> dict[str, str]:
        """The settings of a way that are others in the preset of the first way, whatever the metric."""
        first, found = self.explanations[0], dict[str, str]()
        for column, definition in one.definitions.items() if one is not first else ():
            printed = next(cell.metric for cell in one.cells if cell.column == column)
            others = entries(printed, [preset(first.presets[0])])
            base = first.definitions.get(column) or next(iter(others), None)
            pairs = {} if base is None else base.diff(definition)
            found |= {name: ours for name, (_, ours) in pairs.items() if name not in definition.idle_rules}
        return found

    def to_dict(self) -> TableIdentifyData:
        """Plain data."""
        ways: list[TableWayData] = [
            {
                "presets": one.presets,
                "slips": [str(slip) for slip in one.slips],
                "definitions": {column: definition.text for column, definition in one.definitions.items()},
                "against": self.explanations[0].presets[0] if place else "",
                "differs": self.differing(one),
                "numbers": len(one.cells),
                "chance": one.chance,
            }
            for place, one in enumerate(self.explanations)
        ]
        return {
            "found": self.found,
            "ok": self.ok,
            "interrupted": self.interrupted,
            "tried": self.tried,
            "without_run": list(self.without_run),
            "ways": ways,
            "rows": [self._row(cell) for cell in self.cells],
        }

    def _row(self, cell: TableCell) -> TableCellData:
        """One number of the table."""
        place = next((place for place, one in enumerate(self.explanations) if cell in one.cells), None)
        other = next((one for one in self.contradictions if one.cell is cell), None)
        own = None if place is None else self.explanations[place].definitions[cell.column]
        definition = own if other is None else other.definition
        return {
            "run": cell.run,
            "metric": cell.metric,
            "place": cell.place,
            "printed": cell.number.text,
            "way": place,
            "definition": None if definition is None else definition.text,
            "value": None if other is None or other.value is None else finite(other.value),
        }


def _marked(cell: TableCell, place: int | None) -> str:
    return f"{cell.number.text} {CONTRADICTS if place is None else f'[{place}]'}"


def _other(one: OtherValue) -> str:
    printed = f"{one.cell.run}, {one.cell.column}: {one.cell.number.text} is printed"
    if one.definition is None or one.value is None:
        return f"{printed}, and no preset gives a number."
    by_chance = one.cell.number.how(one.value) is not None
    said = ", but some of so many definitions gives such a number by chance" if by_chance else ""
    return f"{printed}, {one.definition.text} gives {number(one.value, 6)}{said}."


@takes_side_data
def identify_table(
    table: Any,
    labels: Any,
    run: Any,
    *,
    tolerance: int = 0,
    users: Iterable[Any] | None = None,
    progress: bool | None = None,
    **side: Unpack[SideDataLike],
) -> TableIdentifyResult:
    """Identify the definitions that explain a printed table of several runs and metrics.

    The smallest set of ways to compute the table is looked for: presets as they are, then with what a table often does
    not say: another cutoff, level of relevance, order of rows or depth of lists, micro in place of macro, the first
    users alone or others left out.

    Parameters
    ----------
    table : path, mapping or sequence
        A CSV with columns run, metric and value, or with a row for each run and a column for each metric;
        `{run: {metric: value}}`, or rows of (run, metric, value). A metric that is printed in several places has a
        further column `place`, a fourth part of a row, or several columns of its name. Values are text, with the
        digits that were printed; metrics are written as in `rc.identify`.
    labels
        As in `rc.evaluate`.
    run : mapping of str to RunLike, or Runs
        The runs, by the names that the table has.
    tolerance : int, default 0
        By how much the last digit may differ.
    users, progress, seen, catalogue, train, item_features, parents, propensities, shown, group_target
        As in `rc.evaluate`.

    Returns
    -------
    TableIdentifyResult
        Its `explanations`, and as `contradictions` the numbers that none of them gives. Interrupted once the presets
        are evaluated, it is what was found until then, and `interrupted` is True.

    Raises
    ------
    InputError
        If the data or the table cannot be read, or no run has a name that the table has.
    MetricError
        If a metric is unknown.

    Examples
    --------
    >>> import rankconv as rc
    >>> labels = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}, "q3": {"d": 1}}
    >>> runs = rc.Runs(one={"q1": ["a"], "q2": ["x", "c"], "q3": ["d"]}, two={"q1": ["b"], "q2": ["c"], "q3": ["x"]})
    >>> found = rc.identify_table({"one": {"MRR": "0.8333"}, "two": {"MRR": "0.6667"}}, labels, runs)
    >>> found.ok, "trec_eval" in found.explanations[0].presets
    (True, True)
    """
    cells = read_table(table, tolerance)
    known, ranked = inputs.labels(labels), several(run)
    do = "Pass rc.Runs(name=run, …), with the names of the table."
    if ranked is None:
        raise InputError("a table needs its runs by name", do=do)
    names = dict.fromkeys(cell.run for cell in cells)
    missing = [name for name in names if name not in ranked.by_name]
    if len(missing) == len(names):
        near = nearest(missing[0], ranked.by_name)
        given = f"The runs are {', '.join(ranked.by_name)}"
        shell = "Give each run as a file of the name that the table has."
        wrong = f"no run is called {missing[0]}, as the table has it"
        raise InputError(wrong, allowed=given, nearest=near, do=do, shell=shell)
    joined = {name: join(known, ranked.by_name[name], **side) for name in names if name in ranked.by_name}
    chosen = {name: choose(one, users) for name, one in joined.items()}
    there = [cell for cell in cells if cell.run in joined]
    with watching(progress):
        search = TableSearch(
            there, {name: one for name, (one, _) in chosen.items()}, {n: mask for n, (_, mask) in chosen.items()}
        )
        interrupted, explanations = False, list[TableExplanation]()
        try:
            explanations = search.explanations()
        except INTERRUPTS:
            interrupted, explanations = True, search.so_far()
    explained = {id(cell) for one in explanations for cell in one.cells}
    others = []
    for cell in there:
        if id(cell) not in explained:
            definition, value = search.of_cell(cell, explanations) or (None, None)
            others.append(OtherValue(cell, definition, value))
    library = next((one.library for one in joined.values()), "")
    return TableIdentifyResult(there, explanations, others, search.tried, missing, interrupted, library)
