"""The smallest set of definitions that explains the numbers of a printed table.

A way to compute a table is a preset, as it is or with slips. The way that gives the most numbers is taken, and again
for those that are left, as long as what it gives is likelier than chance. First presets are tried as they are, on every
run; then with one slip, and where numbers are still left with slips of two kinds, both on a few runs, and on the others
where they give a number of these. Presets that explain other numbers of the table are tried before all others.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from rankconv.analysis.identify.candidates import entries
from rankconv.analysis.identify.chance import RARE
from rankconv.analysis.identify.printed_table import TableCell
from rankconv.analysis.identify.printed_value import within
from rankconv.analysis.identify.slips import FirstUsers, Slip, slips, with_slips
from rankconv.basics.progress import current_bar, stage
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.engine.plan import has_all_needs
from rankconv.evaluation.results.result_intervals import is_plain
from rankconv.presets.definition import Definition
from rankconv.presets.folders import best_place

PROBES = 3
"""On so many runs slips are tried; on the others those that give a number of one of them."""
EQUAL_DECIMALS = 12
"""Values that are equal to so many decimals are one."""
FEWEST_FIRST = 3
"""The first users alone are looked for where this gives so many numbers at least."""


class TableWay(NamedTuple):
    """A preset with slips; without any it is taken as it is."""

    preset: str
    slips: tuple[Slip, ...]


class _Candidate(NamedTuple):
    """A definition, and the ways that come to it."""

    definition: Definition
    slips: tuple[Slip, ...]
    presets: Sequence[str]
    """Those that have it so, or from which the slips make it."""


class _OfPresets(NamedTuple):
    """The presets as they are, those that are equal once, and what each of them gives by run."""

    candidates: list[_Candidate]
    measured: list[dict[str, Measured]]


@dataclass(frozen=True, eq=False)
class TableExplanation:
    """Numbers of a table that one way gives."""

    presets: list[str]
    """Those that give these numbers so; the one that most people use first."""
    slips: tuple[Slip, ...]
    definitions: Mapping[str, Definition]
    """Those of the first preset, by column of the table: a metric as it was printed, with its place if it has one."""
    cells: Sequence[TableCell]
    chance: float
    """How likely at most some way that was tried gives so many invented numbers."""


@dataclass(eq=False)
class _TableColumn:
    """A metric of the table, in one place if there are several, and what definitions of it give."""

    name: str
    cells: Mapping[str, TableCell]
    """By run."""
    of_presets: list[_Candidate]
    """The presets as they are, those that are equal once."""
    measured: Sequence[Mapping[str, Measured]] = ()
    """Of each of them, by run; without runs whose data it refuses."""
    chances: Mapping[str, float] = field(default_factory=dict)
    """By run, how likely one definition gives an invented number."""

    @property
    def given(self) -> Iterator[tuple[_Candidate, Mapping[str, Measured]]]:
        """The presets as they are, and what they give by run."""
        return zip(self.of_presets, self.measured, strict=True)

    @property
    def different(self) -> list[_Candidate]:
        """Of those that give every user of every run the same one."""
        keys = [
            b"".join(run.encode() + one.values.round(EQUAL_DECIMALS).tobytes() for run, one in each.items())
            for each in self.measured
        ]
        return list(dict(zip(reversed(keys), reversed(self.of_presets), strict=True)).values())


class TableSearch:
    """A table and its runs: each with the labels, by name, and with the users who count, shape (users,)."""

    def __init__(
        self, cells: Sequence[TableCell], runs: Mapping[str, Joined], chosen: Mapping[str, Mask | None]
    ) -> None:
        self.cells, self._runs, self._chosen = list(cells), runs, chosen
        self.tried = 0
        """How many definitions were measured."""
        self._ways: dict[TableWay, set[TableCell]] = {}
        self._given: dict[tuple[TableWay, str], Definition] = {}
        """The definition of a way for a column."""
        self._counts = dict[int, int]()
        """How many definitions have so many slips or fewer."""
        self._means: dict[tuple[str, object], float] = {}
        """What definitions give that were measured on all runs, by run and settings."""
        self._of_metric: dict[tuple[str, tuple[str, ...]], _OfPresets] = {}
        self._columns = [self._column(name) for name in dict.fromkeys(cell.column for cell in cells)]
        self._counts[0] = self.tried
        self._slips = list(slips(next(iter(runs.values()))))
        self._found = list[TableExplanation]()
        """What explains numbers so far."""

    def explanations(self) -> list[TableExplanation]:
        """Ways that give numbers, those that give the most first."""
        stage("Searching definitions")
        found, left = self._cover()
        for more in (
            self._try_first_users,
            self._try_one_slip_of_found,
            self._try_one_slip,
            self._try_two_slips_of_found,
            self._try_one_slip_of_all,
            self._try_two_slips,
        ):
            if left:
                self._found = found
                more(left)
                found, left = self._cover()
        return found

    def so_far(self) -> list[TableExplanation]:
        """The ways that give numbers of those measured before an interrupt."""
        return self._cover()[0]

    def of_cell(self, cell: TableCell, explanations: Sequence[TableExplanation]) -> tuple[Definition, float] | None:
        """The definition that explains other numbers of this metric, or that of the nearest preset, and its value."""
        own = [one.definitions[cell.column] for one in explanations if cell.column in one.definitions]
        if own:
            mean = self._means.get((cell.run, own[0].setting_sets))
            return None if mean is None else (own[0], mean)
        column = next(one for one in self._columns if one.name == cell.column)
        means = [(one.definition, each[cell.run].mean) for one, each in column.given if cell.run in each]
        return min(means, key=lambda pair: cell.number.gap(pair[1]), default=None)

    def _column(self, name: str) -> _TableColumn:
        """The presets as they are on all runs."""
        cells = {cell.run: cell for cell in self.cells if cell.column == name}
        metric = next(iter(cells.values())).metric
        place = metric, tuple(cells)
        if place not in self._of_metric:
            self._of_metric[place] = self._of_presets(metric, cells)
        candidates, measured = self._of_metric[place]
        column = _TableColumn(name, cells, candidates, measured)
        column.chances = {run: self._chance(cell, column) for run, cell in cells.items()}
        for candidate, given in column.given:
            self._note(column, candidate, {run: one.mean for run, one in given.items()})
        return column

    def _of_presets(self, metric: str, runs: Collection[str]) -> "_OfPresets":
        """Measure the presets as they are on these runs."""
        presets: dict[object, list[Definition]] = {}
        for one in sorted(entries(metric), key=lambda one: best_place([one.preset])):
            presets.setdefault(one.setting_sets, []).append(one)
        able = [some for some in presets.values() if self._is_able(some[0], runs)]
        candidates = [_Candidate(some[0], (), [one.preset for one in some]) for some in able]
        by_run = {run: self._measure(run, [one.definition for one in candidates]) for run in runs}
        self.tried += len(candidates)
        measured = [
            {run: each[place] for run, each in by_run.items() if not each[place].refusals}
            for place in range(len(candidates))
        ]
        return _OfPresets(candidates, measured)

    def _chance(self, cell: TableCell, column: _TableColumn) -> float:
        """How likely a definition gives a number that somebody invented.

        It may be any in the range of what presets give, or from half of the number to once and a half of it.
        """
        means = np.array([each[cell.run].mean for each in column.measured if cell.run in each])
        means = means[np.isfinite(means)]
        width = sum(high - low for low, high in cell.number.intervals)
        room = max(float(np.ptp(means)) if len(means) else 0.0, abs(cell.number.values[0]))
        return min(1.0, width / room) if room > 0 else 1.0

    def _is_able(self, definition: Definition, runs: Iterable[str]) -> bool:
        able = (has_all_needs(self._runs[run], definition.preparation) for run in runs)
        return not definition.needs and all(able)

    def _measure(self, run: str, definitions: Sequence[Definition]) -> list[Measured]:
        return measure(self._runs[run], definitions, self._chosen[run], report=current_bar())

    def _note(self, column: _TableColumn, one: _Candidate, means: Mapping[str, float]) -> None:
        """Keep the numbers that a candidate gives, by run, as those of its ways."""
        pairs = ((column.cells[run], mean) for run, mean in means.items() if np.isfinite(mean))
        cells = {cell for cell, mean in pairs if cell.number.how(mean) is not None}
        if cells:
            self._means |= {(run, one.definition.setting_sets): mean for run, mean in means.items()}
        for way in [TableWay(preset, one.slips) for preset in one.presets] if cells else ():
            self._given[way, column.name] = one.definition  # first: an interrupt may come between the two
            self._ways.setdefault(way, set()).update(cells)

    def _bases_found(self, column: _TableColumn) -> list[_Candidate]:
        """The definitions of presets that explain other numbers, of several the one that most people use."""
        known = {one.presets[0] for one in self._found}
        return [one for one in column.of_presets if not known.isdisjoint(one.presets)]

    def _try_one_slip_of_found(self, left: frozenset[TableCell]) -> None:
        """Presets that explain other numbers, with each slip."""
        self._try(left, self._bases_found, [(one,) for one in self._slips], 1)

    def _try_two_slips_of_found(self, left: frozenset[TableCell]) -> None:
        """Presets that explain other numbers, with a slip of theirs and each slip of another kind."""
        theirs = dict.fromkeys(slip for one in self._found for slip in one.slips)
        pairs = [(a, b) for a in theirs for b in self._slips if a.kind != b.kind]
        self._try(left, self._bases_found, pairs, 2)

    def _try_one_slip(self, left: frozenset[TableCell]) -> None:
        """Definitions of presets that differ on these data, with each slip."""
        self._try(left, lambda column: column.different, [(one,) for one in self._slips], 1)

    def _try_one_slip_of_all(self, left: frozenset[TableCell]) -> None:
        """All definitions of presets with each slip: with one they may differ where they do not without."""
        self._try(left, lambda column: column.of_presets, [(one,) for one in self._slips], 1)

    def _try_two_slips(self, left: frozenset[TableCell]) -> None:
        """Definitions of presets that differ on these data, with slips of two kinds."""
        pairs = [(a, b) for a, b in combinations(self._slips, 2) if a.kind != b.kind]
        self._try(left, lambda column: column.different, pairs, 2)

    def _try(
        self,
        left: frozenset[TableCell],
        bases: Callable[[_TableColumn], list[_Candidate]],
        several: Sequence[tuple[Slip, ...]],
        count: int,
    ) -> None:
        """Measure on a few runs of each metric with numbers that are left; what gives one of these, on all runs."""
        for column in self._columns:
            runs = [run for run, cell in column.cells.items() if cell in left]
            if not runs:
                continue
            made = self._made(column, bases(column), several)
            self.tried += len(made)
            for run in runs[:: -(-len(runs) // PROBES)]:
                cell, measured = column.cells[run], self._measure(run, [one.definition for one in made])
                fits = [not one.refusals and cell.number.how(one.mean) is not None for one in measured]
                probed = [one for one, fit in zip(measured, fits, strict=True) if fit]
                self._note_all(column, [one for one, fit in zip(made, fits, strict=True) if fit], {run: probed})
                made = [one for one, fit in zip(made, fits, strict=True) if not fit]
        self._counts[count] = self.tried

    def _made(
        self, column: _TableColumn, bases: Sequence[_Candidate], several: Sequence[tuple[Slip, ...]]
    ) -> list[_Candidate]:
        """The definitions with these slips, those that are equal once; none that a preset has."""
        known = {one.definition.setting_sets for one in column.of_presets}
        found = dict[object, _Candidate]()
        for base in bases:
            for own in several:
                one = with_slips(base.definition, own)
                if one is not None and one.setting_sets not in known and self._is_able(one, column.cells):
                    found.setdefault(one.setting_sets, _Candidate(one, own, base.presets))
        return list(found.values())

    def _note_all(
        self,
        column: _TableColumn,
        several: Sequence[_Candidate],
        measured: Mapping[str, Sequence[Measured]] = MappingProxyType({}),
    ) -> None:
        """Measure these on all runs but those on which they are `measured`."""
        others = [run for run in column.cells if run not in measured] if several else []
        by_run = {run: self._measure(run, [one.definition for one in several]) for run in others} | dict(measured)
        for place, one in enumerate(several):
            means = {run: each[place].mean for run, each in by_run.items() if not each[place].refusals}
            self._note(column, one, means)

    def _try_first_users(self, left: frozenset[TableCell]) -> None:
        """The mean over the first n users, for every n that gives some of the numbers that are left."""
        fitting: dict[str, dict[int, list[tuple[_TableColumn, _Candidate]]]] = {}
        for column in self._columns:
            for one, each in column.given:
                for n in self._fitting(column, each, left) if is_plain(one.definition) else ():
                    for preset in one.presets:
                        fitting.setdefault(preset, {}).setdefault(n, []).append((column, one))
        for of_preset in fitting.values():
            n, most = max(of_preset.items(), key=lambda pair: len(pair[1]))
            slip = FirstUsers(n)
            for column, one in {id(pair[1]): pair for pair in most}.values() if len(most) >= FEWEST_FIRST else ():
                made = slip.of(one.definition)
                if made is not None:
                    self._note_all(column, [_Candidate(made, (slip,), one.presets)])

    def _fitting(self, column: _TableColumn, each: Mapping[str, Measured], left: frozenset[TableCell]) -> list[int]:
        """For how many first users the mean is a number that is left; so often as it is one."""
        found = list[int]()
        for run, measured in each.items():
            cell = column.cells[run]
            if cell in left:
                means, counts = _running_means(measured.values)
                found += counts[within(means, cell.number.intervals)].tolist()
        return found

    def _cover(self) -> tuple[list[TableExplanation], frozenset[TableCell]]:
        """Take the way that gives the most of the numbers that are left, again and again; and what is left then."""
        found, left = list[TableExplanation](), frozenset(self.cells)
        while left:
            one = self._best(left, {preset for known in found for preset in known.presets[:1]})
            if one is None or one.chance > RARE:
                break
            found.append(one)
            left -= frozenset(one.cells)
        return found, left

    def _best(self, left: frozenset[TableCell], known: Collection[str]) -> TableExplanation | None:
        """The way that gives the most of these numbers.

        Of several one with fewer slips, of a preset that explains others (`known`), or that most people use.
        """

        def key(way: TableWay) -> tuple[object, ...]:
            of_others = way.preset not in known
            return -len(self._ways[way] & left), len(way.slips), of_others, best_place([way.preset]), way.preset

        first = min(self._ways, key=key, default=None)
        cells = frozenset(self._ways[first] & left) if first else frozenset()
        if first is None or not cells:
            return None
        equal = [way for way in sorted(self._ways, key=key) if way.slips == first.slips and cells <= self._ways[way]]
        columns = dict.fromkeys(cell.column for cell in self.cells if cell in cells)
        return TableExplanation(
            list(dict.fromkeys(way.preset for way in equal)),
            first.slips,
            {name: self._given[first, name] for name in columns},
            [cell for cell in self.cells if cell in cells],
            self._chance_of(first, cells),
        )

    def _chance_of(self, way: TableWay, cells: frozenset[TableCell]) -> float:
        """How likely at most some way with so many slips gives all these numbers, had they been invented."""
        chances = {column.name: column.chances for column in self._columns}
        tried = self._counts.get(len(way.slips), self.tried)
        if any(isinstance(one, FirstUsers) for one in way.slips):
            tried *= max(len(one.users) for one in self._runs.values())
        return min(1.0, tried * math.prod(chances[cell.column][cell.run] for cell in cells))


def _running_means(values: Numbers) -> tuple[Numbers, Codes]:
    """The mean of the first users, for every number of them from the first who counts, and that number."""
    counts = np.cumsum(np.isfinite(values))
    sums = np.cumsum(np.where(np.isfinite(values), values, 0.0))
    there = counts > 0
    return sums[there] / counts[there], np.flatnonzero(there) + 1
