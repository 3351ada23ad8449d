"""A metric of a printed table, and the presets as they are: what each of them gives of it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rankconv.analysis.identify.printed_table import TableCell
from rankconv.analysis.identify.slips import Slip
from rankconv.engine.metric_result import Measured
from rankconv.presets.definition import Definition

PROBES = 3
"""On so many runs definitions are tried first; on the others those that give a number of one of them."""
EQUAL_DECIMALS = 12
"""Values that are equal to so many decimals are one."""
Measurement = Callable[[str, Sequence[Definition]], list[Measured]]
"""Measures definitions on a run."""


class Candidate(NamedTuple):
    """A definition, and the ways that come to it."""

    definition: Definition
    slips: tuple[Slip, ...]
    presets: Sequence[str]
    """Those that have it so, or from which the slips make it."""


@dataclass(eq=False)
class PresetValues:
    """The presets as they are, those that are equal once, and what each of them gives by run."""

    candidates: Sequence[Candidate]
    _measure: Measurement
    given: list[dict[str, Measured]] = field(init=False)
    """Of each candidate, by run; without runs whose data it refuses, and those on which it was not measured."""

    def __post_init__(self) -> None:
        self.given = [{} for _ in self.candidates]
        self._done: set[tuple[str, int]] = set()

    def measure(self, run: str, places: Iterable[int]) -> list[int]:
        """Measure the candidates in these places on a run; return those that were not measured there before."""
        new = [place for place in places if (run, place) not in self._done]
        self._done.update((run, place) for place in new)
        measured = self._measure(run, [self.candidates[place].definition for place in new]) if new else []
        for place, one in zip(new, measured, strict=True):
            if not one.refusals:
                self.given[place][run] = one
        return new


@dataclass(eq=False)
class TableColumn:
    """A metric of the table, in one place if there are several, and what definitions of it give."""

    name: str
    cells: Mapping[str, TableCell]
    """By run."""
    of_presets: PresetValues
    chances: Mapping[str, float] = field(default_factory=dict)
    """By run, how likely one definition gives an invented number."""

    @property
    def metric(self) -> str:
        """As it was printed."""
        return next(iter(self.cells.values())).metric

    @property
    def candidates(self) -> Sequence[Candidate]:
        """The presets as they are, those that are equal once."""
        return self.of_presets.candidates

    @property
    def given(self) -> Iterator[tuple[Candidate, Mapping[str, Measured]]]:
        """The presets as they are, and what they give by run, as far as they were measured."""
        return zip(self.candidates, self.of_presets.given, strict=True)

    @cached_property
    def classes(self) -> list[list[Candidate]]:
        """Those that give every user of a few runs the same, together."""
        runs, found = probes(self.cells), dict[bytes, list[Candidate]]()
        for candidate, each in self.given:
            parts = (run.encode() + each[run].values.round(EQUAL_DECIMALS).tobytes() for run in runs if run in each)
            found.setdefault(b"".join(parts), []).append(candidate)
        return list(found.values())

    @property
    def different(self) -> list[Candidate]:
        """The first of each class."""
        return [first for first, *_ in self.classes]

    def left_runs(self, left: Collection[TableCell]) -> list[str]:
        """The runs with a number that is left."""
        return [run for run, cell in self.cells.items() if cell in left]

    def explain(self, run: str, mean: float) -> bool:
        """Whether this value is the printed number of a run."""
        return bool(np.isfinite(mean)) and self.cells[run].number.how(mean) is not None


def probes(runs: Iterable[str]) -> list[str]:
    """A few of the runs."""
    several = list(runs)
    return several[:: -(-len(several) // PROBES)] if several else []
