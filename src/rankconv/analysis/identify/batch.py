"""Many metrics under one preparation, measured together while the blocks of users go by."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rankconv.aggregation import JudgedTotals
from rankconv.analysis.identify.circumstances import Circumstances, by_block
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.engine.plan import Reader
from rankconv.metrics.base import Metric, Parts
from rankconv.preparation.block import Block
from rankconv.preparation.pipeline import Preparation


@dataclass(frozen=True, eq=False)
class Totals:
    """What is left of the users: for each different ratio and situation how many there are, and their sums."""

    codes: Codes
    """The situations that occur, shape (situations,)."""
    metrics: list[list[Metric]]
    """The metrics behind each ratio: they give every user the same numerator and denominator."""
    counts: Numbers
    """Users, shape (ratios, situations)."""
    values: Numbers
    """The sums of their values."""
    numerators: Numbers
    """The sums of their numerators."""


@dataclass(eq=False)
class MetricGroup:
    """Metrics of one cutoff that read the lists of one preparation equally deep, and what the users came to so far."""

    preparation: Preparation
    metrics: Sequence[Metric]
    circumstances: Circumstances
    of_users: Codes = field(repr=False)
    """In which populations each user of the data is; 0 where in none."""
    seen_by: dict[str, JudgedTotals] = field(init=False)
    """By population."""
    _tallies: list["_Tally"] = field(init=False, repr=False, default_factory=list)

    def __post_init__(self) -> None:
        of_all, k = self.circumstances.of_all, self.metrics[0].k
        self.seen_by = {users: JudgedTotals(of_all, k) for users in self.circumstances.populations}

    def reader(self) -> Reader:
        """What it wants of the engine."""
        metric = self.metrics[0]
        return Reader(self.preparation, metric.k, metric.rows_read, self.of_users > 0, self.take)

    def take(self, block: Block, who: Mask) -> None:
        """Measure these users of a judged block under all metrics; `who` has shape (users of the block,)."""
        inside = np.flatnonzero(who)
        if not len(inside):
            return
        code = self.circumstances.of_block(block, self.metrics[0]) | self.of_users[block.users]
        tally = _Tally(inside, code[inside], self.circumstances.ratio_cells)
        for metric in self.metrics:
            tally.add(block, metric, self.circumstances)
        situation = by_block(block, self.metrics[0])
        for users, seen in self.seen_by.items():
            seen.add(situation, self.circumstances.holds(users, 0.0, code) & who)
        self._tallies.append(tally)

    @cached_property
    def totals(self) -> Totals:
        """All blocks together."""
        codes = np.unique(np.concatenate([np.empty(0, np.int64), *(tally.codes for tally in self._tallies)]))
        places = np.array([tally.places for tally in self._tallies], np.int64)
        places = places.reshape(len(self._tallies), len(self.metrics)).T
        ratios, of_metric = np.unique(places, axis=0, return_inverse=True)
        sums = np.zeros((3, len(ratios), len(codes)))
        for tally, ratio in zip(self._tallies, ratios.T, strict=True):
            sums[:, :, np.searchsorted(codes, tally.codes)] += tally.sums[:, ratio]
        metrics: list[list[Metric]] = [[] for _ in ratios]
        for metric, ratio in zip(self.metrics, of_metric.reshape(-1).tolist(), strict=True):
            metrics[ratio].append(metric)
        used = sums[0].any(axis=0)
        return Totals(codes[used], metrics, *sums[:, :, used])


class _Tally:
    """The different ratios of one block, each summed over the users of every situation."""

    def __init__(self, inside: Codes, codes: Codes, ratio_cells: int) -> None:
        self._inside = inside
        known, self._of_user = np.unique(codes, return_inverse=True)
        self._of_user = self._of_user * ratio_cells
        self.codes = (known[:, None] | np.arange(ratio_cells)).reshape(-1)
        """The situations, shape (situations,)."""
        self.places: list[int] = []
        """For each metric the place of its ratio."""
        self._place_of: dict[tuple[bytes, bytes], int] = {}
        self._sums: list[list[Numbers]] = []

    def add(self, block: Block, metric: Metric, circumstances: Circumstances) -> None:
        """The next metric."""
        found = metric.measure(block)
        ratio = found.ratio if isinstance(found, Parts) else found
        key = (ratio.numerator.tobytes(), ratio.denominator.tobytes())
        if key not in self._place_of:
            self._place_of[key] = len(self._sums)
            cells = self._of_user + circumstances.of_ratio(block, metric, found)[self._inside]
            columns = (None, ratio.value[self._inside], ratio.numerator[self._inside])
            counted = [np.bincount(cells, column, len(self.codes)) for column in columns]
            self._sums.append([np.asarray(each, np.float64) for each in counted])
        self.places.append(self._place_of[key])

    @property
    def sums(self) -> Numbers:
        """Users, values and numerators, shape (3, ratios, situations)."""
        return np.array(self._sums, np.float64).reshape(-1, 3, len(self.codes)).transpose(1, 0, 2)
