"""A digest of every number of every preset, so that a change of names or of files changes no bit of any.

Values, and who was counted, are watched; not words, which may change. `python -m tests.laws.watched --write` renews the
record, where numbers are meant to change; CHANGELOG then says which and why.
"""

import gzip
import json
import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import rankconv as rc
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import SCORED, Measured
from tests.laws.hurting import hurting

RECORD = Path(__file__).parent / "watched.json.gz"
ITEMS = [f"i{number:02}" for number in range(30)]
CUTOFFS = "", "@3"


def _random(seed: int, grades: list[float], levels: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Twelve users; of the last four each lacks something."""
    random = Random(seed)
    labels: dict[str, Any] = {}
    run: dict[str, Any] = {}
    for number in range(12):
        judged = random.sample(ITEMS, random.choice([1, 2, 6, 12]))
        listed = random.sample(ITEMS, random.choice([1, 2, 5, 20]))
        labels[f"u{number:02}"] = {item: random.choice(grades) for item in judged}
        run[f"u{number:02}"] = [(item, float(random.randrange(levels))) for item in listed]
    del labels["u08"], run["u09"]
    labels["u10"] = dict.fromkeys(labels["u10"], 0)
    run["u11"] = []
    return labels, run


def data() -> Iterator[Joined]:
    """Small data, each with other difficulties."""
    yield rc.join(*_random(1, [0, 1], 10**6))
    yield rc.join(*_random(2, [0, 1, 2, 3], 4))
    yield rc.join(*_random(3, [0, 0.25, 0.5, 1, 2.5], 10**6))
    yield rc.join(*_random(4, [-1, 0, 1, 2], 10))
    labels, run = _random(5, [0, 1, 2], 10**6)
    yield rc.join(labels, {user: rows + rows[:2] for user, rows in run.items()})
    yield rc.join(*hurting(3))
    labels, run = _random(6, [1], 10**6)
    yield rc.join({"u00": labels["u00"]}, {"u00": run["u00"]})
    random, (labels, run) = Random(7), _random(7, [0, 1, 2], 50)
    train = {user: random.sample(ITEMS, 5) for user in sorted({*labels, *run})}
    features = {item: random.sample("abcd", random.choice([1, 2])) for item in ITEMS[:25]}
    side = {"propensities": {item: 1 / (1 + place % 7) for place, item in enumerate(ITEMS)}, "shown": run}
    known = {"train": train, "seen": train, "catalogue": [*ITEMS, "never"], "item_features": features}
    yield rc.join(labels, run, **known, **side)
    subtopics = {user: {name: random.sample(ITEMS, 4) for name in "pqr"} for user in run}
    yield rc.join(subtopics, run, catalogue=ITEMS)


def definitions() -> dict[tuple[str, str], rc.Definition]:
    """Preset and metric with its cutoff → the definition."""
    found = {}
    for preset in map(rc.preset, rc.list_presets(eras=True)):
        for spec in (f"{metric}{k}" for metric in preset.metrics for k in CUTOFFS):
            if preset.offers(spec):
                [found[preset.name, spec]] = preset.define(spec)
    return found


def digests() -> dict[str, dict[str, str]]:
    """Preset → metric with its cutoff → a digest over all data, each measured beside all others."""
    asked = definitions()
    digests = {key: blake2b(digest_size=6) for key in asked}
    for joined in data():
        for digest, measured in zip(digests.values(), measure(joined, list(asked.values()), None), strict=True):
            digest.update(_bytes(measured))
    found: dict[str, dict[str, str]] = {}
    for (preset, spec), digest in digests.items():
        found.setdefault(preset, {})[spec] = digest.hexdigest()
    return found


def _bytes(measured: Measured) -> bytes:
    """The bits of the mean and of each value, who is scored, and who is refused."""
    numbers = np.append(measured.values, measured.mean)
    numbers = np.where(np.isnan(numbers), np.nan, numbers)
    states = np.minimum(measured.states, SCORED + 1)
    return numbers.tobytes() + states.tobytes() + bytes([min(len(measured.refusals), 255)])


def record() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(gzip.decompress(RECORD.read_bytes()))
    return found


if __name__ == "__main__" and "--write" in sys.argv:
    RECORD.write_bytes(gzip.compress(json.dumps(digests(), indent=0).encode(), mtime=0))
