"""Many tests at once: p-values corrected so that chance alone seldom finds anything."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rankconv.data.arrays import Codes, Numbers
from rankconv.statistics.scipy_stats import scipy_stats

_DRAWS, _USERS = 1_000, 2_048
"""Signs of so many draws and users are multiplied at a time: they stay near the processor."""
_CELLS = 1 << 22
"""So many drawn statistics are held at a time."""
_CANCELLED = 1e-6
_ROUNDING = 1e-9
"""Statistics closer than this differ by rounding alone; they lie between 0 and the root of the number of users."""


def holm(p: Numbers) -> Numbers:
    """Corrected p-values, shape (tests,): the chance of any false alarm among all tests stays below the level.

    Step-down; it holds however the tests depend on each other, and finds less than `shared_signs` where they do.
    Source: Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979.

    >>> import numpy as np
    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p, kind="stable")
    steps = np.minimum(1.0, p[order] * np.arange(len(p), 0, -1))
    return _back(np.maximum.accumulate(steps), order)


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


@dataclass(frozen=True, eq=False)
class Shared:
    """p-values of many paired tests on the same users, from draws that all of them share; shape (tests,)."""

    alone: Numbers
    """Of each test by itself."""
    max_t: Numbers
    """Corrected for all of them."""


def shared_signs(values: Numbers, tests: Sequence[tuple[int, int]], *, draws: int, seed: int = 0) -> Shared:
    """How often are the differences of two columns as large under random signs of the users, alone and at most?

    `values` has shape (users, columns); a test puts one column against another. All tests share each draw of signs, so
    that what they have in common is not paid for twice. Corrected step-down: the chance of any false alarm stays below
    the level. Columns that are alike have 1.
    Source: Westfall and Young, Resampling-Based Multiple Testing, Wiley, 1993, algorithm 4.1.
    """
    ours, others = np.array(tests, np.int64).reshape(-1, 2).T
    scale = _lengths(values, ours, others)
    sums = values.sum(axis=0)
    observed = np.abs(sums[ours] - sums[others]) / scale
    order = np.argsort(-observed, kind="stable")
    ours, others, scale, ranked = ours[order], others[order], scale[order], observed[order]
    alone, far = np.zeros((2, len(order)), np.int64)
    generator, most = np.random.default_rng(seed), min(_DRAWS, max(1, _CELLS // max(1, len(order))))
    for first in range(0, draws, most):
        drawn_sums = _drawn_sums(generator, min(most, draws - first), values)
        drawn = np.abs(drawn_sums[:, ours] - drawn_sums[:, others]) / scale
        largest_left = np.maximum.accumulate(drawn[:, ::-1], axis=1)[:, ::-1]
        alone += (drawn >= ranked - _ROUNDING).sum(axis=0)
        far += (largest_left >= ranked - _ROUNDING).sum(axis=0)
    corrected = np.maximum.accumulate((far + 1) / (draws + 1))
    return Shared(_back((alone + 1) / (draws + 1), order), _back(corrected, order))


def _lengths(values: Numbers, ours: Codes, others: Codes) -> Numbers:
    """How large the differences of each test are, as a root of squares, shape (tests,); infinite where there is none.

    `values` has shape (users, columns), `ours` and `others` are columns, shape (tests,). Columns that are nearly alike
    are put against each other again, as what their products leave may be rounding alone.
    """
    products = values.T @ values
    own = np.diagonal(products)
    squares = own[ours] + own[others] - 2 * products[ours, others]
    for test in np.flatnonzero(squares < _CANCELLED * (own[ours] + own[others])):
        squares[test] = float(((values[:, ours[test]] - values[:, others[test]]) ** 2).sum())
    return np.where(squares > 0, np.sqrt(squares), np.inf)


def _drawn_sums(generator: np.random.Generator, draws: int, values: Numbers) -> Numbers:
    """The sum of each column under random signs of the users, shape (draws, columns)."""
    sums = np.zeros((draws, values.shape[1]))
    for first in range(0, len(values), _USERS):
        some = values[first : first + _USERS]
        sums += _signs(generator, draws, len(some)) @ some
    return sums


def _signs(generator: np.random.Generator, draws: int, users: int) -> Numbers:
    """Random signs, shape (draws, users), from random bits."""
    bits = np.unpackbits(generator.integers(0, 256, (draws, -(-users // 8)), dtype=np.uint8), axis=1, count=users)
    signs = bits.astype(np.float64)
    signs *= 2
    signs -= 1
    return signs


def _back(values: Numbers, order: Codes) -> Numbers:
    """Values in the order of the tests again, shape (tests,)."""
    found = np.empty_like(values)
    found[order] = values
    return found
