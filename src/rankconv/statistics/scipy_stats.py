"""SciPy's distributions and tests, where something needs them."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.errors import LibraryError


def scipy_stats(what: str, part: str = "stats") -> Any:
    """The module scipy.stats, or another part of SciPy; a LibraryError says what needs it and how it is installed."""
    try:
        return import_module(f"scipy.{part}")
    except ImportError:
        raise LibraryError(f"{what} needs scipy", do="Install it: pip install 'rankconv[stats]'.") from None


Also = Literal["wilcoxon", "sign"]
LARGE = 1_000
"""With more users than this both find too much (Ihemelandu and Ekstrand, SIGIR 2023)."""


def wilcoxon(differences: Numbers) -> float:
    """p of Wilcoxon's signed ranks, two-sided, as `scipy.stats.wilcoxon` has it; `differences` has shape (users,).

    Those of 0 are dropped, and with them, with tied ones or with more than 50 users SciPy takes the normal
    approximation. 1 without any difference. Source: Wilcoxon, Individual comparisons by ranking methods, Biometrics 1,
    1945.

    >>> import numpy as np
    >>> wilcoxon(np.array([0.1, 0.2, 0.3]))
    0.25
    """
    return float(scipy_stats("Wilcoxon's test").wilcoxon(differences).pvalue) if differences.any() else 1.0


def sign(differences: Numbers) -> float:
    """p of the signs alone, two-sided; `differences` has shape (users,), those of 0 are dropped.

    >>> import numpy as np
    >>> sign(np.array([0.1, 0.2, 0.3, 0.0]))
    0.25
    """
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    return float(scipy_stats("the sign test").binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0


ALSO: dict[str, Callable[[Numbers], float]] = {"wilcoxon": wilcoxon, "sign": sign}


@dataclass(frozen=True)
class Effect:
    """What the differences of users look like."""

    mean: float
    standardised: float
    """The mean in standard deviations of the differences (Cohen's d_z); NaN where all are equal."""
    wins: int
    """Users who have more; of a metric where less is better, less."""
    losses: int
    ties: int


def effect(differences: Numbers) -> Effect:
    """How large the differences are, shape (users,), one at least.

    >>> import numpy as np
    >>> effect(np.array([0.5, 0.0, -0.25, 0.5]))
    Effect(mean=0.1875, standardised=0.5, wins=2, losses=1, ties=1)
    """
    mean = float(differences.mean())
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
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
