"""Many tests at once: p-values corrected so that chance alone seldom finds anything."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rankconv.data.arrays import Codes, Numbers
from rankconv.statistics.scipy_stats import scipy_stats

_CELLS = 1 << 23
"""So many random signs are held at a time."""
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
    scale = np.sqrt([float(((values[:, a] - values[:, b]) ** 2).sum()) for a, b in tests])
    scale = np.where(scale > 0, scale, np.inf)
    sums = values.sum(axis=0)
    observed = np.abs(sums[ours] - sums[others]) / scale
    order = np.argsort(-observed, kind="stable")
    ours, others, scale, ranked = ours[order], others[order], scale[order], observed[order]
    alone, far = np.zeros((2, len(order)), np.int64)
    generator, most = np.random.default_rng(seed), max(1, _CELLS // max(1, len(values)))
    for first in range(0, draws, most):
        drawn_sums = _signs(generator, min(most, draws - first), len(values)) @ values
        drawn = np.abs(drawn_sums[:, ours] - drawn_sums[:, others]) / scale
        largest_left = np.maximum.accumulate(drawn[:, ::-1], axis=1)[:, ::-1]
        alone += (drawn >= ranked - _ROUNDING).sum(axis=0)
        far += (largest_left >= ranked - _ROUNDING).sum(axis=0)
    corrected = np.maximum.accumulate((far + 1) / (draws + 1))
    return Shared(_back((alone + 1) / (draws + 1), order), _back(corrected, order))


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
