"""Tables of values worked out by hand: their rows, and how the package is asked for them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

import rankconv as rc
from rankconv.metrics import METRICS


def neutral() -> rc.Preset:
    """Every metric under the neutral answer to every question."""
    return rc.preset("base").replace(name="neutral", metrics={name: {} for name in METRICS})


def spec_of(metric: str, answers: str) -> str:
    """The metric under these answers: `ndcg(gain=binary)@3`."""
    name, at, k = metric.partition("@")
    return f"{name}({answers}){at}{k}" if answers else metric


def value_of(labels: Any, run: Any, preset: rc.Preset, user: str, metric: str, answers: str, **given: Any) -> float:
    """One user's value under these answers, and those of the preset for the rest."""
    spec = spec_of(metric, answers)
    result = rc.evaluate(labels, run, spec, preset=preset, **given)
    return float(result.per_user[spec][result.users.tolist().index(user)])


def beside(users: Iterable[Any], items: Sequence[Any], catalogue: int) -> dict[str, Any]:
    """What metrics may need beside labels and lists: items of which the first are most popular, with two features."""
    learned = {user: list(items[: 1 + place % len(items)]) for place, user in enumerate(users)}
    features = {item: [float(place % 3), 1.0] for place, item in enumerate(items)}
    return {"catalogue": catalogue, "train": learned, "features": features}


@dataclass
class Row:
    """One user's value of one metric under each answer to one question."""

    question: str
    user: str
    metric: str
    values: dict[str, float]
    beside: str = ""
    """Other answers than the neutral ones."""


def cells(rows: list[Row]) -> list[Any]:
    """Each answer of each row, with the value expected, as parameters of a test."""
    return [
        pytest.param(row, answer, expected, id=f"{row.question}={answer}-{row.user}-{row.metric}")
        for row in rows
        for answer, expected in row.values.items()
    ]


def divided(numerator: float, by: dict[str, float]) -> dict[str, float]:
    """The quotient under each answer that names a divisor."""
    return {answer: numerator / divisor for answer, divisor in by.items()}
