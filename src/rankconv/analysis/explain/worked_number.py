"""One user's number, worked out, before anything is printed of it."""

import math
from dataclasses import dataclass, field
from typing import Any

from rankconv.analysis.explain.rows import JudgedList
from rankconv.analysis.explain.words import Change, Derivation, Outcome
from rankconv.presets.definition import Definition


@dataclass(frozen=True, eq=False)
class WorkedNumber:
    """The number of one user with all that led to it."""

    definition: Definition
    user: Any
    changes: list[Change] = field(repr=False)
    """What preparation did to the list, only where it changed something."""
    judged: JudgedList = field(repr=False)
    working: Derivation = field(repr=False)
    outcome: Outcome
    contribution: str = field(repr=False)
    """What the user adds to the mean, in words."""
    engine: float
    worked_out: bool = True
    """False for a plugin's metric of which nobody said how it is worked out: the numbers are then the engine's."""

    @property
    def value(self) -> float:
        """What the user counts as; NaN where they are outside, left out or refused."""
        return self.outcome.value

    @property
    def agrees(self) -> bool:
        """Whether the engine has the same number, to 1e-12."""
        if math.isnan(self.value) or math.isnan(self.engine):
            return math.isnan(self.value) and math.isnan(self.engine)
        return math.isclose(self.value, self.engine, rel_tol=1e-12)
