"""Numbers to be identified: planted ones, of a preset with settings changed, and invented ones."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np

import rankconv as rc
from rankconv.analysis.identify.candidates import entries
from rankconv.basics.errors import RankconvError
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.presets.definition import Definition, with_changes
from rankconv.presets.preset import Preset

DECIMALS = 6
"""Of planted numbers as they are printed."""
CUTOFFS = (None, 3, 5, 10)
ITEMS = [f"i{number}" for number in range(60)]


@cache
def presets() -> list[Preset]:
    """Every preset that there is, with eras and collections."""
    return [rc.preset(name) for name in rc.list_presets(eras=True, collections=True)]


@cache
def occurring(metric: str) -> dict[str, list[str]]:
    """The settings of each convention that some preset states for a metric."""
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for one in entries(metric):
        for name, setting in one.settings.items():
            found[name][setting] = None
    return {name: list(settings) for name, settings in found.items()}


def data(users: int, seed: int, *, plain: bool = False) -> Joined:
    """Graded labels and scored lists; unless `plain` some users are special, and scores of some lists are tied."""
    random = np.random.default_rng(seed)
    labels: dict[str, Any] = {}
    run: dict[str, Any] = {}
    for number in range(users):
        user, special = f"u{number}", not plain and random.random() < 0.2
        kind = int(random.integers(6)) if special else -1
        grades = [0] if kind == 0 else [0, 1, 1, 2, 3]
        count = int(random.integers(1, 12))
        labels[user] = (
            {} if kind == 1 else {i: float(random.choice(grades)) for i in random.choice(ITEMS, count, False)}
        )
        length = 2 if kind == 2 else int(random.integers(8, 20))
        liked = [item for item, grade in labels[user].items() if grade > 0]
        found = [item for item in liked if random.random() < 0.6]
        listed = list(dict.fromkeys([*found, *random.choice(ITEMS, length, False)]))[:length]
        order = np.argsort(random.random(len(listed)) + 0.3 * np.array([item not in liked for item in listed]))
        scores = np.sort(random.integers(0, 9, length) / 8 if kind == 3 else random.random(length))[::-1]
        if kind != 4:
            run[user] = [(listed[place], float(score)) for place, score in zip(order, scores, strict=True)]
        if kind == 5:
            run[user].append((run[user][0][0], float(scores[-1]) - 0.5))
    return rc.join(labels, run)


@dataclass(frozen=True)
class Planted:
    """A definition and the number that it gives."""

    definition: Definition
    value: float
    spec: str
    """The metric as `identify` is asked for it."""


def planted(joined: Joined, random: Random, most: int = 2, *, of_metric: bool = False) -> Iterator[Planted]:
    """Definitions that differ from a preset's in one to `most` settings, each of which changes the printed number.

    The settings are those of other presets that have the metric; `of_metric` leaves preparation and aggregation alone.
    """
    while True:
        base = drawn(random)
        if base is None:
            continue
        wanted, changed = random.randint(1, most), base
        value = value_of(joined, base)
        for _ in range(40):
            one = with_changes(changed, change(changed, random, of_metric=of_metric))
            if one is None or one.needs or one.signature == changed.signature:
                continue
            now = value_of(joined, one)
            if np.isfinite(now) and f"{now:.{DECIMALS}f}" != f"{value:.{DECIMALS}f}":
                changed, value = one, now
                if len(changed.changed) - len(base.changed) == wanted:
                    k = base.requested_k
                    yield Planted(changed, value, base.key if k is None else f"{base.key}@{k}")
                    break


def drawn(random: Random) -> Definition | None:
    """A definition of a preset that needs labels and a run alone; None where the draw has none."""
    preset = random.choice(presets())
    key, k = random.choice(list(preset.metrics)), random.choice(CUTOFFS)
    try:
        (found,) = preset.define(key if k is None else f"{key}@{k}")
    except RankconvError:
        return None
    return None if found.needs else found


def change(definition: Definition, random: Random, *, of_metric: bool = False) -> dict[str, str]:
    """Another setting of one convention, from those of presets that have the metric; empty where there is none."""
    k = definition.requested_k
    others = occurring(definition.key if k is None else f"{definition.key}@{k}")
    own = definition.metric.stated if of_metric else definition.settings
    names = [one for one in own if one in others]
    if not names:
        return {}
    name = random.choice(names)
    return {name: random.choice(others[name])}


def value_of(joined: Joined, definition: Definition) -> float:
    """Its mean; NaN where it refuses the data."""
    try:
        (measured,) = measure(joined, [definition], None)
    except RankconvError:
        return float("nan")
    return float("nan") if measured.refusals else float(measured.mean)


ASKED = ("ndcg", "map", "mrr", "recall", "precision", "hit_rate", "f1", "dcg", "err", "rbp", "auc", "r_precision")
"""The metrics of invented numbers."""
FUNCTIONS = (
    lambda joined, k: _weighted(joined, k, lambda g: g**1.5, lambda r: np.log2(1 + r), ideal=True),
    lambda joined, k: _weighted(joined, k, lambda g: 3.0**g - 1, lambda r: r**0.7, ideal=True),
    lambda joined, k: _weighted(joined, k, lambda g: g, lambda r: 2.0 + r, ideal=False),
    lambda joined, k: _weighted(joined, k, lambda g: 1.0 * (g > 0), lambda r: r**0.5, ideal=True),
    lambda joined, k: _weighted(joined, k, lambda g: g / (1 + g), lambda r: 1.3**r, ideal=False),
)
"""Metrics that nobody has."""


def outside(joined: Joined, random: Random) -> Iterator[tuple[str, float]]:
    """A metric that is asked for, and a number of another metric, of another cutoff, or of a formula of no preset."""
    while True:
        name, k = random.choice(ASKED), random.choice((3, 5, 10))
        spec = name if name in ("auc", "r_precision") else f"{name}@{k}"
        kind = random.randrange(3)
        if kind == 0:
            value = random.choice(FUNCTIONS)(joined, k)
        elif kind == 1:
            other = random.choice([one for one in ASKED if one != name])
            value = _of_some_preset(joined, other if other in ("auc", "r_precision") else f"{other}@{k}", random)
        else:
            if name == spec:
                continue
            value = _of_some_preset(
                joined, f"{name}@{random.choice([n for n in (2, 4, 6, 7, 8, 15) if n != k])}", random
            )
        if np.isfinite(value):
            yield spec, value


def _of_some_preset(joined: Joined, spec: str, random: Random) -> float:
    return value_of(joined, random.choice([one for one in entries(spec) if not one.needs]))


def _weighted(joined: Joined, k: int, gain: Any, divisor: Any, *, ideal: bool) -> float:
    """A discounted sum of gains over the first k rows, over the best such sum if there is an `ideal`."""
    labels, lists = joined.labels, joined.rankings
    grades: dict[Any, dict[Any, float]] = {}
    for place, user in enumerate(labels.users.values):
        rows = slice(labels.starts[place], labels.starts[place + 1])
        items = labels.items.values[labels.item[rows]]
        grades[user] = dict(zip(items.tolist(), labels.grade[rows].tolist(), strict=True))
    found = []
    for place, user in enumerate(lists.users.values):
        items = lists.items.values[lists.item[lists.starts[place] : lists.starts[place + 1]]][:k].tolist()
        known = grades.get(user, {})
        gains = np.array([gain(known.get(item, 0.0)) for item in items], float)
        best = np.sort([gain(one) for one in known.values()])[::-1][:k]
        discounts = divisor(np.arange(1, k + 1))
        total = float((gains / discounts[: len(gains)]).sum())
        most = float((best / discounts[: len(best)]).sum()) if ideal else 1.0
        found.append(total / most if most > 0 else 0.0)
    return float(np.mean(found))


def by_search(pairs: Sequence[tuple[str, float]]) -> dict[str, list[float]]:
    """The numbers by the metric that is asked for."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for spec, value in pairs:
        found[spec].append(value)
    return found
