"""What decides a requirement: a floor for the value of a run, or a margin for its difference to a baseline.

A margin is decided by one-sided confidence limits of a mean over users. A requirement passes where the lower limit is
above it, fails where the upper limit is below it, and is undecided in between: that no difference is significant does
not say that a margin holds.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import NormalDist
from typing import Literal

import numpy as np
from pydantic import Field

from rankconv.data.arrays import Numbers
from rankconv.presets.yaml_file import Strict, read_document, read_text, validated
from rankconv.statistics.intervals import Ends, of_mean

Verdict = Literal["pass", "fail", "undecided"]
Margin = float | str
"""As a number, or as a share of the baseline's value, "5%"."""
LEAST_USERS = 5
"""Of fewer users there are no limits."""


@dataclass(frozen=True, eq=False)
class Excess:
    """What the value of each user has above the requirement: it is met if the mean is above 0."""

    values: Numbers
    """Shape (users,)."""
    within: Ends
    """Between which the values can be."""

    def limits(self, alpha: float) -> Ends:
        """Return the one-sided lower and upper limits of the mean, each of level 1 - alpha."""
        if len(self.values) < LEAST_USERS:
            return -math.inf, math.inf
        if np.ptp(self.values) == 0:
            return float(self.values[0]), float(self.values[0])
        interval = of_mean(self.values, 1 - 2 * alpha, self.within)
        return interval.low, interval.high

    def verdict(self, alpha: float) -> Verdict:
        """Return whether the requirement is met, as far as these users say."""
        low, high = self.limits(alpha)
        return "pass" if low > 0 else "fail" if high < 0 else "undecided"

    def users_needed(self, alpha: float) -> int | None:
        """Return how many users of this kind would decide; None where their mean is just what is required."""
        mean, spread = float(self.values.mean()), float(self.values.std(ddof=1)) if len(self.values) > 1 else 0.0
        if not mean or not spread:
            return None
        users, (low, high) = len(self.values), self.limits(alpha)
        normal = NormalDist().inv_cdf(1 - alpha) * spread / users**0.5
        reach = (high - low) / 2 if math.isfinite(high) else normal
        return max(LEAST_USERS, users + 1, math.ceil(users * (reach / mean) ** 2))


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
    users_needed: int | None = None
    """Users of this kind that would decide, where these do not."""
    reason: str = ""
    excess: Excess | None = field(default=None, repr=False, compare=False)
    """None where the value itself decides."""


def decided(decision: Decision, excess: Excess, middle: float, alpha: float) -> Decision:
    """Return the decision with its verdict; `middle` is the number that the printed limits are of."""
    low, high = excess.limits(alpha)
    shift = middle - float(excess.values.mean())
    verdict = excess.verdict(alpha)
    needed = excess.users_needed(alpha) if verdict == "undecided" else None
    return replace(decision, verdict=verdict, low=low + shift, high=high + shift, users_needed=needed, excess=excess)


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


class GateSettings(Strict):
    """What `rankconv gate --settings FILE` reads; paths are relative to the file."""

    labels: Path | None = None
    run: Path | None = None
    baseline: Path | None = None
    metrics: list[str] = Field(default=[])
    preset: str = ""
    at_least: float | dict[str, float] | None = Field(default=None, alias="at-least")
    not_worse_by: Margin | dict[str, Margin] | None = Field(default=None, alias="not-worse-by")
    confident: bool = False
    by: list[str] = Field(default=[])
    user_features: Path | None = Field(default=None, alias="user-features")
    undecided: Verdict = "undecided"
    alpha: float = 0.05


def read_settings(file: Path) -> GateSettings:
    """Return the settings of a file; ConventionError with its line for what is not one of them."""
    document = read_document(read_text(file, str(file)), str(file))
    found = validated(GateSettings, document, "a file of settings")
    paths = {name: getattr(found, name) for name in ("labels", "run", "baseline", "user_features")}
    return found.model_copy(update={name: file.parent / path for name, path in paths.items() if path})
