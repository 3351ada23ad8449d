"""Users' circumstances, chance matches, and definitions that cannot be distinguished."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.aggregation import POLICIES, Aggregation, Situation
from rankconv.analysis.identify.printed_value import PrintedValue
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined, join
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.metrics.base import Metric, Parts, Ratio
from rankconv.preparation.block import Block
from rankconv.preparation.on_data import OnData
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.plain_rows import JudgedLevels
from rankconv.preparation.steps import OF_LABELS
from rankconv.presets.definition import idle_of
from rankconv.specs.convention import CONVENTIONS
from rankconv.specs.table import equivalent


def preparation_classes(
    joined: Joined, preparations: Sequence[Preparation], strategy: type[Metric] | None = None
) -> list[list[Preparation]]:
    """Group the preparations that change lists and labels of this data in the same way, for one strategy or all."""
    classes: list[list[_OnData]] = []
    for preparation in preparations:
        one = _OnData(joined, preparation, strategy)
        own = next((group for group in classes if one.agrees(group[0])), None)
        if own is None:
            classes.append([one])
        else:
            own.append(one)
    return [[one.preparation for one in group] for group in classes]


class _OnData:
    """What one preparation does to the lists and labels of these data."""

    def __init__(self, joined: Joined, preparation: Preparation, strategy: type[Metric] | None) -> None:
        self.preparation = preparation
        self._on_data = OnData(preparation.settings, joined)
        idle = idle_of(preparation, strategy=strategy)
        self._settings_text = {
            convention_name: setting
            for convention_name, setting in preparation.stated.items()
            if convention_name not in idle
        }
        self._labels = self._made_of_labels(joined)

    def _made_of_labels(self, joined: Joined) -> tuple[Any, ...] | None:
        """What becomes of a label of each grade; None where more than its grade decides."""
        by_grade = all(self._on_data.goes_by_grade(policy_rows.name) for policy_rows in OF_LABELS)
        if joined.levels is None or self.preparation.needs or self.preparation.added or not by_grade:
            return None
        return JudgedLevels.of(joined, self.preparation).signature

    def agrees(self, other: "_OnData") -> bool:
        """Whether both are bound to agree: what differs is idle, makes the same of every label, or nothing here.

        Of lists that a plugin's step has changed the data say nothing.
        """
        same_labels = self._labels is not None and self._labels == other._labels
        settled = [policy_rows.name for policy_rows in OF_LABELS] if same_labels else []
        return all(
            self._settings_text.get(convention_name) == other._settings_text.get(convention_name)
            or convention_name in settled
            or (not self.preparation.added and equivalent(convention_name, self._on_data, other._on_data))
            for convention_name in self.preparation.stated
        )


PolicyRows = tuple[str, float]
"""A policy, and the rows that it needs where it asks for some."""


def policies_of(aggregation: Aggregation) -> list[PolicyRows]:
    """The policies that it sets, in the order in which they apply."""
    rows = float(aggregation.given("min-rows"))
    return [(policy, rows if POLICIES[policy].needs_rows else 0.0) for policy in aggregation.policies]


class Circumstances:
    """All situations that some aggregation reads; a situation is a code, with one bit for each fact that holds."""

    def __init__(self, aggregations: Sequence[Aggregation]) -> None:
        policy_rows = sorted({one for aggregation in aggregations for one in policies_of(aggregation)})
        self.of_all = sorted({name for aggregation in aggregations for name in aggregation.judged_policies})
        """The situations of all judged lists that some aggregation asks about."""
        self.populations = sorted({aggregation.given("users") for aggregation in aggregations})
        self._of_block = [one for one in policy_rows if not _of_ratio(one)]
        self._of_ratio = [one for one in policy_rows if _of_ratio(one)]
        names = [*self._of_ratio, *self._of_block, *((users, 0.0) for users in self.populations)]
        self._bit = {name: 1 << place for place, name in enumerate(names)}
        self.ratio_cells = 1 << len(self._of_ratio)
        """How many different situations there are that a ratio decides; they are the lowest bits."""

    def of_users(self, joined: Joined, chosen: Mask | None) -> Codes:
        """In which populations each user of the data is, as bits, shape (users,)."""
        codes = np.zeros(len(joined.users), np.int64)
        for users in self.populations:
            mask = CONVENTIONS["users"](users)(joined=joined)
            codes |= np.where(mask if chosen is None else mask & chosen, self._bit[users, 0.0], 0)
        return codes

    def of_block(self, block: Block, metric: Metric) -> Codes:
        """Which policies hold for each user by the judged lists, as bits, shape (users,).

        Of the metric only its cutoff and scope are read.
        """
        return self._codes(self._of_block, block, metric, by_block(block, metric).found)

    def of_ratio(self, block: Block, metric: Metric, found: Ratio | Parts) -> Codes:
        """Which policies hold for each user by numerator and denominator, as bits, shape (users,)."""
        return self._codes(self._of_ratio, block, metric, found)

    def _codes(self, policy_rows: list[PolicyRows], block: Block, metric: Metric, found: Ratio | Parts) -> Codes:
        codes = np.zeros(block.size, np.int64)
        for policy, rows in policy_rows:
            situation = Situation(block, metric, found, rows)
            codes |= np.where(POLICIES[policy].holds(situation), self._bit[policy, rows], 0)
        return codes

    def holds(self, name: str, rows: float, codes: Codes) -> Mask:
        """In which of these situations a policy or a population holds, shape as `codes`."""
        return np.asarray(codes & self._bit[name, rows], bool)


def by_block(block: Block, metric: Metric) -> Situation:
    """What is known of a block by its judged lists alone, whatever a metric gives; of this its cutoff is read."""
    return Situation(block, metric, Ratio(np.ones(block.size), np.ones(block.size)), 0.0)


class Effects:
    """What each of several averagings makes of each of several situations; arrays of shape (averagings, situations)."""

    def __init__(self, circumstances: Circumstances, aggregations: Sequence[Aggregation], codes: Codes) -> None:
        shape = (len(aggregations), len(codes))
        self.counted, self.by_value, self.by_numerator, self.refused = (np.zeros(shape) for _ in range(4))
        self.constant = np.zeros(shape)
        self.aggregations = aggregations
        for place, aggregation in enumerate(aggregations):
            self._decide(place, aggregation, circumstances, codes)
        self.sums = np.array(
            [aggregation.settings["aggregate"].trait("share") == "whole" for aggregation in aggregations]
        )

    def _decide(self, place: int, aggregation: Aggregation, circumstances: Circumstances, codes: Codes) -> None:
        open_still = circumstances.holds(aggregation.given("users"), 0.0, codes)
        self.counted[place] = open_still
        for policy, rows in policies_of(aggregation):
            here = open_still & circumstances.holds(policy, rows, codes)
            open_still = open_still & ~here
            setting = aggregation.settings[policy]
            if setting.trait("skips"):
                self.counted[place][here] = 0
            elif setting.trait("undivided"):
                self.by_numerator[place][here] = 1 / setting.keywords.get("by", 1.0)
            elif "value" in setting.keywords:
                self.constant[place][here] = setting.keywords["value"]
            else:
                self.refused[place][here] = 1
        self.by_value[place] = open_still

    def means(self, counts: Numbers, values: Numbers, numerators: Numbers) -> Numbers:
        """The mean of each metric under each aggregation, shape (metrics, averagings); NaN where there is none.

        The three arrays have shape (metrics, situations): users, and the sums of their values and numerators.
        """
        bad = counts * ~np.isfinite(values)
        number = counts @ self.counted.T
        total = _finite(values) @ self.by_value.T + _finite(numerators) @ self.by_numerator.T
        total += counts @ self.constant.T
        with np.errstate(divide="ignore", invalid="ignore"):
            means = np.where(self.sums, total, total / number)
        nobody = np.array([aggregation.settings["on-no-users"]() for aggregation in self.aggregations])
        for place, aggregation in enumerate(self.aggregations):
            means[:, place] = aggregation.settings["round-mean"](values=means[:, place])
        means = np.where(number == 0, nobody, means)
        return np.where((counts @ self.refused.T > 0) | (bad @ self.by_value.T > 0), np.nan, means)

    def signatures(self, there: Mask) -> list[bytes]:
        """For each aggregation what it makes of the situations that occur, `there`, shape (situations,).

        Equal where each user gets the same.
        """
        effects = (self.counted, self.by_value, self.by_numerator, self.constant)
        rows = np.column_stack([*(effect[:, there] for effect in effects), self.sums])
        return [row.tobytes() for row in rows]


def _finite(sums: Numbers) -> Numbers:
    """The sums, shape as `sums`, with 0 for NaN and infinity, which a product would carry into every mean."""
    return np.nan_to_num(sums, posinf=0, neginf=0)


def _of_ratio(policy_rows: PolicyRows) -> bool:
    """Whether a policy looks at a metric's numerator and denominator; a population is none."""
    return policy_rows[0] in POLICIES and POLICIES[policy_rows[0]].of_ratio


def exchanged(joined: Joined) -> Joined:
    """What was returned as labels of grade 1, and the labels as lists by falling grade.

    >>> import rankconv as rc
    >>> turned = exchanged(rc.join({"u": ["a", "b"]}, {"u": ["a", "x", "y"]}))
    >>> rc.evaluate(turned, "recall")["recall"], rc.evaluate(turned, "precision")["precision"]
    (0.3333333333333333, 0.5)
    """
    labels, run = joined.labels, joined.rankings
    owner = np.repeat(np.arange(len(labels.users)), labels.lengths)
    order = np.lexsort((-labels.grade, owner))
    returned = Labels(run.users, run.items, run.starts, run.item, np.ones(len(run.item)), run.source)
    lists = Run(labels.users, labels.items, labels.starts, labels.item[order], None, labels.source)
    return join(returned, lists)


Counts = NDArray[np.int64]
Interval = tuple[float, float]

LEAST = 0.05
"""A match is no likelier than chance where an invented number has this many on average, or more."""
SHARE, WIDTHS = 0.1, 10
"""The density is that of the values within this share of the number, or within so many widths of the interval."""
DECIMALS = 12
"""Values that are equal to so many decimals are one."""


@dataclass(frozen=True, eq=False)
class Chance:
    """The different values that a search computes near a number, and how many of them an invented one would match."""

    number: PrintedValue
    span: tuple[float, float]
    """The lowest and the highest value of the search."""
    value: Numbers
    """Rising, shape (values,)."""
    distance: Counts
    """The number of conventions in which the definition of each value differs from a preset, shape (values,)."""

    @classmethod
    def of(cls, number: PrintedValue, span: tuple[float, float], values: Sequence[tuple[Numbers, Counts]]) -> "Chance":
        """Make it of the values of definitions in `looked_at(number, span)`, shape (definitions,), and distances."""
        value = np.concatenate([np.empty(0), *(each for each, _ in values)])
        rounded = value.round(DECIMALS)
        distance = np.concatenate([np.empty(0, np.int64), *(each for _, each in values)])
        order = np.lexsort((distance, rounded))
        different = np.flatnonzero(np.diff(rounded[order], prepend=np.nan) != 0)
        return cls(number, span, value[order][different], distance[order][different])

    @classmethod
    def of_presets(cls, number: PrintedValue, values: Iterable[float]) -> "Chance":
        """From the values of presets' own definitions alone."""
        value = np.array([*values], np.float64)
        return cls.of(number, span_of(value), [(value, np.zeros(len(value), np.int64))])

    @property
    def matches(self) -> int:
        """How many of the different values match the number."""
        near = self.value[within(self.value, self.number.intervals)]
        return sum(self.number.how(one) is not None for one in near.tolist())

    def expected(self, distance: float = np.inf) -> float:
        """How many values at most so far from a preset an invented number matches on average."""
        return float(self._weight[self.distance <= distance].sum())

    @cached_property
    def _weight(self) -> Numbers:
        """How likely an invented number matches each value, shape (values,)."""
        weight = np.zeros(len(self.value))
        for (low, high), around in _windows(self.number, self.span):
            weight += within(self.value, [around]) * (high - low) / (around[1] - around[0])
        return weight


def span_of(values: Numbers) -> tuple[float, float]:
    """The lowest and the highest of these values that are finite, shape (values,)."""
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)


def looked_at(number: PrintedValue, span: tuple[float, float]) -> list[Interval]:
    """Where the values of a search are needed: around the number, and where they match."""
    return [*(around for _, around in _windows(number, span)), *number.intervals]


def _windows(number: PrintedValue, span: tuple[float, float]) -> Iterator[tuple[Interval, Interval]]:
    """Each interval that is printed the same, and the values around it whose density is taken.

    A number that is matched exactly, such as 1 or 1/3, has no such interval.
    """
    for low, high in number.accepted:
        room = max(SHARE * abs(low + high) / 2, WIDTHS * (high - low))
        if low < high:
            yield (low, high), (max(low - room, min(low, span[0])), min(high + room, max(high, span[1])))


def within(values: Numbers, intervals: Sequence[Interval]) -> Mask:
    """Which values, of any shape, are in one of the intervals."""
    return np.asarray(np.logical_or.reduce([(low <= values) & (values <= high) for low, high in intervals]), bool)
