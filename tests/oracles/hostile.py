"""Holds what libraries gave for the hostile cases against their presets, as `rc.verify` does with an installed one."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import rankconv as rc
from rankconv.addons.verification import Adapter, LibraryResult, NotGiven
from rankconv.addons.verification.adapter import LibraryCase, User
from rankconv.addons.verification.comparing import Comparing, LibraryCall, everything
from rankconv.addons.verification.hostile import SEEDS, hostile_cases
from rankconv.addons.verification.verification import CaseOutcome
from rankconv.addons.verification.verify import adapter_of
from rankconv.presets.folders import VERSION
from rankconv.presets.preset import Preset

DATA = Path(__file__).parent / "data"
HOSTILE = DATA / "hostile"
RECORDED = sorted(file.stem for file in HOSTILE.glob("*.json"))


SHARED = "a shared case"
"""The kind of the cases on which newer versions are compared in `data/oracles`."""


def cases_of(preset: Preset, *, whole: bool = True) -> Iterator[LibraryCase]:
    """What a library is given: the hostile cases, or the graded ones of a seed; of an era the shared ones too."""
    takes = adapter_of(preset).takes
    hostile = hostile_cases() if whole else (one for one in hostile_cases(SEEDS[:1]) if "graded" in one.name)
    yield from map(takes.fitted, hostile)
    if VERSION in preset.name:
        yield from (case for case in shared_cases() if takes.duplicates or case.name != "duplicates")


@cache
def shared_cases() -> Sequence[LibraryCase]:
    """The shared cases as libraries are handed them: a side names a user if it has a row of them."""
    made = json.loads((DATA / "cases" / "cases.json").read_text("utf-8"))
    alone = [one for one in made if not {"train", "shown"} & one.keys()]  # others need side data
    return [LibraryCase(one["name"], tuple(map(_user, one["users"])), SHARED) for one in alone]


def _user(told: dict[str, Any]) -> User:
    labels, ranking = told["labels"], tuple(told["ranking"])
    scores = tuple(map(float, told["scores"]))
    grades = {item: float(grade) for item, grade in labels.items()}
    return User(told["user"], ranking, scores, grades, in_labels=bool(labels), in_run=bool(ranking))


@cache
def recorded(preset: str) -> dict[str, Any]:
    """What the library of a preset gave."""
    found: dict[str, Any] = json.loads((HOSTILE / f"{preset}.json").read_text("utf-8"))
    return found


def replayed(preset: str, case: LibraryCase, calls: Sequence[LibraryCall]) -> Adapter:
    """An adapter that gives what was recorded for a case; of a part of its users it knows nothing."""
    known = {(call.call, call.k): recorded(preset)["results"][case.name].get(call.spec) for call in calls}

    class Replayed(Adapter):
        tolerance = adapter_of(rc.preset(preset)).tolerance
        tolerance_before = adapter_of(rc.preset(preset)).tolerance_before

        def given(self, users: Sequence[User]) -> Sequence[User]:
            if len(users) < len(case.users):
                raise NotGiven("only the whole case was recorded")
            return users

        def ask(self, given: Sequence[User], call: str, k: int | None) -> LibraryResult:
            one = known[call, k]
            if one is None or "not given" in one:
                raise NotGiven("it was not recorded")
            values = {user: float(value) for user, value in one.get("per_user", {}).items()}
            mean = None if one.get("mean") is None else float(one["mean"])
            return LibraryResult(mean, values, one.get("refused", {}))

    return Replayed()


def outcomes(preset: str, kinds: Sequence[str], *, whole: bool) -> Iterator[tuple[LibraryCall, CaseOutcome]]:
    """What became of each metric on the cases of these kinds: the whole, or the graded ones of a seed."""
    chosen = rc.preset(preset)
    calls = everything(adapter_of(chosen), chosen)
    for place, case in enumerate(cases_of(chosen, whole=whole)):
        if not whole and place % 2 != len(preset) % 2:  # of the graded ones of a seed every other one
            continue
        if case.kind in kinds and case.name in recorded(preset)["results"]:
            found = Comparing(chosen, replayed(preset, case, calls)).outcomes(case, calls)
            yield from ((call, one) for call, one in zip(calls, found, strict=True) if one)
