"""Blind: is the preset of a system found again from its numbers alone? `python -m tests.identifying.blind` asks for all.

Every number of every system in the project's copy, printed to six digits, is given to `identify` with the metric's
name; the system's own preset must be among the first three classes.
"""

import statistics
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

import rankconv as rc
from rankconv.evaluating import choose
from rankconv.identifying.search import Search
from rankconv.identifying.sought import sought
from tests.oracles.harness import evaluated, joined, results, users_of
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
        return definition.key if definition.asked_k is None else f"{definition.key}@{definition.asked_k}"

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
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        """Of all, those among the first rows."""
        return sum(0 < place <= FIRST for place in self.places) / max(1, len(self.places))


def asked(system: str) -> Iterator[Asked]:
    """The numbers of a system that its preset gives, each once."""
    done = set()
    for one in results(system):
        identity = IDENTITIES[system](one)
        if identity is None or not identity.offered or not identity.mean or one["mean"] is None:
            continue
        mean = number(one["mean"])
        key = (one["case"], identity.preset, identity.spec, identity.kept, identity.catalogue)
        if key in done or not np.isfinite(mean) or not _given(one["case"], identity, mean):
            continue
        done.add(key)
        yield Asked(system, one["case"], identity, mean)


def number(value: Any) -> float:
    """As JSON may spell it."""
    return float(value.replace("Infinity", "inf")) if isinstance(value, str) else float(value)


def _given(case: str, identity: Identity, mean: float) -> bool:
    ours = evaluated(case, identity.preset, identity.spec, identity.everyone, identity.kept, identity.catalogue)
    return not ours.errors and abs(ours[identity.spec] - mean) <= 1e-9 * max(1.0, abs(mean))


@cache
def search(case: str, kept: str, catalogue: str, everyone: bool, metric: str) -> Search:
    """The definitions of a metric on a case, swept once for all its numbers."""
    users = [user["user"] for user in users_of(case, kept)] if everyone else None
    data, mask = choose(joined(case, kept, catalogue), users)
    return Search(data, metric, mask)


def place_of(one: Asked) -> tuple[int, int]:
    """In which row the preset is, from 1, and how many rows there are."""
    identity = one.identity
    whole = search(one.case, identity.kept, identity.catalogue, identity.everyone, one.metric)
    found = whole.result(sought(f"{one.mean:.{DIGITS}f}"))
    places = [n for n, row in enumerate(found.rows, 1) if f"{identity.preset}:{one.metric}" in row.presets]
    return (places[0] if places else 0), len(found.rows)


def tally(numbers: Iterator[Asked]) -> Tally:
    """All of them."""
    done = Tally()
    for one in numbers:
        if one.changed:
            done.counts["asked with changed answers"] += 1
            continue
        place, rows = place_of(one)
        done.places.append(place)
        done.classes.append(rows)
        if not 0 < place <= FIRST:
            done.missed.append(f"{one.case}: {one.identity.preset}:{one.metric} = {one.mean} in row {place} of {rows}")
    return done


def main() -> None:
    """Print the share and the median number of rows, by system and for all."""
    whole = Tally()
    for system in sys.argv[1:] or IDENTITIES:
        done = tally(asked(system))
        print(f"{system:22} {len(done.places):5} numbers, {done.share:7.2%} found, ", end="")
        print(f"median rows {statistics.median(done.classes or [0]):.0f}; {dict(done.counts)}", flush=True)
        print(*(f"    {text}" for text in done.missed[:3]), sep="\n", flush=True)
        whole.places += done.places
        whole.classes += done.classes
    print(f"all: {len(whole.places)} numbers, {whole.share:.2%} found, median rows {statistics.median(whole.classes):.0f}")


if __name__ == "__main__":
    main()
