"""In what situations are users, as far as any averaging asks? Each situation is one bit of a number."""

from collections.abc import Sequence

import numpy as np

from rankconv.averaging import CAUSES, Averaging, Situation
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.judging.block import Block
from rankconv.metrics.base import Metric, Parts, Ratio
from rankconv.questions.choice import QUESTIONS

Asked = tuple[str, float]
"""A cause, and the rows that it needs where it asks for some."""


def asked_by(averaging: Averaging) -> list[Asked]:
    """The causes that it answers, in the order in which they are asked."""
    rows = float(averaging.given("min-rows"))
    return [(cause, rows if CAUSES[cause].needs_rows else 0.0) for cause in averaging.causes]


class Circumstances:
    """All situations that some averaging asks about; a situation is a code, with one bit for each thing that holds."""

    def __init__(self, averagings: Sequence[Averaging]) -> None:
        asked = sorted({one for averaging in averagings for one in asked_by(averaging)})
        self.of_all = sorted({name for averaging in averagings for name in averaging.asked_of_judged})
        """The situations of all judged lists that some averaging asks about."""
        self.populations = sorted({averaging.given("users") for averaging in averagings})
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
            mask = QUESTIONS["users"](users)(joined=joined)
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
        for cause, rows in asked:
            situation = Situation(block, metric, found, rows)
            codes |= np.where(CAUSES[cause].holds(situation), self._bit[cause, rows], 0)
        return codes

    def holds(self, name: str, rows: float, codes: Codes) -> Mask:
        """In which of these situations a cause or a population holds, shape as `codes`."""
        return np.asarray(codes & self._bit[name, rows], bool)


def by_block(block: Block, metric: Metric) -> Situation:
    """What can be told of a block by its judged lists alone, whatever a metric gives; of this its cutoff is read."""
    return Situation(block, metric, Ratio(np.ones(block.size), np.ones(block.size)), 0.0)


class Effects:
    """What each of several averagings makes of each of several situations; arrays of shape (averagings, situations)."""

    def __init__(self, circumstances: Circumstances, averagings: Sequence[Averaging], codes: Codes) -> None:
        shape = (len(averagings), len(codes))
        self.counted, self.by_value, self.by_numerator, self.refused = (np.zeros(shape) for _ in range(4))
        self.constant = np.zeros(shape)
        self.averagings = averagings
        for place, averaging in enumerate(averagings):
            self._decide(place, averaging, circumstances, codes)
        self.sums = np.array([averaging.answers["aggregate"].trait("share") == "whole" for averaging in averagings])

    def _decide(self, place: int, averaging: Averaging, circumstances: Circumstances, codes: Codes) -> None:
        open_still = circumstances.holds(averaging.given("users"), 0.0, codes)
        self.counted[place] = open_still
        for cause, rows in asked_by(averaging):
            here = open_still & circumstances.holds(cause, rows, codes)
            open_still = open_still & ~here
            answer = averaging.answers[cause]
            if answer.trait("skips"):
                self.counted[place][here] = 0
            elif answer.trait("undivided"):
                self.by_numerator[place][here] = 1 / answer.keywords.get("by", 1.0)
            elif "value" in answer.keywords:
                self.constant[place][here] = answer.keywords["value"]
            else:
                self.refused[place][here] = 1
        self.by_value[place] = open_still

    def means(self, counts: Numbers, values: Numbers, numerators: Numbers) -> Numbers:
        """The mean of each metric under each averaging, shape (metrics, averagings); NaN where there is none.

        The three arrays have shape (metrics, situations): users, and the sums of their values and numerators.
        """
        bad = counts * ~np.isfinite(values)
        number = counts @ self.counted.T
        total = _finite(values) @ self.by_value.T + _finite(numerators) @ self.by_numerator.T
        total += counts @ self.constant.T
        with np.errstate(divide="ignore", invalid="ignore"):
            means = np.where(self.sums, total, total / number)
        nobody = np.array([averaging.answers["on-no-users"]() for averaging in self.averagings])
        for place, averaging in enumerate(self.averagings):
            means[:, place] = averaging.answers["round-mean"](values=means[:, place])
        means = np.where(number == 0, nobody, means)
        return np.where((counts @ self.refused.T > 0) | (bad @ self.by_value.T > 0), np.nan, means)

    def signatures(self, there: Mask) -> list[bytes]:
        """For each averaging what it makes of the situations that occur, `there`, shape (situations,).

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
    return asked[0] in CAUSES and CAUSES[asked[0]].of_ratio
