"""How far each point of a curve would move, had other users been there."""

import numpy as np

from rankconv.data.arrays import Mask, Numbers
from rankconv.data.ids import Clusters

_CELLS = 1 << 24
"""So many weights are held at a time."""


def draws_of(users: int, draws: int, seed: int) -> Numbers:
    """How often each user is drawn, shape (draws, users): as many users as there are, with replacement."""
    return _drawn(np.random.default_rng(seed), users, draws)


def band(
    values: Numbers,
    counted: Mask,
    *,
    draws: int,
    seed: int,
    confidence: float = 0.95,
    clusters: Clusters | None = None,
) -> tuple[Numbers, Numbers]:
    """The ends of the middle of what users drawn again give at each point, both of shape (points,).

    `values` and `counted` have shape (users, points); a user is drawn with all their points, and with those of their
    cluster. NaN where some draw has nobody.
    """
    sums, counts = np.where(counted, values, 0.0), counted.astype(np.float64)
    if clusters is not None:
        sums, counts = clusters.sums(sums), clusters.sums(counts)
    users = len(sums)
    at_once = max(1, _CELLS // max(1, users))
    generator = np.random.default_rng(seed)
    means = []
    for first in range(0, draws, at_once):
        weights = _drawn(generator, users, min(at_once, draws - first))
        with np.errstate(invalid="ignore"):
            means.append((weights @ sums) / (weights @ counts))
    low, high = np.quantile(np.concatenate(means), [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return low, high


def _drawn(generator: np.random.Generator, users: int, draws: int) -> Numbers:
    return generator.multinomial(users, np.full(users, 1 / users), size=draws).astype(np.float64)
