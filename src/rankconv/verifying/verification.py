"""What a verification gives: for each metric what became of the cases, and where the first difference stands."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rankconv.verifying.cases import User
from rankconv.verifying.comparing import DIFFERENT, STATUSES, Outcome
from rankconv.verifying.pairs import Pair


@dataclass(frozen=True)
class Difference:
    """One difference that can be looked at: the case, the user with his list and labels, and both numbers."""

    case: str
    pair: Pair
    user: User | None
    """None where the means differ and no user by himself does."""

    @property
    def ours(self) -> str:
        """What the preset gives."""
        return _said(self.pair.ours, self.pair.why)

    @property
    def theirs(self) -> str:
        """What the library gives."""
        return _said(self.pair.theirs, self.pair.why)

    def to_dict(self) -> dict[str, Any]:
        """Case, user, list, scores, labels and both numbers as plain data."""
        who = self.user and {
            "user": self.user.name,
            "ranking": list(self.user.ranking),
            "scores": list(self.user.scores),
            "labels": dict(self.user.labels),
        }
        return {"case": self.case, **(who or {"user": None}), "ours": self.ours, "theirs": self.theirs}


@dataclass(frozen=True)
class Row:
    """What became of one metric over all cases."""

    metric: str
    call: str
    """What the library calls it."""
    by_case: Mapping[str, Outcome | None] = field(repr=False)
    """None where the library cannot be handed the case."""

    @property
    def outcomes(self) -> list[Outcome]:
        """What became of the cases that both sides were given."""
        return [outcome for outcome in self.by_case.values() if outcome]

    @cached_property
    def counts(self) -> Counter[str]:
        """How many cases ended in each way."""
        return Counter(outcome.status for outcome in self.outcomes)

    @property
    def largest(self) -> float:
        """The largest difference, also of numbers that count as equal."""
        return max((outcome.largest for outcome in self.outcomes), default=0.0)

    @property
    def first(self) -> Difference | None:
        """The first difference there is."""
        different = ((case, outcome) for case, outcome in self.by_case.items() if outcome and outcome.pair)
        return next((Difference(case, one.pair, one.user) for case, one in different if one.pair), None)

    @property
    def compared(self) -> int:
        """How many cases both sides were given."""
        return len(self.outcomes)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        counts = {status: self.counts[status] for status in STATUSES}
        first = self.first and self.first.to_dict()
        return (
            {"metric": self.metric, "call": self.call, "compared": self.compared}
            | counts
            | {
                "largest difference": self.largest,
                "first difference": first,
            }
        )


@dataclass(frozen=True)
class Verification:
    """What `rc.verify` gives: one row per metric, and which library, in which version, it was held against."""

    preset: str
    package: str
    version: str
    """The version that is installed."""
    described: str
    """The version that the preset describes; empty where it names none."""
    cases: int
    rows: tuple[Row, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing differs."""
        return not any(row.counts[DIFFERENT] for row in self.rows)

    @property
    def other_version(self) -> bool:
        """Whether another version is installed than the preset describes."""
        return bool(self.described) and self.described != self.version

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __getitem__(self, metric: str) -> Row:
        return next(row for row in self.rows if row.metric == metric)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        about = {"preset": self.preset, "package": self.package, "version": self.version, "described": self.described}
        return about | {"cases": self.cases, "ok": self.ok, "metrics": [row.to_dict() for row in self.rows]}


def _said(number: float | None, why: str) -> str:
    if number is None:
        return f"refused ({why})"
    return "NaN" if math.isnan(number) else repr(number)
