"""How much would a number move, had other users been there? Intervals from drawing users again, or from a formula."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankconv.data.arrays import Codes, Numbers
from rankconv.statistics.scipy_stats import scipy_stats

Statistic = Callable[[Codes], Numbers]
"""From the users of each draw, places of shape (draws, users drawn), to the number of each draw, shape (draws,)."""
How = Literal["t", "percentile", "bca"]
DRAWS = 2_000
SINGLY, GROUPS = 2_000, 500
"""Of more users than the first, so many groups are left out in turn, and not single ones."""
_CELLS = 1 << 21
"""So many places of users are held at a time."""


@dataclass(frozen=True)
class Interval:
    """Where a number lies, as far as the choice of users goes."""

    low: float
    high: float
    confidence: float
    how: str
    """`bca`, `percentile` or `t`."""
    why: str = ""
    """Why there is none; `low` and `high` are NaN then."""

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def of_mean(values: Numbers, confidence: float = 0.95) -> Interval:
    """The interval of a plain mean by Student's t; `values` has shape (users,), two at least."""
    t = float(scipy_stats("an interval").t.ppf((1 + confidence) / 2, len(values) - 1))
    middle, reach = float(values.mean()), t * float(values.std(ddof=1)) / len(values) ** 0.5
    return Interval(middle - reach, middle + reach, confidence, "t")


def percentile(statistic: Statistic, users: int, *, draws: int, seed: int, confidence: float = 0.95) -> Interval:
    """The middle of the numbers that users drawn with replacement give; NaN where some draw has none."""
    drawn = replicates(statistic, users, draws, seed)
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high), confidence, "percentile")


def bca(statistic: Statistic, users: int, *, draws: int, seed: int, confidence: float = 0.95) -> Interval:
    """As `percentile`, corrected for bias and for a spread that grows with the number; two users at least.

    NaN where all draws give one number.
    Source: Efron, Better bootstrap confidence intervals, JASA 82, 1987.
    """
    normal = scipy_stats("an interval").norm
    drawn, observed = replicates(statistic, users, draws, seed), float(statistic(np.arange(users)[None, :])[0])
    below = (np.count_nonzero(drawn < observed) + np.count_nonzero(drawn <= observed)) / (2 * draws)
    bias, lean = normal.ppf(below), _lean(statistic, users)
    ends = bias + normal.ppf([(1 - confidence) / 2, (1 + confidence) / 2])
    with np.errstate(invalid="ignore"):
        at = normal.cdf(bias + ends / (1 - lean * ends))
    low, high = (float(np.quantile(drawn, one)) if np.isfinite(one) else np.nan for one in at)
    return Interval(low, high, confidence, "bca")


def replicates(statistic: Statistic, users: int, draws: int, seed: int) -> Numbers:
    """The number of each draw of as many users as there are, with replacement, shape (draws,)."""
    generator, most = np.random.default_rng(seed), max(1, _CELLS // max(1, users))
    sizes = [min(most, draws - first) for first in range(0, draws, most)]
    return np.concatenate([statistic(generator.integers(0, users, (size, users))) for size in sizes])


def _lean(statistic: Statistic, users: int) -> float:
    """The acceleration: how lopsided the number is in single users, from leaving out each in turn.

    Of many users groups are left out: what users add to the number is independent, so the second and third powers of
    the sums over groups are, but for chance, those of single users added up.
    """
    size = 1 if users <= SINGLY else -(-users // GROUPS)
    left, most, found = np.arange(users - size), max(1, _CELLS // max(1, users)), []
    firsts = np.arange(0, users - size + 1, size)
    for start in range(0, len(firsts), most):
        some = firsts[start : start + most, None]
        found.append(statistic(left + size * (left >= some)))
    apart = (numbers := np.concatenate(found)).mean() - numbers
    spread = float((apart**2).sum()) ** 1.5
    return float((apart**3).sum()) / (6 * spread) if spread else 0.0
