"""Tests by random signs of each user's difference, and the sign test.

Fisher's randomisation test, which Smucker, Allan and Carterette (CIKM 2007) recommend for runs of search engines.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.statistics.scipy_stats import scipy_stats

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
    mid: bool = False
    """Whether p is a mid-p: choices of signs that give the difference observed count by half."""


def sign_test(differences: Numbers, *, draws: int = DRAWS, seed: int = 0) -> PermutationTest:
    """Compute how often the mean of these differences, shape (users,), is as far from 0 under random signs.

    Two-sided. Differences of -1, 0 and 1 have a mid-p: that of McNemar's test, from the binomial distribution, for any
    number of users. All others: exact for at most 20 users who differ; else (b + 1) / (draws + 1), where b of the draws
    are as far (Phipson and Smyth, 2010), so that p is never 0. Without any difference p is 1. The order of the users
    does not matter. Source of the mid-p: Fagerland, Lydersen and Laake, BMC Medical Research Methodology 13:91, 2013.

    >>> import numpy as np
    >>> sign_test(np.array([0.1, 0.2, 0.3, 0.0]))
    PermutationTest(p=0.25, exact=True, orders=8, mid=False)
    >>> round(sign_test(np.array([1.0, 1.0, 1.0, 0.0])).p, 12)
    0.125
    """
    moved = np.sort(differences[differences != 0])
    sizes = np.sort(np.abs(moved))
    if len(moved) and sizes[0] == sizes[-1] == 1:
        return PermutationTest(_mid_p(int(np.count_nonzero(moved > 0)), len(moved)), True, 0, True)
    observed, slack = abs(float(moved.sum())), _ROUNDING * float(sizes.sum())
    if len(moved) <= EXACT:
        sums = every_sum(sizes)
        return PermutationTest(float(np.mean(np.abs(sums) >= observed - slack)), True, len(sums))
    sums_drawn = random_sums(sizes[:, None], draws, seed)
    far = sum(int(np.count_nonzero(np.abs(sums) >= observed - slack)) for sums in sums_drawn)
    return PermutationTest((far + 1) / (draws + 1), False, draws)


def _mid_p(wins: int, users: int) -> float:
    """The two-sided mid-p of so many wins among users who all win or lose by the same."""
    binomial, less = scipy_stats("the mid-p", "special").bdtr, min(wins, users - wins)
    fewer, as_few = (float(binomial(most, users, 0.5)) if most >= 0 else 0.0 for most in (less - 1, less))
    return 1 - (as_few - fewer) / 2 if 2 * less == users else fewer + as_few


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


def _add_by_eights(generator: np.random.Generator, values: Numbers, sums: Numbers) -> None:
    """Add what random signs make of `values`, shape (users, columns), to `sums`, shape (draws, columns).

    A random byte chooses one of the sums of eight users.
    """
    some = np.empty_like(sums)
    for table in _sums_of_eights(values):
        chosen = generator.integers(0, 256, len(sums), np.uint8)
        sums += np.take(table, chosen, axis=0, out=some, mode="clip")  # no choice is beyond, and clip needs no copy


def _add_products(generator: np.random.Generator, values: Numbers, sums: Numbers) -> None:
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
