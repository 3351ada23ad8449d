"""One of the two definitions gives no number: why, and with which answer it would."""

from collections.abc import Iterator

import numpy as np

from rankconv.aggregation import POLICIES
from rankconv.analysis.why.measuring import measure_each
from rankconv.analysis.why.sides import NamedDefinition
from rankconv.analysis.why.turned_settings import Mixer, players_of
from rankconv.data.arrays import Mask
from rankconv.data.ids import quoted
from rankconv.data.joined import Joined
from rankconv.engine.measured import OUTSIDE, Measured
from rankconv.errors import MetricError
from rankconv.presets.definition import Definition
from rankconv.presets.reanswering import answered


def no_number(joined: Joined, chosen: Mask | None, one: Measured, other: NamedDefinition) -> MetricError:
    """The error that says why a definition gives no number, and which setting would let it go on.

    `chosen` restricts the population, shape (users,).
    """
    do = "No single setting gives it a number; see which presets have one: rc.compare(…, preset='all')."
    shell = "No single setting gives it a number; see which presets have one: rankconv compare LABELS RUN -p all."
    for told, definition in _other_settings(one, other):
        if dict(measure_each(joined, {0: definition}, chosen)):
            do = shell = f"With {told} there is a number: ask for '{definition.text}' in its place."
            break
    return MetricError(_why(joined, one), where=one.definition.text, do=do, shell=shell)


def _other_settings(one: Measured, other: NamedDefinition) -> Iterator[tuple[str, Definition]]:
    """One setting of the other side at a time; then, what the users concerned may count as instead."""
    players = players_of(one.definition, other.definition)
    mixer = Mixer(one.definition, other.definition, players)
    for player in players:
        definition = mixer.possible(frozenset(player.turned))
        if definition is not None:
            yield f"{player.text}, as {other.name} says,", definition
    skipped = {refusal.policy: "skip" for refusal in one.refusals if refusal.policy in POLICIES}
    definition = answered(one.definition, skipped)
    if skipped and definition is not None:
        yield ", ".join(f"{policy}=skip" for policy in skipped), definition


def _why(joined: Joined, one: Measured) -> str:
    if one.refusals:
        return one.refusals[0].why
    if one.of_all:
        return f"{one.of_all}, so the mean is {one.mean}"
    for place in np.flatnonzero((one.states != OUTSIDE) & ~np.isfinite(one.values)).tolist():
        state = one.state_names[one.states[place]]
        if not state.endswith(": skip"):
            return (
                f"the mean is {one.mean}: user {quoted(joined.users.id(place))} counts as {one.values[place]} ({state})"
            )
    return f"the mean is {one.mean}: no user counts"
