"""Differences between definitions, in general and on these data, and the numbers of runs under several of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, pairwise, product
from typing import Any

import numpy as np
from typing_extensions import TypedDict

from rankconv.aggregation import POLICIES, Situation
from rankconv.basics.errors import MetricError
from rankconv.conventions.setting_table import equivalent
from rankconv.data.arrays import Codes
from rankconv.data.joined import Joined
from rankconv.engine.metric_result import Measured
from rankconv.preparation.blocks.row_block import prepare
from rankconv.preparation.facts import OnData
from rankconv.preparation.searches import as_evaluated
from rankconv.preparation.ties import reads_order
from rankconv.preparation.working_rows import working_blocks
from rankconv.presets.definition import Definition, settings_of, with_changes
from rankconv.rendering.pages.cells import finite, some

NOT_READ = "not read"
FEW_SETTINGS = 6
"""So many settings of a preset are named where a table is printed."""
EVERY_SETTING = "All settings that differ: --full, in Python table()."
FEW = 3
"""So many presets are named in a note."""


def differing(ours: Definition, other: Definition) -> dict[str, tuple[str, str]]:
    """The conventions that two definitions set differently, with both settings; idle ones are left out.

    Two strategies under one name differ first in what they are.
    """
    idle = ours.idle_rules.keys() & other.idle_rules.keys()
    what = (ours.metric.name, other.metric.name)
    return ({"is": what} if what[0] != what[1] else {}) | {
        convention_name: (setting, other.settings.get(convention_name, NOT_READ))
        for convention_name, setting in ours.settings.items()
        if convention_name not in idle and other.settings.get(convention_name) != setting
    }


def differing_here(ours: Measured, other: Measured, data: "Differences") -> dict[str, tuple[str, str]]:
    """What two definitions set differently, without the settings that nothing in the data asks for."""
    return {
        convention_name: settings
        for convention_name, settings in differing(ours.definition, other.definition).items()
        if data.matters(convention_name, ours, other)
    }


class Differences:
    """Which differences between definitions can matter on one pair of labels and lists."""

    def __init__(self, joined: Joined | None) -> None:
        """`joined` is None for data that are not held, where each setting that differs may matter."""
        self._joined = joined
        self._on_data: dict[int, tuple[Measured, OnData]] = {}
        self._alone: dict[tuple[str, str], Codes] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """What was looked at is looked at anew in another process."""
        return type(self), (self._joined,)

    @property
    def joined(self) -> Joined:
        """The data, where they are held."""
        assert self._joined is not None
        return self._joined

    @property
    def library(self) -> str:
        """The library whose table the data came in; empty where they came in none, or are not held."""
        return "" if self._joined is None else self._joined.library

    def same(self, ours: Measured, other: Measured) -> bool:
        """Whether two definitions give the same mean, and the same number of each user whose data are held."""
        of_users = self._joined is not None
        numbers, others = (np.append(one.values if of_users else [], one.mean) for one in (ours, other))
        return np.array_equal(numbers, others, equal_nan=True) and not (ours.refusals or other.refusals)

    def matters(self, convention_name: str, ours: Measured, other: Measured) -> bool:
        """Whether the settings of the two to a convention can make a difference on these data."""
        if self._joined is None or not self.equivalent(convention_name, ours, other):
            return True
        return self.newly_concerned(convention_name, ours, other)

    def equivalent(self, convention_name: str, ours: Measured, other: Measured) -> bool:
        """Whether the settings of the two to a convention are bound to agree on these data.

        A policy or a step that depends on the order may leave one of them without expected values over orders of ties.
        """
        both, sides = (self._of(ours), self._of(other)), (ours.definition, other.definition)
        if sides[0].expectation is not sides[1].expectation:
            falls = set[bool]()
            if convention_name in POLICIES:
                policy = POLICIES[convention_name]
                falls = {policy.may_fall(type(one.metric), one.aggregation.settings[convention_name]) for one in sides}
            elif convention_name in sides[0].preparation.settings and not equivalent("ties", *both):
                falls = {any(map(reads_order, one.preparation.settings[convention_name].each)) for one in sides}
            if len(falls) > 1:
                return False
            if not equivalent("ties", *both) and self._takes_expectation(convention_name, *sides):
                return False
        return equivalent(convention_name, *both)

    def _takes_expectation(self, convention_name: str, ours: Definition, other: Definition) -> bool:
        """Whether the setting of the other alone changes what gives expected values over orders of ties."""
        changed = with_changes(ours, {convention_name: other.settings.get(convention_name, "")})
        return changed is not None and changed.expectation is not ours.expectation

    def _of(self, one: Measured) -> OnData:
        """What came out of a definition, looked at once for all conventions."""
        known = self._on_data.get(id(one))
        if known is None:
            known = self._on_data[id(one)] = one, on_data(one, self.joined)
        return known[1]

    def newly_concerned(self, convention_name: str, ours: Measured, other: Measured) -> bool:
        """Whether the convention is about special users of one definition alone.

        It decides once both look at them.
        """
        return convention_name in POLICIES and (
            self._concerns(convention_name, ours, other) or self._concerns(convention_name, other, ours)
        )

    def _concerns(self, policy: str, one: Measured, other: Measured) -> bool:
        users = self._users_alone(one, other)
        if one.refusals or not len(users):
            return False
        found = situations(self.joined, one.definition, users)
        return any(bool(POLICIES[policy].holds(situation).any()) for situation in found)

    def _users_alone(self, one: Measured, other: Measured) -> Codes:
        """The users that one definition counts and the other does not, as codes, shape (users,)."""
        settings = [each.definition.aggregation.settings["users"] for each in (one, other)]
        texts = (settings[0].text, settings[1].text)
        if texts not in self._alone:
            ours, others = (np.asarray(setting(joined=self.joined)) for setting in settings)
            self._alone[texts] = np.flatnonzero(ours & ~others)
        return self._alone[texts]


def situations(joined: Joined, definition: Definition, users: Codes) -> Iterator[Situation]:
    """What decides policies, block by block of these users, shape (users,), prepared as the definition says."""
    metric, least = definition.metric, float(definition.aggregation.given("min-rows"))
    for rows in working_blocks(as_evaluated(joined, definition.applied.settings), users):
        block = prepare(rows.copy(metric.k), definition.applied)
        yield Situation(block, metric, metric.measure(block), least, definition.applied)


def on_data(one: Measured, joined: Joined) -> OnData:
    """What a definition gave on these data, as its conventions look at it."""
    counted = (name != "outside" and not name.endswith(": skip") and count for name, count in one.counts.items())
    return OnData(settings_of(*one.definition.setting_sets), joined, lambda policy: _decides(policy, one), any(counted))


def _decides(policy: str, one: Measured) -> bool:
    if policy in POLICIES:
        return one.decided(policy)
    return one.of_all == policy or any(refusal.policy == policy for refusal in one.refusals)


MeasuredByName = Mapping[str, Sequence[Measured]]
"""What was measured under each name: one number per run."""
Means = tuple[float, ...]


@dataclass(frozen=True)
class GroupStep:
    """The fewest settings that are between a group and the one below it."""

    upper: str
    """The member of the group in which they are so."""
    lower: str
    """The member of the group below that is most like it."""
    settings: list[str]
    """Those of `upper`, as convention=setting."""


class GroupStepData(TypedDict):
    """The fewest settings that are between presets and those of the next lower values."""

    upper: str
    """The preset that has the settings."""
    lower: str
    """The preset of the next lower values that is most like it."""
    settings: list[str]
    """The settings of `upper`, as convention=setting."""


class EqualNumbersData(TypedDict):
    """Presets that give the same values."""

    means: list[float | None]
    """The values, rounded, one for each run; null where a value is infinite."""
    names: list[str]
    """The presets."""
    step: GroupStepData | None
    """What is between these presets and those of the next lower values; null for the lowest."""


@dataclass(frozen=True)
class EqualNumbers:
    """Names that share their numbers."""

    means: Means
    """Rounded, one per run."""
    names: list[str]
    step: GroupStep | None = None
    """What parts them from the next lower numbers; None for the lowest."""

    def to_dict(self) -> EqualNumbersData:
        """Return plain data."""
        step = self.step
        settings = None if step is None else GroupStepData(upper=step.upper, lower=step.lower, settings=step.settings)
        return {"means": list(map(finite, self.means)), "names": self.names, "step": settings}


def means(named: MeasuredByName, digits: int) -> dict[Means, list[str]]:
    """The names by what they give for the runs, from lowest to highest; without those that give no number."""
    found: dict[Means, list[str]] = {}
    for name, measured in named.items():
        numbers = tuple(round(float(one.mean), digits) for one in measured)
        if not np.isnan(numbers).any():
            found.setdefault(numbers, []).append(name)
    return dict(sorted(found.items()))


def group(named: MeasuredByName, facts: Sequence[Differences], digits: int = 4) -> list[EqualNumbers]:
    """The names by their numbers, from lowest to highest, with the step up from each to the next."""
    found = list(means(named, digits).items())
    steps = [_step(named, facts, upper, lower) for (_, lower), (_, upper) in pairwise(found)]
    return [EqualNumbers(*one, step) for one, step in zip(found, [None, *steps][: len(found)], strict=True)]


def _step(named: MeasuredByName, facts: Sequence[Differences], uppers: list[str], lowers: list[str]) -> GroupStep:
    pairs = (
        GroupStep(upper, lower, between(named[upper], named[lower], facts)) for upper, lower in product(uppers, lowers)
    )
    return min(pairs, key=lambda step: len(step.settings))


def between(ours: Sequence[Measured], others: Sequence[Measured], facts: Sequence[Differences]) -> list[str]:
    """The settings of ours that differ and can matter for one of the runs."""
    runs, one, other = list(zip(ours, others, facts, strict=True)), ours[0].definition, others[0].definition
    found = [
        f"{convention_name}={setting}"
        for convention_name, (setting, _) in differing(one, other).items()
        if any(data.matters(convention_name, *pair) for *pair, data in runs)
    ]
    if one.k != other.k:
        found.append("no cutoff" if one.k is None else f"@{one.k}")
    return found


@dataclass(frozen=True, eq=False)
class ComparedNumbers:
    """Numbers by run, metric and preset, and what is between them."""

    metrics: list[str]
    presets: list[str]
    runs: list[str]
    """Names of the runs; one nameless run is `""`."""
    cells: dict[tuple[str, str, str], Measured] = field(repr=False)
    """By run, metric and preset; what a preset does not offer is not there."""
    facts: dict[str, Differences] = field(repr=False)
    """What the data of each run holds."""

    @property
    def library(self) -> str:
        """The library whose table the data came in, for `to_frame`."""
        return next((one.library for one in self.facts.values() if one.library), "")

    def cell(self, metric: str, preset: str, run: str | None = None) -> Measured | None:
        """One number with its per-user values and counts; None where the preset does not offer it."""
        return self.cells.get((self.runs[0] if run is None else run, metric, preset))

    def __getitem__(self, place: tuple[str, ...]) -> float:
        if not isinstance(place, tuple) or len(place) not in (2, 3) or not all(isinstance(one, str) for one in place):
            do = 'Write comparison["ndcg@10", "mllib"], and the run as a third where there are several.'
            raise MetricError(f"{place!r:.100} is not a key of this comparison", do=do)
        metric, preset, run = (*place, self.runs[0])[:3]
        self._check(metric, self.metrics, "metric")
        self._check(preset, self.presets, "preset")
        self._check(run, self.runs, "run")
        cell = self.cell(metric, preset, run)
        return float("nan") if cell is None else cell.mean

    @staticmethod
    def _check(name: str, known: list[str], kind: str) -> None:
        if name not in known:
            raise MetricError(f"'{name}' is not a {kind} of this comparison", allowed=f"It holds: {', '.join(known)}")

    @cached_property
    def separating(self) -> dict[str, dict[str, list[str]]]:
        """For each preset the settings in which it differs from the first, as text, and the metrics they concern.

        Settings that cannot matter on this data are left out: a tie rule without ties, a policy that no user has.
        """
        return {name: self._separating(name) for name in self.presets[1:]}

    def _separating(self, preset: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for run in self.runs:
            for metric in self.metrics:
                ours, first = self.cell(metric, preset, run), self.cell(metric, self.presets[0], run)
                if ours and first and not self.facts[run].same(ours, first):
                    for convention_name, (setting, _) in differing_here(ours, first, self.facts[run]).items():
                        found.setdefault(f"{convention_name}={setting}", []).append(metric)
        return {text: list(dict.fromkeys(metrics)) for text, metrics in found.items()}

    @cached_property
    def notes(self) -> list[str]:
        """What separates each preset from the first, what is missing, and where the order of runs changes."""
        return self._notes(None)

    @property
    def brief_notes(self) -> list[str]:
        """The notes with a few settings of each preset, and where all of them are."""
        brief = self._notes(FEW_SETTINGS)
        return brief if brief == self.notes else [*brief, EVERY_SETTING]

    def _notes(self, most: int | None) -> list[str]:
        first, *others = self.presets
        separating = [f"{preset} against {first}: {self._differences_of(preset, most)}." for preset in others]
        more = [*self._refusal_notes(), *self.outside_notes, *self._order_notes()]
        return [*separating, *self.group_notes, *self.absent_notes, *more]

    @property
    def group_notes(self) -> list[str]:
        """The values of groups of items, of the numbers that are made of some."""
        if all(cell.groups is None for cell in self.cells.values()):
            return []
        from rankconv.evaluation.results.group_tables import with_groups

        several = len(self.runs) > 1
        names = {
            (run, metric, preset): f"{preset}:{metric}" + f" of {run}" * several for run, metric, preset in self.cells
        }
        return with_groups({names[at]: cell for at, cell in self.cells.items()})

    def _differences_of(self, preset: str, most: int | None) -> str:
        both = [metric for metric in self.metrics if self.cell(metric, preset) and self.cell(metric, self.presets[0])]
        if not both:
            return "no metric in common"
        parts = [
            text if len(metrics) == len(both) else f"{text} ({_families(metrics)})"
            for text, metrics in self.separating[preset].items()
        ]
        if most is not None and len(parts) > most + 1:  # one more takes no more place than its number
            parts = [*parts[:most], f"and {len(parts) - most} more"]
        return "; ".join(parts) or "the same numbers"

    @property
    def absent_notes(self) -> list[str]:
        """Which metrics no preset offers."""
        measured = {metric for _, metric, _ in self.cells}
        absent = ", ".join(metric for metric in self.metrics if metric not in measured)
        return [f"none of these presets offers {absent}; rankconv offers every metric."] if absent else []

    def _refusal_notes(self) -> list[str]:
        by_reason: dict[str, list[str]] = {}
        for (_, _, preset), cell in self.cells.items():
            if cell.refusals:
                by_reason.setdefault(cell.refusals[0].why, []).append(preset)
        return [f"refused by {some(list(dict.fromkeys(names)), FEW)}: {why}." for why, names in by_reason.items()]

    @property
    def outside_notes(self) -> list[str]:
        """What is said of values outside the bounds of a metric, and under which presets."""
        by_note: dict[str, list[str]] = {}
        for (_, metric, preset), cell in self.cells.items():
            if cell.note:
                by_note.setdefault(f"{metric}: {cell.note}", []).append(preset)
        return [f"{note}. Presets: {some(list(dict.fromkeys(names)), FEW)}." for note, names in by_note.items()]

    def _order_notes(self) -> list[str]:
        notes = []
        for metric in self.metrics if len(self.runs) > 1 else []:
            by_order: dict[tuple[str, ...], list[str]] = {}
            for preset, order in self.orders(metric).items():
                by_order.setdefault(order, []).append(preset)
            if len(by_order) > 1:
                text = "; ".join(f"{' > '.join(order)} under {some(names, FEW)}" for order, names in by_order.items())
                by = "" if self.directed(metric) else " by falling value"
                notes.append(f"{metric}: the order of the runs{by} changes: {text}.")
        return notes

    def orders(self, metric: str) -> dict[str, tuple[str, ...]]:
        """The runs from best to worst mean under each preset that gives one for all; equal ones as "a = b".

        From the highest to the lowest where no end of the metric is the better one.
        """
        return {
            preset: _order(means, self.lower_is_better(metric, preset)) for preset, means in self.means(metric).items()
        }

    def directed(self, metric: str) -> bool:
        """Whether one end of the metric is the better one; where none is, runs stand by falling value."""
        return all(one.definition.metric.directed for (_, name, _), one in self.cells.items() if name == metric)

    def lower_is_better(self, metric: str, preset: str) -> bool:
        """Whether the best run has the least value there."""
        return any(
            cell.definition.lower_is_better for cell in (self.cell(metric, preset, run) for run in self.runs) if cell
        )

    def best_runs(self, metric: str, preset: str) -> list[str]:
        """The run with the best value, several where it is shared; none where a single run or no end is the better."""
        cells = {run: cell for run in self.runs if (cell := self.cell(metric, preset, run)) and not np.isnan(cell.mean)}
        if len(self.runs) < 2 or not cells or not self.directed(metric):
            return []
        means = {run: cell.mean for run, cell in cells.items()}
        best = (min if self.lower_is_better(metric, preset) else max)(means.values())
        return [run for run, mean in means.items() if mean == best]

    def groups(self, metric: str, digits: int = 4) -> dict[Means, list[str]]:
        """The presets by the means that they give for the runs, rounded, from lowest to highest."""
        return means(self.measured(metric), digits)

    def by_value(self, metric: str, digits: int = 4) -> list[EqualNumbers]:
        """Presets by their means, from lowest to highest, each with what differs from the one below."""
        return group(self.measured(metric), [self.facts[run] for run in self.runs], digits)

    def measured(self, metric: str) -> dict[str, list[Measured]]:
        """For each preset that offers the metric what it gives for each run."""
        self._check(metric, self.metrics, "metric")
        found = {preset: [self.cell(metric, preset, run) for run in self.runs] for preset in self.presets}
        return {preset: [cell for cell in cells if cell] for preset, cells in found.items() if all(cells)}

    def means(self, metric: str) -> dict[str, dict[str, float]]:
        """Preset → run → mean, where there is a mean for every run."""
        self._check(metric, self.metrics, "metric")
        means = {preset: {run: self[metric, preset, run] for run in self.runs} for preset in self.presets}
        return {preset: by_run for preset, by_run in means.items() if not np.isnan(list(by_run.values())).any()}


def _order(means: dict[str, float], lower_is_better: bool) -> tuple[str, ...]:
    best_first = sorted(means, key=lambda run: means[run], reverse=not lower_is_better)
    return tuple(" = ".join(group) for _, group in groupby(best_first, key=lambda run: means[run]))


def _families(metrics: list[str]) -> str:
    return ", ".join(dict.fromkeys(metric.split("@")[0] for metric in metrics))
