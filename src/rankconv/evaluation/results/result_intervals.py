"""How far a number would move, had other users been there."""

from functools import partial
from typing import Any

import numpy as np

from rankconv.aggregation.means import MeanTraits
from rankconv.basics.errors import MetricError
from rankconv.data.arrays import Codes, Numbers
from rankconv.data.clusters import Clusters
from rankconv.engine.aggregate import by_id
from rankconv.engine.metric_result import Again, Measured, range_of
from rankconv.evaluation.statistics import DRAWS, How
from rankconv.evaluation.statistics.intervals import Interval, bca, linearised, of_mean, percentile
from rankconv.presets import arguments
from rankconv.presets.definition import Definition

FEWEST = 2
"""One user says nothing of others."""
FEWEST_DRAWN = 10
"""Of fewer users drawn again, an interval of 95 % holds a ratio of sums in 80 to 89 %: tests/benchmarks/coverage.md."""


def interval_of(
    measured: Measured,
    confidence: float = 0.95,
    how: How | None = None,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    clusters: Clusters | None = None,
) -> Interval:
    """The interval of a number; NaN with the reason where there is none. Of clusters of users, whole ones are drawn.

    Without `how`, that of a plain mean is the one that covers best (`of_mean`), else users are
    drawn with replacement and the whole number is computed anew: bias-corrected (`bca`), or for a median, which jumps
    from user to user, their middle (`percentile`).
    """
    arguments.decimal(confidence, "confidence_level", 0.0001, 0.9999)
    arguments.number(draws, "n_resamples", 1)
    if how is not None:
        arguments.word(how, How, "how")
    again = None if measured.again is None else by_id(measured.again)
    among = None if clusters is None or again is None else clusters.among(again.users)
    why = why_none(measured, how) or _why_none_of(among)
    if why:
        return Interval.none(confidence, why)
    chosen = how or usual(measured.definition)
    assert again is not None
    if chosen == "t":
        values = measured.values[again.users]
        if among is not None:  # a value for each cluster, with the same mean
            values = linearised(among.sums(values), among.sums(np.ones(len(values))))
        return of_mean(values, confidence, range_of(measured.definition), student=how == "t")
    size = len(again.users) if among is None else len(among)
    if size < FEWEST_DRAWN:
        what = "users" if among is None else "clusters"
        few = f"{size} {what} count: drawn again they cover too little, and {FEWEST_DRAWN} at least are needed"
        return Interval.none(confidence, few)
    drawn = {"draws": draws, "seed": seed, "confidence": confidence}
    found = (bca if chosen == "bca" else percentile)(partial(numbers_of, again, among=among), size, **drawn)  # type: ignore[arg-type]
    if np.isfinite(found.low + found.high):
        return found
    return Interval.none(confidence, "some of the users drawn have no number together, or all have the same")


def numbers_of(again: Again, drawn: Codes, among: Clusters | None = None) -> Numbers:
    """The number of each draw, shape (draws,); `drawn` has shape (draws, users drawn), or (draws, clusters drawn)."""
    if among is None:
        return np.array([again.number(row) for row in drawn])
    members = among.members
    return np.array([again.number(np.concatenate([members[one] for one in row.tolist()])) for row in drawn])


def _why_none_of(clusters: Clusters | None) -> str:
    if clusters is None or len(clusters) >= FEWEST:
        return ""
    return f"the users who count are of {len(clusters)} cluster, and {FEWEST} at least are needed"


def is_plain(definition: Definition) -> bool:
    """Whether the number is the mean of the users' values, or their sum."""
    mean = definition.aggregation.settings["aggregate"]
    return MeanTraits.of(mean).share in ("of the number", "whole") and not definition.preparation.pools


def usual(definition: Definition) -> How:
    """Which interval holds for the number of such a definition."""
    mean = definition.aggregation.settings["aggregate"]
    if MeanTraits.of(mean).share == "of the number" and not definition.preparation.pools:
        return "t"
    return "percentile" if MeanTraits.of(mean).jumps else "bca"


def plain_values(measured: Measured) -> Numbers:
    """The values of those who count, shape (users who count,)."""
    assert measured.again is not None
    return measured.values[measured.again.users]


def why_none(measured: Measured, how: How | None = None) -> str:
    """Why a number has no interval; empty where it has one."""
    mean = measured.definition.aggregation.settings["aggregate"]
    if measured.refusals:
        return measured.refusals[0].why
    if measured.of_all:
        return f"its value is one for all users at once ({measured.of_all})"
    if measured.definition.metric.of_all_lists:
        return "it is one number of all lists, and users drawn twice show nothing new"
    if MeanTraits.of(mean).extreme and not measured.definition.preparation.pools:
        return f"no draw goes beyond the users at hand (aggregate={mean.text})"
    if measured.again is None and measured.kept is None:
        return "the values of users were not kept: evaluate with per_user=True"
    if measured.again is None:
        return "it is made of more than the values of users, which alone are saved: compute it before saving"
    users = measured.again.users
    if len(users) < FEWEST:
        return f"{len(users)} users count, and {FEWEST} at least are needed"
    if np.isnan(measured.mean):
        return "the number is NaN"
    plain = is_plain(measured.definition)
    if how == "t" and usual(measured.definition) != "t":
        return f"Student's t holds for plain means alone (aggregate={mean.text})"
    return "all users have one value" if plain and not np.ptp(plain_values(measured)) > 0 else ""


def interval_or_error(measured: Measured, *given: Any, **more: Any) -> Interval:
    """The interval of a number; a MetricError where there is none."""
    found = interval_of(measured, *given, **more)
    if found.why:
        raise MetricError(f"there is no interval: {found.why}", where=measured.definition.text)
    return found
