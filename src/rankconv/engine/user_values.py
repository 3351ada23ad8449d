"""The values of all users under one definition, and what a mean is made of besides."""

from collections.abc import Callable
from typing import Any

import numpy as np

from rankconv.aggregation.means import OfUsers, sums_of
from rankconv.data.arrays import Codes, Mask, Numbers, take_ownership
from rankconv.engine.metric_result import SCORED
from rankconv.engine.scoring import BlockScores
from rankconv.metrics.base import Parts, Ratio
from rankconv.specs.parameters import Setting


class UserValues:
    """Values and states of all users, and what a mean is made of besides; arrays have shape `(users,)`."""

    def __init__(self, size: int, reads: tuple[str, ...]) -> None:
        """`reads` is what the mean reads: its `weights`, `ratios` or `parts`."""
        self.reads = reads
        self.values = np.full(size, np.nan)
        self.states = np.zeros(size, np.int8)
        self._weights = np.zeros(size if "weights" in reads else 0)
        self._split = np.zeros((2, size if "ratios" in reads else 0))
        self._parts: list[Numbers] = []
        self._combine: Callable[..., Ratio] | None = None

    def take(self, scored: BlockScores, at: Codes | slice, of: Mask | slice) -> None:
        """Keep the values of the users `of` of a block, shape (users of the block,), at the places `at`."""
        self.values[at], self.states[at] = scored.rounded[of], scored.states[of]
        if "weights" in self.reads:
            self._weights[at] = scored.weights[of]
        if "ratios" in self.reads:
            self._split[:, at] = scored.ratio.numerator[of], scored.ratio.denominator[of]
        if "parts" in self.reads:
            combine = scored.found.combine if isinstance(scored.found, Parts) else None
            self._take_parts([part[of] for part in scored.parts], at, combine)

    def include(self, other: "UserValues", at: Codes) -> None:
        """Keep the values of the users of another batch at the places `at`, shape (users of that batch,)."""
        self.values[at], self.states[at] = other.values, other.states
        if "weights" in self.reads:
            self._weights[at] = other._weights
        if "ratios" in self.reads:
            self._split[:, at] = other._split
        self._take_parts(other._parts, at, other._combine)

    def finished(self) -> "UserValues":
        """Itself, when all users are there: nobody writes to it any more."""
        self.values, self.states = take_ownership(self.values), take_ownership(self.states)
        self._weights, self._split, self._parts = (
            take_ownership(self._weights),
            take_ownership(self._split),
            [*map(take_ownership, self._parts)],
        )
        return self

    def _take_parts(self, parts: list[Numbers], at: Codes | slice, combine: Callable[..., Ratio] | None) -> None:
        self._combine = combine or self._combine
        for place, part in enumerate(parts):
            if place == len(self._parts):
                self._parts.append(np.full(len(self.values), np.nan))
            self._parts[place][at] = part

    def for_mean(self, counted: Codes, mean: Setting) -> dict[str, Any]:
        """What this mean may read of the users counted, shape (counted,); ratios are those of users who were scored."""
        ratios = self._split[:, counted[self.states[counted] == SCORED]] if "ratios" in self.reads else self._split
        values, parts = self.values[counted], [part[counted] for part in self._parts]
        weights = self._weights[counted] if "weights" in self.reads else self._weights
        sums = sums_of(mean, OfUsers(values, weights, (ratios[0], ratios[1]), tuple(parts)))
        more = {"ratios": ratios, "parts": (parts, self._combine), "sums": sums, "combine": self._combine}
        return {"values": values, "weights": weights, **more}
