"""What a verification gives: for each metric what became of the cases, and where the first difference is."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rankconv.pages.display import Tabular
from rankconv.pages.page import Page
from rankconv.pages.table import Table
from rankconv.presets.resolver import numbers
from rankconv.verification.adapter import Pair, User
from rankconv.verification.comparing import DIFFERENT, STATUSES, Outcome

SHOWN = 3
"""Of how many metrics the first difference is shown below the table."""


@dataclass(frozen=True)
class Difference:
    """One difference that can be looked at: the case, the user with their list and labels, and both numbers."""

    case: str
    pair: Pair
    user: User | None
    """None where the means differ and no single user does."""

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
        about = {"metric": self.metric, "call": self.call, "compared": self.compared}
        first = self.first and self.first.to_dict()
        differences = {"largest difference": self.largest, "first difference": first}
        return about | {status: self.counts[status] for status in STATUSES} | differences


@dataclass(frozen=True, repr=False)
class Verification(Tabular):
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

    def table(self) -> Table:
        """Metrics by what became of the cases; below them the first differences."""
        headers = ["metric", "in the library", "compared", *STATUSES, "largest difference"]
        notes = [_about(self), *_differences(self), _sum(self)]
        return Table(headers, [_cells(row) for row in self], labels=2, prose=frozenset({1}), notes=notes)

    def _page(self) -> Page:
        """The table with its notes."""
        return Page([[self.table()]])


def _said(number: float | None, why: str) -> str:
    if number is None:
        return f"refused ({why})"
    return "NaN" if math.isnan(number) else repr(number)


def other_version(found: Verification) -> str:
    """That another version is installed than the preset describes, and whether it is newer."""
    if numbers(found.version) > numbers(found.described) > ():
        return (
            f"{found.package} {found.version} is newer than {found.described}, with which the preset {found.preset} "
            "was checked: a difference may be a new era."
        )
    return (
        f"{found.package} {found.version} is installed, and the preset {found.preset} describes {found.described}: "
        "a difference may be one between the versions."
    )


def _cells(row: Row) -> list[str]:
    counts = [str(row.counts[status]) for status in STATUSES]
    return [row.metric, row.call, str(row.compared), *counts, f"{row.largest:.1e}" if row.largest else "0"]


def _about(found: Verification) -> str:
    cases = "1 case" if found.cases == 1 else f"{found.cases} cases"
    return f"Preset {found.preset} against {found.package} {found.version}, {cases}."


def _differences(found: Verification) -> list[str]:
    parts = [f"{row.metric}: {_difference(found, row.first)}" for row in found if row.first]
    more = len(parts) - SHOWN
    return [*parts[:SHOWN], *([f"{more} more metrics differ; --format json tells of each."] if more > 0 else [])]


def _difference(found: Verification, first: Difference) -> str:
    numbers = f"{found.preset} gives {first.ours}, {found.package} {first.theirs}"
    if first.user is None:
        return f"in case '{first.case}' the means differ: {numbers}."
    rows = zip(first.user.ranking, first.user.scores, strict=True)
    listed = ", ".join(f"{item} ({score!r})" for item, score in rows)
    labels = ", ".join(f"{item}={grade:g}" for item, grade in first.user.labels.items())
    return (
        f"case '{first.case}', user {first.user.name}: {numbers}. "
        f"List with scores: {listed or 'empty'}. Labels: {labels or 'none'}."
    )


def _sum(found: Verification) -> str:
    if not any(row.compared for row in found):
        return "Nothing could be compared."
    differing = sum(row.first is not None for row in found)
    return f"{differing} of {len(found.rows)} metrics differ." if differing else "Nothing differs."
