"""Sign-flip and other paired tests, one by one and over families of pairs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from typing_extensions import TypedDict

from rankconv.data.arrays import Codes, Numbers
from rankconv.evaluation.statistics.intervals import scipy_stats, why_not_squared
from rankconv.rendering.pages.cells import finite


class EffectData(TypedDict):
    """The differences of the units of chance, which are users or their clusters."""

    mean: float | None
    """The mean difference: by how much the first run is better."""
    standardised: float | None
    """The mean in standard deviations of the differences (Cohen's d_z); null where all are equal."""
    wins: int
    """Units for which the first run is better."""
    losses: int
    ties: int


class PermutationData(TypedDict):
    """The permutation test of a difference."""

    p: float | None
    """The probability of a difference at least as large, if the runs are equal; uncorrected."""
    exact: bool
    """Whether p is that of all choices of signs."""
    orders: int
    """How many choices of signs were summed."""


@dataclass(frozen=True)
class Effect:
    """What the differences of users look like."""

    mean: float
    standardised: float
    """The mean in standard deviations of the differences (Cohen's d_z); NaN where all are equal or too large."""
    wins: int
    """Users who have more; of a metric where less is better, less."""
    losses: int
    ties: int

    def to_dict(self) -> EffectData:
        """Return plain data; NaN is None, as JSON has it."""
        return {
            "mean": finite(self.mean),
            "standardised": finite(self.standardised),
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
        }


def effect(differences: Numbers) -> Effect:
    """How large the differences are, shape (users,), one at least.

    >>> import numpy as np
    >>> effect(np.array([0.5, 0.0, -0.25, 0.5]))
    Effect(mean=0.1875, standardised=0.5, wins=2, losses=1, ties=1)
    """
    mean = float(differences.mean())
    spread = float(differences.std(ddof=1)) if len(differences) > 1 and not why_not_squared(differences) else 0.0
    return Effect(mean, mean / spread if spread else np.nan, **signs(differences))


def signs(differences: Numbers) -> dict[str, int]:
    """How many of these differences, shape (users,), are wins, losses and ties."""
    wins, losses = int(np.count_nonzero(differences > 0)), int(np.count_nonzero(differences < 0))
    return {"wins": wins, "losses": losses, "ties": len(differences) - wins - losses}


def users_needed(standardised: float, *, power: float = 0.8, level: float = 0.05) -> int | None:
    """How many users a paired t-test needs to find a mean of so many standard deviations; None for 0 or NaN.

    The number is the least with at least this power, two-sided, from Student's t with the noncentrality of the effect.

    >>> users_needed(0.5)
    34
    """
    if not np.isfinite(standardised) or not standardised:
        return None
    size, most = abs(standardised), 2
    while power_of(size, most, level) < power:
        most *= 2
    least = most // 2
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if power_of(size, middle, level) >= power else (middle, most)
    return most


def power_of(standardised: float, users: int, level: float = 0.05) -> float:
    """The chance that a paired t-test finds a mean of so many standard deviations with so many users, two at least."""
    stats = scipy_stats("power")
    border = stats.t.ppf(1 - level / 2, users - 1)
    centre = abs(standardised) * users**0.5
    found = stats.nct.sf(border, users - 1, centre) + stats.nct.cdf(-border, users - 1, centre)
    return float(found) if np.isfinite(found) else 1.0


EXACT = 20
"""Up to so many users who differ, every choice of signs is tried."""
DRAWS = 100_000
_USERS, _AT_ONCE, _PRODUCTS = 2_048, 1 << 14, 1_000
"""So many users, and draws of one and of many columns, are summed at a time: they stay near the processor."""
_COLUMNS = 32
"""With more columns than this the products with random bits are faster than tables of sums."""
_ROUNDING = 1e-12
"""Sums closer than this, relative to the sum of all differences without signs, differ by rounding alone."""


@dataclass(frozen=True)
class PermutationTest:
    """How likely a difference at least as large is, if the runs are equal."""

    p: float
    exact: bool
    """Whether p is that of all choices of signs."""
    orders: int
    """How many choices of signs were summed, without the one observed where they were drawn; 0 where none need be."""

    def to_dict(self) -> PermutationData:
        """Return plain data."""
        return {"p": finite(self.p), "exact": self.exact, "orders": self.orders}


def sign_test(differences: Numbers, *, draws: int = DRAWS, seed: int = 0) -> PermutationTest:
    """Compute how often the mean of these differences, shape (users,), is as far from 0 under random signs.

    Two-sided. Exact for at most 20 users who differ, and for any number of them where all differ by one size: p is then
    that of the binomial distribution (the exact test of McNemar, for hits). Else (b + 1) / (draws + 1), where b of the
    draws are as far (Phipson and Smyth, 2010), so that p is never 0. Without any difference p is 1. The order of the
    users does not matter. Of equal runs, p is at most 0.05 in at most 5 %, however many users differ.

    >>> import numpy as np
    >>> sign_test(np.array([0.1, 0.2, 0.3, 0.0]))
    PermutationTest(p=0.25, exact=True, orders=8)
    >>> sign_test(np.array([1.0, 1.0, 1.0, 0.0])).p
    0.25
    """
    moved = np.sort(differences[differences != 0])
    sizes = np.sort(np.abs(moved))
    observed, slack = abs(float(moved.sum())), _ROUNDING * float(sizes.sum())
    if len(moved) and sizes[-1] - sizes[0] <= _ROUNDING * sizes[-1]:
        return PermutationTest(_far_by_one_size(observed - slack, float(sizes[-1]), len(moved)), True, 0)
    if len(moved) <= EXACT:
        sums = every_sum(sizes)
        return PermutationTest(float(np.mean(np.abs(sums) >= observed - slack)), True, len(sums))
    sums_drawn = random_sums(sizes[:, None], draws, seed)
    far = sum(int(np.count_nonzero(np.abs(sums) >= observed - slack)) for sums in sums_drawn)
    return PermutationTest((far + 1) / (draws + 1), False, draws)


def _far_by_one_size(distance: float, size: float, users: int) -> float:
    """How likely the sum of so many differences of one size is this far from 0, or further, under random signs."""
    least_wins = np.ceil((distance / size + users) / 2)
    if 2 * least_wins <= users:
        return 1.0
    if least_wins > users:
        return 0.0
    return min(1.0, 2 * float(scipy_stats("the exact test", "special").bdtr(users - least_wins, users, 0.5)))


def size_of_t(differences: Numbers, level: float = 0.05) -> float:
    """Compute how often the paired t-test finds a difference under random signs of these, shape (users,).

    By all choices of signs, for at most 20 users who differ or where all differ by one size; else NaN. The t-test
    holds its level where differences are many or nearly normal. Where they are few and of few sizes it does not.

    >>> import numpy as np
    >>> size_of_t(np.array([1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0]))
    0.125
    """
    sizes, users = np.sort(np.abs(differences[differences != 0])), len(differences)
    if not len(sizes) or users < 2:
        return 0.0
    border = float(scipy_stats("a test").t.ppf(1 - level / 2, users - 1)) ** 2
    least = (border * users * float((sizes**2).sum()) / (users - 1 + border)) ** 0.5  # of the sum without its sign
    distance = least - _ROUNDING * float(sizes.sum())
    if sizes[-1] - sizes[0] <= _ROUNDING * sizes[-1]:
        return _far_by_one_size(distance, float(sizes[-1]), len(sizes))
    return float(np.mean(np.abs(every_sum(sizes)) >= distance)) if len(sizes) <= EXACT else np.nan


def every_sum(differences: Numbers) -> Numbers:
    """The sum of the differences, shape (users,), under every choice of signs, shape (2 ** users,)."""
    sums = np.zeros(1)
    for difference in differences.tolist():
        sums = np.concatenate([sums + difference, sums - difference])
    return sums


def random_sums(values: Numbers, draws: int, seed: int, at_once: int = _AT_ONCE) -> Iterator[Numbers]:
    """The sum of each column under random signs of the users, shape (some draws, columns), until all draws are made.

    `values` has shape (users, columns); at most `at_once` draws are summed at a time.
    """
    generator = np.random.default_rng(seed)
    add, most = (_add_by_eights, at_once) if values.shape[1] <= _COLUMNS else (_add_products, min(at_once, _PRODUCTS))
    for first in range(0, draws, most):
        sums = np.zeros((min(most, draws - first), values.shape[1]))
        for start in range(0, len(values), _USERS):
            add(generator, values[start : start + _USERS], sums)
        yield sums


# NumPy loads its random numbers when they are first named, which a start does without: so "np.random.Generator" is text
def _add_by_eights(generator: "np.random.Generator", values: Numbers, sums: Numbers) -> None:
    """Add what random signs make of `values`, shape (users, columns), to `sums`, shape (draws, columns).

    A random byte chooses one of the sums of eight users.
    """
    some = np.empty_like(sums)
    for table in _sums_of_eights(values):
        chosen = generator.integers(0, 256, len(sums), np.uint8)
        sums += np.take(table, chosen, axis=0, out=some, mode="clip")  # no choice is beyond, and clip needs no copy


def _add_products(generator: "np.random.Generator", values: Numbers, sums: Numbers) -> None:
    """As `_add_by_eights`, by products with random bits: faster for many columns; shape as `sums` is there."""
    eights = generator.integers(0, 256, (len(sums), -(-len(values) // 8)), dtype=np.uint8)
    positive = np.unpackbits(eights, axis=1, count=len(values)).astype(np.float64)
    sums += 2 * (positive @ values) - values.sum(axis=0)


def _sums_of_eights(values: Numbers) -> Numbers:
    """Of each eight users, filled up with 0, the sums under every choice of signs, shape (eights, 256, columns)."""
    rows, columns = -(-len(values) // 8), values.shape[1]
    filled = np.zeros((rows * 8, columns))
    filled[: len(values)] = values
    sums = np.zeros((rows, 1, columns))
    for one in filled.reshape(rows, 8, 1, columns).swapaxes(0, 1):
        sums = np.concatenate([sums + one, sums - one], axis=1)
    return sums


_CELLS = 1 << 20
"""So many drawn statistics are held at a time."""
_CANCELLED = 1e-6
_SUM_ROUNDING = 1e-9
"""Statistics closer than this differ by rounding alone; they are between 0 and the root of the number of users."""


def holm(p: Numbers) -> Numbers:
    """Corrected p-values, shape (tests,): the chance of any false alarm among all tests stays below the level.

    Step-down; it holds however the tests depend on each other, and finds less than `max_t` where they do.
    Source: Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979.

    >>> import numpy as np
    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p, kind="stable")
    steps = np.minimum(1.0, p[order] * np.arange(len(p), 0, -1))
    return np.asarray(np.maximum.accumulate(steps)[np.argsort(order)])


def benjamini_hochberg(p: Numbers) -> Numbers:
    """Corrected p-values, shape (tests,): of what is found, at most this share is expected to be false.

    Source: Benjamini and Hochberg, Controlling the false discovery rate, JRSS B 57, 1995; computed by SciPy.
    """
    return np.asarray(scipy_stats("the correction bh").false_discovery_control(p), np.float64)


def uncorrected(p: Numbers) -> Numbers:
    """The p-values as they are, shape (tests,)."""
    return p


OF_P: dict[str, Callable[[Numbers], Numbers]] = {"holm": holm, "bh": benjamini_hochberg, "none": uncorrected}
"""Corrections that look at p-values alone."""


def max_t(values: Numbers, tests: Sequence[tuple[int, int]], *, draws: int, seed: int = 0) -> Numbers:
    """Compute p-values of many paired tests on the same users, corrected for all of them, shape (tests,).

    `values` has shape (users, columns); a test puts one column against another. All tests share each draw of random
    signs of the users, so that what they have in common is not paid for twice. Step-down: the chance of any false alarm
    stays below the level. Columns that are equal have 1. The order of the users does not matter.
    Source: Westfall and Young, Resampling-Based Multiple Testing, Wiley, 1993, algorithm 4.1.
    """
    values = in_order(values)
    ours, others = np.array(tests, np.int64).reshape(-1, 2).T
    scale = _lengths(values, ours, others)
    sums = values.sum(axis=0)
    observed = np.abs(sums[ours] - sums[others]) / scale
    order = np.argsort(-observed, kind="stable")
    ours, others, scale, ranked = ours[order], others[order], scale[order], observed[order]
    far = np.zeros(len(order), np.int64)
    for drawn_sums in random_sums(values, draws, seed, max(1, _CELLS // max(1, len(order)))):
        drawn = np.abs(drawn_sums[:, ours] - drawn_sums[:, others]) / scale
        largest_left = np.maximum.accumulate(drawn[:, ::-1], axis=1)[:, ::-1]
        far += (largest_left >= ranked - _SUM_ROUNDING).sum(axis=0)
    p = (far + 1) / (draws + 1)
    return np.asarray(np.maximum.accumulate(np.where(np.isfinite(scale), p, 1.0))[np.argsort(order)])


def in_order(rows: Numbers) -> Numbers:
    """The rows, shape (rows, columns), sorted: the same ones in whatever order they came."""
    return rows[np.lexsort(rows.T[::-1])]


def _lengths(values: Numbers, ours: Codes, others: Codes) -> Numbers:
    """How large the differences of each test are, as a root of squares, shape (tests,); infinite where there is none.

    `values` has shape (users, columns), `ours` and `others` are columns, shape (tests,). Columns that are nearly equal
    are put against each other again, as what their products leave may be rounding alone.
    """
    products = values.T @ values
    own = np.diagonal(products)
    squares = own[ours] + own[others] - 2 * products[ours, others]
    for test in np.flatnonzero(squares < _CANCELLED * (own[ours] + own[others])):
        squares[test] = float(((values[:, ours[test]] - values[:, others[test]]) ** 2).sum())
    return np.where(squares > 0, np.sqrt(squares), np.inf)


_SHUFFLED_CELLS = 1 << 22
"""So many values are shuffled at a time."""
_RELATIVE_ROUNDING = 1e-12


def randomised_tukey(values: Numbers, *, draws: int, seed: int = 0) -> Numbers:
    """Compute corrected p-values of all pairs of runs, shape (runs, runs), from values shuffled over the runs.

    `values` has shape (users, runs). The p of a pair is the share of draws in which the means of the runs spread over
    as much as the pair differs, (b + 1) / (draws + 1). On the diagonal it is 1. The chance of any false alarm stays
    below the level. Paired: each user's values stay with the user. The order of users and runs does not matter.
    Source: Carterette, Multiple testing in statistical analysis of systems-based IR experiments, ACM TOIS 30, 2012.
    """
    sums = values.sum(axis=0)
    distance = np.abs(sums[:, None] - sums[None, :])
    slack = _RELATIVE_ROUNDING * max(1.0, float(np.abs(values).sum()))
    spread = np.sort(_spreads(in_order(np.sort(values, axis=1)), draws, seed))
    far = draws - np.searchsorted(spread, distance - slack, side="left")
    p = (far + 1) / (draws + 1)
    np.fill_diagonal(p, 1.0)
    return np.asarray(p)


def _spreads(values: Numbers, draws: int, seed: int) -> Numbers:
    """The range of the sums of all runs in each draw, shape (draws,)."""
    generator, most, found = np.random.default_rng(seed), max(1, _SHUFFLED_CELLS // max(1, values.size)), []
    for first in range(0, draws, most):
        repeated = np.tile(values, (min(most, draws - first), 1))
        sums = generator.permuted(repeated, axis=1).reshape(-1, *values.shape).sum(axis=1)
        found.append(np.ptp(sums, axis=1))
    return np.concatenate(found)
