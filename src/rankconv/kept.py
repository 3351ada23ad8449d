"""What is kept of each user while the blocks go by."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rankconv.metrics.base import Parts, Ratio
from rankconv.ranking.ids import Codes
from rankconv.ranking.rows import Mask, Numbers
from rankconv.scoring import SCORED, Scored


class Kept:
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

    def take(self, scored: Scored, at: Codes | slice, of: Mask | slice) -> None:
        """These users of a block, who stand at these places."""
        self.values[at], self.states[at] = scored.rounded[of], scored.states[of]
        if "weights" in self.reads:
            self._weights[at] = scored.weights[of]
        if "ratios" in self.reads:
            self._split[:, at] = scored.ratio.numerator[of], scored.ratio.denominator[of]
        if "parts" in self.reads:
            self._take_parts(scored, at, of)

    def _take_parts(self, scored: Scored, at: Codes | slice, of: Mask | slice) -> None:
        if isinstance(scored.found, Parts):
            self._combine = scored.found.combine
        for place, part in enumerate(scored.parts):
            if place == len(self._parts):
                self._parts.append(np.full(len(self.values), np.nan))
            self._parts[place][at] = part[of]

    def put(self, other: "Kept", at: Codes) -> None:
        """What was kept of users who stand at these places here."""
        self.values[at], self.states[at] = other.values, other.states
        if "weights" in self.reads:
            self._weights[at] = other._weights
        if "ratios" in self.reads:
            self._split[:, at] = other._split
        self._combine = other._combine or self._combine
        for place, part in enumerate(other._parts):
            if place == len(self._parts):
                self._parts.append(np.full(len(self.values), np.nan))
            self._parts[place][at] = part

    def weights(self, counted: Mask) -> Numbers:
        """What the users counted weigh; nothing where the mean does not weigh them."""
        return self._weights[counted] if "weights" in self.reads else self._weights

    def ratios(self, counted: Mask) -> NDArray[np.float64]:
        """Numerators and denominators of the users who are counted and scored."""
        return self._split[:, counted & (self.states == SCORED)] if "ratios" in self.reads else self._split

    def parts(self, counted: Mask) -> tuple[list[Numbers], Callable[..., Ratio] | None]:
        """The parts of the users counted, and the rule that makes one number of them."""
        return [part[counted] for part in self._parts], self._combine
