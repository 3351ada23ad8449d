"""What became of the user: which cause decided, and what they add to the mean."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankconv.ask.explain.rows import JudgedList
from rankconv.ask.explain.working import Derivation
from rankconv.averaging import CAUSES, DATA_CAUSES, JUDGED_CAUSES
from rankconv.engine.measured import OUTSIDE, SCORED, Measured, states_of
from rankconv.presets.definition import Definition


@dataclass(frozen=True)
class Outcome:
    """What the user counts as, and why."""

    value: float
    """The number that `rc.evaluate` gives this user."""
    state: str
    """As in `rc.Result.state`: `scored`, `outside`, or the cause and its answer."""
    decided: str
    """What decided, in a sentence."""


def outcome(definition: Definition, judged: JudgedList, working: Derivation, measured: Measured, code: int) -> Outcome:
    """What the user counts as: the value is worked out, and which special case decided is what the engine found."""
    if measured.states[code] == OUTSIDE:
        users = definition.averaging.answers["users"]
        return Outcome(math.nan, "outside", f"users={users.text}: {users.option.rule}; this user is none of them.")
    if measured.of_all:
        return _of_all(definition, measured)
    cause = {state: name for name, state in states_of(definition).items()}.get(int(measured.states[code]))
    value = _rounded(definition, _reported(definition, _answered(cause, working, definition)))
    answers = definition.averaging.answers
    refusal = next((one for one in measured.refusals if answers[one.cause].trait("refuses") == "everybody"), None)
    if cause is None:
        state = measured.state_names[SCORED]
        decided = "The formula: no cause that the preset answers applies."
    else:
        answer = definition.averaging.answers[cause]
        state, decided = f"{cause}: {answer.text}", _said(cause, judged, answer.text, answer.option.rule)
    if refusal is not None and cause == refusal.cause:
        return Outcome(math.nan, state, decided)
    if refusal is not None:
        return Outcome(math.nan, state, f"{decided} The whole input is refused: {refusal.why}.")
    return Outcome(value, state, decided + ("" if math.isnan(value) else _told_of_report(definition)))


def _answered(cause: str | None, working: Derivation, definition: Definition) -> float:
    """What the user counts as, before any rounding."""
    if cause is None:
        return working.ratio.value
    answer = definition.averaging.answers[cause]
    if answer.trait("undivided"):
        return working.numerator.value / float(answer.keywords.get("by", 1.0))
    return float(answer.keywords.get("value", math.nan))


def _said(cause: str, judged: JudgedList, answer: str, rule: str) -> str:
    asked = CAUSES[cause]
    refused = judged.refusals
    who = refused[0] if asked.of_judging and refused else asked.who
    counts = f"counts as {answer}" if rule == "counts as this number" else rule
    return f"{cause}={answer}: the user {who}: {counts}."


def _of_all(definition: Definition, measured: Measured) -> Outcome:
    name = measured.of_all
    what = (DATA_CAUSES.get(name) or JUDGED_CAUSES[name]).what
    given = definition.averaging.given(name)
    number: Any = definition.averaging.answers[name].keywords.get("value", math.nan)
    return Outcome(
        _reported(definition, float(number)), "scored", f"{name}={given}: {what}, and that answers for every user."
    )


def _rounded(definition: Definition, value: float) -> float:
    return float(definition.averaging.answers["round-user"](values=np.array([value]))[0])


def _reported(definition: Definition, value: float) -> float:
    return float(definition.averaging.answers["report"](values=np.array([value]))[0])


def _told_of_report(definition: Definition) -> str:
    reported, rounding = (definition.averaging.answers[name] for name in ("report", "round-user"))
    turned = "" if reported.changes_nothing else f" Then report={reported.text}: {reported.option.rule}."
    return turned + ("" if rounding.changes_nothing else f" Then rounded: round-user={rounding.text}.")
