"""What a lint sees in some of the users: it adds up over parts of them, in whatever order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from heapq import nsmallest
from typing import Any, Self

import numpy as np

from rankconv.analysis.findings.found import EXAMPLES, Example, Found
from rankconv.data.arrays import Numbers

FEW_VALUES = 1000
"""More different values than these are many."""


class Adding:
    """Whose fields are added one by one: numbers, sums without rounding, and what is below."""

    def __add__(self, other: Self) -> Self:
        each = [one.name for one in fields(self)]  # type: ignore[arg-type]
        return type(self)(*(getattr(self, name) + getattr(other, name) for name in each))


@dataclass(frozen=True)
class Least:
    """The first examples by the ids of their users, and of one user as their rows stand."""

    each: tuple[tuple[Any, int, Example], ...] = ()

    @classmethod
    def of(cls, examples: Sequence[tuple[Any, Example]]) -> "Least":
        """Of these ids, whose examples stand in their order."""
        numbered = [(who, place, example) for place, (who, example) in enumerate(examples)]
        return cls() + cls(tuple(numbered))

    def __add__(self, other: "Least") -> "Least":
        return Least(tuple(nsmallest(EXAMPLES, self.each + other.each, key=lambda one: one[:2])))

    @property
    def examples(self) -> list[Example]:
        """The examples alone."""
        return [example for *_, example in self.each]


@dataclass(frozen=True)
class Seen(Adding):
    """How often something is so, among how many, and the first examples."""

    count: int = 0
    of: int = 0
    least: Least = field(default_factory=Least)

    def found(self, note: str = "") -> Found | None:
        """As a finding says it; None where there is nothing."""
        return Found(self.count, self.of, self.least.examples, note) if self.count else None


@dataclass(frozen=True)
class Span:
    """The least and the greatest of some values."""

    low: float = np.inf
    high: float = -np.inf

    @classmethod
    def over(cls, values: Numbers) -> "Span":
        """Of these, shape (rows,)."""
        return cls(float(values.min()), float(values.max())) if len(values) else cls()

    def __add__(self, other: "Span") -> "Span":
        return Span(min(self.low, other.low), max(self.high, other.high))

    @property
    def several(self) -> bool:
        """Whether there are different values."""
        return self.low < self.high


@dataclass(frozen=True)
class Few:
    """The different values, unless they are many."""

    values: frozenset[float] | None = frozenset()
    """None where they are many."""

    @classmethod
    def over(cls, values: Numbers) -> "Few":
        """Of these, shape (rows,)."""
        if len(np.unique(values[: 2 * FEW_VALUES])) > FEW_VALUES:
            return cls(None)
        return cls(frozenset(np.unique(values).tolist())) + cls()

    def __add__(self, other: "Few") -> "Few":
        if self.values is None or other.values is None:
            return Few(None)
        both = self.values | other.values
        return Few(both if len(both) <= FEW_VALUES else None)


@dataclass(frozen=True)
class Amounts:
    """Numbers by their names."""

    each: Mapping[str, int] = field(default_factory=dict)

    def __getitem__(self, name: str) -> int:
        return self.each.get(name, 0)

    def __add__(self, other: "Amounts") -> "Amounts":
        return Amounts({name: self[name] + other[name] for name in sorted({*self.each, *other.each})})
