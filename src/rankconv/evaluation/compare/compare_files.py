"""Many definitions of runs in files, within a budget of memory: all in one pass over each run."""

import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from rankconv.data.joined import Joined
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.differences import Differences
from rankconv.engine.digests import Digests
from rankconv.engine.measured import Measured
from rankconv.engine.summed import counting, spanning
from rankconv.engine.witnesses import Witnesses
from rankconv.evaluation.accumulate import of_nobody
from rankconv.evaluation.within import Paths, within_each
from rankconv.presets.definition import Definition

Place = tuple[str, str]
MeasuredCells = dict[tuple[str, str, str], Measured]


class OfAll(Differences):
    """What differs between definitions on all users, known from a few of them and from digests of all values."""

    def __init__(self, joined: Joined, digests: Digests) -> None:
        super().__init__(joined)
        self._digests = digests

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.joined, self._digests)

    def same(self, ours: Measured, other: Measured) -> bool:
        """Whether two definitions give every user and the mean the same number, and refuse none."""
        return self._digests.of(ours) == self._digests.of(other) and not (ours.refusals or other.refusals)


class Gathered:
    """Gathers what a comparison says of all users beside their numbers, while batches of them go by."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self._definitions = definitions
        self.begin()

    def begin(self) -> None:
        """Forget the users that there were."""
        self._witnesses, self._digests = Witnesses(self._definitions), Digests(self._definitions)

    @property
    def bytes(self) -> int:
        """Bytes of memory that grow with the users."""
        return self._witnesses.bytes

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        """Take the users of a batch, and what became of them under each definition."""
        self._witnesses.look(joined)
        self._digests.add(joined, found)

    @property
    def differences(self) -> OfAll:
        """What differs on all of them."""
        return OfAll(self._witnesses.joined, self._digests)


def measured_in_files(
    labels: Paths,
    runs: Mapping[str, Paths],
    table: Mapping[Place, Definition],
    memory: str | int,
    *,
    beside: Mapping[str, Any],
    temp_dir: str | os.PathLike[str] | None = None,
    columns: Mapping[str, Any] | None = None,
    progress: bool | None = None,
) -> tuple[MeasuredCells, dict[str, Differences]]:
    """What each definition gives for each run, and what parts the definitions there.

    `beside` is what is known of users and items, as `rc.Evaluator` takes it. Raises what `rc.evaluate` does with
    `memory=`.
    """
    definitions = list(table.values())
    make = partial(of_nobody, "", {f"{preset}:{name}": one for (name, preset), one in table.items()}, dict(beside))
    spans, counts = any(map(spanning, definitions)), any(map(counting, definitions))
    each = {name: Gathered(definitions) for name in runs}
    how: dict[str, Any] = {
        "temp_dir": temp_dir,
        "columns": columns,
        "progress": progress,
        "definitions": len(definitions),
    }
    found = within_each(labels, runs, make, memory, labelled=spans, counting=counts, each=each, **how)
    cells = {
        (run, *place): one
        for run, numbers in found.items()
        for place, one in zip(table, numbers.compute("collect").by_spec.values(), strict=True)
    }
    return cells, {run: one.differences for run, one in each.items()}
