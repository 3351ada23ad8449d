"""Which numbers does a finding move, and by how much? Measured anew under every other way to take it."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from rankconv.ask.check.data import Data
from rankconv.ask.check.finding import Move
from rankconv.ask.check.lint import Lint
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.measured import Measured
from rankconv.presets.definition import Definition
from rankconv.presets.reanswering import answered

Place = tuple[str, str]
Asked = list[tuple[Place, Definition]]


def moves(lint: Lint, data: Data) -> list[Move]:
    """The numbers that are moved, among those that were measured."""
    means: dict[Place, list[float]] = {place: [] for place in data.measured}
    for joined, asked in ways(lint, data):
        for (place, _), one in zip(asked, measure(joined, [one for _, one in asked], None), strict=True):
            means[place] += [] if np.isnan(one.mean) else [one.mean]
    found = [_move(place, base, means[place]) for place, base in data.measured.items()]
    return [move for move in found if move.moved]


def ways(lint: Lint, data: Data) -> Iterable[tuple[Joined, Asked]]:
    """The definitions that take the finding in another way, together where they are asked of the same data."""
    groups: dict[int, tuple[Joined, Asked]] = {}
    for place, base in data.measured.items():
        for other in lint.others(data, base.definition):
            joined = other.joined or data.joined
            changed = asks(base.definition, other.answers) and answered(base.definition, other.answers)
            if changed and (changed.parts != base.definition.parts or joined is not data.joined):
                groups.setdefault(id(joined), (joined, []))[1].append((place, changed))
    return groups.values()


def asks(definition: Definition, answers: Mapping[str, str]) -> bool:
    """Whether it asks all the questions that these answers are given to."""
    return answers.keys() <= definition.answers.keys()


def _move(place: Place, base: Measured, others: Sequence[float]) -> Move:
    means = [*others, *([] if np.isnan(base.mean) else [base.mean])]
    low, high = (min(means), max(means)) if others else (float("nan"),) * 2
    return Move(*place, base.mean, low, high, base.refusals[0].why if base.refusals else "")
