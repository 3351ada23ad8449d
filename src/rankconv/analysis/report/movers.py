"""The users whose number depends most on who defines it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankconv.data.joined import Joined
from rankconv.engine.measured import Measured
from rankconv.evaluation.compare.comparison import Comparison


@dataclass(frozen=True)
class FarMoved:
    """A user whose number is far apart under two presets."""

    metric: str
    user: Any
    code: int
    """The user's, among the users of the joined data."""
    lowest: str
    """The preset that gives them the least; of several, the first by name."""
    highest: str
    low: float
    high: float


def far_moved(compared: Comparison, joined: Joined, run: str, most: int) -> list[FarMoved]:
    """At most so many users of a run, the farthest moved first: as many for each metric, as far as there are any.

    Users whom only one preset gives a number are not among them.
    """
    by_metric = {metric: list(_of(metric, _measured(compared, run, metric), joined)) for metric in compared.metrics}
    share = max(1, most // max(1, len(by_metric)))
    return [one for moved in by_metric.values() for one in moved[:share]][:most]


def _measured(compared: Comparison, run: str, metric: str) -> dict[str, Measured]:
    cells = {preset: compared.cell(metric, preset, run) for preset in sorted(compared.presets)}
    return {preset: cell for preset, cell in cells.items() if cell is not None and not cell.refusals}


def _of(metric: str, measured: Mapping[str, Measured], joined: Joined) -> Iterator[FarMoved]:
    """The users of one metric from the farthest moved on; those of equal ranges in the order of the data."""
    if len(measured) < 2:
        return
    names = list(measured)
    values = np.stack([one.values for one in measured.values()])
    low, high = np.where(np.isnan(values), np.inf, values), np.where(np.isnan(values), -np.inf, values)
    ranges = high.max(axis=0) - low.min(axis=0)
    for user in np.argsort(-ranges, kind="stable"):
        if not ranges[user] > 0:
            return
        least, most = int(low[:, user].argmin()), int(high[:, user].argmax())
        name = joined.users.values[user]
        yield FarMoved(metric, name, int(user), names[least], names[most], values[least, user], values[most, user])
