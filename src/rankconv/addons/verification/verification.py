"""What a verification gives: for each metric what became of the cases, and where the first difference is."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from typing_extensions import TypedDict

from rankconv.addons.verification.adapter import (
    NumberPair,
    User,
)
from rankconv.presets.resolver import numbers
from rankconv.rendering.pages.cells import finite
from rankconv.rendering.pages.display import Tabular
from rankconv.rendering.pages.page import Page
from rankconv.rendering.pages.table import Table

EQUAL, WITHIN_TIES, REFUSED_BY_BOTH, DIFFERENT = "equal", "within ties", "refused by both", "different"
NOT_READ = "not read"
"""The package refuses to read such data, under every preset."""
STATUSES = (EQUAL, WITHIN_TIES, REFUSED_BY_BOTH, DIFFERENT)


class CaseUserData(TypedDict, total=False):
    """The list, scores and labels of the user who differs."""

    ranking: list[str]
    scores: list[float | None]
    """Null where a score is not finite."""
    labels: dict[str, float | None]
    """By item; null where a label is not finite."""


class CaseOutcomeData(CaseUserData):
    """The first case in which the preset and the library differ."""

    case: str
    user: str | None
    """Null where the means differ and no single user does."""
    ours: str
    """What the preset gives."""
    theirs: str
    """What the library gives."""


class MetricRowData(TypedDict):
    """One metric over all cases: how many ended in which way."""

    metric: str
    call: str
    """The name that the library has for it."""
    compared: int
    """How many cases both sides were given, and read."""
    equal: int
    within_ties: int
    """How many differ as far as the order of ties permits."""
    refused_by_both: int
    different: int
    largest_difference: float | None
    """The largest difference, also of numbers that count as equal; null where it is infinite."""
    first_difference: CaseOutcomeData | None
    """Null where nothing differs."""


class HostileData(TypedDict, total=False):
    """The hostile cases, with --hostile."""

    kinds: dict[str, dict[str, int]]
    """By kind of case how many ended in which way."""
    not_given: dict[str, str]
    """The kinds of cases that the library cannot be given, and why."""


class VerificationData(HostileData):
    """The comparison of an installed library with its preset."""

    preset: str
    package: str
    version: str
    """The version that is installed."""
    described: str
    """The version that the preset describes; empty where it names none."""
    cases: int
    ok: bool
    """Whether nothing differs."""
    metrics: list[MetricRowData]


@dataclass(frozen=True)
class CaseOutcome:
    """What became of one metric on one case."""

    case: str
    status: str
    kind: str = ""
    """The kind of a hostile case."""
    largest: float = 0.0
    """The largest difference of two numbers that count as equal or different."""
    pair: NumberPair | None = None
    """The first one that differs: of a user, if one can be named."""
    user: User | None = field(default=None, repr=False)
    """None where nothing differs, or the means differ and no single user does."""

    @property
    def ours(self) -> str:
        """What the preset gives where the two differ."""
        return "" if self.pair is None else _number_text(self.pair.ours, self.pair.why)

    @property
    def theirs(self) -> str:
        """What the library gives there."""
        return "" if self.pair is None else _number_text(self.pair.theirs, self.pair.why)

    def to_dict(self) -> CaseOutcomeData:
        """Case, user, list, scores, labels and both numbers as plain data."""
        name, data = None, CaseUserData()
        if self.user is not None:
            labels = {item: finite(label) for item, label in self.user.labels.items()}
            name, scores = self.user.name, list(map(finite, self.user.scores))
            data = {"ranking": list(self.user.ranking), "scores": scores, "labels": labels}
        return {"case": self.case, "user": name, **data, "ours": self.ours, "theirs": self.theirs}


SHOWN = 3
"""Of how many metrics the first difference is shown below the table."""


@dataclass(frozen=True)
class MetricRow:
    """What became of one metric over all cases."""

    metric: str
    call: str
    """What the library calls it."""
    outcomes: Sequence[CaseOutcome] = field(repr=False)
    """What became of the cases that both sides were given."""

    @cached_property
    def counts(self) -> Counter[str]:
        """How many cases ended in each way."""
        return Counter(outcome.status for outcome in self.outcomes)

    @property
    def largest(self) -> float:
        """The largest difference, also of numbers that count as equal."""
        return max((outcome.largest for outcome in self.outcomes), default=0.0)

    @property
    def first(self) -> CaseOutcome | None:
        """The first case that differs, if there is one."""
        return next((outcome for outcome in self.outcomes if outcome.pair), None)

    @property
    def compared(self) -> int:
        """How many cases both sides were given, and read."""
        return len(self.outcomes) - self.counts[NOT_READ]

    def to_dict(self) -> MetricRowData:
        """The row as plain data."""
        return {
            "metric": self.metric,
            "call": self.call,
            "compared": self.compared,
            "equal": self.counts[EQUAL],
            "within_ties": self.counts[WITHIN_TIES],
            "refused_by_both": self.counts[REFUSED_BY_BOTH],
            "different": self.counts[DIFFERENT],
            "largest_difference": finite(self.largest),
            "first_difference": None if self.first is None else self.first.to_dict(),
        }


@dataclass(frozen=True, repr=False)
class Verification(Tabular):
    """What `rc.verify` gives: one row per metric, and which library, in which version, it was held against."""

    preset: str
    package: str
    version: str
    """The version that is installed."""
    described: str
    """The version that the preset describes; empty where it names none."""
    covered: bool
    """Whether the installed version is that one or has the same settings, as the eras of the preset say."""
    cases: int
    rows: tuple[MetricRow, ...]
    not_given: Mapping[str, str] = field(default_factory=dict)
    """The kinds of hostile cases that the library cannot be handed, and why."""

    @property
    def ok(self) -> bool:
        """Whether nothing differs."""
        return not any(row.counts[DIFFERENT] for row in self.rows)

    @property
    def other_version(self) -> bool:
        """Whether a version is installed that the preset does not cover."""
        return bool(self.described) and not self.covered

    @property
    def version_note(self) -> str:
        """That another version is installed than the preset describes, and whether it is newer."""
        if numbers(self.version) > numbers(self.described) > ():
            said = f"is newer than {self.described}, with which the preset {self.preset} was checked"
            return f"{self.package} {self.version} {said}: a difference may be a new era."
        said = f"is installed, and the preset {self.preset} describes {self.described}"
        return f"{self.package} {self.version} {said}: a difference may be one between the versions."

    def __iter__(self) -> Iterator[MetricRow]:
        return iter(self.rows)

    def __getitem__(self, metric: str) -> MetricRow:
        return next(row for row in self.rows if row.metric == metric)

    @cached_property
    def by_kind(self) -> dict[str, Counter[str]]:
        """What became of the hostile cases, over all metrics, by their kind."""
        found: dict[str, Counter[str]] = {}
        for outcome in (outcome for row in self for outcome in row.outcomes if outcome.kind):
            found.setdefault(outcome.kind, Counter())[outcome.status] += 1
        return found

    def to_dict(self) -> VerificationData:
        """Everything as plain data."""
        kinds = {kind: dict(counts) for kind, counts in self.by_kind.items()}
        hostile: HostileData = {}
        if kinds or self.not_given:
            hostile = {"kinds": kinds, "not_given": dict(self.not_given)}
        return {
            "preset": self.preset,
            "package": self.package,
            "version": self.version,
            "described": self.described,
            "cases": self.cases,
            "ok": self.ok,
            "metrics": [row.to_dict() for row in self.rows],
            **hostile,
        }

    def table(self) -> Table:
        """Metrics by what became of the cases; below them the first differences."""
        headers = ["metric", "in the library", "compared", *STATUSES, "largest difference"]
        notes = [_about(self), *_differences(self), _sum(self)]
        return Table(headers, [_cells(row) for row in self], labels=2, prose=frozenset({1}), notes=notes)

    def _page(self) -> Page:
        """The table with its notes, and below it one of the kinds of hostile cases."""
        return Page([[self.table()], *([[self.table_of_kinds()]] if self.by_kind or self.not_given else [])])

    def table_of_kinds(self) -> Table:
        """Kinds of hostile cases by what became of all metrics."""
        headers = ["kind of case", *STATUSES, NOT_READ]
        cells = [[kind, *(str(counts[one]) for one in headers[1:])] for kind, counts in self.by_kind.items()]
        notes = [f"Not given: {kind}; {why}." for kind, why in self.not_given.items()]
        notes += [NOT_READ_NOTE] if any(counts[NOT_READ] for counts in self.by_kind.values()) else []
        return Table(headers, cells, labels=1, notes=notes)


NOT_READ_NOTE = "Not read: rankconv refuses such data under every preset, whatever the library gives."


def _number_text(number: float | None, why: str) -> str:
    if number is None:
        return f"refused ({why})"
    return "NaN" if math.isnan(number) else repr(number)


def _cells(row: MetricRow) -> list[str]:
    counts = [str(row.counts[status]) for status in STATUSES]
    return [row.metric, row.call, str(row.compared), *counts, f"{row.largest:.1e}" if row.largest else "0"]


def _about(found: Verification) -> str:
    cases = "1 case" if found.cases == 1 else f"{found.cases} cases"
    return f"Preset {found.preset} against {found.package} {found.version}, {cases}."


def _differences(found: Verification) -> list[str]:
    parts = [f"{row.metric}: {_difference(found, row.first)}" for row in found if row.first]
    more = len(parts) - SHOWN
    return [*parts[:SHOWN], *([f"{more} more metrics differ; --format json has them all."] if more > 0 else [])]


def _difference(found: Verification, first: CaseOutcome) -> str:
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
