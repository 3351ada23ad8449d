"""Could the difference be chance? If the runs are alike, each user's difference may as well have had the other sign.

Fisher's randomisation test, which Smucker, Allan and Carterette (CIKM 2007) recommend for runs of search engines.
"""

from dataclasses import dataclass

import numpy as np

from rankconv.data.arrays import Numbers

EXACT = 20
"""Up to so many users who differ, every choice of signs is tried."""
DRAWS = 100_000
_USERS = 8
"""Of so many users every choice of signs is summed beforehand; a random byte then chooses one."""
_AT_ONCE = 1 << 14
"""So many draws are summed at a time: their sums stay near the processor."""
_ROUNDING = 1e-12
"""Sums closer than this, relative to the sum of all differences without signs, differ by rounding alone."""


@dataclass(frozen=True)
class Chance:
    """How likely a difference at least as large is, if the runs are alike."""

    p: float
    exact: bool
    """Whether every choice of signs was tried."""
    choices: int
    """How many choices of signs were looked at, without the one observed where they were drawn."""


def sign_test(differences: Numbers, *, draws: int = DRAWS, seed: int = 0) -> Chance:
    """How often is the mean of these differences, shape (users,), as far from 0 under random signs?

    Two-sided. Exact for at most 20 users who differ; else (b + 1) / (draws + 1), where b of the draws are as far
    (Phipson and Smyth, 2010), so that p is never 0. Without any difference p is 1.

    >>> import numpy as np
    >>> sign_test(np.array([0.1, 0.2, 0.3, 0.0]))
    Chance(p=0.25, exact=True, choices=8)
    """
    moved = differences[differences != 0]
    observed, slack = abs(float(moved.sum())), _ROUNDING * float(np.abs(moved).sum())
    if len(moved) <= EXACT:
        sums = every_sum(moved)
        return Chance(float(np.mean(np.abs(sums) >= observed - slack)), True, len(sums))
    far = int(np.count_nonzero(np.abs(random_sums(moved, draws, seed)) >= observed - slack))
    return Chance((far + 1) / (draws + 1), False, draws)


def every_sum(differences: Numbers) -> Numbers:
    """The sum of the differences, shape (users,), under every choice of signs, shape (2 ** users,)."""
    sums = np.zeros(1)
    for difference in differences.tolist():
        sums = np.concatenate([sums + difference, sums - difference])
    return sums


def random_sums(differences: Numbers, draws: int, seed: int) -> Numbers:
    """The sum of the differences, shape (users,), under random signs, shape (draws,)."""
    tables, generator = _sums_of_eights(differences), np.random.default_rng(seed)
    found = np.zeros(draws)
    for first in range(0, draws, _AT_ONCE):
        sums = found[first : first + _AT_ONCE]
        chosen, some = generator.integers(0, 256, (len(tables), len(sums)), np.uint8), np.empty(len(sums))
        for table, choice in zip(tables, chosen, strict=True):
            sums += np.take(table, choice, out=some, mode="clip")  # no choice is beyond, and clip needs no copy
    return found


def _sums_of_eights(differences: Numbers) -> Numbers:
    """Of each eight users, filled up with 0, the sum under every choice of signs, shape (eights, 256)."""
    rows = -(-len(differences) // _USERS)
    filled = np.zeros(rows * _USERS)
    filled[: len(differences)] = differences
    sums = np.zeros((rows, 1))
    for one in filled.reshape(rows, _USERS, 1).swapaxes(0, 1):
        sums = np.concatenate([sums + one, sums - one], axis=1)
    return sums
