"""SciPy's distributions and tests, where something needs them."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Literal

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
