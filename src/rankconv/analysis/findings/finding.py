"""What a lint finds: how much of it, of how many, and the first three."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rankconv.data.ids import quoted

EXAMPLES = 3
"""How many examples a finding has at most."""


@dataclass(frozen=True)
class Example:
    """One place where it is so."""

    user: Any = None
    item: Any = None
    note: str = ""

    def __str__(self) -> str:
        named = [
            f"{role} {quoted(value)}" for role, value in (("user", self.user), ("item", self.item)) if value is not None
        ]
        return ": ".join(part for part in (", ".join(named), self.note) if part)

    def to_dict(self) -> dict[str, Any]:
        """User, item and note as plain data; what an example does not name is None."""
        return {"user": self.user, "item": self.item, "note": self.note}


@dataclass(frozen=True)
class Found:
    """How often something is so, of how many, and the first examples."""

    count: int
    of: int
    examples: Sequence[Example]
    note: str = ""
    """What more there is to say of those found."""


class Move(NamedTuple):
    """Between which values a mean is under all ways to take a finding, everything else being equal."""

    preset: str
    metric: str
    mean: float
    """As the preset gives it; NaN where it refuses the data."""
    low: float
    high: float
    refused: str = ""
    """Why the preset refuses the data as they are."""

    @property
    def by(self) -> float:
        """How far from the preset's own mean the furthest value is; NaN where there is no such mean."""
        return max(self.mean - self.low, self.high - self.mean)

    @property
    def moved(self) -> bool:
        """Whether it is more than a rounding error, or the difference between a number and none."""
        return not math.isnan(self.low) and not self.by <= 1e-12

    def to_dict(self) -> dict[str, Any]:
        """As plain data; what is not finite is None."""
        numbers = {"mean": self.mean, "low": self.low, "high": self.high, "by": self.by}
        fields = {name: value if math.isfinite(value) else None for name, value in numbers.items()}
        return {"preset": self.preset, "metric": self.metric, **fields, "refused": self.refused or None}


def furthest(moves: Sequence[Move]) -> Move | None:
    """The furthest of them; one of a refused number comes last."""
    return max(moves, key=lambda move: -1 if math.isnan(move.by) else move.by, default=None)


def step(by: float, sign: str = "") -> str:
    """How far a number moves, in four decimals; with `sign="+"` signed."""
    return f"{by:{sign}.4f}" if abs(by) >= 0.00005 else f"{by:{sign}.0e}"


@dataclass(frozen=True)
class Finding:
    """A data problem that changes metrics: how often, where, what it means, what to do, and what it moves."""

    name: str
    title: str
    count: int
    of: int
    unit: str
    """What is counted: users, rows of the run."""
    examples: Sequence[Example]
    """Three at most."""
    means: str
    do: str
    otherwise: str
    """What moves the numbers: "other tie orders"; empty where nothing can be tried."""
    moves: Sequence[Move]
    """The numbers that it moves, one for each preset and metric; none where it moves none of those looked at."""
    note: str = ""
    wrong: bool = False
    """Whether the data are wrong then, and not only open to more than one reading."""

    @property
    def furthest(self) -> Move | None:
        """The number that it largest effect; one that is refused comes last."""
        return furthest(self.moves)

    @property
    def weight(self) -> float:
        """How far it moves a number; without end where nothing can be tried, or a number is refused."""
        move = self.furthest
        far = 0.0 if move is None else move.by
        return math.inf if math.isnan(far) or not self.otherwise else far

    @property
    def counted(self) -> str:
        """How often, in words."""
        return f"{self.count:,} of {self.of:,} {self.unit}"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        fields = {"name": self.name, "title": self.title, "wrong": self.wrong}
        places = {"count": self.count, "of": self.of, "unit": self.unit}
        words = {"note": self.note, "means": self.means, "do": self.do, "otherwise": self.otherwise}
        examples = [example.to_dict() for example in self.examples]
        return fields | places | words | {"examples": examples, "moves": [move.to_dict() for move in self.moves]}
