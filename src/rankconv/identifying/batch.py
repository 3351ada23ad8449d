"""Many metrics and averagings under one judging, measured together while the blocks of users go by."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankconv.averaging import AVERAGING, Seen
from rankconv.collected import Collected
from rankconv.definition import Definition
from rankconv.identifying.circumstances import Circumstances
from rankconv.metrics.base import Metric, Parts
from rankconv.presets.registry import neutral_answers
from rankconv.ranking.block import Block
from rankconv.ranking.ids import Codes
from rankconv.ranking.joined import Joined
from rankconv.ranking.judging import Judging
from rankconv.ranking.plain import NotPlainError, PlainBlocks
from rankconv.ranking.rows import Mask, Numbers


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


class Batch(Collected):
    """Metrics of one cutoff that read the lists of one judging equally deep."""

    def __init__(
        self,
        joined: Joined,
        judging: Judging,
        metrics: Sequence[Metric],
        circumstances: Circumstances,
        of_users: Codes,
        by_rows: bool = False,
    ) -> None:
        everyone = AVERAGING.model_validate(_neutral_averaging() | {"users": "either"})
        super().__init__(joined, Definition("", "", judging, metrics[0], everyone), of_users > 0, per_user=False)
        self.metrics, self.circumstances, self.of_users, self.by_rows = list(metrics), circumstances, of_users, by_rows
        self.not_plain: set[int] = set()
        """The metrics, by place, that need single rows where the others do not."""
        self.seen_by = {users: Seen(self.judged_causes) for users in circumstances.populations}
        self._blocks: list[_Tally] = []

    @property
    def rows_read(self) -> int | None:
        metric = self.metrics[0]
        return None if metric.reads_below_cutoff else metric.scope

    def take_plain(self, blocks: PlainBlocks, who: Mask) -> bool:
        return not self.by_rows and super().take_plain(blocks, who)

    def take(self, block: Block, who: Mask) -> None:
        inside = np.flatnonzero(who[block.users])
        if not len(inside):
            return
        code = self.circumstances.of_block(block, self.metrics[0]) | self.of_users[block.users]
        tally = _Tally(inside, code[inside], self.circumstances.ratio_cells)
        for place, metric in enumerate(self.metrics):
            if place in self.not_plain:
                tally.places.append(-1)
                continue
            try:
                tally.add(block, metric, self.circumstances)
            except NotPlainError:
                self.not_plain.add(place)
                tally.places.append(-1)
        for users, seen in self.seen_by.items():
            seen.add(block, self.circumstances.holds(users, 0.0, code) & who[block.users])
        self._blocks.append(tally)

    @cached_property
    def totals(self) -> Totals:
        """All blocks together, without the metrics that need single rows."""
        there = [place for place in range(len(self.metrics)) if place not in self.not_plain]
        codes = np.unique(np.concatenate([np.empty(0, np.int64), *(tally.codes for tally in self._blocks)]))
        places = (
            np.array([tally.places for tally in self._blocks], np.int64)
            .reshape(len(self._blocks), len(self.metrics))
            .T[there]
        )
        ratios, of_metric = np.unique(places, axis=0, return_inverse=True)
        sums = np.zeros((3, len(ratios), len(codes)))
        for tally, ratio in zip(self._blocks, ratios.T, strict=True):
            sums[:, :, np.searchsorted(codes, tally.codes)] += tally.sums[:, ratio]
        metrics: list[list[Metric]] = [[] for _ in ratios]
        for place, ratio in zip(there, of_metric.reshape(-1).tolist(), strict=True):
            metrics[ratio].append(self.metrics[place])
        used = sums[0].any(axis=0)
        return Totals(codes[used], metrics, *sums[:, :, used])


def _neutral_averaging() -> dict[str, str]:
    neutral = neutral_answers()
    return {question: neutral[question] for question in AVERAGING.questions()}


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
        found = metric.per_user(block)
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
