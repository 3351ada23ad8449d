"""One-sided limits of the mean change over all users, from how many users of a sample change, and by how much."""

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.evaluation.statistics.intervals import MANY, Ends, scipy_stats, share_limits, why_not_squared

FEW = 6
"""Fewer changes say nothing of how large changes are."""
_ROUNDING = 1e-9
_ANGLES = 33
"""Into so many parts the uncertainty is divided, between the share that changes and the size of changes."""


def mean_limits(changes: Numbers, alpha: float, within: Ends) -> Ends:
    """Return the lower and the upper limit of the mean change, each of level 1 - alpha.

    `changes` has shape (users,), one user at least, and 0 for a user who does not change; `within` has the least and
    the greatest change that is possible.

    Where fewer than 6 users change, or all by one size, the limits are exact for any population: they are made of
    Clopper and Pearson's limits of shares, and of the range of changes. Without a range they are infinite then, but
    for one size and 50 users. Else the mean change is the share that changes times the mean size of changes, and its
    limits are those of the product: see `_of_share_and_size`. Changes too large to be squared have no limits.

    >>> low, high = mean_limits(np.zeros(60), 0.05, (-1, 1))
    >>> round(low, 4), round(high, 4)
    (-0.0487, 0.0487)
    """
    if why_not_squared(changes):
        return -np.inf, np.inf
    least, greatest = within
    return _lower(changes, alpha, -least), -_lower(-changes, alpha, greatest)


def unseen_share(users: int, alpha: float) -> float:
    """Return the share of users up to which a change can be absent from so many users, with probability alpha."""
    return 1 - alpha ** (1 / users) if users else 1.0


def _lower(changes: Numbers, alpha: float, largest_loss: float) -> float:
    changed = changes[changes != 0]
    few = len(changed) < FEW
    one_size = few or float(np.ptp(changed)) <= _ROUNDING * float(np.abs(changed).max())
    if few or (one_size and (np.isfinite(largest_loss) or len(changes) < MANY)):
        return _exact(changes, alpha, largest_loss)
    return _of_share_and_size(changes, alpha)


def _exact(changes: Numbers, alpha: float, largest_loss: float) -> float:
    """Return the lower limit of few changes, or of changes of one size.

    A loss of the share s of users, none above d, is s·d at most; losses above d, which no user has, are of a share of
    1 - alpha^(1/n) at most. Where both count, each has half of alpha. Gains count only where they have one size.
    """
    losses, gains = -changes[changes < 0], changes[changes > 0]
    users, half = len(changes), alpha / 2
    if len(losses) and losses.max() < largest_loss * (1 - _ROUNDING):
        share = _limit(len(losses), users, half, upper=True)
        return -float(losses.max() * share + (largest_loss - losses.max()) * unseen_share(users, half))
    if len(losses) or len(gains) < FEW:
        return -largest_loss * _limit(len(losses), users, alpha, upper=True)
    return float(gains.min()) * _limit(len(gains), users, half, upper=False) - largest_loss * unseen_share(users, half)


def _limit(hits: int, users: int, alpha: float, *, upper: bool) -> float:
    return float(share_limits(hits, users, np.array(alpha))[upper])


def _of_share_and_size(changes: Numbers, alpha: float) -> float:
    """Return the lower limit of the share that changes times the mean size, six changes at least.

    A share at its one-sided limit of level Φ(a), and a mean size at that of level Φ(b), give a product; the limit is
    the least of these with a² + b² = z², where Φ(z) = 1 - alpha: the point of the ellipse of both uncertainties that is
    furthest out. Where all users change it is Student's limit, and where all change by one size Clopper and Pearson's.
    Changes of one size in both directions have Clopper and Pearson's limit of the share of gains in place of Student's.
    """
    changed = changes[changes != 0]
    normal = scipy_stats("limits of a mean", "special")
    angle = np.linspace(0, np.pi / 2, _ANGLES)
    of_share, of_size = (1 - normal.ndtr(normal.ndtri(1 - alpha) * one) for one in (np.cos(angle), np.sin(angle)))
    sizes = np.abs(changed)
    if float(np.ptp(sizes)) <= _ROUNDING * float(sizes.max()):
        gains, _ = share_limits(int(np.count_nonzero(changed > 0)), len(changed), of_size)
        size = float(sizes.max()) * (2 * gains - 1)
    else:
        t = normal.stdtrit(len(changed) - 1, 1 - of_size)
        size = changed.mean() - t * changed.std(ddof=1) / len(changed) ** 0.5
    least, most = share_limits(len(changed), len(changes), of_share)
    return float((np.where(size < 0, most, least) * size).min())
