"""All pairs of many runs at once: how far apart are the best and the worst run, if all runs are alike?"""

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.statistics.families import in_order

_CELLS = 1 << 22
"""So many values are shuffled at a time."""
_ROUNDING = 1e-12


def randomised_tukey(values: Numbers, *, draws: int, seed: int = 0, mid: bool = False) -> Numbers:
    """Compute corrected p-values of all pairs of runs, shape (runs, runs), from values shuffled over the runs.

    `values` has shape (users, runs). The p of a pair is the share of draws in which the means of the runs spread over
    as much as the pair is apart, (b + 1) / (draws + 1); as a `mid` p, draws that spread over exactly that count by
    half. On the diagonal it is 1. The chance of any false alarm stays below the level. Paired: each user's values stay
    with the user. The order of users and runs does not matter.
    Source: Carterette, Multiple testing in statistical analysis of systems-based IR experiments, ACM TOIS 30, 2012.
    """
    sums = values.sum(axis=0)
    apart = np.abs(sums[:, None] - sums[None, :])
    slack = _ROUNDING * max(1.0, float(np.abs(values).sum()))
    spread = np.sort(_spreads(in_order(np.sort(values, axis=1)), draws, seed))
    far = draws - np.searchsorted(spread, apart - slack, side="left")
    beyond = draws - np.searchsorted(spread, apart + slack, side="right")
    p = ((far + 1 + beyond) / 2 if mid else far + 1) / (draws + 1)
    np.fill_diagonal(p, 1.0)
    return np.asarray(p)


def _spreads(values: Numbers, draws: int, seed: int) -> Numbers:
    """The range of the sums of all runs in each draw, shape (draws,)."""
    generator, most, found = np.random.default_rng(seed), max(1, _CELLS // max(1, values.size)), []
    for first in range(0, draws, most):
        repeated = np.tile(values, (min(most, draws - first), 1))
        sums = generator.permuted(repeated, axis=1).reshape(-1, *values.shape).sum(axis=1)
        found.append(np.ptp(sums, axis=1))
    return np.concatenate(found)
