"""Evaluation by segment."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from rankconv import inputs
from rankconv.analysis.segments.result import SegmentResult, reversals
from rankconv.analysis.segments.segment import (
    ACTIVITY,
    Against,
    Segment,
    Split,
    by_activity,
    by_column,
    check_ids,
    listed,
    moved,
    over,
    paired,
    segment,
    table_of,
)
from rankconv.data.arrays import Mask
from rankconv.data.attributes import Properties
from rankconv.data.ids import Ids, unite
from rankconv.data.labels_and_rankings import Labels, Runs
from rankconv.engine.metric_result import Measured
from rankconv.errors import InputError
from rankconv.evaluation.compare.compare import compare
from rankconv.evaluation.compare.comparison import Comparison
from rankconv.inputs.reading import one_run, several
from rankconv.inputs.side_data import properties
from rankconv.pages.cells import plural
from rankconv.presets import arguments
from rankconv.presets.defining import Metrics
from rankconv.presets.definition import Definition
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset

DRAWS = 1_000
"""Users drawn again for a number that is no plain mean."""


def segments(
    labels: Any,
    run: Any,
    metrics: Metrics | Mapping[str, str | Definition] | None = None,
    preset: str | Preset | None = None,
    *,
    by: str | Iterable[str] = ACTIVITY,
    user_features: Any = None,
    item_features: Any = None,
    confidence_level: float = 0.95,
    n_resamples: int = DRAWS,
    seed: int = 0,
    seen: Any = None,
    catalogue: Any = None,
    train: Any = None,
    progress: bool | None = None,
) -> SegmentResult:
    """Evaluate runs by segment of users, and find segments in which the order of runs reverses.

    Parameters
    ----------
    labels, run, metrics, preset
        As in `rc.evaluate`; several runs are compared in each segment, over users who count in both.
    by : str or iterable of str, default "activity"
        Columns of `user_features` or `item_features`; `"activity"` is the number of a user's labels. Columns of numbers
        with more than eight values are cut into quarters.
    user_features : mapping, frame or path, optional
        A table with a row for each user; users without a row are a segment of their own.
    item_features : mapping, frame or path, optional
        A table with a row for each item. A segment of items is evaluated with the labels of these items alone.
    confidence_level : float, default 0.95
        Of the intervals.
    n_resamples : int, default 1000
        Number of bootstrap samples.
    seed : int, default 0
        Random seed.
    seen, catalogue, train, progress
        As in `rc.evaluate`.

    Returns
    -------
    SegmentResult
        Each segment's value with an interval and its difference to all other users (Welch's interval for plain means,
        else a bootstrap), and the `reversals`: orders of segments or runs that reverse in every part (Simpson's
        paradox).

    Raises
    ------
    InputError
        If a column is unknown, or the table has none of the users.

    Examples
    --------
    >>> import rankconv as rc
    >>> labels = {user: ["a"] for user in "uvwx"}
    >>> run = {"u": ["a"], "v": ["b", "a"], "w": ["a"], "x": ["b", "a"]}
    >>> ages = {"u": {"age": "old"}, "v": {"age": "young"}, "w": {"age": "old"}, "x": {"age": "young"}}
    >>> found = rc.segments(labels, run, "mrr", by="age", user_features=ages)
    >>> [(one.name, one.users, one.number) for one in found.segments]
    [('old', 2, 1.0), ('young', 2, 0.5)]
    """
    arguments.number(n_resamples, "n_resamples", 1)
    arguments.number(seed, "seed")
    known, ranked = inputs.labels(labels), _runs(run)
    tables = _tables(listed(by), user_features, item_features)
    side_data = {"seen": seen, "catalogue": catalogue, "train": train, "progress": progress}
    chosen = find_preset(HOUSE if preset is None else preset)
    whole = compare(known, ranked, metrics, chosen, **side_data)
    found = SegmentResult(whole, [], [], [], confidence_level)
    everybody = _everybody(known, whole)
    user_splits: list[dict[str, Split]] = []
    for column in listed(by):
        table = table_of(column, *tables)
        if table is not None and table is tables[1]:
            check_ids(table, known.items, "item")
            split = by_column(table, column, known.items, len(known.items))
            anew = lambda kept: compare(_of_labels(known, kept), ranked, metrics, chosen, **side_data)
            found.take(*_of_items(split, anew, confidence_level, n_resamples, seed))
        else:
            split = _of_users(everybody, known, column, table)
            splits = {name: split.take(everybody.codes_of(whole.facts[name].joined.users)) for name in whole.runs}
            user_splits.append(splits)
            found.take(*_in_users(whole, splits, confidence_level, n_resamples, seed))
        if split.cut_over:
            role = "item" if table is not None and table is tables[1] else "user"
            found.cuts[column] = f"{role}s of the labels ({plural(split.cut_over, 'value')})"
    found.reversals.extend(reversals(whole, user_splits, found.against))
    return found


def _tables(by: Sequence[str], user_features: Any, item_features: Any) -> tuple[Properties | None, Properties | None]:
    """The tables of users and of items."""
    return (
        None if user_features is None else properties(user_features, "user"),
        None if item_features is None else properties(item_features, "item"),
    )


def _runs(runs: Any) -> Runs:
    """Several runs, or one without a name."""
    found = several(runs)
    return Runs({"": one_run(runs)}) if found is None else found


def _everybody(known: Labels, whole: Comparison) -> Ids:
    """The users of the labels, then those of runs only."""
    found = known.users
    for run in whole.runs:
        found, _ = unite(found, whole.facts[run].joined.users, "user", spelling=False)
    return found


def _of_users(users: Ids, known: Labels, column: str, table: Properties | None) -> Split:
    """The segments of these users, which are the same for every run."""
    if table is None:
        counts = np.zeros(len(users), np.int64)
        counts[: len(known.users)] = np.diff(known.starts)
        return by_activity(counts)
    check_ids(table, users, "user")
    return by_column(table, column, users, len(known.users))


def _in_users(
    whole: Comparison, splits: Mapping[str, Split], confidence: float, draws: int, seed: int
) -> tuple[list[Segment], list[Against]]:
    """Every segment of the users, under each metric, of each run and of each pair of runs."""
    rows, pairs = list[Segment](), list[Against]()
    by, names = next(iter(splits.values())).by, _names(splits.values())
    for metric, cells in _cells(whole):
        for name in names:
            inside = {run: splits[run].of == _place(splits[run], name) for run in cells}
            here = {run: over(one, inside[run]) for run, one in cells.items()}
            for run, one in cells.items():
                others = over(one, ~inside[run])
                rows.append(segment(here[run], others, (metric, by, name, run), confidence, draws, seed))
            pairs += _pairs(whole, metric, by, name, here, confidence, draws, seed)
    return rows, pairs


def _of_items(
    split: Split, anew: Callable[[Mask], Comparison], confidence: float, draws: int, seed: int
) -> tuple[list[Segment], list[Against]]:
    """The numbers in which the labels of some items alone are labels; `anew` takes which, shape (items,)."""
    rows, pairs = list[Segment](), list[Against]()
    for place, name in enumerate(split.names):
        ours, others = anew(split.of == place), anew(split.of != place)
        for (metric, cells), (_, rest) in zip(_cells(ours), _cells(others), strict=True):
            for run, one in cells.items():
                row = segment(one, one, (metric, split.by, name, run), confidence, draws, seed)
                _, _, interval = paired(one, rest[run], 1, confidence, draws, seed)
                rows.append(replace(row, rest=rest[run].mean, difference=interval))
            pairs += _pairs(ours, metric, split.by, name, cells, confidence, draws, seed)
    return rows, pairs


def _pairs(
    whole: Comparison, metric: str, by: str, name: str, cells: Mapping[str, Measured], *given: Any
) -> Iterator[Against]:
    """Each run against each other one in a segment."""
    sign = -1 if whole.lower_is_better(metric, whole.presets[0]) else 1
    for runs in combinations(cells, 2):
        yield Against(metric, by, name, runs, *paired(*_aligned(whole, runs, cells), sign, *given))


def _of_labels(known: Labels, items: Mask) -> Labels:
    """The labels of these items alone, shape (items,); users stay."""
    if known.groups is not None:
        raise InputError("labels in groups are not divided by items", do="Divide the users, or drop the groups.")
    kept = items[known.item]
    starts = np.append(0, np.cumsum(kept))[known.starts]
    fewer: Labels = known.replace(starts=starts, item=known.item[kept], grade=known.grade[kept])
    return fewer


def _cells(whole: Comparison) -> Iterator[tuple[str, dict[str, Measured]]]:
    """What each run gives under each metric."""
    for metric in whole.metrics:
        cells = {run: whole.cell(metric, whole.presets[0], run) for run in whole.runs}
        yield metric, {run: one for run, one in cells.items() if one is not None}


def _names(splits: Iterable[Split]) -> list[str]:
    return list(dict.fromkeys(name for one in splits for name in one.names))


def _place(split: Split, name: str) -> int:
    return list(split.names).index(name) if name in split.names else -1


def _aligned(whole: Comparison, runs: Sequence[str], cells: Mapping[str, Measured]) -> tuple[Measured, Measured]:
    """Both numbers with users numbered in the same way; those who stand in one run alone cannot be paired."""
    ours, other = (cells[run] for run in runs)
    ids = [whole.facts[run].joined.users for run in runs]
    if ids[0] is ids[1] or np.array_equal(ids[0].values, ids[1].values):
        return ours, other
    return ours, moved(other, ids[0].codes_of(ids[1]), ids[0])
