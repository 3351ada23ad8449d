"""The difference between two numbers, divided over the settings in which their definitions differ."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.analysis.why.measuring import counted
from rankconv.analysis.why.sides import NamedDefinition
from rankconv.analysis.why.turned_settings import TurnedSetting
from rankconv.data.arrays import Numbers
from rankconv.engine.measured import Measured


@dataclass(frozen=True)
class Mover:
    """A user who has a part in what a setting changes."""

    user: Any
    part: float
    """What of the change they make."""
    before: float
    """What they count as under the first definition; NaN where they do not count."""
    after: float
    """What they count as under the second definition."""


@dataclass(frozen=True, eq=False)
class Contribution:
    """What one setting adds to the difference; sometimes several that only go together."""

    player: TurnedSetting = field(repr=False)
    exact: Fraction = field(repr=False)
    """The share, exactly."""
    standard_error: float
    """Of the share; 0 where all orders were taken."""
    parts: Numbers = field(repr=False)
    """What each user adds to it, shape (users,); see `Attribution`."""

    @property
    def share(self) -> float:
        """What it adds to the difference."""
        return float(self.exact)

    @property
    def text(self) -> str:
        """The settings of the second definition."""
        return self.player.text


@dataclass(frozen=True, eq=False)
class Shares:
    """The difference between two numbers, and what each setting has of it."""

    ours: NamedDefinition
    other: NamedDefinition
    first: Measured = field(repr=False)
    second: Measured = field(repr=False)
    contributions: list[Contribution]
    """Answers that change the number in some order of turning them, the largest share first."""
    no_effect: list[TurnedSetting]
    """Answers that differ, and change nothing on these data."""
    together: list[TurnedSetting]
    """Answers that have a number only together, and so were turned as one; empty where some order is possible."""
    orders: int
    """How many orders of turning the settings were taken."""
    possible: int
    """How many there would be if all mixtures had a number."""
    sampled: bool
    """Whether they are a sample."""
    users: NDArray[Any] = field(repr=False)
    """Ids of all users of labels and rankings."""

    @property
    def metric(self) -> str:
        """What the numbers are called."""
        names = [replace(side.definition, changed=()).spec for side in (self.ours, self.other)]
        return " and ".join(dict.fromkeys(names))

    @property
    def difference(self) -> float:
        """The second number minus the first."""
        return float(Fraction(self.second.mean) - Fraction(self.first.mean))

    @property
    def counted(self) -> tuple[int, int]:
        """How many users count in the first mean and in the second."""
        return int(counted(self.first).sum()), int(counted(self.second).sum())

    def movers(self, contribution: Contribution, most: int = 3) -> list[Mover]:
        """The users who have the largest parts in one contribution."""
        order = np.argsort(-np.abs(contribution.parts), kind="stable")[:most].tolist()
        return [self._mover(contribution, place) for place in order if contribution.parts[place]]

    def _mover(self, contribution: Contribution, place: int) -> Mover:
        before, after = (float(one.values[place]) for one in (self.first, self.second))
        return Mover(self.users[place : place + 1].tolist()[0], float(contribution.parts[place]), before, after)
