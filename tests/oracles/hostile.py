"""Holds what libraries gave for the hostile cases against their presets, as `rc.verify` does with an installed one."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import rankconv as rc
from rankconv.addons.verification import Adapter, LibraryResult, NotGiven
from rankconv.addons.verification.adapter import LibraryCase, User
from rankconv.addons.verification.hostile import SEEDS, hostile_cases
from rankconv.addons.verification.verification import CaseOutcome, Comparing, LibraryCall, everything
from rankconv.addons.verification.verify import adapter_of

HOSTILE = Path(__file__).parent / "data" / "hostile"
RECORDED = sorted(file.stem for file in HOSTILE.glob("*.json"))


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
    for case in hostile_cases() if whole else (case for case in hostile_cases(SEEDS[:1]) if "graded" in case.name):
        if case.kind in kinds and case.name in recorded(preset)["results"]:
            found = Comparing(chosen, replayed(preset, case, calls)).outcomes(case, calls)
            yield from ((call, one) for call, one in zip(calls, found, strict=True) if one)
