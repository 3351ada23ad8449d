"""Which users are behind a number, in a sentence."""

import math

from rankconv.citing.filling import listed
from rankconv.citing.statements import Statements
from rankconv.definition import Definition
from rankconv.measured import Measured
from rankconv.saved import SavedNumber

SCORED, OUTSIDE = "scored", "outside"


def counted(definition: Definition, number: Measured | SavedNumber) -> str:
    """The number, over how many users it is, and what became of the others."""
    if number.refusals:
        return f"There is no number for these data: {number.refusals[0].why}."
    mean = "NaN" if math.isnan(number.mean) else f"{number.mean:.6g}"
    states = sorted(number.counts, key=lambda state: (state == OUTSIDE, state != SCORED))
    became = [_became(Statements(definition), state, number.counts[state]) for state in states]
    users = sum(number.counts.values())
    return f"The number is {mean}; of {users} {'user' if users == 1 else 'users'}, {listed(became, 'and')}."


def _became(told: Statements, state: str, count: int) -> str:
    many = f"{count} {'was' if count == 1 else 'were'}"
    if state == SCORED:
        return f"{many} scored"
    if state == OUTSIDE:
        return f"{many} not evaluated"
    cause, _, answer = state.partition(": ")
    traits = told.definition.averaging.answers[cause].option.traits
    became = str(traits.get("became", "counted as {value}")).format(value=answer)
    why = told.special_users[cause][0].removeprefix("has ")
    return f"{many} {became} ({why})"
