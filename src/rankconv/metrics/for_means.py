"""What a mean adds up over users next to their values: weights, numerators, logarithms; sums need no user kept."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from rankconv.data.arrays import Numbers
from rankconv.specs.convention import Setting


@dataclass(frozen=True, eq=False)
class OfUsers:
    """What a mean may look at of the users who count; arrays have shape (users,)."""

    values: Numbers
    weights: Numbers
    ratios: tuple[Numbers, Numbers]
    """Numerators and denominators, of the users decided by the formula."""
    parts: tuple[Numbers, ...]
    """The value of each part of the metric."""


class Terms(NamedTuple):
    """What each user adds to the sums that a mean is made of."""

    reads: tuple[str, ...]
    """What of `OfUsers` it looks at."""
    of: Callable[..., list[Numbers]]
    """What the users add to each sum, shape (users,) each; gets `OfUsers` and the parameters of the setting."""
    nobody_without: int | None = None
    """The sum without which nobody counts: that of the weights."""


def read_by(mean: Setting) -> tuple[str, ...]:
    """What a mean looks at of its users, be it one by one or summed."""
    terms = mean.trait("adds")
    return (*mean.reads, *(terms.reads if terms else ()))


def terms_of(mean: Setting, users: OfUsers) -> list[Numbers]:
    """What these users add to each sum of a mean, shape (users,) each; nothing where it has none of its own."""
    terms: Any = mean.trait("adds")
    return terms.of(users, *mean.arguments, **mean.keywords) if terms else []
