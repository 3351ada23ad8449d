"""Between which means all orders of tied rows lie, for metrics that a better order may lower: each is tried."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, groupby, product
from math import comb, prod
from typing import Any

import numpy as np

import rankconv as rc
from tests.oracles.identities.base import Identity

MOST = 3000
"""So many orders of one list are tried; AP knows hits and misses alone, so those of equal relevance are one."""


def bounds(identity: Identity, users: Sequence[dict[str, Any]], width: type[Any]) -> tuple[float, float] | None:
    """The least and the greatest mean of any order of the ties; None where there are more orders than are tried."""
    ways = [_orders(user, _level(identity), width) for user in users]
    if any(way is None for way in ways):
        return None
    names = [[f"{user['user']}#{at}" for at in range(len(way or ()))] for user, way in zip(users, ways, strict=True)]
    every = [
        (name, user, order)
        for own, user, way in zip(names, users, ways, strict=True)
        for name, order in zip(own, way or (), strict=True)
    ]
    labels = {name: user["labels"] for name, user, _ in every}
    preset = rc.preset(identity.preset).replace(order="given", name="bounds")
    found = rc.evaluate(
        labels,
        {name: _scored(user, order) for name, user, order in every},
        identity.spec,
        preset=preset,
        users=list(labels),
        on_error="collect",
    )
    [spec] = found.specs
    values = dict(zip(found.users.tolist(), found.per_user[spec].tolist(), strict=True))
    counted = [[values[name] for name in own if not np.isnan(values[name])] for own in names]
    ends = [(min(own), max(own)) for own in counted if own]
    least, most = np.mean(ends, axis=0)
    return float(least), float(most)


def _scored(user: dict[str, Any], order: list[str]) -> list[tuple[str, float]]:
    return list(zip(order, sorted(user["scores"], reverse=True), strict=True))


@cache
def _level_of(preset: str, spec: str) -> float:
    relevant = rc.preset(preset).define(spec)[0].preparation.settings["relevant"]
    assert relevant.setting_type.name in ("above", "at-least"), relevant.text
    least = float(relevant.keywords.get("level", 0) if relevant.keywords else relevant.arguments[0])
    return least if relevant.setting_type.name == "at-least" else float(np.nextafter(least, np.inf))


def _level(identity: Identity) -> float:
    """The lowest grade that is relevant."""
    return _level_of(identity.preset, identity.spec)


def _orders(user: dict[str, Any], level: float, width: type[Any]) -> list[list[str]] | None:
    """The orders of one list that differ in where its relevant items stand."""
    scores = np.array(user["scores"], width).tolist()
    rows = sorted(zip(user["ranking"], scores, strict=True), key=lambda row: -row[1])
    ties = [[item for item, _ in tie] for _, tie in groupby(rows, key=lambda row: row[1])]
    hits = [[item for item in tie if user["labels"].get(item, -np.inf) >= level] for tie in ties]
    if prod(comb(len(tie), len(own)) for tie, own in zip(ties, hits, strict=True)) > MOST:
        return None
    each = [list(_placed(tie, own)) for tie, own in zip(ties, hits, strict=True)]
    return [[item for tie in way for item in tie] for way in product(*each)]


def _placed(tie: list[str], hits: list[str]) -> Any:
    """The tie with its hits at each choice of places."""
    misses = [item for item in tie if item not in hits]
    for places in combinations(range(len(tie)), len(hits)):
        hit, miss = iter(hits), iter(misses)
        yield [next(hit) if at in places else next(miss) for at in range(len(tie))]
