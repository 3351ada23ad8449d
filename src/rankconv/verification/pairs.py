"""Both numbers side by side: of each user whom the library tells of, and of the mean."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.evaluation.result import Result
from rankconv.verification.adapter import LibraryResult, Tolerance


@dataclass(frozen=True)
class Pair:
    """Both numbers of one user, or of the mean where the user is empty; None is a refusal, NaN no number."""

    user: str
    ours: float | None
    theirs: float | None
    why: str = ""
    """Why the one that refuses does so."""
    scale: float = 0.0
    """What rounding errors are relative to, where that is more than the numbers themselves."""

    @property
    def distance(self) -> float:
        """How far they are apart; 0 where one is no finite number."""
        if self.ours is None or self.theirs is None:
            return 0.0
        apart = abs(self.ours - self.theirs)
        return apart if math.isfinite(apart) else 0.0

    @property
    def refusals(self) -> tuple[bool, bool]:
        """Which of the two refuse."""
        return self.ours is None, self.theirs is None

    def alike(self, tolerance: Tolerance) -> bool:
        """Equal to the tolerance; NaN equals only NaN, and a refusal a refusal."""
        if self.ours is None or self.theirs is None:
            return self.ours is self.theirs
        if not (math.isfinite(self.ours) and math.isfinite(self.theirs)):
            return self.ours == self.theirs or (math.isnan(self.ours) and math.isnan(self.theirs))
        scale = max(abs(self.ours), abs(self.theirs), self.scale)
        return self.distance <= tolerance.relative * scale + tolerance.absolute


def pairs_of(spec: str, ours: Result, theirs: LibraryResult) -> Iterator[Pair]:
    """Both numbers of each user whom the library tells of, then both means."""
    errors, scales = ours.errors.get(spec), _scales(ours, spec)
    if theirs.per_user or theirs.refused.keys() - {""}:
        states, values = ours.state[spec].tolist(), ours.per_user[spec].tolist()
        for user, state, value, scale in zip(ours.users.tolist(), states, values, scales.tolist(), strict=True):
            refused = theirs.refused.get(user, "")
            number = None if refused else theirs.per_user.get(user, math.nan)
            yield Pair(
                user,
                None if ": refuse-" in state else value,
                number,
                refused or (state if ": refuse-" in state else ""),
                scale,
            )
    if theirs.mean is not None or theirs.refused:
        why = errors[0].why if errors else next(iter(theirs.refused.values()), "")
        yield Pair("", None if errors else ours[spec], theirs.mean, why, float(scales.sum() / max(scales.size, 1)))


def _scales(ours: Result, spec: str) -> Numbers:
    """The size to which each user's tolerance is relative, shape (users,): the value, and more beyond the range.

    Beyond its range a ratio has a denominator near 0, where losses cancel gains: errors grow as it does.
    """
    values = np.abs(np.nan_to_num(ours.per_user[spec], posinf=0.0, neginf=0.0))
    return values * np.maximum(values / ours.definition(spec).metric.range[1], 1.0)
