"""Many tests at once: p-values corrected so that chance alone seldom finds anything."""

from collections.abc import Callable, Sequence

import numpy as np

from rankconv.data.arrays import Codes, Numbers
from rankconv.statistics.scipy_stats import scipy_stats
from rankconv.statistics.signs import random_sums

_CELLS = 1 << 20
"""So many drawn statistics are held at a time."""
_CANCELLED = 1e-6
_ROUNDING = 1e-9
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


def max_t(
    values: Numbers, tests: Sequence[tuple[int, int]], mid: Sequence[bool] = (), *, draws: int, seed: int = 0
) -> Numbers:
    """Compute p-values of many paired tests on the same users, corrected for all of them, shape (tests,).

    `values` has shape (users, columns); a test puts one column against another, and has a mid-p where `mid`, one for
    each test, says so. All tests share each draw of random signs of the users, so that what they have in common is not
    paid for twice. Step-down: the chance of any false alarm stays below the level. Columns that are equal have 1. The
    order of the users does not matter.
    Source: Westfall and Young, Resampling-Based Multiple Testing, Wiley, 1993, algorithm 4.1.
    """
    values = in_order(values)
    ours, others = np.array(tests, np.int64).reshape(-1, 2).T
    scale = _lengths(values, ours, others)
    sums = values.sum(axis=0)
    observed = np.abs(sums[ours] - sums[others]) / scale
    order = np.argsort(-observed, kind="stable")
    ours, others, scale, ranked = ours[order], others[order], scale[order], observed[order]
    far, beyond = np.zeros((2, len(order)), np.int64)
    for drawn_sums in random_sums(values, draws, seed, max(1, _CELLS // max(1, len(order)))):
        drawn = np.abs(drawn_sums[:, ours] - drawn_sums[:, others]) / scale
        largest_left = np.maximum.accumulate(drawn[:, ::-1], axis=1)[:, ::-1]
        far += (largest_left >= ranked - _ROUNDING).sum(axis=0)
        beyond += (largest_left > ranked + _ROUNDING).sum(axis=0)
    halved = np.array(mid or [False] * len(order), bool)[order]
    p = np.where(halved, (far + 1 + beyond) / 2, far + 1) / (draws + 1)
    return _back(np.maximum.accumulate(np.where(np.isfinite(scale), p, 1.0)), order)


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


def _back(values: Numbers, order: Codes) -> Numbers:
    """Values in the order of the tests again, shape (tests,)."""
    found = np.empty_like(values)
    found[order] = values
    return found


_SHUFFLED_CELLS = 1 << 22
"""So many values are shuffled at a time."""
_RELATIVE_ROUNDING = 1e-12


def randomised_tukey(values: Numbers, *, draws: int, seed: int = 0, mid: bool = False) -> Numbers:
    """Compute corrected p-values of all pairs of runs, shape (runs, runs), from values shuffled over the runs.

    `values` has shape (users, runs). The p of a pair is the share of draws in which the means of the runs spread over
    as much as the pair differs, (b + 1) / (draws + 1); as a `mid` p, draws that spread over exactly that count by
    half. On the diagonal it is 1. The chance of any false alarm stays below the level. Paired: each user's values stay
    with the user. The order of users and runs does not matter.
    Source: Carterette, Multiple testing in statistical analysis of systems-based IR experiments, ACM TOIS 30, 2012.
    """
    sums = values.sum(axis=0)
    distance = np.abs(sums[:, None] - sums[None, :])
    slack = _RELATIVE_ROUNDING * max(1.0, float(np.abs(values).sum()))
    spread = np.sort(_spreads(in_order(np.sort(values, axis=1)), draws, seed))
    far = draws - np.searchsorted(spread, distance - slack, side="left")
    beyond = draws - np.searchsorted(spread, distance + slack, side="right")
    p = ((far + 1 + beyond) / 2 if mid else far + 1) / (draws + 1)
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
