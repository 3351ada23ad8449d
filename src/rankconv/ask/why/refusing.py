"""One of the two definitions gives no number: why, and with which answer it would."""

from collections.abc import Iterator

import numpy as np

from rankconv.ask.why.measuring import measure_each
from rankconv.ask.why.sides import NamedDefinition
from rankconv.ask.why.turned_answers import Mixer, players_of
from rankconv.averaging import CAUSES
from rankconv.data.arrays import Mask
from rankconv.data.ids import quoted
from rankconv.data.joined import Joined
from rankconv.engine.measured import OUTSIDE, Measured
from rankconv.errors import MetricError
from rankconv.presets.definition import Definition
from rankconv.presets.reanswering import answered


def no_number(joined: Joined, chosen: Mask | None, one: Measured, other: NamedDefinition) -> MetricError:
    """The error that says why a definition gives no number, and which answer would let it go on.

    `chosen` restricts the population, shape (users,).
    """
    do = "No single answer gives it a number; see which presets have one: rc.compare(…, preset='all')."
    shell = "No single answer gives it a number; see which presets have one: rankconv compare LABELS RUN -p all."
    for told, definition in _other_answers(one, other):
        if dict(measure_each(joined, {0: definition}, chosen)):
            do = shell = f"With {told} there is a number: ask for '{definition.text}' in its place."
            break
    return MetricError(_why(joined, one), where=one.definition.text, do=do, shell=shell)


def _other_answers(one: Measured, other: NamedDefinition) -> Iterator[tuple[str, Definition]]:
    """One answer of the other side at a time; then, what the users concerned may count as instead."""
    players = players_of(one.definition, other.definition)
    mixer = Mixer(one.definition, other.definition, players)
    for player in players:
        definition = mixer.possible(frozenset(player.turned))
        if definition is not None:
            yield f"{player.text}, as {other.name} says,", definition
    skipped = {refusal.cause: "skip" for refusal in one.refusals if refusal.cause in CAUSES}
    definition = answered(one.definition, skipped)
    if skipped and definition is not None:
        yield ", ".join(f"{cause}=skip" for cause in skipped), definition


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
