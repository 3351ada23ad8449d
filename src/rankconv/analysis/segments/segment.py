"""Segments of users: how they are cut, and their values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from typing_extensions import TypedDict

from rankconv.basics.errors import InputError, nearest
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.attributes import Properties
from rankconv.data.ids import Ids
from rankconv.data.inputs.array_input import as_numpy
from rankconv.data.inputs.side_data import properties
from rankconv.engine.aggregate import OfSome, by_id
from rankconv.engine.metric_result import Measured, range_of
from rankconv.evaluation.results.result_intervals import is_plain, numbers_of, plain_values, usual
from rankconv.evaluation.statistics.intervals import (
    Interval,
    IntervalData,
    of_difference,
    of_mean,
    percentile,
    replicates,
)
from rankconv.rendering.pages.cells import finite, plural

ACTIVITY = "activity"
"""The split that the data make: by the number of a user's labels, or of interactions where training data are given."""
GROUP = "group"
"""The column of groups that are given as they are."""
UNKNOWN = "(not known)"
"""Who is in no row of the table, or has no value there."""
MOST = 8
"""A column of more different numbers than this is cut into quarters."""


@dataclass(frozen=True, eq=False)
class Segmentation:
    """Which segment each user, or item, is in."""

    by: str
    names: Sequence[str]
    of: Codes
    """Shape (users,) or (items,): places in `names`."""
    cut_over: int = 0
    """Over how many users, or items, quarters were cut; 0 where nothing was cut."""

    def users_of(self, name: str) -> Mask:
        """Who, or which items, the segment has, shape as `of`; nobody where it is unknown."""
        return np.asarray(self.of == (list(self.names).index(name) if name in self.names else -1))

    def take(self, places: Codes) -> "Segmentation":
        """The segments of some of them, shape (users taken,)."""
        return replace(self, of=self.of[places])


def by_activity(counts: Codes, labelled: int, unit: str) -> Segmentation:
    """Quarters of the users by how many labels or interactions they have, shape (users,); none is a segment of its own.

    Quarters are cut over the first users, which the labels have.
    """
    values = np.where(counts > 0, counts, np.nan).astype(np.float64)
    names, of = _quarters(values, values[:labelled], unit)
    names = [f"no {unit}" if name == UNKNOWN else name for name in names]
    return Segmentation(ACTIVITY, names, of, int(np.count_nonzero(counts[:labelled])))


def grouped(by: Any, users: Ids) -> Properties:
    """The group of each user as a table of one column: of a dict by user, or an array in the order of these users."""
    if getattr(by, "ndim", 1) == 2 and hasattr(by, "columns"):
        do = "Pass it as user_features=, and in by= the names of its columns."
        raise InputError(f"by= is a table, a {type(by).__name__}", do=do)
    if hasattr(by, "iloc"):
        do = "Pass series.to_dict() if its index holds the users, series.to_numpy() if its order is that of the labels."
        raise InputError("by= is a Series, whose index may hold users or not", do=do)
    if not isinstance(by, Mapping):
        groups = as_numpy(by, "by=")
        if groups.shape != (len(users),):
            wrong = f"by= is an array of shape {groups.shape}, and the labels have {plural(len(users), 'user')}"
            do = "Give the group of each user of the labels, in their order; or a dict {user: group}."
            raise InputError(wrong, do=do)
        by = dict(zip(users.values.tolist(), groups.tolist(), strict=True))
    if not by:
        raise InputError("by= has the group of no user", do="Pass a dict {user: group}.")
    return properties({user: {GROUP: group} for user, group in by.items()}, "user")


def by_column(table: Properties, column: str, ids: Ids, labelled: int) -> Segmentation:
    """The segment of each of these users, or items, by a column of their table.

    Quarters are cut over the first ones, which the labels have; the others are in the quarter of their value.
    """
    places = table.ids.codes_of(ids)
    values = np.array([*table.columns[column], None], object)[places]
    numbers = _as_numbers(table.columns[column])
    if numbers is not None and len(set(numbers[~np.isnan(numbers)].tolist())) > MOST:
        each = np.append(numbers, np.nan)[places]
        names, of = _quarters(each, each[:labelled])
        return Segmentation(column, names, of, int(np.count_nonzero(~np.isnan(each[:labelled]))))
    known = sorted({value for value in values if value is not None}, key=_in_order)
    names = [*known, UNKNOWN] if None in values.tolist() else known
    place = {name: at for at, name in enumerate(names)} | {None: len(names) - 1}
    return Segmentation(column, names, np.array([place[value] for value in values.tolist()], np.int64))


def table_of(by: str, users: Properties | None, items: Properties | None) -> Properties | None:
    """The table that has the column; None for the split that the data make.

    InputError where both tables have it, or none.
    """
    tables = [table for table in (users, items) if table is not None]
    having = [table for table in tables if by in table.columns]
    if len(having) == 2:
        do = "Give the column another name in one of them."
        raise InputError(f"both users and items have a column '{by}'", where="by", do=do)
    if having:
        return having[0]
    if by == ACTIVITY:
        return None
    known = [*(name for table in tables for name in table.columns), ACTIVITY]
    allowed = f"Columns: {', '.join(known)}" if tables else f"Without a table of users or items: {ACTIVITY}"
    do, shell = (
        ("", "")
        if tables
        else (f"Pass the table that has it: {how}." for how in ("user_features=…", "--user-features FILE"))
    )
    wrong = f"there is no column '{by}'"
    raise InputError(wrong, where="by", allowed=allowed, nearest=nearest(by, known), do=do, shell=shell)


def check_ids(table: Properties, ids: Ids, role: str) -> None:
    """An InputError where a table knows none of the users, or items."""
    if not (table.ids.codes_of(ids) >= 0).any():
        wrong = f"no {role} of the labels and runs is in {table.source} ({table.ids.examples()})"
        raise InputError(wrong, do=f"Data: {ids.examples()}. Convert the ids, so that they are the same.")


def _in_order(name: Any) -> tuple[int, float, str]:
    """Numbers by size, then texts."""
    try:
        return 0, float(name), str(name)
    except ValueError:
        return 1, 0.0, str(name)


def _as_numbers(values: Sequence[str | None]) -> Numbers | None:
    """The values as numbers, shape (rows,), NaN where there is none; None where one is no number."""
    try:
        return np.array([np.nan if one is None else float(one) for one in values])
    except ValueError:
        return None


def _quarters(values: Numbers, cut: Numbers, unit: str = "") -> tuple[list[str], Codes]:
    """Names of about equally many of `cut`, shape (cut,), and the place of each of `values`, shape (values,).

    NaN has a name of its own. A value outside what was cut is in the nearest part.
    """
    known_values, missing = cut[~np.isnan(cut)], np.isnan(values)
    if not len(known_values):
        return [UNKNOWN], np.zeros(len(values), np.int64)
    edges = np.unique(np.quantile(known_values, [0.25, 0.5, 0.75, 1], method="lower"))  # the upper ends of the parts
    inside = np.searchsorted(edges, known_values)
    names = [_between(known_values[inside == at], unit) for at in range(len(edges))]
    codes = np.minimum(np.searchsorted(edges, values), len(edges) - 1)
    codes[missing] = len(edges)
    return [*names, UNKNOWN] if missing.any() else names, codes


def _between(values: Numbers, unit: str) -> str:
    low, high = (f"{one:g}" for one in (values.min(), values.max()))
    return f"{low if low == high else f'{low} to {high}'} {unit}".strip()


def listed(by: Any) -> list[str]:
    """The requested columns, of one text with commas or several; an InputError for nothing."""
    if not isinstance(by, Iterable) or isinstance(by, bytes):
        do = "Pass the name of a column, or a dict {user: group}."
        raise InputError(f"{by!r:.100} names no column", where="by", do=do)
    texts = [by] if isinstance(by, str) else list(by)
    found = [part.strip() for text in texts for part in str(text).split(",") if part.strip()]
    if not found:
        raise InputError("no column is named", where="by", do=f"Name one of the table of users, or {ACTIVITY}.")
    return list(dict.fromkeys(found))


FEW = 20
"""Of fewer users than this little can be said."""


class SegmentData(TypedDict):
    """The value of a run for the users of one segment."""

    metric: str
    by: str
    """The column that divides the users."""
    name: str
    """The segment."""
    run: str
    """The name of the run; empty where it has none."""
    users: int
    """How many count."""
    number: float | None
    """The value; null where no user counts."""
    interval: IntervalData
    """Of the value."""
    rest: float | None
    """The value of all other users."""
    difference: IntervalData
    """Of the value less that of the others."""
    few: bool
    """Whether there are too few users for a conclusion."""


class AgainstData(TypedDict):
    """One run against another among the users of one segment."""

    metric: str
    by: str
    name: str
    """The segment."""
    runs: list[str]
    """The run, and the one that it is compared with."""
    users: int
    """How many count in both."""
    difference: float | None
    """By how much the first run is better."""
    interval: IntervalData
    """Of the difference."""
    few: bool
    """Whether there are too few users for a conclusion."""


@dataclass(frozen=True)
class Segment:
    """What a run gives the users of one segment."""

    metric: str
    by: str
    name: str
    run: str
    users: int
    """How many count."""
    number: float
    interval: Interval
    rest: float
    """Of all others."""
    difference: Interval
    """Of the number less that of the others."""

    @property
    def few(self) -> bool:
        """Whether there are too few users to say much."""
        return self.users < FEW

    def to_dict(self) -> SegmentData:
        """Return plain data; NaN is None, as JSON has it."""
        return {
            "metric": self.metric,
            "by": self.by,
            "name": self.name,
            "run": self.run,
            "users": self.users,
            "number": finite(self.number),
            "interval": self.interval.to_dict(),
            "rest": finite(self.rest),
            "difference": self.difference.to_dict(),
            "few": self.few,
        }


@dataclass(frozen=True)
class Against:
    """One run against another among the users of one segment."""

    metric: str
    by: str
    name: str
    runs: tuple[str, str]
    users: int
    """How many count in both."""
    difference: float
    """By how much the first run is better."""
    interval: Interval

    @property
    def few(self) -> bool:
        """Whether there are too few users to say much."""
        return self.users < FEW

    def to_dict(self) -> AgainstData:
        """Return plain data; NaN is None, as JSON has it."""
        return {
            "metric": self.metric,
            "by": self.by,
            "name": self.name,
            "runs": list(self.runs),
            "users": self.users,
            "difference": finite(self.difference),
            "interval": self.interval.to_dict(),
            "few": self.few,
        }


def over(measured: Measured, users: Mask) -> Measured:
    """The number over some of the users, shape (users,), who count; NaN where none does."""
    again = measured.again
    if again is None:
        return measured
    some = OfSome(again, np.flatnonzero(users[again.users]))
    mean = some.number(np.arange(len(some.places))) if len(some.places) else np.nan
    return replace(measured, mean=mean, again=some)


def size(measured: Measured) -> int:
    """How many users count."""
    return 0 if measured.again is None else len(measured.again.users)


class Sampling(NamedTuple):
    """How intervals are made."""

    confidence: float
    draws: int
    seed: int


def difference_interval(ours: Measured, others: Measured, sampling: Sampling) -> Interval:
    """The interval of the difference between two groups of different users.

    Of plain means that of `of_difference`; else either group's users are drawn again and both numbers computed anew.
    """
    if min(size(ours), size(others)) < 2 or ours.again is None or others.again is None:
        return Interval.none(sampling.confidence, "fewer than 2 users on one side")
    if usual(ours.definition) == "t":
        values = plain_values(ours), plain_values(others)
        if not any(np.ptp(one) > 0 for one in values):
            return Interval.none(sampling.confidence, "all users of either side have one value")
        return of_difference(*values, sampling.confidence, range_of(ours.definition))
    first, second = (
        replicates(partial(numbers_of, by_id(again)), len(again.users), sampling.draws, sampling.seed + place)
        for place, again in enumerate((ours.again, others.again))
    )
    low, high = np.quantile(first - second, [(1 - sampling.confidence) / 2, (1 + sampling.confidence) / 2])
    return Interval(float(low), float(high), sampling.confidence, "percentile")


def paired(
    ours: Measured, other: Measured, sign: int, sampling: Sampling, to: Codes | None = None
) -> tuple[int, float, Interval]:
    """Users who count in both, by how much the first is better among them, and the interval of that.

    `to` has the places of the users of the second among those of the first, shape (users,); -1 where the first does not
    know them, and None where both have the same users.
    """
    if ours.again is None or other.again is None:
        return 0, np.nan, Interval.none(sampling.confidence, "there is no number of these users")
    others = other.again.users if to is None else to[other.again.users]
    both, at, there = np.intersect1d(ours.again.users, others, return_indices=True)
    if not len(both):
        return 0, np.nan, Interval.none(sampling.confidence, "no user counts in both")
    order = np.argsort(ours.again.ids.text_rank[both])
    first, second = OfSome(ours.again, at[order]), OfSome(other.again, there[order])
    every = np.arange(len(both))
    difference = sign * (first.number(every) - second.number(every))
    if len(both) < 2:
        return len(both), difference, Interval.none(sampling.confidence, "fewer than 2 users")
    if is_plain(ours.definition):
        values = sign * (ours.values[both] - other.values[other.again.users[there]])
        low, high = range_of(ours.definition)
        return len(both), float(values.mean()), of_mean(values, sampling.confidence, (low - high, high - low))
    anew = lambda drawn: sign * (numbers_of(first, drawn) - numbers_of(second, drawn))
    confidence, draws, seed = sampling
    return len(both), difference, percentile(anew, len(both), draws=draws, seed=seed, confidence=confidence)
