"""The value of every point under every definition: an ordinary evaluation, some points after another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, Mask, Numbers, take_ownership
from rankconv.data.ids import Ids
from rankconv.data.labels_and_rankings import Run
from rankconv.engine import measure
from rankconv.engine.metric_result import OUTSIDE
from rankconv.errors import MetricError
from rankconv.evaluation.joining import join
from rankconv.evaluation.result import raise_first
from rankconv.presets.definition import Definition
from rankconv.presets.registry import neutral_settings
from rankconv.protocols.division import Division

POINTS = 2000
"""So many are evaluated at a time."""
_MEAN = "aggregate"


@dataclass(frozen=True, eq=False)
class PointValues:
    """What each point is worth; arrays have shape (points,)."""

    values: Numbers
    counted: Mask


def check(definitions: Mapping[str, Definition]) -> None:
    """MetricError for a definition that has no plain mean over users."""
    for name, one in definitions.items():
        if one.pools:
            do = "Ask for a metric of each list."
            raise MetricError(f"{name} is of all lists together, and a curve needs a value of each", where=name, do=do)
        setting = one.aggregation.given(_MEAN)
        if setting != neutral_settings()[_MEAN]:
            raise MetricError(f"a curve is of plain means, and this one is {_MEAN}={setting}", where=name)


def values_of(
    split: Division, lists: Mapping[int, tuple[Any, ...]], definitions: Mapping[str, Definition]
) -> dict[str, PointValues]:
    """The points by what was requested; a point without a list counts as the definition says of empty ones."""
    size = len(split.points)
    found = {name: PointValues(np.full(size, np.nan), np.zeros(size, bool)) for name in definitions}
    for first in range(0, size, POINTS):
        points = np.arange(first, min(first + POINTS, size))
        labels = split.labels_of(points)
        joined = join(labels, _rankings(split, points, lists, labels.users), catalogue=len(split.ratings.items))
        place = np.searchsorted(points, points[joined.users.codes_of(labels.users)])
        for (name, values), one in zip(found.items(), measure(joined, list(definitions.values()), None), strict=True):
            raise_first({name: one.refusals} if one.refusals else {})
            values.values[points] = one.values[place]
            values.counted[points] = _counted(one.states, one.values)[place]
    return found


def _counted(states: Any, values: Numbers) -> Mask:
    """Who enters the mean, shape (users,): who is not outside, and has a value."""
    return np.asarray((states != OUTSIDE) & ~np.isnan(values))


def _rankings(split: Division, points: Codes, lists: Mapping[int, tuple[Any, ...]], users: Ids) -> Run:
    """The lists of these points, shape (points,)."""
    code_of = split.ratings.items.code_of
    parts: Sequence[list[int]] = [
        [code_of[item] for item in lists.get(point, ()) if item in code_of] for point in points.tolist()
    ]
    starts = np.append(0, np.cumsum([len(one) for one in parts])).astype(np.int64)
    item = np.fromiter((code for one in parts for code in one), np.int64, int(starts[-1]))
    return Run(
        users, split.ratings.items, take_ownership(starts), take_ownership(item), None, source="the recommenders"
    )
