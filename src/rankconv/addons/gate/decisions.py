"""Whether one requirement is met: by the value, or by limits of what its users have above the requirement."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from rankconv.addons.gate.bounds import mean_limits, unseen_share
from rankconv.data.arrays import Numbers
from rankconv.evaluation.statistics.intervals import Ends

Verdict = Literal["pass", "fail", "undecided", "same"]
"""`same` is that of a margin where no list changed: the users show nothing of what changes."""
MOST_USERS = 1 << 20
"""Of more users than these the number that would decide is not looked for."""
_ROUNDING = 1e-12
"""Values closer than this, relative to the larger one, differ by rounding alone."""


@dataclass(frozen=True, eq=False)
class Excess:
    """What the users have above the requirement: it is met if the mean over all users is above 0.

    A user has `base`, the own change, and the own allowance.
    """

    base: float
    changes: Numbers
    """Shape (users,); 0 for those who do not change."""
    within: Ends
    """Between which a change can be."""
    allowance: Numbers | None = None
    """What a margin that is a share of the baseline allows each user, shape (users,); None where there is none."""
    most_allowed: float = 0.0
    """The largest allowance that is possible."""

    @classmethod
    def of_margin(cls, new: Numbers, old: Numbers, margin: float, share: float, ends: Ends) -> "Excess":
        """Return that of a run which may be worse than its baseline by a margin and by a share of its value.

        Both have shape (users,), more is better, and are within `ends`.
        """
        changes = np.where(np.isclose(new, old, rtol=_ROUNDING, atol=_ROUNDING), 0.0, new - old)
        width = ends[1] - ends[0]
        if not share:
            return cls(margin, changes, (-width, width))
        return cls(margin, changes, (-width, width), share * np.abs(old), share * max(map(abs, ends)))

    @classmethod
    def of_floor(cls, values: Numbers, floor: float, ends: Ends) -> "Excess":
        """Return that of a run whose value is required to be above a floor; changes are those from the commonest value.

        `values` has shape (users,), more is better, and is within `ends`.
        """
        each, counts = np.unique(values, return_counts=True)
        commonest = float(each[counts.argmax()])
        return cls(commonest - floor, values - commonest, (ends[0] - commonest, ends[1] - commonest))

    @property
    def users(self) -> int:
        """How many users there are."""
        return len(self.changes)

    @property
    def mean(self) -> float:
        """The mean over these users."""
        return (
            self.base + float(self.changes.mean()) + (0.0 if self.allowance is None else float(self.allowance.mean()))
        )

    def limits(self, alpha: float) -> Ends:
        """Return the one-sided lower and upper limits of the mean over all users, each of level 1 - alpha."""
        low, high = mean_limits(self.changes, alpha, self.within)
        if self.allowance is None:
            return self.base + low, self.base + high
        allowed = self.of_floor(self.allowance, 0.0, (0.0, self.most_allowed)).limits(alpha)
        middles, together = (self.changes.mean(), self.allowance.mean()), self._correlation
        below, above = (
            _added(middles[0] - own, middles[1] - more, together)
            for own, more in zip((low, high), allowed, strict=True)
        )
        return self.mean - below, self.mean + above

    @property
    def _correlation(self) -> float:
        """That of changes and allowances, which reach out together; 0 where either is the same for all."""
        assert self.allowance is not None
        if not np.ptp(self.changes) or not np.ptp(self.allowance):
            return 0.0
        return float(np.corrcoef(self.changes, self.allowance)[0, 1])

    def verdict(self, alpha: float) -> Verdict:
        """Return whether the requirement is met, as far as these users show."""
        return _verdict_of(self.limits(alpha))

    def users_needed(self, alpha: float) -> int | None:
        """Return about how many users of this kind would decide; None for more than a million."""
        low, high = self.users, max(self.users + 1, 2)
        while self._with_users(high).verdict(alpha) == "undecided":
            low, high = high, 2 * high
            if high > MOST_USERS:
                return None
        while high - low > max(1, high // 50):
            middle = (low + high) // 2
            low, high = (middle, high) if self._with_users(middle).verdict(alpha) == "undecided" else (low, middle)
        return high

    def _with_users(self, users: int) -> "Excess":
        """Return that of so many users, who are as these, in the same shares."""
        places = np.argsort(self.changes, kind="stable")[(2 * np.arange(users) + 1) * self.users // (2 * users)]
        allowance = None if self.allowance is None else self.allowance[places]
        return replace(self, changes=self.changes[places], allowance=allowance)


def _verdict_of(limits: Ends) -> Verdict:
    low, high = limits
    return "pass" if low > 0 else "fail" if high < 0 else "undecided"


def _added(one: float, other: float, correlation: float) -> float:
    """Return how far the limit of a sum is from its middle, from how far those of both parts are.

    Source: Zou, Toward using confidence intervals to compare correlations, Psychological Methods 12, 2007.
    """
    if math.isinf(one):
        return math.inf
    return math.sqrt(max(0.0, one**2 + other**2 + 2 * correlation * one * other))


@dataclass(frozen=True)
class Decision:
    """Whether one requirement is met, and by which numbers."""

    metric: str
    segment: str
    """Empty for all users."""
    requirement: str
    """In words, such as "at least 0.31" or "not worse by 0.01"."""
    verdict: Verdict
    value: float
    """The value of the run over these users."""
    users: int
    baseline: float = math.nan
    difference: float = math.nan
    """The value less the baseline's; positive is better."""
    low: float = math.nan
    """The one-sided lower limit of the difference, or of the value where a floor is decided with confidence."""
    high: float = math.nan
    changed: int = 0
    """Users whose value differs from the baseline's."""
    unseen: float = math.nan
    """The share of users up to which a loss can be absent from these users; NaN where the value itself decides."""
    users_needed: int | None = None
    """Users of this kind that would decide, where these do not."""
    reason: str = ""
    excess: Excess | None = field(default=None, repr=False, compare=False)
    """None where the value itself decides."""


def decided(decision: Decision, excess: Excess, middle: float, alpha: float) -> Decision:
    """Return the decision with its verdict; `middle` is the number that the printed limits are of."""
    low, high = limits = excess.limits(alpha)
    shift, verdict = middle - excess.mean, _verdict_of(limits)
    needed = excess.users_needed(alpha) if verdict == "undecided" else None
    unseen = unseen_share(excess.users, alpha)
    return replace(
        decision, verdict=verdict, low=low + shift, high=high + shift, users_needed=needed, unseen=unseen, excess=excess
    )


def corrected(decisions: Sequence[Decision], alpha: float) -> list[Decision]:
    """Return the decisions of segments, in which those fail that Holm's correction lets fail.

    That all segments pass needs no correction; to name one that fails does. The segment whose upper limit is lowest
    must be below 0 at alpha / m, the next at alpha / (m - 1), and so on.
    """
    found = list(decisions)
    tested = {at: one.excess for at, one in enumerate(found) if one.excess is not None}
    levels = [alpha / (len(tested) - step) for step in range(len(tested))]
    upper = {at: excess.limits(levels[0])[1] for at, excess in tested.items()}
    holds = True
    for at, level in zip(sorted(tested, key=upper.__getitem__), levels, strict=True):
        holds = holds and tested[at].limits(level)[1] < 0
        if found[at].verdict == "fail" and not holds:
            found[at] = replace(found[at], verdict="undecided", reason="fails only without Holm's correction")
    return found
