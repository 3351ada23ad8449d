"""Findings of lints, and the tallies that they are made of."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import Any, NamedTuple

import numpy as np
from typing_extensions import TypedDict

from rankconv.data.arrays import Codes
from rankconv.data.ids import Ids, PlainId, quoted
from rankconv.rendering.pages.cells import finite

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


class ExampleData(TypedDict):
    """A place where a finding is so."""

    user: PlainId | None
    """Null where it is of no user."""
    item: PlainId | None
    """Null where it is of no item."""
    note: str


class MoveData(TypedDict):
    """Between which values a mean is under all ways to take a finding."""

    preset: str
    metric: str
    mean: float | None
    """As the preset gives it; null where it refuses the data."""
    low: float | None
    """The lowest value; null where it is not finite, as in the next two fields."""
    high: float | None
    """The highest value."""
    by: float | None
    """The largest distance from the preset's own mean."""
    refused: str | None
    """Why the preset refuses the data as they are."""


class FindingData(TypedDict):
    """A data problem that changes metrics."""

    name: str
    title: str
    wrong: bool
    """Whether the data are wrong, and not only open to more than one reading."""
    count: int
    """How often it is found."""
    of: int
    """Among how many."""
    unit: str
    """What is counted: users, rows of the run."""
    note: str
    means: str
    """What it means."""
    do: str
    """What to do."""
    otherwise: str
    """What moves the numbers, as `other tie orders`; empty where nothing can be tried."""
    examples: list[ExampleData]
    """Three at most."""
    moves: list[MoveData]
    """The means that it moves, one for each preset and metric."""


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
        return max(0.0 - self.steps[0], self.steps[1])

    @property
    def steps(self) -> tuple[float, float]:
        """How far down from the preset's own mean and up the values are; infinite values are equal."""
        low, high = (0.0 if value == self.mean else value - self.mean for value in (self.low, self.high))
        return low, high

    @property
    def range(self) -> str:
        """The lowest and the highest value, in words."""
        low, high = value_in_words(self.low), value_in_words(self.high)
        return low if low == high else f"{low} to {high}"

    @property
    def effect(self) -> str:
        """How far the value moves; from no value, and from and to infinite ones, which value there is instead."""
        if math.isfinite(self.by):
            return f"by {step(self.by)}"
        return f"{self.range} instead of {'none' if math.isnan(self.mean) else value_in_words(self.mean)}"

    @property
    def moved(self) -> bool:
        """Whether it is more than a rounding error, or the difference between a number and none."""
        return not math.isnan(self.low) and not self.by <= 1e-12

    def to_dict(self) -> MoveData:
        """As plain data; what is not finite is None."""
        return {
            "preset": self.preset,
            "metric": self.metric,
            "mean": finite(self.mean),
            "low": finite(self.low),
            "high": finite(self.high),
            "by": finite(self.by),
            "refused": self.refused or None,
        }


def value_in_words(value: float) -> str:
    """A value in four decimals, or that it is infinite."""
    return f"{value:.4f}" if math.isfinite(value) else "infinity" if value > 0 else "minus infinity"


def furthest(moves: Sequence[Move]) -> Move | None:
    """The furthest of them; one of a refused number comes last."""
    return max(moves, key=lambda move: -1 if math.isnan(move.by) else move.by, default=None)


def step(by: float, sign: str = "") -> str:
    """How far a number moves, which is finite, in four decimals; with `sign="+"` signed."""
    return f"{by:{sign}.4f}" if abs(by) >= 0.00005 else f"{by:{sign}.0e}"


@dataclass(frozen=True)
class Finding:
    """A data problem that changes metrics: how often, where, what it means, what to do, and what it moves."""

    name: str
    title: str
    wrong: bool
    """Whether the data are wrong then, and not only open to more than one reading."""
    count: int
    of: int
    unit: str
    """What is counted: users, rows of the run."""
    note: str
    """What more there is to say of those found."""
    means: str
    do: str
    otherwise: str
    """What moves the numbers: "other tie orders"; empty where nothing can be tried."""
    examples: Sequence[Example]
    """Three at most."""
    moves: Sequence[Move] = ()
    """The numbers that it moves, one for each preset and metric; none where it moves none of those looked at."""

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

    def to_dict(self) -> FindingData:
        """Everything as plain data."""
        return {
            "name": self.name,
            "title": self.title,
            "wrong": self.wrong,
            "count": self.count,
            "of": self.of,
            "unit": self.unit,
            "note": self.note,
            "means": self.means,
            "do": self.do,
            "otherwise": self.otherwise,
            "examples": [{"user": one.user, "item": one.item, "note": one.note} for one in self.examples],
            "moves": [move.to_dict() for move in self.moves],
        }


def first_examples(users: Ids, owner: Codes, places: Codes, example: Callable[[int], Example]) -> tuple[Example, ...]:
    """Describe the first of these places by the ids of their users, and of one user by the order of the rows.

    `places` and `owner` have shape (rows,); rows of one user are together.
    """
    begins = np.flatnonzero(np.append(True, owner[1:] != owner[:-1])[: len(owner)])
    if users.kind == "integer" and len(begins) > EXAMPLES:
        begins = begins[np.argpartition(users.values[owner[begins]], EXAMPLES)[:EXAMPLES]]
    found: list[int] = []
    ids = users.values[owner[begins]].tolist()
    for at in nsmallest(EXAMPLES, range(len(ids)), key=ids.__getitem__):
        first = slice(begins[at], begins[at] + EXAMPLES)
        found += places[first][owner[first] == owner[begins[at]]].tolist()
    return tuple(map(example, found[:EXAMPLES]))


TallyFields = tuple[int, int, tuple[Example, ...]]
"""The fields of a tally."""


@dataclass(frozen=True)
class Tally:
    """How often something is so, of how many, and the first examples."""

    count: int = 0
    of: int = 0
    first: tuple[Example, ...] = ()
