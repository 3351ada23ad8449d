"""Files checked within a budget of memory: what is seen of each batch of users adds up."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from rankconv.ask.check.data import Asked, Data, Place, Turn, respelled
from rankconv.ask.check.ids_of_files import IdsOfFiles, ids_of_files
from rankconv.ask.check.impact import Ways
from rankconv.ask.check.known import Known, LookedAt, undecided
from rankconv.ask.check.lints import LINTS
from rankconv.ask.check.seen import Seen
from rankconv.ask.evaluate.accumulate import Unchecked, of_nobody
from rankconv.ask.evaluate.budget import Budget
from rankconv.ask.evaluate.joining import beside as read_beside
from rankconv.ask.evaluate.within import Listener, Paths, sides_of, within
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.measured import Measured
from rankconv.engine.summed import spanning
from rankconv.errors import MetricError
from rankconv.inputs.streams.hashed import folder_of_parts
from rankconv.inputs.streams.tables import Side
from rankconv.presets.definition import Definition

A_COUNT = 4
"""Times as much memory as counts of items take is needed while others are added to them."""


@dataclass(frozen=True, eq=False)
class Files:
    """Both sides, and how they are gone through."""

    labels: Side
    run: Side
    memory: str | int
    beside: Mapping[str, Any]
    """What is known of users and items, as `rc.accumulate` takes it."""
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
        return list(found.result("collect").by_spec.values())

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
        return {turn: list(one.result("collect").by_spec.values()) for turn, one in self._numbers.items()}


Anew = Callable[[Ways], dict[Turn | None, list[Measured]]]
"""What comes out of other ways to take what was found."""


def known_of_files(
    labels: Paths,
    run: Paths,
    asked: Asked,
    memory: str | int,
    stack: ExitStack,
    *,
    beside: Mapping[str, Any],
    train: Labels | None = None,
    temp: str | os.PathLike[str] | None = None,
    columns: Mapping[str, str] | None = None,
    progress: bool | None = None,
) -> tuple[Known, Anew, IdsOfFiles]:
    """What is known of all users in these files and folders of parts, what measures anew, and how ids are spelled.

    Temporary files are there as long as the `stack` is open. Raises what `rc.evaluate` does with `memory=`, and
    MetricError for a number that looks at the labels of all users beside training data.
    """
    folder = partial(_entered, stack, None if temp is None else Path(temp))
    known, runs = sides_of(labels, {"": run}, columns, folder)
    ids = ids_of_files(known, runs[""], Budget.of(memory, text=True).sharing().for_counts)
    files = Files(known, runs[""], memory, beside, train, {"temp": temp, "progress": progress})
    _refuse_spanning(asked, files)
    mended = _mended(files, ids)
    read = files if ids.matching else mended
    measured, at, seen = _looked_at(read, asked)
    spelled = bool(ids.matching and ids.spelling.found)
    return Known(asked, measured, at, seen, ids.spelling, spelled), partial(_anew, read, mended, asked), ids


def _entered(stack: ExitStack, temp: Path | None) -> Path:
    return stack.enter_context(folder_of_parts(temp))


def _refuse_spanning(asked: Asked, files: Files) -> None:
    """Which items have a label that was not learned from is known of all users alone."""
    for (preset, metric), one in asked.definitions.items():
        if spanning(one) and files.train is not None:
            wrong = f"{spanning(one)} looks at the labels of all users, and with train= some are taken out"
            do, shell = (f"Leave the number out, or {name}." for name in ("memory=", "--memory"))
            raise MetricError(wrong, where=f"{preset}:{metric}", do=do, shell=shell)


def _mended(files: Files, ids: IdsOfFiles) -> Files:
    """The same with one spelling for each id."""
    users, items = ids.spelling.users, ids.spelling.items
    known = replace(files.labels, respelled={"user": users.in_labels, "item": items.in_labels})
    return replace(files, labels=known, run=replace(files.run, respelled={"user": users.in_run, "item": items.in_run}))


def _looked_at(files: Files, asked: Asked) -> tuple[dict[Place, Measured], LookedAt, dict[str, Seen]]:
    """What was measured and seen; values are looked at anew where all data decide some of the numbers."""
    named = {f"{preset}:{metric}": one for (preset, metric), one in asked.definitions.items()}
    looking = Looking(files, asked, list(LINTS), list(asked.definitions))
    measured = dict(zip(asked.definitions, files.go_through(asked, named, looking), strict=True))
    seen, own = dict(looking.seen), undecided(measured)
    again = [name for name, one in seen.items() if LINTS[name].reads_values and one.count and len(own) < len(measured)]
    if again:
        looking_again = Looking(files, asked, again, own)
        files.go_through(asked, named, looking_again)
        seen |= looking_again.seen
    return measured, looking.at, seen


def _anew(files: Files, mended: Files, asked: Asked, others: Ways) -> dict[Turn | None, list[Measured]]:
    """What comes out of each way, all in one pass but for those of mended ids."""
    each = {turn: {str(place): way.definition for place, way in enumerate(some)} for turn, some in others.items()}
    turned = {turn: some for turn, some in each.items() if turn not in (None, respelled)}
    found: dict[Turn | None, list[Measured]] = {}
    if None in each or turned:
        turning = Turning(files, asked, turned)
        found[None] = files.go_through(asked, each.get(None, {}), turning)
        found |= turning.measured
    if respelled in each:
        found[respelled] = mended.go_through(asked, each[respelled], Turning(mended, asked, {}))
    return found
