"""What became of the user: which cause decided, and what they add to the mean."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankconv.aggregation import DATA_POLICIES, JUDGED_POLICIES, POLICIES
from rankconv.analysis.explain.rows import JudgedList
from rankconv.analysis.explain.working import Derivation
from rankconv.engine.measured import OUTSIDE, SCORED, Measured, states_of
from rankconv.presets.definition import Definition


@dataclass(frozen=True)
class Outcome:
    """What the user counts as, and why."""

    value: float
    """The number that `rc.evaluate` gives this user."""
    state: str
    """As in `rc.Result.state`: `scored`, `outside`, or the policy and its setting."""
    decided: str
    """What decided, in a sentence."""


def outcome(definition: Definition, judged: JudgedList, working: Derivation, measured: Measured, code: int) -> Outcome:
    """What the user counts as: the value is worked out, and which special case decided is what the engine found."""
    if measured.states[code] == OUTSIDE:
        users = definition.aggregation.settings["users"]
        return Outcome(
            math.nan, "outside", f"users={users.text}: {users.setting_type.rule}; this user is none of them."
        )
    if measured.of_all:
        return _of_all(definition, measured)
    policy = {state: name for name, state in states_of(definition).items()}.get(int(measured.states[code]))
    value = _rounded(definition, _reported(definition, _answered(policy, working, definition)))
    settings = definition.aggregation.settings
    refusal = next((one for one in measured.refusals if settings[one.policy].trait("refuses") == "everybody"), None)
    if policy is None:
        state = measured.state_names[SCORED]
        decided = "The formula: no policy that the preset answers applies."
    else:
        setting = definition.aggregation.settings[policy]
        state, decided = f"{policy}: {setting.text}", _said(policy, judged, setting.text, setting.setting_type.rule)
    if refusal is not None and policy == refusal.policy:
        return Outcome(math.nan, state, decided)
    if refusal is not None:
        return Outcome(math.nan, state, f"{decided} The whole input is refused: {refusal.why}.")
    return Outcome(value, state, decided + ("" if math.isnan(value) else _told_of_report(definition)))


def _answered(policy: str | None, working: Derivation, definition: Definition) -> float:
    """What the user counts as, before any rounding."""
    if policy is None:
        return working.ratio.value
    setting = definition.aggregation.settings[policy]
    if setting.trait("undivided"):
        return working.numerator.value / float(setting.keywords.get("by", 1.0))
    return float(setting.keywords.get("value", math.nan))


def _said(policy: str, judged: JudgedList, setting: str, rule: str) -> str:
    asked = POLICIES[policy]
    refused = judged.refusals
    who = refused[0] if asked.of_preparation and refused else asked.who
    counts = f"counts as {setting}" if rule == "counts as this number" else rule
    return f"{policy}={setting}: the user {who}: {counts}."


def _of_all(definition: Definition, measured: Measured) -> Outcome:
    name = measured.of_all
    what = (DATA_POLICIES.get(name) or JUDGED_POLICIES[name]).what
    given = definition.aggregation.given(name)
    number: Any = definition.aggregation.settings[name].keywords.get("value", math.nan)
    return Outcome(
        _reported(definition, float(number)), "scored", f"{name}={given}: {what}, and that answers for every user."
    )


def _rounded(definition: Definition, value: float) -> float:
    return float(definition.aggregation.settings["round-user"](values=np.array([value]))[0])


def _reported(definition: Definition, value: float) -> float:
    return float(definition.aggregation.settings["report"](values=np.array([value]))[0])


def _told_of_report(definition: Definition) -> str:
    reported, rounding = (definition.aggregation.settings[name] for name in ("report", "round-user"))
    turned = "" if reported.changes_nothing else f" Then report={reported.text}: {reported.setting_type.rule}."
    return turned + ("" if rounding.changes_nothing else f" Then rounded: round-user={rounding.text}.")
