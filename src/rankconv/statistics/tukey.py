"""All pairs of many runs at once: how far apart are the best and the worst run, if all runs are alike?"""

import numpy as np

from rankconv.data.arrays import Numbers

_CELLS = 1 << 22
"""So many values are shuffled at a time."""
_ROUNDING = 1e-12


def randomised_tukey(values: Numbers, *, draws: int, seed: int = 0) -> Numbers:
    """Corrected p-values of all pairs of runs, shape (runs, runs), from shuffling each user's values over the runs.

    `values` has shape (users, runs). The p of a pair is the share of draws in which the means of the runs spread over
    more than the pair is apart, (b + 1) / (draws + 1); on the diagonal it is 1. The chance of any false alarm stays
    below the level. Paired: each user's values stay with the user.
    Source: Carterette, Multiple testing in statistical analysis of systems-based IR experiments, ACM TOIS 30, 2012.
    """
    sums = values.sum(axis=0)
    apart = np.abs(sums[:, None] - sums[None, :])
    slack = _ROUNDING * max(1.0, float(np.abs(values).sum()))
    spread = np.sort(_spreads(values, draws, seed) + slack)
    far = draws - np.searchsorted(spread, apart, side="left")
    p = (far + 1) / (draws + 1)
    np.fill_diagonal(p, 1.0)
    return np.asarray(p)


def _spreads(values: Numbers, draws: int, seed: int) -> Numbers:
    """The range of the sums of all runs in each draw, shape (draws,)."""
    generator = np.random.default_rng(seed)
    users = max(1, _CELLS // max(1, values.shape[1]))
    spreads = np.empty(draws)
    for draw in range(draws):
        sums = np.zeros(values.shape[1])
        for first in range(0, len(values), users):
            sums += generator.permuted(values[first : first + users], axis=1).sum(axis=0)
        spreads[draw] = sums.max() - sums.min()
    return spreads
