"""Statistics of the ranks of all relevant items of all lists, and what chance makes of them."""

import math
from collections.abc import Callable
from typing import Annotated, ClassVar, NamedTuple

import numpy as np

from rankconv.conventions.convention import Convention
from rankconv.conventions.traits import Requirement, Traits
from rankconv.data.arrays import Mask, Numbers, log
from rankconv.metrics.base import Ratio
from rankconv.metrics.beyond.of_all_lists import ShownRows, SystemLevelMetric
from rankconv.metrics.relevant_ranks import COMPETING_ROWS, relevant_rows
from rankconv.preparation.blocks.block import Block


class RelevantPairs(NamedTuple):
    """Pairs of a user and a relevant item; arrays have shape (pairs,)."""

    ranks: Numbers
    candidates: Numbers
    """How many rows each was ranked among, itself included."""
    weights: Numbers
    """Their sum is 1."""
    k: int | None


PairStatistic = Callable[[RelevantPairs], float]


class StatisticTraits(Traits):
    """The traits of statistics of ranks."""

    powers: Callable[[RelevantPairs, int], float] | None = None
    """What chance makes of the statistic: `powers(pairs, n)` is the expectation of its n-th power, if each rank is
    drawn from those of its candidates; None where it is not known."""


RANK_STATISTIC = Convention(
    "rank-statistic",
    "Statistic of the ranks of all relevant items",
    reads=("pairs",),
    phrase=True,
    tells="ranks that differ",
    traits=StatisticTraits,
)
"""A setting gives the statistic of all pairs."""


def _of_means(value: Callable[[Numbers, int | None], Numbers]) -> Callable[[RelevantPairs, int], float]:
    """The powers of a weighted mean of values of the ranks, shape (candidates,), each from 1 to its candidates."""

    def powers(pairs: RelevantPairs, power: int) -> float:
        counts, place = np.unique(pairs.candidates.astype(np.int64), return_inverse=True)
        moments = np.array(
            [[(value(np.arange(1.0, n + 1), pairs.k) ** exponent).mean() for exponent in (1, 2)] for n in counts]
        )[np.ravel(place)]
        mean = float((pairs.weights * moments[:, 0]).sum())
        spread = float((pairs.weights**2 * (moments[:, 1] - moments[:, 0] ** 2)).sum())
        return mean if power == 1 else mean**2 + spread

    return powers


def _geometric_powers(pairs: RelevantPairs, power: int) -> float:
    candidates = pairs.candidates.astype(np.int64)
    logs = np.empty(len(candidates))
    for weight in np.unique(pairs.weights):
        here = pairs.weights == weight
        raised = np.array([rank ** (power * weight) for rank in range(1, candidates[here].max() + 1)])
        logs[here] = log(np.array([raised[:count].mean() for count in candidates[here]]))
    return math.exp(logs.sum())


@RANK_STATISTIC.setting("mean", rule="the mean", tex=r"\mathrm{mean}", powers=_of_means(lambda ranks, k: ranks))
def _(pairs: RelevantPairs) -> float:
    """The arithmetic mean rank, MR."""
    return float((pairs.weights * pairs.ranks).sum())


@RANK_STATISTIC.setting("geometric-mean", rule="the geometric mean", tex="G", powers=_geometric_powers)
def _(pairs: RelevantPairs) -> float:
    """exp of the mean logarithm."""
    return math.exp((pairs.weights * log(pairs.ranks)).sum())


@RANK_STATISTIC.setting("harmonic-mean", rule="the harmonic mean", tex="H")
def _(pairs: RelevantPairs) -> float:
    """1 / mean of 1/rank."""
    return float(1 / (pairs.weights / pairs.ranks).sum())


@RANK_STATISTIC.setting(
    "mean-reciprocal",
    rule="the mean reciprocal",
    rises=True,
    tex=r"\mathrm{MRR}",
    powers=_of_means(lambda ranks, k: 1 / ranks),
)
def _(pairs: RelevantPairs) -> float:
    """MRR over relevant items."""
    return float((pairs.weights / pairs.ranks).sum())


@RANK_STATISTIC.setting(
    "hits",
    rule="the share of ranks down to k",
    rises=True,
    says="the share down to rank {k}",
    tex=r"\mathrm{Hits}",
    powers=_of_means(lambda ranks, k: (ranks <= (np.inf if k is None else k)).astype(np.float64)),
)
def _(pairs: RelevantPairs) -> float:
    """Hits at k."""
    return float(pairs.weights[pairs.ranks <= (np.inf if pairs.k is None else pairs.k)].sum())


@RANK_STATISTIC.setting("median", rule="the median", tex=r"\mathrm{median}")
def _(pairs: RelevantPairs) -> float:
    """The mean of the two middle ranks where half of the weight is at or below the first of them."""
    order = np.argsort(pairs.ranks, kind="stable")
    ranks, so_far = pairs.ranks[order], np.cumsum(pairs.weights[order])
    at = int(np.searchsorted(so_far, so_far[-1] / 2 * (1 - 1e-12)))
    even = np.isclose(so_far[at], so_far[-1] / 2)
    return float((ranks[at] + ranks[at + 1]) / 2 if even else ranks[at])


def _variance(pairs: RelevantPairs) -> float:
    return float((pairs.weights * (pairs.ranks - (pairs.weights * pairs.ranks).sum()) ** 2).sum())


@RANK_STATISTIC.setting("variance", rule="the variance", tex=r"\sigma^2")
def _(pairs: RelevantPairs) -> float:
    """The mean squared difference from the mean."""
    return _variance(pairs)


@RANK_STATISTIC.setting("standard-deviation", rule="the standard deviation", tex=r"\sigma")
def _(pairs: RelevantPairs) -> float:
    """In ranks."""
    return float(np.sqrt(_variance(pairs)))


@RANK_STATISTIC.setting(
    "median-absolute-deviation",
    rule="the median distance from the median, in standard deviations of a normal distribution",
    cite="pykeen",
    says="the median absolute deviation, times 1.4826,",
    tex=r"\mathrm{MAD}",
)
def _(pairs: RelevantPairs) -> float:
    """Each pair has the same weight."""
    return float(np.median(np.abs(pairs.ranks - np.median(pairs.ranks))) / 0.6744897501960817)


@RANK_STATISTIC.setting("count", rule="the number", tex="n")
def _(pairs: RelevantPairs) -> float:
    """Pairs of a user and a relevant item."""
    return float(len(pairs.ranks))


RANK_ADJUSTMENT = Convention(
    "rank-adjustment",
    "Adjustment of the statistic for chance",
    reads=("value", "best", "chance"),
    phrase=True,
    tells="lists of different lengths",
)
"""A setting reads the statistic, its best value, and a function that gives what chance makes of its powers."""
NEEDED = Requirement("rank-statistic", lambda setting: StatisticTraits.of(setting).powers is not None)
"""The expectation is known of these statistics alone."""


@RANK_ADJUSTMENT.setting("none", rule="the statistic", no="", says="", tex="")
def _(value: float) -> float:
    """As it is."""
    return value


@RANK_ADJUSTMENT.setting("inverse", turns=True, rule="1 / the statistic", says="the inverse of ", tex="^{-1}")
def _(value: float) -> float:
    """High is good where the statistic is a rank."""
    return 1 / value if value else float("inf")


@RANK_ADJUSTMENT.setting(
    "ratio",
    rule="the statistic / its expectation",
    requires=NEEDED,
    cite="berrendorf2020",
    says="the ratio to chance of ",
    tex="/E",
)
def _(value: float, chance: Callable[[int], float]) -> float:
    """1 is chance; for the mean rank AMR."""
    return value / chance(1)


@RANK_ADJUSTMENT.setting(
    "index",
    rises=True,
    rule="(statistic - expectation) / (best - expectation)",
    requires=NEEDED,
    cite="berrendorf2020",
    says="the index adjusted for chance of ",
    tex="^{*}",
)
def _(value: float, best: float, chance: Callable[[int], float]) -> float:
    """0 is chance, 1 the best; for the mean rank AMRI. 0 where chance is the best already."""
    expected = chance(1)
    return 0.0 if expected == best else (value - expected) / (best - expected)


@RANK_ADJUSTMENT.setting(
    "z-score",
    rises=True,
    rule="how many standard deviations of chance it is better than its expectation",
    requires=NEEDED,
    cite="hoyt2022",
    says="the z-score against chance of ",
    tex="^{z}",
)
def _(value: float, best: float, chance: Callable[[int], float]) -> float:
    """0 where chance has no spread."""
    expected = chance(1)
    spread = np.sqrt(max(chance(2) - expected**2, 0.0))
    better = (value - expected) if best > expected else (expected - value)
    return float(better / spread) if spread else 0.0


PAIR_WEIGHT = Convention(
    "pair-weight", "Weight of a user and a relevant item", reads=("pairs",), tells="users of several relevant items"
)
"""A setting reads how many pairs the user of each pair has, and gives weights, both of shape (pairs,)."""


@PAIR_WEIGHT.setting("equal", rule="the same for all pairs", no="", tex="")
def _(pairs: Numbers) -> Numbers:
    """A user with many relevant items counts more."""
    return np.ones(len(pairs))


@PAIR_WEIGHT.setting("by-user", rule="1 / pairs of the user", says="each user has the same weight", tex="")
def _(pairs: Numbers) -> Numbers:
    """Macro averages."""
    return 1 / pairs


class RankStatistic(SystemLevelMetric):
    """Compute a statistic of the ranks of all relevant items.

    Mean, geometric and harmonic mean, median, variance, mean of 1/rank, or share of ranks down to k, of the pairs of a
    user and a relevant item; as it is, inverted, or adjusted for chance by the number of candidates of each.
    One number; no user has one. NaN without a relevant item in any list. Sources: Berrendorf et al., ICML 2020
    workshop; Hoyt et al., 2022.

    >>> import rankconv as rc
    >>> labels, run = {"u": ["a", "b"], "v": ["a"]}, {"u": ["a", "x", "b", "y"], "v": ["x", "a"]}
    >>> spec = "rank_statistic(rank-statistic=median)"
    >>> rc.evaluate(labels, run, spec)[spec]
    2.0
    """

    lower_is_better: ClassVar[bool] = True
    name = "rank_statistic"
    why_no_expectation = "it is a statistic of the ranks of all lists together"
    cite = "berrendorf2020"
    formula = "rank-statistic of the ranks of all relevant rows"
    called = "statistic of the ranks of relevant items"
    says = "{rank-adjustment}{rank-statistic} of the ranks of all relevant items among {competing-rows}"
    tex = r"«rank-statistic»«rank-adjustment» \{ j : r_j = 1 \}«competing-rows»"
    range: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    reads_labels: ClassVar[bool] = True
    reads_below_cutoff: ClassVar[bool] = True
    directed: ClassVar[bool] = True
    competing_rows: Annotated[str, COMPETING_ROWS]
    rank_statistic: Annotated[str, RANK_STATISTIC]
    rank_adjustment: Annotated[str, RANK_ADJUSTMENT]
    pair_weight: Annotated[str, PAIR_WEIGHT]

    def is_better_low(self) -> bool:
        adjusted, rises = self.settings["rank-adjustment"], bool(self.settings["rank-statistic"].traits.rises)
        return not adjusted.traits.rises and rises == adjusted.traits.turns

    def shown(self, block: Block, users: Mask) -> ShownRows:
        """The relevant rows of these users, shape (users,): twice the rank, the candidates, the pairs of the user."""
        ranks, candidates = self.settings["competing-rows"](block=block)
        place, user = np.nonzero(relevant_rows(block) & users)
        twice = np.rint(np.asarray(ranks, np.float64)[place, user] * 2).astype(np.int64)
        pairs = np.bincount(user, minlength=block.size)[user]
        among = np.asarray(candidates, np.float64)[place, user].astype(np.int64)
        return ShownRows(block.joined, twice, pairs, among, int(users.sum()), self.k)

    def of_lists(self, shown: ShownRows) -> Ratio:
        if not len(shown.item):
            return Ratio(np.zeros(1), np.zeros(1))
        weights = self.settings["pair-weight"](pairs=shown.rank.astype(np.float64))
        order = np.lexsort((weights, shown.of, shown.item))  # so the number does not depend on the order of users
        ranks, among, weights = shown.item[order] / 2, shown.of[order].astype(np.float64), weights[order]
        pairs = RelevantPairs(ranks, among, weights / weights.sum(), shown.k)
        statistic = self.settings["rank-statistic"]
        powers = StatisticTraits.of(statistic).powers

        def chance(power: int) -> float:
            assert powers is not None, NEEDED
            return powers(pairs, power)

        best = statistic(pairs=pairs._replace(ranks=np.ones(len(ranks))))
        with np.errstate(all="ignore"):
            value = self.settings["rank-adjustment"](value=statistic(pairs=pairs), best=best, chance=chance)
        return Ratio(np.array([value]), np.ones(1))
