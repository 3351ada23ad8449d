"""Blind: is the preset of a system found again from its numbers alone?

Every number of every system in the project's copy, printed to six digits, is given to `identify` with the metric's
name; the system's own preset must be among the first three classes. `python -m tests.analysis.identify.blind` asks for
all of them, which takes most of an hour; `python -m tests.analysis.identify.blind 20` for one in twenty.
"""

import statistics
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np

import rankconv as rc
from rankconv.analysis.identify.candidate_search import Search
from rankconv.analysis.identify.printed_value import sought
from rankconv.evaluation.joining import choose
from tests.oracles.exceptions import FLOAT32
from tests.oracles.harness import call_of, evaluated, joined, plan, results, users_of
from tests.oracles.identities import IDENTITIES, Identity

DIGITS = 6
FIRST = 3


@dataclass(frozen=True)
class Asked:
    """One number of a system, and the preset that gives it."""

    system: str
    case: str
    identity: Identity
    mean: float

    @property
    def metric(self) -> str:
        """The common name that `identify` is given."""
        definition = rc.preset(self.identity.preset).define(self.identity.spec)[0]
        return definition.key if definition.requested_k is None else f"{definition.key}@{definition.requested_k}"

    @property
    def searched(self) -> tuple[str, str, str, bool, str]:
        """What is searched, the same for many numbers."""
        identity = self.identity
        return self.case, identity.kept, identity.catalogue, identity.everyone, self.metric

    @property
    def changed(self) -> bool:
        """Whether the caller of the system changed answers of the preset."""
        return bool(rc.preset(self.identity.preset).define(self.identity.spec)[0].changed)


@dataclass
class Tally:
    """What became of them."""

    places: list[int] = field(default_factory=list)
    """In which row each was found, from 1; 0 where it was not."""
    classes: list[int] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Of all, those among the first rows."""
        return sum(0 < place <= FIRST for place in self.places) / max(1, len(self.places))


def asked(system: str) -> Iterator[Asked]:
    """The numbers of a system that its preset gives as it stands, each once."""
    done = set()
    plan(system)
    for one in results(system):
        identity = IDENTITIES[system](one)
        if identity is None or not identity.offered or not identity.mean or one["mean"] is None:
            continue
        mean = number(one["mean"])
        key = (one["case"], identity.preset, identity.spec, identity.kept, identity.catalogue)
        if key in done or not np.isfinite(mean) or not _given(system, one["case"], identity, mean):
            continue
        done.add(key)
        number_asked = Asked(system, one["case"], identity, mean)
        if not number_asked.changed:
            yield number_asked


def number(value: Any) -> float:
    """As JSON may spell it."""
    return float(value.replace("Infinity", "inf")) if isinstance(value, str) else float(value)


def _given(system: str, case: str, identity: Identity, mean: float) -> bool:
    """Whether the preset gives the system's number, also as it is printed."""
    ours = evaluated(call_of(case, identity, identity.spec))
    if identity.spec in ours.errors or printed(ours[identity.spec]) != printed(mean):
        return False
    return abs(ours[identity.spec] - mean) <= (2e-6 if system in FLOAT32 else 1e-9) * max(1.0, abs(mean))


def printed(mean: float) -> str:
    """To the digits that `identify` is given."""
    return f"{mean:.{DIGITS}f}"


@lru_cache(maxsize=8)
def search(case: str, kept: str, catalogue: str, everyone: bool, metric: str) -> Search:
    """The definitions of a metric on a case, measured once for all its numbers."""
    users = [user["user"] for user in users_of(case, kept)] if everyone else None
    data, mask = choose(joined(case, kept, catalogue), users)
    return Search(data, metric, mask)


def place_of(one: Asked) -> tuple[int, int]:
    """In which row the preset is, from 1, and how many rows there are."""
    found = search(*one.searched).result(sought(printed(one.mean)))
    own = f"{one.identity.preset}:{one.metric}"
    places = [n for n, row in enumerate(found.rows, 1) if own in row.presets and not row.exchanged]
    return (places[0] if places else 0), len(found.rows)


def tallies(numbers: Iterable[Asked]) -> dict[str, Tally]:
    """What became of them, by system; those of one search together."""
    done: dict[str, Tally] = {}
    for one in sorted(numbers, key=lambda one: one.searched):
        own = done.setdefault(one.system, Tally())
        place, rows = place_of(one)
        own.places.append(place)
        own.classes.append(rows)
        if not 0 < place <= FIRST:
            own.missed.append(f"{one.case}: {one.identity.preset}:{one.metric} = {one.mean} in row {place} of {rows}")
    return done


def all_numbers() -> Iterator[Asked]:
    """Of every system."""
    for system in IDENTITIES:
        yield from asked(system)


def main(every: int = 1) -> None:
    """Print the share and the median number of rows, by system and for all."""
    done = tallies(islice(all_numbers(), 0, None, every))
    whole = Tally([p for one in done.values() for p in one.places], [c for one in done.values() for c in one.classes])
    for system, one in [*sorted(done.items()), ("all", whole)]:
        median = statistics.median(one.classes)
        print(f"{system:22} {len(one.places):5} numbers {one.share:8.2%}   median rows {median:.0f}")
        print(*(f"    {text}" for text in one.missed), sep="\n", end="\n" if one.missed else "")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
