"""In what situations are users, as far as any aggregation asks? Each situation is one bit of a number."""

from collections.abc import Sequence

import numpy as np

from rankconv.aggregation import POLICIES, Aggregation, Situation
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.metrics.base import Metric, Parts, Ratio
from rankconv.preparation.block import Block
from rankconv.specs.convention import CONVENTIONS

Asked = tuple[str, float]
"""A policy, and the rows that it needs where it asks for some."""


def asked_by(aggregation: Aggregation) -> list[Asked]:
    """The policies that it answers, in the order in which they are asked."""
    rows = float(aggregation.given("min-rows"))
    return [(policy, rows if POLICIES[policy].needs_rows else 0.0) for policy in aggregation.policies]


class Circumstances:
    """All situations that some aggregation reads; a situation is a code, with one bit for each fact that holds."""

    def __init__(self, aggregations: Sequence[Aggregation]) -> None:
        asked = sorted({one for aggregation in aggregations for one in asked_by(aggregation)})
        self.of_all = sorted({name for aggregation in aggregations for name in aggregation.asked_of_judged})
        """The situations of all judged lists that some aggregation asks about."""
        self.populations = sorted({aggregation.given("users") for aggregation in aggregations})
        self._of_block = [one for one in asked if not _of_ratio(one)]
        self._of_ratio = [one for one in asked if _of_ratio(one)]
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
        """Which causes hold for each user by the judged lists, as bits, shape (users,).

        Of the metric only its cutoff and scope are read.
        """
        return self._codes(self._of_block, block, metric, by_block(block, metric).found)

    def of_ratio(self, block: Block, metric: Metric, found: Ratio | Parts) -> Codes:
        """Which causes hold for each user by numerator and denominator, as bits, shape (users,)."""
        return self._codes(self._of_ratio, block, metric, found)

    def _codes(self, asked: list[Asked], block: Block, metric: Metric, found: Ratio | Parts) -> Codes:
        codes = np.zeros(block.size, np.int64)
        for policy, rows in asked:
            situation = Situation(block, metric, found, rows)
            codes |= np.where(POLICIES[policy].holds(situation), self._bit[policy, rows], 0)
        return codes

    def holds(self, name: str, rows: float, codes: Codes) -> Mask:
        """In which of these situations a cause or a population holds, shape as `codes`."""
        return np.asarray(codes & self._bit[name, rows], bool)


def by_block(block: Block, metric: Metric) -> Situation:
    """What can be told of a block by its judged lists alone, whatever a metric gives; of this its cutoff is read."""
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
        for policy, rows in asked_by(aggregation):
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


def _of_ratio(asked: Asked) -> bool:
    """Whether a cause looks at a metric's numerator and denominator; a population is none."""
    return asked[0] in POLICIES and POLICIES[asked[0]].of_ratio
