"""Tables of values worked out by hand: their rows, and how the package is asked for them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

import rankconv as rc
from rankconv.metrics import METRICS


def neutral() -> rc.Preset:
    """Every metric under the neutral setting of every convention."""
    return rc.preset("base").replace(name="neutral", metrics={name: {} for name in METRICS})


def spec_of(metric: str, settings: str) -> str:
    """The metric under these settings: `ndcg(gain=binary)@3`."""
    name, at, k = metric.partition("@")
    return f"{name}({settings}){at}{k}" if settings else metric


def value_of(labels: Any, run: Any, preset: rc.Preset, user: str, metric: str, settings: str, **given: Any) -> float:
    """One user's value under these settings, and those of the preset for the rest."""
    spec = spec_of(metric, settings)
    result = rc.evaluate(labels, run, spec, preset=preset, **given)
    return float(result.per_user[spec][result.users.tolist().index(user)])


def beside(users: Iterable[Any], items: Sequence[Any], catalogue: int) -> dict[str, Any]:
    """What metrics may need beside labels and lists: items of which the first are most popular, with two features.

    These are shares of two groups.
    """
    learned = {user: list(items[: 1 + place % len(items)]) for place, user in enumerate(users)}
    features = {item: [place % 3 / 2, 1 - place % 3 / 2] for place, item in enumerate(items)}
    return {"catalogue": catalogue, "train": learned, "item_features": features}


@dataclass
class Row:
    """One user's value of one metric under each setting of one convention."""

    convention_name: str
    user: str
    metric: str
    values: dict[str, float]
    beside: str = ""
    """Other settings than the neutral ones."""


def cells(rows: list[Row]) -> list[Any]:
    """Each setting of each row, with the value expected, as parameters of a test."""
    return [
        pytest.param(row, setting, expected, id=f"{row.convention_name}={setting}-{row.user}-{row.metric}")
        for row in rows
        for setting, expected in row.values.items()
    ]


def divided(numerator: float, by: dict[str, float]) -> dict[str, float]:
    """The quotient under each answer that names a divisor."""
    return {setting: numerator / divisor for setting, divisor in by.items()}
