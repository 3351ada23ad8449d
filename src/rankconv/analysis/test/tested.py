"""What came out for one pair of runs under one definition."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rankconv.analysis.test.hypotheses import Hypothesis
from rankconv.citing.cited import Cited
from rankconv.evaluation.intervals import range_of
from rankconv.statistics.clustered import linearised
from rankconv.statistics.intervals import Interval, of_mean
from rankconv.statistics.scipy_stats import ALSO, Also, Effect, effect, scipy_stats, signs, users_needed
from rankconv.statistics.signs import Chance


@dataclass(frozen=True)
class Tested:
    """Is the first run better than the second under this definition?"""

    metric: str
    presets: Sequence[str]
    """All that give every user the same value; the first one names them."""
    runs: tuple[str, str]
    users: int
    """How many are looked at."""
    units: int
    """Of how many units of chance they are: clusters, or users by themselves."""
    alone: tuple[int, int]
    """How many users count in one of the two runs alone."""
    means: tuple[float, float]
    """Of either run, over the users looked at."""
    effect: Effect
    """By how much the first run is better; where less is better, by how much it has less. Units win, tie and lose."""
    interval: Interval | None
    """Of the mean difference, over units; None where all differ alike."""
    chance: Chance
    """Of this difference by itself."""
    t: float
    """p of the paired t-test; NaN where all users differ alike."""
    p: float
    """Corrected for all that was tested."""
    level: float
    fingerprint: str = ""
    """Of the definition; empty where a function answers."""
    also: Mapping[str, float] = field(default_factory=dict)
    """p of the tests that were asked for besides, by their names, uncorrected."""

    @property
    def told_apart(self) -> bool:
        """Whether the difference is more than chance, at the level and corrected."""
        return self.p <= self.level and self.effect.mean != 0

    @property
    def better(self) -> str | None:
        """The run that is better; None where chance may have made the difference."""
        if not self.told_apart:
            return None
        return self.runs[0] if self.effect.mean > 0 else self.runs[1]

    @property
    def differing(self) -> int:
        """How many units have another value in one run than in the other."""
        return self.effect.wins + self.effect.losses

    @property
    def least_p(self) -> float:
        """The p of a difference in which all units that differ have the same sign."""
        return 2.0 ** ((0 if self.chance.mid else 1) - self.differing)

    def users_needed(self, power: float = 0.8, difference: float | None = None) -> int | None:
        """How many units a paired t-test needs to find a difference with this power: the one seen, or a stated one.

        Units are users, or their clusters. None without a difference, and where all differ alike.
        """
        standardised = self.effect.standardised
        if difference is not None:
            standardised = abs(difference) * standardised / self.effect.mean if self.effect.mean else np.nan
        return users_needed(standardised, power=power, level=self.level)


def tested(one: Hypothesis, chance: Chance, corrected: float, level: float, also: Sequence[Also]) -> Tested:
    """What came out for one convention; `also` names further tests."""
    differences, (units, sizes) = one.pair.differences, one.pair.sums_and_sizes
    even = linearised(units, sizes)
    varied = bool(np.ptp(even) > 0)
    low, high = range_of(one.definition)
    return Tested(
        metric=one.metric,
        presets=one.presets,
        runs=one.runs,
        users=len(differences),
        units=len(units),
        alone=one.pair.alone,
        means=one.pair.means,
        effect=replace(effect(even), mean=float(differences.mean()), **signs(units)),
        interval=of_mean(even, 1 - level, (low - high, high - low)) if varied else None,
        chance=chance,
        t=float(scipy_stats("a test").ttest_1samp(even, 0).pvalue) if varied else np.nan,
        p=corrected,
        level=level,
        fingerprint=Cited(one.definition).fingerprint,
        also={name: ALSO[name](units) for name in also},
    )
