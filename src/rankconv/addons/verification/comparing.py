"""The comparison of a preset with the library that it describes, case by case."""

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

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
from rankconv.addons.verification.verification import (
    DIFFERENT,
    EQUAL,
    NOT_READ,
    REFUSED_BY_BOTH,
    WITHIN_TIES,
    CaseOutcome,
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
                raise _not_known(adapter, spec, form, definition.requested_k)
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


def _not_known(adapter: type[Adapter], spec: str | Spec, form: str, k: int | None) -> MetricError:
    return MetricError(
        f"'{spec}' is not available in {adapter.packages[0]}",
        where=f"verify {adapter.preset}",
        allowed=f"These can: {', '.join(adapter.calls)}",
        nearest=nearest(form, adapter.calls).replace("@k", f"@{k or CUTOFFS[-1]}"),
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
