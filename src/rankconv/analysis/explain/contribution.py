"""What one user adds to the mean over users."""

import math

from rankconv.analysis.explain.outcome import Outcome
from rankconv.analysis.explain.working import Derivation
from rankconv.engine.measured import Measured
from rankconv.pages.cells import plural
from rankconv.presets.definition import Definition


def users_counted(definition: Definition, measured: Measured) -> int:
    """How many users the mean is over: those who are neither outside nor skipped."""
    skipped = {name for name in measured.counts if name == "outside" or name.endswith(": skip")}
    return sum(count for name, count in measured.counts.items() if name not in skipped)


def contribution(definition: Definition, measured: Measured, found: Outcome, working: Derivation) -> str:
    """What the user adds to the mean, in a sentence."""
    if measured.refusals:
        return f"There is no mean: {measured.refusals[0].why}."
    mean = f"the mean is {_shown(measured.mean)}"
    if measured.of_all:
        return f"Nothing of their own: {mean} for the data as a whole."
    if definition.metric.of_all_lists:
        number = _shown(measured.mean)
        return f"Only their rows: this is of their list alone, and of the lists of all users it is {number}."
    if definition.preparation.pools:
        return f"Only their rows: the lists of all users are put together into one, and {mean} of that one list."
    users = users_counted(definition, measured)
    if found.state == "outside" or found.state.endswith(": skip"):
        return f"Nothing: they are not among the {plural(users, 'user')} of the mean; {mean}."
    many = "1 user is counted" if users == 1 else f"{users} users are counted"
    if definition.aggregation.settings["aggregate"].trait("share") == "of sums":
        turned = definition.aggregation.settings["report"].trait("turns")
        return _in_sums(working, found.state, many, measured.mean, "1 less their ratio" if turned else "their ratio")
    return _share(definition, found.value, users, many, measured.mean)


def _in_sums(working: Derivation, state: str, many: str, mean: float, what: str) -> str:
    """What they add where numerators and denominators are summed."""
    above, below = (_shown(one.value) if state == "scored" else "0" for one in (working.numerator, working.denominator))
    sums = f"{above} to the sum of numerators, {below} to that of denominators"
    return f"{sums}; the mean is {what}, {_shown(mean)}; {many}."


def _share(definition: Definition, value: float, users: int, many: str, mean: float) -> str:
    """What they add under each kind of mean."""
    how = definition.aggregation.settings["aggregate"]
    if how.trait("share") == "of the number":
        rounded = "" if definition.aggregation.settings["round-mean"].changes_nothing else ", rounded"
        return f"{_shown(value)}/{users} = {_shown(value / users)} of the mean {_shown(mean)}{rounded}; {many}."
    if how.trait("share") == "whole":
        return f"{_shown(value)} of the sum {_shown(mean)}; {many}."
    return f"No share of its own under aggregate={how.text}, which is {how.setting_type.rule}: {_shown(mean)}; {many}."


def _shown(value: float) -> str:
    return "NaN" if math.isnan(value) else f"{value:.6g}"
