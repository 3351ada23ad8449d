"""What a lint sees in some of the users: it adds up over parts of them, in whatever order."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from heapq import nsmallest
from typing import Any, Self

import numpy as np

from rankconv.analysis.findings.data import Data
from rankconv.analysis.findings.finding import EXAMPLES, Example, Found
from rankconv.analysis.findings.listed import Listed
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.ids import Ids

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


Tell = Callable[[int], str]
"""What to say of one user or row, by its code or place."""
Counted = tuple[int, int, Least]
"""How often it is so, of how many, and the first examples."""


def of_users(data: Data, users: Mask, of: Mask, tell: Tell | None = None) -> Counted:
    """The users concerned, among those looked at, `of`; both have shape (users,)."""
    codes, ids = np.flatnonzero(users), data.joined.users
    parts = [(ids.id(code), tell(code) if tell else "") for code in least(ids, codes)] if not data.quick else []
    examples = Least.of([(user, Example(user, None, note)) for user, note in parts])
    return len(codes), int(np.count_nonzero(of)), examples


def of_list_rows(data: Data, listed: Listed, rows: Mask, of: int | None = None, tell: Tell | None = None) -> Counted:
    """The ranked rows for which it is so, shape (rows,)."""
    places = np.flatnonzero(rows)
    usual: Tell = lambda row: f"rank {listed.place[row] + 1}"
    first = [] if data.quick else _first(data.joined.users, listed.user[places], places)
    ids = data.joined.users, data.joined.items
    found = ((ids[0].id(listed.user[row]), ids[1].id(listed.item[row]), row) for row in first)
    examples = Least.of([(user, Example(user, item, (tell or usual)(row))) for user, item, row in found])
    return len(places), len(listed) if of is None else of, examples


def of_label_rows(data: Data, rows: Mask) -> Counted:
    """The labels for which it is so, shape (labels,)."""
    labels, places = data.joined.labels, np.flatnonzero(rows)
    owner = np.searchsorted(labels.starts, places, side="right") - 1
    first = [] if data.quick else _first(labels.users, owner, places)
    users = np.searchsorted(labels.starts, first, side="right") - 1
    found = ((labels.users.id(user), row) for user, row in zip(users.tolist(), first, strict=True))
    parts = [(user, labels.items.id(labels.item[row]), f"grade {labels.grade[row]:g}") for user, row in found]
    return len(places), len(rows), Least.of([(user, Example(user, item, note)) for user, item, note in parts])


def _first(users: Ids, owner: Codes, places: Codes) -> list[int]:
    """The first of these places, shape (places,), by the ids of their owners, shape (places,), and as they stand.

    Those of one owner stand together.
    """
    begins = np.flatnonzero(np.append(True, owner[1:] != owner[:-1])[: len(owner)])
    found: list[int] = []
    for user in least(users, owner[begins]):
        begin = int(begins[np.flatnonzero(owner[begins] == user)[0]])
        found += places[begin : begin + EXAMPLES][owner[begin : begin + EXAMPLES] == user].tolist()
    return found[:EXAMPLES]


def least(ids: Ids, codes: Codes) -> list[int]:
    """The codes, of those given, shape (codes,), that have the least ids, in the order of these."""
    if ids.kind == "integer" and len(codes) > EXAMPLES:
        codes = codes[np.argpartition(ids.values[codes], EXAMPLES)[:EXAMPLES]]
    values = ids.values[codes].tolist()
    return [int(codes[place]) for place in nsmallest(EXAMPLES, range(len(values)), key=values.__getitem__)]
