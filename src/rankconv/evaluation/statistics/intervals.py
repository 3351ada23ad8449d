"""Confidence intervals of means, of differences and of curves, and resampling by cluster."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from typing_extensions import TypedDict

from rankconv.basics.optional import require
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.clusters import Clusters
from rankconv.rendering.pages.cells import ABSENT, finite

Statistic = Callable[[Codes], Numbers]
"""From the users of each draw, places of shape (draws, users drawn), to the number of each draw, shape (draws,)."""
Ends = tuple[float, float]
"""The least and the greatest mean that is possible."""
UNBOUNDED: Ends = (-np.inf, np.inf)
MANY = 50
"""Of fewer users the mean is not near enough to normal for Student's t to cover what it promises."""
_ROUNDING = 1e-9
SQUARED = 1e150
"""The squares of larger values may be beyond the largest number."""
SINGLY, GROUPS = 2_000, 500
"""Of more users than the first, so many groups are left out in turn, and not single ones."""
_CELLS = 1 << 21
"""So many places of users are held at a time."""


def scipy_stats(what: str, part: str = "stats") -> Any:
    """The module scipy.stats, or another part of SciPy; a LibraryError says what needs it and how it is installed."""
    return require(f"scipy.{part}", "rankconv[stats]", what)


class IntervalData(TypedDict):
    """A confidence interval."""

    low: float | None
    """The lower limit; null where there is no interval, or no limit."""
    high: float | None
    """The upper limit; null where there is no interval, or no limit."""
    confidence: float
    """The confidence level: 0.95."""
    how: str
    """`t`, `score`, `exact`, `bca`, `percentile`; of two means `welch` or `mover`; empty where there is no interval."""
    why: str
    """Why there is no interval; else empty."""


@dataclass(frozen=True)
class Interval:
    """Where a number is, as far as the choice of users goes."""

    low: float
    high: float
    confidence: float
    how: str
    """`t`, `score`, `exact`, `bca`, `percentile`; of two means `welch` or `mover`."""
    why: str = ""
    """Why there is none; `low` and `high` are NaN then."""

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    @classmethod
    def none(cls, confidence: float, why: str) -> "Interval":
        """No interval, with the reason."""
        return cls(np.nan, np.nan, confidence, "", why)

    def to_dict(self) -> IntervalData:
        """Return plain data; None where a limit is not finite, as JSON has it."""
        low, high = finite(self.low), finite(self.high)
        return {"low": low, "high": high, "confidence": self.confidence, "how": self.how, "why": self.why}


def interval_head(confidence: float) -> str:
    """The head of a column of intervals.

    >>> interval_head(0.95)
    '95 % interval'
    """
    return f"{100 * confidence:g} % interval"


def shown(interval: Interval, digits: int, sign: str = "") -> str:
    """An interval as tables show it, with `sign="+"` signed; a dash where there is none."""
    if interval.why:
        return ABSENT
    return f"{interval.low:{sign}.{digits}f} to {interval.high:{sign}.{digits}f}"


KINDS = {
    "t": "Student's t",
    "score": f"the score interval, for fewer than {MANY} users or where most have one value",
    "exact": "Clopper and Pearson's of a share, for values of 0 and 1",
    "welch": "Welch's",
    "mover": f"Zou and Donner's, for fewer than {MANY} users on one side or where most have one value",
    "bca": "BCa, from users drawn again",
    "percentile": "the percentiles of users drawn again",
}
"""Each kind of interval in words."""


def kinds_of(intervals: Iterable[Interval], what: str = "Intervals") -> str:
    """Say how these intervals are made, and where their coverage is shown; empty without any."""
    kinds = dict.fromkeys(KINDS[one.how] for one in intervals if one.how)
    covers = "How often they hold the true number is simulated in the repository, tests/benchmarks/coverage.md."
    return f"{what}: {'; '.join(kinds)}. {covers}" if kinds else ""


def of_mean(values: Numbers, confidence: float = 0.95, within: Ends = UNBOUNDED, *, student: bool = False) -> Interval:
    """Compute the interval of a plain mean; none where the values, shape (users,), are fewer than two, or all equal.

    Student's t for 50 users and more, unless most of them have one value, and wherever `student` asks for it. Else the
    exact interval of a share, where all values are at the two ends of what is possible (`within`), and the score
    interval otherwise. No end is outside `within`, as long as no value is.
    """
    if len(values) < 2 or (values == values[0]).all():
        return Interval.none(confidence, "all users have one value" if len(values) > 1 else "fewer than 2 users")
    if reason := why_not_squared(values):
        return Interval.none(confidence, reason)
    low, high = _holding(values, within)
    if not student and (len(values) < MANY or mostly_equal(values)):
        if np.isin(values, (low, high)).all():
            return _of_share(values, confidence, (low, high))
        return _score(values, confidence, (low, high))
    t = _students_t(confidence, len(values) - 1)
    middle, reach = float(values.mean()), t * float(values.std(ddof=1)) / len(values) ** 0.5
    return Interval(max(middle - reach, low), min(middle + reach, high), confidence, "t")


def why_not_squared(values: Numbers) -> str:
    """Why squares of these values, shape (users,), do not add up to a number, in words; empty where they do."""
    largest = np.abs(values).max(initial=0)
    if largest <= SQUARED:
        return ""
    return "values are too large to be squared" if np.isfinite(largest) else "some values are infinite or undefined"


def mostly_equal(values: Numbers) -> bool:
    """Whether more than half of the values, shape (users,), are one and the same."""
    return 2 * int(np.count_nonzero(values == np.sort(values)[len(values) // 2])) > len(values)


def of_difference(ours: Numbers, others: Numbers, confidence: float, within: Ends) -> Interval:
    """Compute the interval of the difference between the means of two groups of users, each of shape (users,).

    Two users at least in either; not all equal in both; `within` holds either mean. None where values are infinite or
    too large to be squared. Welch's for groups for which `of_mean` takes Student's t; else put together from the
    intervals of the two means.
    Source: Zou and Donner, Construction of confidence limits about effect measures, Statistics in Medicine 27, 2008.
    """
    if reason := why_not_squared(ours) or why_not_squared(others):
        return Interval.none(confidence, reason)
    if all(len(one) >= MANY and not mostly_equal(one) for one in (ours, others)):
        welch = scipy_stats("an interval").ttest_ind(ours, others, equal_var=False).confidence_interval(confidence)
        (low, high), (least, most) = _holding(ours, within), _holding(others, within)
        return Interval(max(float(welch.low), low - most), min(float(welch.high), high - least), confidence, "welch")
    means = [float(one.mean()) for one in (ours, others)]
    each = [
        of_mean(one, confidence, within) if np.ptp(one) > 0 else Interval(mean, mean, confidence, "")
        for one, mean in zip((ours, others), means, strict=True)
    ]
    below = float(np.hypot(means[0] - each[0].low, each[1].high - means[1]))
    above = float(np.hypot(each[0].high - means[0], means[1] - each[1].low))
    return Interval(means[0] - means[1] - below, means[0] - means[1] + above, confidence, "mover")


def _holding(values: Numbers, within: Ends) -> Ends:
    """The ends beyond which none of the values, shape (users,), is but for rounding; infinite where some value is."""
    low, high = within
    return (low if values.min() >= low - _ROUNDING else -np.inf, high if values.max() <= high + _ROUNDING else np.inf)


def _score(values: Numbers, confidence: float, within: Ends) -> Interval:
    """Means m from which the mean of the values, shape (users,), is less than so many standard errors away.

    The variance is taken as proportional to (m - low)(high - m), as Wilson's of a share is; to m - low, where there
    is no upper end; and as the same for all m, where there is none. The degrees of freedom of Student's t are those
    of a variance whose own variance is that which the kurtosis of the values says (Satterthwaite, Biometrics Bulletin
    2, 1946): of few values that differ they are few.
    Source: Wilson, Probable inference, the law of succession, and statistical inference, JASA 22, 1927.
    """
    low, high = within
    middle, deviations = float(values.mean()), values - values.mean()
    if not low < middle < high or not deviations.any():  # but for rounding all values are equal
        return Interval(middle, middle, confidence, "score")
    variance, scaled = float((deviations**2).mean()), deviations / np.abs(deviations).max()
    kurtosis = float((scaled**4).mean()) / float((scaled**2).mean()) ** 2
    freedom = np.clip(2 * len(values) / max(kurtosis - 1, 1 / len(values)) - 1, 1, len(values) - 1)
    t = _students_t(confidence, freedom)
    square = t**2 * variance / (len(values) - 1)
    if not np.isfinite(low + high) and (np.isfinite(low) or np.isfinite(high)):
        end, side = (low, 1) if np.isfinite(low) else (high, -1)
        size = abs(middle - end)
        half, reach = square / (2 * size), (square + (square / (2 * size)) ** 2) ** 0.5
        ends = sorted(end + side * (size + half + sign * reach) for sign in (-1, 1))
    elif np.isfinite(low):
        width, share = high - low, (middle - low) / (high - low)
        least = square / (width**2 * share * (1 - share))
        reach = (least**2 + 4 * least * share * (1 - share)) ** 0.5
        ends = [low + width * (2 * share + least + sign * reach) / (2 * (1 + least)) for sign in (-1, 1)]
    else:
        ends = [middle - square**0.5, middle + square**0.5]
    return Interval(max(ends[0], low), min(ends[1], high), confidence, "score")


def _students_t(confidence: float, freedom: float) -> float:
    """How many standard errors away the ends are."""
    return float(scipy_stats("an interval", "special").stdtrit(freedom, (1 + confidence) / 2))


def _of_share(values: Numbers, confidence: float, within: Ends) -> Interval:
    """Compute the limits of the share of values, shape (users,), at the upper end of what is possible."""
    low, high = within
    least, most = share_limits(int((values == high).sum()), len(values), np.array((1 - confidence) / 2))
    return Interval(low + (high - low) * float(least), low + (high - low) * float(most), confidence, "exact")


def share_limits(hits: int, users: int, alpha: Numbers) -> tuple[Numbers, Numbers]:
    """Compute the one-sided lower and upper limits of a share, each of level 1 - alpha; shapes as `alpha`.

    At the lower limit so many hits or more have the probability alpha, at the upper one so many or fewer. Whatever the
    share is, a limit is on the wrong side of it in at most this share of samples.
    Source: Clopper and Pearson, The use of confidence or fiducial limits, Biometrika 26, 1934.

    >>> low, high = share_limits(0, 20, np.array(0.05))
    >>> float(low), round(float(high), 4)
    (0.0, 0.1391)
    """
    beta = scipy_stats("limits of a share", "special").betaincinv
    low = np.zeros_like(alpha) if hits == 0 else beta(hits, users - hits + 1, alpha)
    high = np.ones_like(alpha) if hits == users else beta(hits + 1, users - hits, 1 - alpha)
    return low, high


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
    special = scipy_stats("an interval", "special")
    drawn, observed = replicates(statistic, users, draws, seed), float(statistic(np.arange(users)[None, :])[0])
    below = (np.count_nonzero(drawn < observed) + np.count_nonzero(drawn <= observed)) / (2 * draws)
    bias, lean = special.ndtri(below), _lean(statistic, users, seed)
    ends = bias + special.ndtri([(1 - confidence) / 2, (1 + confidence) / 2])
    with np.errstate(invalid="ignore"):
        at = special.ndtr(bias + ends / (1 - lean * ends))
    low, high = (float(np.quantile(drawn, one)) if np.isfinite(one) else np.nan for one in at)
    return Interval(low, high, confidence, "bca")


def replicates(statistic: Statistic, users: int, draws: int, seed: int) -> Numbers:
    """The number of each draw of as many users as there are, with replacement, shape (draws,)."""
    generator, most = np.random.default_rng(seed), max(1, _CELLS // max(1, users))
    sizes = [min(most, draws - first) for first in range(0, draws, most)]
    return np.concatenate([statistic(generator.integers(0, users, (size, users))) for size in sizes])


def _lean(statistic: Statistic, users: int, seed: int) -> float:
    """The acceleration: how lopsided the number is in single users, from leaving out each in turn.

    Of many users groups, drawn at random, are left out: what users add to the number is independent, so the second and
    third powers of the sums over groups are, but for chance, those of single users added up.
    """
    size = 1 if users <= SINGLY else -(-users // GROUPS)
    order = np.arange(users) if size == 1 else np.random.default_rng(seed).permutation(users)
    left, most, found = np.arange(users - size), max(1, _CELLS // max(1, users)), []
    firsts = np.arange(0, users - size + 1, size)
    for start in range(0, len(firsts), most):
        some = firsts[start : start + most, None]
        found.append(statistic(order[left + size * (left >= some)]))
    deviations = (numbers := np.concatenate(found)).mean() - numbers
    spread = float((deviations**2).sum()) ** 1.5
    return float((deviations**3).sum()) / (6 * spread) if spread else 0.0


_BAND_CELLS = 1 << 24
"""So many weights are held at a time."""


def draws_of(users: int, draws: int, seed: int) -> Numbers:
    """How often each user is drawn, shape (draws, users): as many users as there are, with replacement."""
    return _drawn(np.random.default_rng(seed), users, draws)


def band(
    values: Numbers, counted: Mask, *, draws: int, seed: int, confidence: float = 0.95, clusters: Clusters | None = None
) -> tuple[Numbers, Numbers]:
    """The ends of the middle of what users drawn again give at each point, both of shape (points,).

    `values` and `counted` have shape (users, points); a user is drawn with all their points, and with those of their
    cluster. NaN where some draw has nobody.
    """
    sums, counts = np.where(counted, values, 0.0), counted.astype(np.float64)
    if clusters is not None:
        sums, counts = clusters.sums(sums), clusters.sums(counts)
    users = len(sums)
    at_once = max(1, _BAND_CELLS // max(1, users))
    generator = np.random.default_rng(seed)
    means = []
    for first in range(0, draws, at_once):
        weights = _drawn(generator, users, min(at_once, draws - first))
        with np.errstate(invalid="ignore"):
            means.append((weights @ sums) / (weights @ counts))
    low, high = np.quantile(np.concatenate(means), [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return low, high


def _drawn(generator: "np.random.Generator", users: int, draws: int) -> Numbers:
    return generator.multinomial(users, np.full(users, 1 / users), size=draws).astype(np.float64)


def linearised(sums: Numbers, sizes: Numbers) -> Numbers:
    """One value for each cluster, shape (clusters,), of which the plain mean is that over all ids.

    `sums` and `sizes` have shape (clusters,): what the values of a cluster's ids add up to, and how many these are. The
    values are m + (sum - size·m)·clusters/ids, m being the mean over ids, so that their spread gives the standard error
    of that mean which is robust to whatever hangs together within clusters (Liang and Zeger 1986, with the factor
    clusters / (clusters - 1)). Of clusters of one id each they are the values themselves, to the last bit.
    Source: Cameron and Miller, A practitioner's guide to cluster-robust inference, Journal of Human Resources 50, 2015.

    >>> import numpy as np
    >>> linearised(np.array([3.0, 1.0]), np.array([2.0, 1.0])).round(4).tolist()
    [1.5556, 1.1111]
    """
    if (sizes == 1).all():
        return sums
    mean = float(sums.sum() / sizes.sum())
    return np.asarray(mean + (sums - sizes * mean) * (len(sums) / sizes.sum()))
