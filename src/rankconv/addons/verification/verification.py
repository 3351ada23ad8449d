"""What a verification gives: for each metric what became of the cases, and where the first difference is."""

import math
import os
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from typing_extensions import TypedDict

from rankconv.addons.verification.adapter import (
    SINGLE,
    Adapter,
    LibraryCase,
    LibraryResult,
    NotGiven,
    NumberPair,
    Tolerance,
    User,
    pairs_of,
    reason,
)
from rankconv.basics.errors import InputError, MetricError, nearest
from rankconv.conventions.parameters import Setting
from rankconv.conventions.spec import Spec, each_spec
from rankconv.evaluation.evaluate import evaluate
from rankconv.evaluation.results.result import Result
from rankconv.metrics.divisors import counts_hits
from rankconv.preparation.steps.lists import CANDIDATES
from rankconv.preparation.ties import TieTraits
from rankconv.presets.definition import Definition
from rankconv.presets.folders import VERSION, split
from rankconv.presets.preset import Preset
from rankconv.presets.resolver import numbers
from rankconv.rendering.pages.cells import finite
from rankconv.rendering.pages.display import Tabular
from rankconv.rendering.pages.page import Page
from rankconv.rendering.pages.table import Table

CUTOFFS = (1, 3, 10)
"""Where metrics with a cutoff are compared unless the caller says otherwise."""


@dataclass(frozen=True)
class LibraryCall:
    """One metric under the preset, and the library's name for it."""

    spec: str
    definition: Definition
    call: str

    @property
    def k(self) -> int | None:
        """The cutoff that was requested."""
        return self.definition.requested_k


def everything(adapter: type[Adapter], preset: Preset) -> list[LibraryCall]:
    """All that the adapter knows how to ask and the preset offers, at a few cutoffs."""
    specs = [f"{form[:-1]}{k}" for form in adapter.calls if form.endswith("@k") for k in CUTOFFS]
    specs += [form for form in adapter.calls if not form.endswith("@k")]
    own = [spec for spec in specs if re.split(r"[(@]", spec)[0] in preset.metrics]
    return list(calls_for(adapter, preset, [spec for spec in own if VERSION not in preset.name or preset.offers(spec)]))


def calls_for(adapter: type[Adapter], preset: Preset, specs: Sequence[str | Definition]) -> Iterator[LibraryCall]:
    """These metrics; a MetricError for one that the adapter does not know how to ask."""
    for spec in (one for given in specs for one in _specs(preset, given)):
        settings = ", ".join(f"{convention_name}={setting}" for convention_name, setting in preset.read(spec).settings)
        for definition in preset.define(spec):
            form = _form(definition, settings)
            if form not in adapter.calls:
                raise _not_known(adapter, spec, form)
            yield LibraryCall(definition.spec, definition, adapter.calls[form].format(k=definition.requested_k))


def _specs(preset: Preset, given: str | Definition) -> Sequence[str | Spec]:
    """What was requested, one spec for each number."""
    if isinstance(given, Definition):
        return [given.requested]
    return [one for listed in each_spec(given) for one in preset.members(listed)]


def _form(definition: Definition, settings: str) -> str:
    """The metric as adapters know it: what a changed preset sets otherwise does not change what is requested."""
    name = f"{definition.key}({settings})" if settings else definition.key
    return name if definition.requested_k is None else f"{name}@k"


def _not_known(adapter: type[Adapter], spec: str | Spec, form: str) -> MetricError:
    return MetricError(
        f"'{spec}' is not available in {adapter.packages[0]}",
        where=f"verify {adapter.preset}",
        allowed=f"These can: {', '.join(adapter.calls)}",
        nearest=nearest(form, adapter.calls),
    )


def beyond_ties(preset: Preset, call: LibraryCall, case: LibraryCase, pairs: Sequence[NumberPair]) -> list[NumberPair]:
    """The pairs whose number of the library, the mean where the user is empty, is that of no order of the ties."""
    if not pairs or not TieTraits.of(call.definition.preparation.settings["ties"]).undefined:
        return list(pairs)
    worst, best = (_with_ties(preset, call, case, ties) for ties in ("relevant-last", "relevant-first"))
    # AP over the hits in the top k does not rise with a better order: a hit moved into the top k may lower it
    rises = not any(map(counts_hits, call.definition.metric.settings.values()))

    def is_excused(pair: NumberPair) -> bool:
        if pair.theirs is None:
            return False
        lowest, highest = sorted((_number(worst, pair.user), _number(best, pair.user)))  # of a loss the best is lowest
        if rises:
            return lowest - SINGLE.absolute <= pair.theirs <= highest + SINGLE.absolute
        users = (user for user in case.users if pair.user in ("", user.name))
        return lowest != highest or any(_has_ties(call.definition, user) for user in users)

    return [pair for pair in pairs if not is_excused(pair)]


def _with_ties(preset: Preset, call: LibraryCall, case: LibraryCase, ties: str) -> Result:
    changed = tuple((dict(call.definition.changed) | {"ties": ties}).items())
    spec = preset.definition(call.definition.key, changed, call.k).spec
    return evaluate(case.joined, spec, preset=preset, users=[user.name for user in case.users], on_error="collect")


def _has_ties(definition: Definition, user: User) -> bool:
    width: Any = np.float32 if definition.preparation.compared.narrow else np.float64
    return len(np.unique(np.array(user.scores, width))) < len(user.scores)


def _number(result: Result, user: str) -> float:
    [spec] = result.specs
    return float(result.per_user[spec][result.users.tolist().index(user)]) if user else result[spec]


def handed(users: Sequence[User], preset: Preset) -> tuple[User, ...]:
    """The users as the library of a preset is handed them."""
    if not split((preset.original or preset).name)[1]:
        return tuple(users)
    setting = CANDIDATES(preset.settings[CANDIDATES.name])
    for part in setting.each:
        users = [_appended(user, part) if part.traits.extends_below else user for user in users]
    return tuple(users)


def _appended(user: User, setting: Setting) -> User:
    """The user with unretrieved items at the bottom, below the lowest score; rounded as `candidates` rounds."""
    items = [item for item in user.labels if item not in user.ranking]
    lowest, scores = setting.keywords.get("lowest"), list(user.scores)
    before = min(scores, default=0.0)
    scores += [before - 1.0 - place for place in range(len(items))]
    shift = 0.0 if lowest is None else lowest - min(scores, default=0.0)
    return replace(user, ranking=(*user.ranking, *items), scores=tuple(score + shift for score in scores))


@contextmanager
def quiet() -> Iterator[None]:
    """Ignore warnings, and send both output streams nowhere: logs of C and Java do not pass through Python."""
    _flush()
    kept = {stream: os.dup(stream) for stream in (1, 2)}
    try:
        with open(os.devnull, "w") as nowhere, warnings.catch_warnings():
            for stream in kept:
                os.dup2(nowhere.fileno(), stream)
            warnings.simplefilter("ignore")
            yield
    finally:
        _flush()
        for stream, copy in kept.items():
            os.dup2(copy, stream)
            os.close(copy)


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()


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


def called(call: Callable[[], Any]) -> tuple[Any, LibraryResult | NotGiven | None]:
    """What a call of the library gives, or how it refuses."""
    try:
        with quiet():
            return call(), None
    except NotGiven as problem:
        return None, problem
    except Exception as problem:
        return None, LibraryResult(refused={"": reason(problem)})


def _is_read(case: LibraryCase) -> bool:
    """Whether the package reads the data at all: of what is read two ways, or has no order, it says so."""
    try:
        return case.joined is not None
    except InputError:
        return False


@dataclass(frozen=True)
class Comparing:
    """A preset and the adapter of its library, to be held against each other case by case."""

    preset: Preset
    adapter: Adapter

    @property
    def tolerance(self) -> Tolerance:
        """By how much numbers of the library at this version may differ."""
        return self.adapter.tolerance_before.get(self.preset.file.version, self.adapter.tolerance)

    def outcomes(self, case: LibraryCase, metrics: Sequence[LibraryCall]) -> Iterator[CaseOutcome | None]:
        """What became of each metric; None where the library cannot be handed the case."""
        if not _is_read(case):
            yield from [CaseOutcome(case.name, NOT_READ, case.kind)] * len(metrics)
            return
        users = [user.name for user in case.users]
        ours = evaluate(case.joined, [one.spec for one in metrics], preset=self.preset, users=users, on_error="collect")
        given, failed = called(lambda: self.adapter.given(handed(case.users, self.preset)))
        for one in metrics:
            theirs, refused = (given, failed) if failed else called(partial(self.adapter.ask, given, one.call, one.k))
            found = refused or (theirs if isinstance(theirs, LibraryResult) else LibraryResult(float(theirs)))
            yield self._outcome(case, one, ours, found) if isinstance(found, LibraryResult) else None

    def _outcome(self, case: LibraryCase, one: LibraryCall, ours: Result, theirs: LibraryResult) -> CaseOutcome:
        pairs = list(pairs_of(one.spec, ours, theirs))
        equal = [pair for pair in pairs if pair.is_equal(self.tolerance)]
        unlike = [pair for pair in pairs if not pair.is_equal(self.tolerance)]
        wrong = beyond_ties(self.preset, one, case, unlike)
        largest = max((pair.distance for pair in (*equal, *wrong)), default=0.0)
        if wrong:
            return CaseOutcome(case.name, DIFFERENT, case.kind, largest, *self._first(case, one, wrong[0]))
        if unlike:
            return CaseOutcome(case.name, WITHIN_TIES, case.kind, largest)
        both = bool(ours.errors.get(one.spec) and theirs.refused)
        return CaseOutcome(case.name, REFUSED_BY_BOTH if both else EQUAL, case.kind, largest)

    def _first(self, case: LibraryCase, one: LibraryCall, wrong: NumberPair) -> tuple[NumberPair, User | None]:
        """The user who differs; where only the mean is known, they are looked for in the halves of the case."""
        if wrong.user or len(case.users) == 1:
            return wrong, next(user for user in case.users if wrong.user in ("", user.name))
        middle = len(case.users) // 2
        for users in (case.users[:middle], case.users[middle:]):
            [outcome] = self.outcomes(LibraryCase(case.name, users, case.kind), [one])
            if outcome and outcome.pair and outcome.pair.refusals == wrong.refusals:
                return outcome.pair, outcome.user
        return wrong, None


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
