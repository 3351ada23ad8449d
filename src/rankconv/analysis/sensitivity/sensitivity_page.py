"""The result of a sensitivity analysis: data, tables and page."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import ClassVar

import numpy as np
from typing_extensions import TypedDict

from rankconv.basics.progress import INTERRUPTED
from rankconv.engine.metric_result import Measured
from rankconv.evaluation.results.comparison import NARROWEST, Comparison, absent_words, values_of
from rankconv.evaluation.results.differences import EqualNumbers, between
from rankconv.evaluation.results.strips import strips
from rankconv.rendering.pages.cells import ABSENT, finite, number
from rankconv.rendering.pages.display import Drawn, RowTable
from rankconv.rendering.pages.page import Aside, Heading, Page, Paragraph, Piece, Values
from rankconv.rendering.pages.picture import Target
from rankconv.rendering.pages.strip_plot import StripPlot
from rankconv.rendering.pages.table import Table


class RangeData(TypedDict):
    """The lowest and the highest value of a run."""

    over: str
    """What varies: `presets` or `tie orders`."""
    run: str
    """The name of the run; empty where it has none."""
    lowest: float
    highest: float
    presets: list[str]
    """The preset with the lowest value and that with the highest; one preset twice where the order of ties varies."""


class PresetValueData(TypedDict):
    """The value of a run under one preset and order of ties."""

    run: str
    """The name of the run; empty where it has none."""
    preset: str
    ties: str
    """The order of tied rows: `as given`, `worst`, `expected` or `best`."""
    mean: float | None
    """Null where there is none."""


class OrderChangeData(TypedDict):
    """A preset that puts a pair of runs in the other order."""

    preset: str
    nearest: str
    """The preset most like it that does not."""
    settings: list[str]
    """The settings in which the first differs from the second, of those that can matter on these data."""


class FlipData(TypedDict):
    """A pair of runs whose order depends on the preset."""

    better: str
    """The better run under most presets."""
    worse: str
    presets: int
    """How many presets agree."""
    equal: list[str]
    """Presets that give both the same."""
    turned: list[OrderChangeData]
    """Presets under which the order is the other one."""


class SensitivityData(TypedDict):
    """How much a value depends on its definition."""

    metric: str
    interrupted: bool
    """Whether it was stopped before all orders of ties were tried."""
    ranges: list[RangeData]
    """For each run that over presets, and that over orders of ties of the preset with the largest one."""
    numbers: list[PresetValueData]
    left_out: dict[str, list[str]]
    """Why the best and the worst order of ties cannot be known, and of which presets."""
    flips: list[FlipData]


@dataclass(frozen=True)
class OrderChange:
    """A preset that turns a pair of runs round, and the preset most like it that does not."""

    preset: str
    near: str
    settings: tuple[str, ...]
    """In which the first differs from the second, of those that can matter on these data."""


@dataclass(frozen=True)
class Flip:
    """A pair of runs whose order depends on the definition."""

    usual: tuple[str, str]
    """The better and the worse run under most presets."""
    agree: list[str]
    """Presets under which it is so."""
    equal: list[str]
    """Presets that give both the same."""
    changes: list[OrderChange]
    """Presets that turn it round."""


def flips(comparison: Comparison, metric: str) -> list[Flip]:
    """The pairs of runs that are in different order under different presets."""
    found, nearest = [], NearestPreset(comparison, metric)
    upwards = {preset: -1 if comparison.lower_is_better(metric, preset) else 1 for preset in comparison.presets}
    for ours, other in combinations(comparison.runs, 2):
        means = comparison.means(metric).items()
        signs = {preset: np.sign(of[ours] - of[other]) * upwards[preset] for preset, of in means}
        usual = (ours, other) if sum(signs.values()) >= 0 else (other, ours)
        side = 1 if usual[0] == ours else -1
        agree, turned = ([name for name, sign in signs.items() if sign == wanted] for wanted in (side, -side))
        if turned:
            equal = [name for name, sign in signs.items() if not sign]
            changes = [nearest.change(name, agree) for name in turned] if agree else []
            found.append(Flip(usual, agree, equal, changes))
    return found


class NearestPreset:
    """Finds the preset most like another; what is between two presets is worked out once for all pairs of runs."""

    def __init__(self, comparison: Comparison, metric: str) -> None:
        self._measured, self._facts = comparison.measured(metric), list(comparison.facts.values())
        equal = dict[object, str]()
        self._first = {name: equal.setdefault(_what(name, cells[0]), name) for name, cells in self._measured.items()}
        self._reasons: dict[tuple[str, str], list[str]] = {}

    def change(self, preset: str, others: Sequence[str]) -> OrderChange:
        """The preset against the one of the others from which the fewest settings part it."""
        near = min(others, key=lambda other: len(self._between(preset, other)))
        return OrderChange(preset, near, tuple(self._between(preset, near)))

    def _between(self, preset: str, other: str) -> list[str]:
        pair = self._first[preset], self._first[other]
        if pair not in self._reasons:
            self._reasons[pair] = between(self._measured[pair[0]], self._measured[pair[1]], self._facts)
        return self._reasons[pair]


def _what(preset: str, cell: Measured) -> object:
    """What is the same for presets of one definition."""
    definition = cell.definition
    if definition.functions:
        return preset
    return definition.metric.name, definition.k, tuple(definition.settings.items())


PRESETS, TIES = "presets", "tie orders"
"""What varies."""
OWN_ORDER = "as given"
"""The order of tied rows that the preset takes."""
NOTHING = float("nan")
"""One object, so that rows with it are equal."""
NO_SETTING = "what no setting names"
FEW = 12
"""So many changes of order, pairs of runs and reasons are shown one by one."""
NAMES = 60
"""A section that names more presets is summed up, unless the whole is requested."""
ALL = "--full prints all, --format csv and json have them"


@dataclass(frozen=True)
class MetricRange:
    """From where to where a number goes."""

    kind: str
    """What varies: `presets` or `tie orders`."""
    run: str
    lowest: float
    highest: float
    at: tuple[str, str]
    """The preset with the lowest number and that with the highest; one preset twice where the order of ties varies."""
    presets: int
    """How many presets have such a range."""

    @property
    def span(self) -> float:
        """How different both are."""
        return self.highest - self.lowest


@dataclass(frozen=True, eq=False, repr=False)
class SensitivityResult(Drawn, RowTable):
    """How much a number depends on its definition.

    `ranges` has one row for all presets, and one for the orders of ties, of the preset with the largest range. With
    several runs, `flips` are the pairs whose order depends on the preset.
    """

    rows_in: ClassVar[str] = "numbers"

    metric: str
    comparison: Comparison
    """The presets as they are."""
    cells: dict[tuple[str, str, str], Measured]
    """By run, order of ties (`as given`, `worst`, `expected`, `best`) and preset, as far as there is one."""
    left_out: dict[str, list[str]]
    """Why the best and the worst order of ties cannot be known → the presets."""
    interrupted: bool = False
    """Whether it was stopped before all orders of ties were tried."""

    @property
    def library(self) -> str:
        """The library whose table the data came in, for `to_frame`."""
        return self.comparison.library

    @property
    def runs(self) -> list[str]:
        """Names of the runs; one nameless run is `""`."""
        return self.comparison.runs

    @cached_property
    def orders(self) -> list[str]:
        """The orders of ties besides that of the preset; none where no row is tied."""
        return [order for order in dict.fromkeys(order for _, order, _ in self.cells) if order != OWN_ORDER]

    @property
    def kinds(self) -> dict[str, list[str]]:
        """What was varied, each with the orders of ties under which there are numbers of it."""
        return {PRESETS: [OWN_ORDER], **({TIES: self.orders} if self.orders else {})}

    def mean(self, run: str, order: str, preset: str) -> float:
        """One number; NaN where there is none."""
        cell = self.cells.get((run, order, preset))
        return NOTHING if cell is None else cell.mean

    def grouped(self, run: str, digits: int = 4) -> dict[tuple[float, ...], list[str]]:
        """Presets by their rounded numbers for one run: as given, then in each order of ties."""
        found: dict[tuple[float, ...], list[str]] = {}
        for preset in self.comparison.presets:
            row = [self.mean(run, order, preset) for order in (OWN_ORDER, *self.orders)]
            if np.isfinite(row[1:]).any() or np.isfinite(row).all():
                rounded = tuple(round(value, digits) if np.isfinite(value) else NOTHING for value in row)
                found.setdefault(rounded, []).append(preset)
        return dict(sorted(found.items()))

    @cached_property
    def ranges(self) -> list[MetricRange]:
        """How far the number goes, for each run, over presets and over orders of ties."""
        found = (self._range(kind, run) for kind in self.kinds for run in self.runs)
        return [one for one in found if one is not None]

    def _range(self, kind: str, run: str) -> MetricRange | None:
        means = {name: [self.mean(run, one, name) for one in self.kinds[kind]] for name in self.comparison.presets}
        rows = {name: finite for name, row in means.items() if (finite := [mean for mean in row if np.isfinite(mean)])}
        if not rows:
            return None
        if kind == PRESETS:
            low, high = min(rows, key=lambda name: rows[name]), max(rows, key=lambda name: rows[name])
        else:
            low = high = max(rows, key=lambda name: max(rows[name]) - min(rows[name]))
        return MetricRange(kind, run, min(rows[low]), max(rows[high]), (low, high), len(rows))

    @cached_property
    def flips(self) -> list[Flip]:
        """The pairs of runs that are in different order under different presets."""
        return flips(self.comparison, self.metric)

    def firsts(self, kind: str) -> dict[str, int]:
        """Under how many definitions each run is first, alone; under `""` those where two or more share it."""
        counts = dict.fromkeys([*self.runs, ""], 0)
        for preset in self.comparison.presets:
            for order in self.kinds[kind]:
                means = [self.mean(run, order, preset) for run in self.runs]
                if np.isfinite(means).all():
                    best = min(means) if self.comparison.lower_is_better(self.metric, preset) else max(means)
                    first = [run for run, mean in zip(self.runs, means, strict=True) if mean == best]
                    counts[first[0] if len(first) == 1 else ""] += 1
        return counts

    def _page(self, digits: int = 4, *, whole: bool = False) -> Page:
        """How far the number goes, and under what; long lists in short, unless the `whole` is requested."""
        picture = self._strip(digits)
        sections: list[list[Piece]] = [[Paragraph(INTERRUPTED.strip())]] if self.interrupted else []
        sections.append(_ranges(self, digits))
        if picture is not None:
            sections.append([picture])
        if len(self.runs) > 1:
            sections += _winners(self, whole)
        sections.append(_presets(self, digits, whole))
        return Page([*sections, *self._orders_of_ties(digits, whole=whole)])

    def _orders_of_ties(self, digits: int, *, whole: bool) -> list[list[Piece]]:
        """The values of one run over orders of ties, and the presets without."""
        sections = [_tie_orders(self, digits, whole)] if len(self.runs) == 1 and self.orders else []
        left_out: list[Piece] = [Paragraph(line, rest="  ") for line in _left_out(self)]
        return [*sections, *([left_out] if left_out else [])]

    def _without_presets(self, digits: int = 4) -> Page:
        """The whole page without its picture and the values of each preset, for a page that has both."""
        winners = list(_winners(self, whole=True)) if len(self.runs) > 1 else []
        return Page([_ranges(self, digits), *winners, *self._orders_of_ties(digits, whole=True)])

    def _strip(self, digits: int) -> StripPlot | None:
        """The numbers of the presets as they are, where there are two or more."""
        return next(iter(strips(replace(self.comparison, metrics=[self.metric]), digits)), None)

    def plot(self, path: Target, digits: int = 4) -> None:
        """Draw the values on an axis, with the presets that give them, into an SVG or PNG file.

        A PNG file needs matplotlib.
        """
        replace(self.comparison, metrics=[self.metric]).plot(path, digits)

    def _pictures(self) -> Page:
        return Page([])  # the page has it

    def table(self, digits: int = 4) -> Table:
        """Every number: a row for each preset and run, a column for each order of ties."""
        several, orders = ["run"] if len(self.runs) > 1 else [], [OWN_ORDER, *self.orders]
        rows = [
            [preset, *([run] if several else []), *(_shown(self.mean(run, one, preset), digits) for one in orders)]
            for preset in self.comparison.presets
            for run in self.runs
            if self.comparison.cell(self.metric, preset, run)
        ]
        heads = ["preset", *several, self.metric, *self.orders]
        return Table(heads, rows, labels=1 + len(several), notes=_left_out(self))

    def to_dict(self) -> SensitivityData:
        """Everything as plain data; NaN is None, as JSON has it."""
        return {
            "metric": self.metric,
            "interrupted": self.interrupted,
            "ranges": [
                {"over": one.kind, "run": one.run, "lowest": one.lowest, "highest": one.highest, "presets": [*one.at]}
                for one in self.ranges
            ],
            "numbers": [
                {"run": run, "preset": preset, "ties": order, "mean": finite(cell.mean)}
                for (run, order, preset), cell in self.cells.items()
            ],
            "left_out": self.left_out,
            "flips": [
                {
                    "better": flip.usual[0],
                    "worse": flip.usual[1],
                    "presets": len(flip.agree),
                    "equal": flip.equal,
                    "turned": [
                        {"preset": one.preset, "nearest": one.near, "settings": list(one.settings)}
                        for one in flip.changes
                    ],
                }
                for flip in self.flips
            ],
        }


def _shown(value: float, digits: int) -> str:
    return ABSENT if math.isnan(value) else number(value, digits)


def _left_out(found: SensitivityResult) -> list[str]:
    """Presets under which the best and the worst order of ties are not known, and why."""
    return [f"No orders of ties for {', '.join(names)}: {why}." for why, names in found.left_out.items()]


def _ranges(found: SensitivityResult, digits: int) -> list[Piece]:
    """How far presets and orders of ties move the number of each run."""
    several, rows = len(found.runs) > 1, []
    for one in found.ranges:
        where = " to ".join(dict.fromkeys(one.at))
        if one.kind == TIES and one.presets > 1:
            where += f" (most of {one.presets})"
        numbers = (number(value, digits) for value in (one.lowest, one.highest, one.span))
        rows.append([one.kind, *([one.run] if several else []), where, *numbers])
    labels = ["over", *(["run"] if several else []), "preset"]
    last = frozenset({len(labels) - 1})
    table = Table([*labels, "lowest", "highest", "range"], rows, labels=len(labels), prose=last)
    pieces: list[Piece] = [Paragraph(f"Range of {found.metric}"), table]
    if not found.orders and not found.left_out:
        pieces.append(Paragraph("No list has rows of equal score, so there are no ties."))
    return pieces


def _winners(found: SensitivityResult, whole: bool) -> Iterator[list[Piece]]:
    """Which run is first, the pairs of runs that presets turn, and the settings that turn them; most pairs first."""
    yield [Heading("Which run is first"), _firsts(found)]
    if not found.flips:
        yield [Paragraph("No preset changes the order of two runs.")]
        return
    flips = sorted(found.flips, key=lambda flip: -len(flip.changes))
    pairs = len(found.runs) * (len(found.runs) - 1) // 2
    rows = [[*flip.usual, *(str(len(one)) for one in (flip.agree, flip.changes, flip.equal))] for flip in flips]
    heads = ["better", "worse", "presets", "reversed", "equal"]
    paragraph = Paragraph(f"Pairs of runs whose order depends on the preset: {len(flips)} of {pairs}")
    yield [paragraph, *_cut(Table(heads, rows, labels=2), "pairs", whole)]
    paragraph = Paragraph("The settings, each with the number of pairs that it reverses")
    yield [paragraph, *_cut(_reasons(flips), "sets of settings", whole)]


def _cut(table: Table, what: str, whole: bool) -> list[Piece]:
    """The first rows, and how many more there are."""
    hidden = 0 if whole else max(0, len(table.rows) - FEW)
    more = [Paragraph(f"{hidden} more {what}: {ALL}.")] if hidden else []
    return [replace(table, rows=table.rows[: len(table.rows) - hidden]), *more]


def _firsts(found: SensitivityResult) -> Table:
    """Under how many definitions each run is first, a row for each."""
    counts = {kind: found.firsts(kind) for kind in found.kinds}
    rows = [[run or "equal", *(str(one[run]) for one in counts.values())] for run in [*found.runs, ""]]
    return Table(["first", *counts], [*rows, ["definitions", *(str(sum(one.values())) for one in counts.values())]])


def _reasons(flips: Sequence[Flip]) -> Table:
    """The settings that turn pairs of runs, the most frequent first, each with an example."""
    found: dict[tuple[str, ...], dict[tuple[str, str], OrderChange]] = {}
    for flip in flips:
        for change in flip.changes:
            found.setdefault(change.settings, {}).setdefault(flip.usual, change)
    often = [(len(of_pairs), settings, next(iter(of_pairs.values()))) for settings, of_pairs in found.items()]
    rows = [
        [str(pairs), ", ".join(settings) or NO_SETTING, f"{one.preset} against {one.near}"]
        for pairs, settings, one in sorted(often, key=lambda row: -row[0])
    ]
    return Table(["pairs", "reversed by", "example"], rows, labels=0, prose=frozenset({1, 2}))


def _presets(found: SensitivityResult, digits: int, whole: bool) -> list[Piece]:
    groups = [EqualNumbers(means, names) for means, names in found.comparison.groups(found.metric, digits).items()]
    absent = absent_words(found.comparison, found.metric)
    values = values_of(groups, found.runs, digits=digits, steps=False, absent=absent)
    heading = Heading("The presets")
    presets = sum(len(one.names) for one in groups)
    if whole or len(found.runs) == 1 or presets <= NAMES:
        return [heading, values]
    text = f"{presets} presets give {len(groups)} different rows of numbers: {ALL}."
    none = [Aside(f"{'none':>{NARROWEST}}", words) for words in absent]
    return [heading, Paragraph(text), *none]


def _tie_orders(found: SensitivityResult, digits: int, whole: bool) -> list[Piece]:
    """A line for each row of numbers of the one run, with the presets that give it.

    In short, a line for all presets that agree on the orders of ties, with the name of the first one.
    """
    rows, heads = found.grouped(found.runs[0], digits), [OWN_ORDER, *found.orders]
    paragraph = Paragraph("Over tie orders")
    if whole or sum(map(len, rows.values())) <= NAMES:
        return [paragraph, _values(heads, {row: ", ".join(sorted(names)) for row, names in rows.items()}, digits)]
    agreeing: dict[tuple[float, ...], list[str]] = {}
    for row, presets in rows.items():
        agreeing.setdefault(row[1:], []).extend(presets)
    first = {row: f"{min(names)}{f' +{len(names) - 1}' * (len(names) > 1)}" for row, names in sorted(agreeing.items())}
    rest = Paragraph(f"+n: n more presets with the same numbers; {ALL}.")
    return [paragraph, _values(heads[1:], first, digits), rest]


def _values(heads: Sequence[str], rows: Mapping[tuple[float, ...], str], digits: int) -> Values:
    rooms = [max(len(name), digits + 2) + 3 for name in heads]
    cells = [([_shown(value, digits) for value in row], [text]) for row, text in rows.items()]
    return Values(cells, rooms, heads, ["presets"])
