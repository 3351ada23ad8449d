"""The smallest set of definitions that explains the numbers of a printed table.

A way to compute a table is a preset, as it is or with slips. The way that gives the most numbers is taken, and again
for those that are left, as long as what it gives is likelier than chance. First presets are tried as they are, on every
run; then with one slip, with slips in how lists and labels are read, crossed, and where numbers are still left with
slips of two kinds, on a few runs, and on the others where they give a number of these. Presets and slips that explain
other numbers of the table are tried before all others.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from rankconv.analysis.identify.candidates import entries
from rankconv.analysis.identify.chance import RARE
from rankconv.analysis.identify.first_users import ClassPlace, FirstUsersFits, fitting_counts
from rankconv.analysis.identify.printed_table import TableCell
from rankconv.analysis.identify.slips import FirstUsers, Slip, crossed, settings_of_metric, slips, with_slips
from rankconv.analysis.identify.table_columns import Candidate, PresetValues, TableColumn, probes
from rankconv.basics.progress import current_bar, stage
from rankconv.data.arrays import Mask
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.engine.needs import has_all_needs
from rankconv.evaluation.results.result_intervals import is_plain
from rankconv.presets.definition import Definition
from rankconv.presets.folders import best_place


class TableWay(NamedTuple):
    """A preset with slips; without any it is taken as it is."""

    preset: str
    slips: tuple[Slip, ...]


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
        self._tried_with = Counter[frozenset[Slip]]()
        """How many definitions were measured with these slips."""
        self._first, self._taken = FirstUsersFits(), set[tuple[tuple[Slip, ...], ClassPlace]]()
        self._means: dict[tuple[str, object], float] = {}
        """What definitions give that were measured on all runs, by run and settings."""
        self._of_metric: dict[tuple[str, tuple[str, ...]], PresetValues] = {}
        self._columns = [self._column(name) for name in dict.fromkeys(cell.column for cell in cells)]
        self._slips = list(slips(next(iter(runs.values()))))
        self._found = list[TableExplanation]()
        """What explains numbers so far."""

    def explanations(self) -> list[TableExplanation]:
        """Ways that give numbers, those that give the most first."""
        stage("Searching definitions")
        found, left = self._cover()
        for more in (
            self._try_other_runs,
            self._try_first_users,
            self._try_one_slip_of_found,
            self._try_one_slip,
            self._try_crossed_slips,
            self._try_known_first_users,
            self._try_settings_of_found,
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

    def _column(self, name: str) -> TableColumn:
        """The presets as they are on a few runs, and on all runs those that give a number of these."""
        cells = {cell.run: cell for cell in self.cells if cell.column == name}
        metric = next(iter(cells.values())).metric
        place = metric, tuple(cells)
        if place not in self._of_metric:
            self._of_metric[place] = self._of_presets(metric, cells)
        column = TableColumn(name, cells, self._of_metric[place])
        for run in probes(cells):
            column.of_presets.measure(run, range(len(column.candidates)))
        fitting = [
            at
            for at, (_, given) in enumerate(column.given)
            if any(column.explain(run, one.mean) for run, one in given.items())
        ]
        for run in cells:
            column.of_presets.measure(run, fitting)
        column.chances = {run: self._chance(cell, column) for run, cell in cells.items()}
        self._note_presets(column)
        return column

    def _note_presets(self, column: TableColumn) -> None:
        """Keep what presets as they are give, as far as they were measured."""
        for candidate, given in column.given:
            self._note(column, candidate, {run: one.mean for run, one in given.items()})

    def _try_other_runs(self, left: frozenset[TableCell]) -> None:
        """The presets as they are on the other runs with numbers that are left."""
        for column in self._columns:
            for run in column.left_runs(left):
                column.of_presets.measure(run, range(len(column.candidates)))
            self._note_presets(column)

    def _of_presets(self, metric: str, runs: Collection[str]) -> PresetValues:
        """The presets as they are that these runs allow."""
        presets: dict[object, list[Definition]] = {}
        for one in sorted(entries(metric), key=lambda one: best_place([one.preset])):
            presets.setdefault(one.setting_sets, []).append(one)
        able = [some for some in presets.values() if self._is_able(some[0], runs)]
        candidates = [Candidate(some[0], (), [one.preset for one in some]) for some in able]
        self._count(candidates)
        return PresetValues(candidates, self._measure)

    def _chance(self, cell: TableCell, column: TableColumn) -> float:
        """How likely a definition gives a number that somebody invented.

        It may be any in the range of what presets give, or from half of the number to once and a half of it.
        """
        means = np.array([each[cell.run].mean for _, each in column.given if cell.run in each])
        means = means[np.isfinite(means)]
        width = sum(high - low for low, high in cell.number.intervals)
        room = max(float(np.ptp(means)) if len(means) else 0.0, abs(cell.number.values[0]))
        return min(1.0, width / room) if room > 0 else 1.0

    def _is_able(self, definition: Definition, runs: Iterable[str]) -> bool:
        able = (has_all_needs(self._runs[run], definition.preparation) for run in runs)
        return not definition.needs and all(able)

    def _measure(self, run: str, definitions: Sequence[Definition]) -> list[Measured]:
        return measure(self._runs[run], definitions, self._chosen[run], report=current_bar())

    def _note(self, column: TableColumn, one: Candidate, means: Mapping[str, float]) -> None:
        """Keep the numbers that a candidate gives, by run, as those of its ways."""
        pairs = ((column.cells[run], mean) for run, mean in means.items() if np.isfinite(mean))
        cells = {cell for cell, mean in pairs if cell.number.how(mean) is not None}
        if cells:
            self._means |= {(run, one.definition.setting_sets): mean for run, mean in means.items()}
        for way in [TableWay(preset, one.slips) for preset in one.presets] if cells else ():
            self._given[way, column.name] = one.definition  # first: an interrupt may come between the two
            self._ways.setdefault(way, set()).update(cells)

    def _bases_found(self, column: TableColumn) -> list[Candidate]:
        """The definitions of presets that explain other numbers, of several the one that most people use."""
        known = {one.presets[0] for one in self._found}
        return [one for one in column.candidates if not known.isdisjoint(one.presets)]

    def _try_one_slip_of_found(self, left: frozenset[TableCell]) -> None:
        """Presets that explain other numbers, with each slip."""
        self._try(left, self._bases_found, [(one,) for one in self._slips])

    def _try_two_slips_of_found(self, left: frozenset[TableCell]) -> None:
        """Presets that explain other numbers, with a slip of theirs and each slip of another kind."""
        theirs = dict.fromkeys(slip for one in self._found for slip in one.slips)
        pairs = [(a, b) for a in theirs for b in self._slips if a.kind != b.kind]
        self._try(left, self._bases_found, pairs)

    def _try_one_slip(self, left: frozenset[TableCell]) -> None:
        """Definitions of presets that differ on these data, with each slip."""
        self._try(left, lambda column: column.different, [(one,) for one in self._slips])

    def _try_one_slip_of_all(self, left: frozenset[TableCell]) -> None:
        """All definitions of presets with each slip: with one they may differ where they do not without."""
        self._try(left, lambda column: column.candidates, [(one,) for one in self._slips])

    def _try_two_slips(self, left: frozenset[TableCell]) -> None:
        """Definitions of presets that differ on these data, with slips of two kinds."""
        pairs = [(a, b) for a, b in combinations(self._slips, 2) if a.kind != b.kind]
        self._try(left, lambda column: column.different, pairs)

    def _try(
        self,
        left: frozenset[TableCell],
        bases: Callable[[TableColumn], Sequence[Candidate]],
        several: Sequence[tuple[Slip, ...]],
    ) -> None:
        """Measure on a few runs of each metric with numbers that are left; what gives one of these, on all runs."""
        for column in self._columns:
            runs = probes(column.left_runs(left))
            made = self._made(column, bases(column), several) if runs else []
            self._count(made)
            for run in runs:
                cell, measured = column.cells[run], self._measure(run, [one.definition for one in made])
                fits = [not one.refusals and cell.number.how(one.mean) is not None for one in measured]
                probed = [one for one, fit in zip(measured, fits, strict=True) if fit]
                self._note_all(column, [one for one, fit in zip(made, fits, strict=True) if fit], {run: probed})
                made = [one for one, fit in zip(made, fits, strict=True) if not fit]

    def _count(self, made: Iterable[Candidate]) -> None:
        """Count definitions as tried, by their slips."""
        counts = Counter(frozenset(one.slips) for one in made)
        self._tried_with += counts
        self.tried += counts.total()

    def _made(
        self, column: TableColumn, bases: Sequence[Candidate], several: Sequence[tuple[Slip, ...]]
    ) -> list[Candidate]:
        """The definitions with these slips, those that are equal once; none that a preset has."""
        known = {one.definition.setting_sets for one in column.candidates}
        found = dict[object, Candidate]()
        for base in bases:
            for own in several:
                one = with_slips(base.definition, own)
                if one is not None and one.setting_sets not in known and self._is_able(one, column.cells):
                    found.setdefault(one.setting_sets, Candidate(one, own, base.presets))
        return list(found.values())

    def _note_all(
        self,
        column: TableColumn,
        several: Sequence[Candidate],
        measured: Mapping[str, Sequence[Measured]] = MappingProxyType({}),
    ) -> None:
        """Measure these on all runs but those on which they are `measured`."""
        others = [run for run in column.cells if run not in measured] if several else []
        by_run = {run: self._measure(run, [one.definition for one in several]) for run in others} | dict(measured)
        for place, one in enumerate(several):
            means = {run: each[place].mean for run, each in by_run.items() if not each[place].refusals}
            self._note(column, one, means)

    def _try_first_users(self, left: frozenset[TableCell]) -> None:
        """Presets as they are over the first n users, for every n that gives some of the numbers that are left."""
        for column in self._columns:
            of = {id(one): given for one, given in column.given}
            for place, (first, *_) in enumerate(column.classes):
                for run, measured in of[id(first)].items():
                    self._add_first_users((column, place), first, run, measured, left)
        self._take_first_users()

    def _add_first_users(
        self, at: tuple[TableColumn, int], one: Candidate, run: str, measured: Measured, left: frozenset[TableCell]
    ) -> None:
        """Keep for how many first users this definition, of the class `at`, gives a number that is left."""
        column, place = at
        cell = column.cells[run]
        if cell in left and is_plain(one.definition):
            self._first.add(one.slips, (column.name, place), fitting_counts(measured.values, cell.number))

    def _take_first_users(self) -> None:
        """Measure the definitions of likely classes over these first users, and over those that explain others."""
        columns = {column.name: column for column in self._columns}
        presets = {
            (name, place): [preset for one in some for preset in one.presets]
            for name, column in columns.items()
            for place, some in enumerate(column.classes)
        }
        known = {slip.count for one in self._found for slip in one.slips if isinstance(slip, FirstUsers)}
        for own, n, places in self._first.likely(presets, known):
            slips = (*own, FirstUsers(n))
            for place in places:
                if (slips, place) not in self._taken:
                    self._taken.add((slips, place))
                    column = columns[place[0]]
                    self._note_all(column, self._made(column, column.classes[place[1]], [slips]))

    def _try_known_first_users(self, left: frozenset[TableCell]) -> None:
        """The numbers of first users that explain other numbers, with what was crossed before."""
        self._take_first_users()

    def _try_crossed_slips(self, left: frozenset[TableCell]) -> None:
        """Slips in how lists and labels are read, crossed, over all users and over the first n."""
        several = list(crossed(self._slips))
        for column in self._columns:
            made = {place: self._made(column, some[:1], several) for place, some in enumerate(column.classes)}
            every = [(place, one) for place, ones in made.items() for one in ones]
            runs = probes(column.left_runs(left))
            self._count(every_one for _, every_one in every if runs)
            fitting = list[tuple[int, Candidate]]()
            for run in runs:
                measured = self._measure(run, [one.definition for _, one in every])
                for (place, one), each in zip(every, measured, strict=True):
                    if not each.refusals:
                        self._add_first_users((column, place), one, run, each, left)
                        fitting += [(place, one)] if column.cells[run].number.how(each.mean) is not None else []
            for place, own in dict.fromkeys((place, one.slips) for place, one in fitting):
                self._note_all(column, self._made(column, column.classes[place], [own]))
        self._take_first_users()

    def _try_settings_of_found(self, left: frozenset[TableCell]) -> None:
        """Ways that explain other numbers, with one more setting of each metric: those that give the most numbers."""
        for preset, own in dict.fromkeys((one.presets[0], one.slips) for one in self._found):
            more = [self._best_setting(column, preset, own, left) for column in self._columns]
            slips = (*own, *dict.fromkeys(one for one in more if one is not None))
            for column in self._columns if len(slips) > len(own) else ():
                bases = [one for one in column.candidates if preset in one.presets]
                self._note_all(column, self._made(column, bases, [slips]))

    def _best_setting(
        self, column: TableColumn, preset: str, own: tuple[Slip, ...], left: frozenset[TableCell]
    ) -> Slip | None:
        """The setting of the metric that with these slips gives the most numbers of a column, if some that are left."""
        bases = [one for one in column.candidates if preset in one.presets]
        runs = probes(column.left_runs(left))
        more = settings_of_metric([one.definition for one in column.candidates]) if bases and runs else ()
        made = self._made(column, bases, [(*own, slip) for slip in more])
        self._count(made)
        given = Counter[Slip]()
        for run in runs:
            measured = self._measure(run, [one.definition for one in made])
            fits = [not one.refusals and column.cells[run].number.how(one.mean) is not None for one in measured]
            given.update(one.slips[-1] for one, fit in zip(made, fits, strict=True) if fit)
        return max(given, key=given.__getitem__, default=None)

    def _cover(self) -> tuple[list[TableExplanation], frozenset[TableCell]]:
        """Take the way that gives the most of the numbers that are left, again and again; and what is left then."""
        found, left = list[TableExplanation](), frozenset(self.cells)
        while left:
            one = self._best(left, found)
            if one is None or one.chance > RARE:
                break
            found.append(one)
            left -= frozenset(one.cells)
        return found, left

    def _best(self, left: frozenset[TableCell], found: Sequence[TableExplanation]) -> TableExplanation | None:
        """The way that gives the most of these numbers.

        Of several one with fewer slips that explain no others, with fewer, of a preset that explains others, or that
        most people use.
        """
        presets = {preset for one in found for preset in one.presets[:1]}
        known = frozenset(slip for one in found for slip in one.slips)

        def key(way: TableWay) -> tuple[object, ...]:
            slips = len(known.union(way.slips)), len(way.slips)
            return -len(self._ways[way] & left), slips, way.preset not in presets, best_place([way.preset]), way.preset

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
            self._chance_of(first, cells, known, presets),
        )

    def _chance_of(
        self, way: TableWay, cells: frozenset[TableCell], known: frozenset[Slip], presets: Collection[str]
    ) -> float:
        """How likely at most some way with so many slips gives all these numbers, had they been invented.

        Slips that explain other numbers, `known`, count as none. Of `presets` that explain others, with some of these
        slips or none, there are few ways.
        """
        chances = {column.name: column.chances for column in self._columns}
        new = frozenset(way.slips) - known
        tried = sum(count for slips, count in self._tried_with.items() if len(slips - known) <= len(new))
        if way.preset in presets and not new:
            tried = len(presets) * 2 ** len(known)
        if any(isinstance(one, FirstUsers) for one in new):
            tried *= max(len(one.users) for one in self._runs.values())
        return min(1.0, tried * math.prod(chances[cell.column][cell.run] for cell in cells))
