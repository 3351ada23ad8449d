"""Which numbers does a finding move, and by how much? Measured anew under every other way to take it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rankconv.analysis.findings.data import Data, Place, Turn
from rankconv.analysis.findings.found import Move
from rankconv.analysis.findings.known import Known
from rankconv.analysis.findings.lint import Lint
from rankconv.engine import measure
from rankconv.engine.measured import Measured
from rankconv.presets.definition import Definition
from rankconv.presets.reanswering import answered


class Way(NamedTuple):
    """A number that takes a finding in another way."""

    lint: str
    place: Place
    """The number that it stands beside."""
    definition: Definition


Ways = Mapping[Turn | None, Sequence[Way]]
"""By the data that they are asked of, None for the data as they are."""


def ways(lints: Iterable[Lint[Any]], known: Known) -> Ways:
    """All other ways to take what these lints found, together where they are asked of the same data."""
    found: dict[Turn | None, list[Way]] = {}
    for lint in lints:
        for place, base in known.asked.definitions.items():
            for other in lint.others(known.seen[lint.name], known, base):
                changed = asks(base, other.settings) and answered(base, other.settings)
                if changed and (changed.parts != base.parts or other.turn):
                    found.setdefault(other.turn, []).append(Way(lint.name, place, changed))
    return found


def asks(definition: Definition, settings: Mapping[str, str]) -> bool:
    """Whether it asks all the conventions that these settings are given to."""
    return settings.keys() <= definition.settings.keys()


def measured_anew(data: Data, asked: Ways) -> dict[Turn | None, list[Measured]]:
    """What comes out of each way, in the order in which they are given."""
    return {
        turn: measure(turn(data) if turn else data.joined, [way.definition for way in some], None, per_user=False)
        for turn, some in asked.items()
    }


def moves(known: Known, asked: Ways, measured: Mapping[Turn | None, Sequence[Measured]]) -> dict[str, list[Move]]:
    """The numbers that each finding moves, by the name of its lint, among those that were measured."""
    means: dict[tuple[str, Place], list[float]] = {}
    for turn, some in asked.items():
        for way, one in zip(some, measured[turn], strict=True):
            means.setdefault((way.lint, way.place), []).extend([] if np.isnan(one.mean) else [one.mean])
    found: dict[str, list[Move]] = {}
    for name in dict.fromkeys(lint for lint, _ in means):
        each = [_move(place, one, means.get((name, place), [])) for place, one in known.measured.items()]
        found[name] = [move for move in each if move.moved]
    return found


def _move(place: Place, base: Measured, others: Sequence[float]) -> Move:
    means = [*others, *([] if np.isnan(base.mean) else [base.mean])]
    low, high = (min(means), max(means)) if others else (float("nan"),) * 2
    return Move(*place, base.mean, low, high, base.refusals[0].why if base.refusals else "")
