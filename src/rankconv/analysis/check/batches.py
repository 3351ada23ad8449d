"""Batches of users on their way: what lints see of them, and what other ways to take it give, is added up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rankconv.analysis.findings.data import Asked, Data, Place, Turn
from rankconv.analysis.findings.known import LookedAt
from rankconv.analysis.findings.lints import LINTS
from rankconv.analysis.findings.seen import Seen
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.measured import Measured
from rankconv.engine.summed import spanning
from rankconv.evaluation.accumulate import Unchecked, of_nobody
from rankconv.evaluation.budget import Budget
from rankconv.evaluation.joining import beside as read_beside
from rankconv.evaluation.within import Listener, within
from rankconv.inputs.sides import Side
from rankconv.presets.definition import Definition

A_COUNT = 4
"""Times as much memory as counts of items take is needed while others are added to them."""


@dataclass(frozen=True, eq=False)
class Files:
    """Both sides, and how they are gone through."""

    labels: Side
    run: Side
    memory: Budget
    beside: Mapping[str, Any]
    """What is known of users and items, as `rc.Evaluator` takes it."""
    train: Labels | None
    how: Mapping[str, Any] = field(default_factory=dict)
    """The folder for temporary files, and whether a bar is shown."""

    def go_through(self, asked: Asked, definitions: Mapping[str, Definition], listener: "Hearing") -> list[Measured]:
        """What comes out of each definition; the listener is told of all users."""

        def made(labelled: Any = None) -> Unchecked:
            listener.labelled = labelled
            return of_nobody("", dict(definitions), dict(self.beside), labelled)

        spans = any(map(spanning, asked.definitions.values()))
        counts = {"labelled": spans, "counting": True, "definitions": len(definitions), "each": {"": listener}}
        found = within(self.labels, self.run, made, self.memory, **counts, **self.how)
        return list(found.compute("collect").by_spec.values())

    def part(self, joined: Joined, asked: Asked, values: Mapping[Place, Any]) -> Data:
        """The data of some users."""
        trained = None if self.train is None else read_beside(self.train, joined, "the training data")
        return Data(joined, asked, values, train=trained)


class Hearing(Listener, Protocol):
    """One who is told of each user, and which items have labels."""

    labelled: Any


class Looking:
    """Adds up what lints see, while batches of users go by."""

    def __init__(self, files: Files, asked: Asked, lints: Sequence[str], places: Sequence[Place]) -> None:
        """Values are looked at of the numbers at these `places`."""
        self._files, self._asked, self._lints, self._places = files, asked, lints, places
        self.labelled: Any = None
        self.begin()

    def begin(self) -> None:
        """Forget the users that there were."""
        self.at, self.seen = LookedAt(), dict[str, Seen]()

    @property
    def bytes(self) -> int:
        """Bytes of memory that grow with the items."""
        popular = getattr(self.seen.get("too-good"), "items", self.at.items)
        return A_COUNT * (self.at.items.bytes + popular.bytes)

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        """Look at these users, and at the values that they have under each definition."""
        each = dict(zip(self._asked.definitions, found, strict=True))
        data = self._files.part(joined, self._asked, {place: each[place].of_each[0] for place in self._places})
        self.at += LookedAt.of(joined)
        for name in self._lints:
            seen = LINTS[name].look(data)
            self.seen[name] = self.seen[name] + seen if name in self.seen else seen


class Turning:
    """Adds up what comes out of other data in the place of these, while batches of users go by."""

    def __init__(self, files: Files, asked: Asked, others: Mapping[Turn, Mapping[str, Definition]]) -> None:
        self._files, self._asked, self._others = files, asked, others
        self.labelled: Any = None
        """The items that any user has a label for, where some number asks for them."""
        self._numbers: dict[Turn, Unchecked] = {}

    def begin(self) -> None:
        """Forget the users that there were."""
        beside = dict(self._files.beside)
        others = self._others.items()
        self._numbers = {turn: of_nobody("", dict(each), beside, self.labelled) for turn, each in others}

    @property
    def bytes(self) -> int:
        """Bytes of memory that grow with the data."""
        return sum(one.held for numbers in self._numbers.values() for one in numbers.partial().part.summed)

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        """Take the other data of these users."""
        data = self._files.part(joined, self._asked, {})
        for turn, numbers in self._numbers.items():
            numbers.update(turn(data))

    @property
    def measured(self) -> dict[Turn | None, list[Measured]]:
        """What came out, by the data."""
        return {turn: list(one.compute("collect").by_spec.values()) for turn, one in self._numbers.items()}
