"""Evaluation by segment."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypedDict

from rankconv.analysis.segments.segment import (
    ACTIVITY,
    FEW,
    GROUP,
    Against,
    AgainstData,
    Sampling,
    Segment,
    Segmentation,
    SegmentData,
    by_activity,
    by_column,
    check_ids,
    difference_interval,
    grouped,
    listed,
    over,
    paired,
    size,
    table_of,
)
from rankconv.basics.errors import InputError
from rankconv.data import inputs
from rankconv.data.arrays import Mask
from rankconv.data.attributes import Properties
from rankconv.data.ids import Ids, unite
from rankconv.data.inputs.array_input import is_array
from rankconv.data.inputs.several_runs import one_run, several
from rankconv.data.inputs.side_data import properties
from rankconv.data.labels_and_rankings import Labels, Runs
from rankconv.engine.metric_result import Measured
from rankconv.evaluation.compare import compare
from rankconv.evaluation.joining import SideDataLike
from rankconv.evaluation.results.comparison import Comparison
from rankconv.evaluation.results.result_intervals import interval_of
from rankconv.evaluation.statistics.intervals import Interval, kinds_of, shown
from rankconv.presets import arguments
from rankconv.presets.arguments import Metrics
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE
from rankconv.presets.preset_registry import preset as find_preset
from rankconv.rendering.pages.cells import number, plural
from rankconv.rendering.pages.display import Drawn, RowTable
from rankconv.rendering.pages.forest_plot import Forest, draw
from rankconv.rendering.pages.page import Heading, Note, Page, Paragraph, Piece
from rankconv.rendering.pages.picture import Target
from rankconv.rendering.pages.table import Table


class SegmentsData(TypedDict):
    """The values of segments of the users."""

    segments: list[SegmentData]
    against: list[AgainstData]
    """Each pair of runs in each segment; empty for one run."""
    confidence: float
    """The confidence level of the intervals."""
    cuts: dict[str, str]
    """Each column that was cut into quarters, and over what."""


@dataclass(frozen=True, eq=False, repr=False)
class SegmentResult(Drawn, RowTable):
    """The number of each segment of the users, with what it is put against."""

    rows_in: ClassVar[str] = "segments"

    comparison: Comparison = field(repr=False)
    segments: list[Segment]
    against: list[Against]
    """Each pair of runs in each segment; empty for one run."""
    confidence: float
    cuts: dict[str, str] = field(default_factory=dict)
    """Each column that was cut into quarters, and over what: `users of the labels (100 values)`."""

    @property
    def library(self) -> str:
        """The library whose table the data came in, for `to_frame`."""
        return self.comparison.library

    def _page(self, digits: int = 4) -> Page:
        """A table for each metric and column, and the runs against each other."""
        places = dict.fromkeys((one.metric, one.by) for one in self.segments)
        sections = [list(pieces) for metric, by in places for pieces in self._sections(metric, by, digits)]
        return Page([*sections, list(self._notes())])

    def _sections(self, metric: str, by: str, digits: int) -> Iterator[Sequence[Piece]]:
        segments = [one for one in self.segments if (one.metric, one.by) == (metric, by)]
        yield Heading(f"{metric} by {by} ({self.comparison.presets[0]})"), self._segments(segments, digits)
        pairs = [one for one in self.against if (one.metric, one.by) == (metric, by)]
        if pairs:
            yield (self._pairs(pairs, digits),)

    def _notes(self) -> Iterator[Piece]:
        yield Paragraph(
            f"Intervals of {100 * self.confidence:g} %, each by itself: of many segments some differ by chance. "
            "The last column is the number less that of all others."
        )
        both = (interval for one in self.segments for interval in (one.interval, one.difference))
        kinds = kinds_of([*both, *(one.interval for one in self.against)])
        yield from [Paragraph(kinds)] if kinds else []
        for by, values in self.cuts.items():
            yield Paragraph(f"Quarters of {by} are cut once for all runs, over the {values}.")
        if any(one.few for one in self.segments):
            yield Note(f"(few): fewer than {FEW} users, too few for a conclusion.")
        why = dict.fromkeys((one.metric, one.interval.why) for one in self.segments if one.interval.why)
        yield from (Note(f"No interval: {reason} ({metric}).") for metric, reason in why)

    def _segments(self, segments: Sequence[Segment], digits: int) -> Table:
        several = len({one.run for one in segments}) > 1
        heads = ["segment", *(["run"] if several else []), "users", "number", "interval", "less the others"]
        rows = [
            [
                *(segment_label(one), *([one.run] if several else []), str(one.users), number(one.number, digits)),
                *(shown(one.interval, digits), shown(one.difference, digits, "+")),
            ]
            for one in segments
        ]
        return Table(heads, rows, labels=1 + several)

    def _pairs(self, pairs: Sequence[Against], digits: int) -> Table:
        rows = [
            [
                segment_label(one),
                *one.runs,
                str(one.users),
                f"{one.difference:+.{digits}f}",
                shown(one.interval, digits, "+"),
            ]
            for one in pairs
        ]
        return Table(["segment", "run", "against", "users", "better by", "interval"], rows, labels=3)

    def table(self, digits: int = 4) -> Table:
        """A row for each number of a segment."""
        heads = ["metric", "by", "segment", "run", "users", "number", "low", "high", "rest", "low", "high"]
        rows = []
        for one in self.segments:
            ends = [number(end, digits) for each in (one.interval, one.difference) for end in (each.low, each.high)]
            about = [one.metric, one.by, one.name, one.run, str(one.users), number(one.number, digits)]
            rows.append([*about, *ends[:2], number(one.rest, digits), *ends[2:]])
        return Table(heads, rows, labels=4)

    def plot(self, path: Target, digits: int = 4) -> None:
        """Draw the numbers of all segments with their intervals into an SVG or PNG file. Needs matplotlib."""
        several = len({one.run for one in self.segments}) > 1
        rows = [
            Forest(
                f"{one.metric} {one.by}: {one.name}" + (f" ({one.run})" if several else ""),
                one.number,
                one.interval.low,
                one.interval.high,
                f"{number(one.number, digits)}  {one.users} users",
                not one.few,
                one.few,
            )
            for one in self.segments
        ]
        draw(rows, f"Segments under {self.comparison.presets[0]}", "number", path, None)

    def to_dict(self) -> SegmentsData:
        """Plain data; NaN is None, as JSON has it."""
        segments, against = [one.to_dict() for one in self.segments], [one.to_dict() for one in self.against]
        return {"segments": segments, "against": against, "confidence": self.confidence, "cuts": self.cuts}


def segment_label(one: Segment | Against) -> str:
    """The segment's name, and that it has few users."""
    return f"{one.name} (few)" if one.few else one.name


DRAWS = 1_000
"""Users drawn again for a number that is no plain mean."""


def segments(
    labels: Any,
    run: Any,
    metrics: Metrics | Mapping[str, str | Definition] | None = None,
    preset: str | Preset | None = None,
    *,
    by: str | Iterable[str] | Mapping[Any, Any] | NDArray[Any] = ACTIVITY,
    user_features: Any = None,
    item_features: Any = None,
    confidence_level: float = 0.95,
    n_resamples: int = DRAWS,
    seed: int = 0,
    seen: Any = None,
    catalogue: Any = None,
    train: Any = None,
    parents: Any = None,
    propensities: Any = None,
    shown: Any = None,
    group_target: Any = None,
    progress: bool | None = None,
) -> SegmentResult:
    """Evaluate runs by segment of users, and compare them in each segment.

    Parameters
    ----------
    labels, run, metrics, preset
        As in `rc.evaluate`; several runs are compared in each segment, over users who count in both.
    by : str, iterable of str, mapping or array, default "activity"
        Columns of `user_features` or `item_features`, or the groups themselves: a dict `{user: group}`, or an array of
        shape (users,) in the order of the labels. `"activity"` is the number of a user's interactions in `train`;
        without `train`, of labels. Numbers with more than eight values are cut into quarters.
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
    seen, catalogue, train, parents, propensities, shown, group_target, progress
        As in `rc.evaluate`.

    Returns
    -------
    SegmentResult
        Each segment's value with an interval and its difference to all other users: Welch's interval for plain means,
        else a bootstrap.

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
    known, named = inputs.labels(labels), several(run)
    ranked = Runs({"": one_run(run)}) if named is None else named
    sampling = Sampling(confidence_level, n_resamples, seed)
    if isinstance(by, Mapping) or is_array(by):
        if user_features is not None:
            do = "Put the groups into a column of user_features, and name all columns in by=."
            raise InputError("by= holds groups of users, and user_features= was passed too", do=do)
        user_features, by = grouped(by, known.users), GROUP
    columns = listed(by)
    users = None if user_features is None else properties(user_features, "user")
    items = None if item_features is None else properties(item_features, "item")
    side = SideDataLike(seen=seen, catalogue=catalogue, train=train, parents=parents)
    side |= SideDataLike(propensities=propensities, shown=shown, group_target=group_target)
    chosen = find_preset(HOUSE if preset is None else preset)
    whole = compare(known, ranked, metrics, chosen, progress=progress, **side)
    everybody = _everybody(known, whole)
    rows, against, cuts = list[Segment](), list[Against](), dict[str, str]()
    for column in columns:
        table = table_of(column, users, items)
        of_items = table is not None and table is items
        if table is not None and of_items:
            check_ids(table, known.items, "item")
            split = by_column(table, column, known.items, len(known.items))
            anew = lambda kept: compare(_of_labels(known, kept), ranked, metrics, chosen, progress=progress, **side)
            found = _of_items(split, anew, sampling)
        else:
            learned = whole.facts[whole.runs[0]].joined.extra.train
            split = _of_users(everybody, known, column, table, learned)
            of_runs = {name: split.take(everybody.codes_of(whole.facts[name].joined.users)) for name in whole.runs}
            found = _in_users(whole, of_runs, sampling)
        rows += found[0]
        against += found[1]
        if split.cut_over:
            cuts[column] = f"{'item' if of_items else 'user'}s of the labels ({plural(split.cut_over, 'value')})"
    return SegmentResult(whole, rows, against, confidence_level, cuts)


def _everybody(known: Labels, whole: Comparison) -> Ids:
    """The users of the labels, then those of runs only."""
    found = known.users
    for run in whole.runs:
        found, _ = unite(found, whole.facts[run].joined.users, "user", spelling=False)
    return found


def _of_users(users: Ids, known: Labels, column: str, table: Properties | None, train: Labels | None) -> Segmentation:
    """The segments of these users, which are the same for every run."""
    if table is None:
        counted = known if train is None else train
        counts = np.append(counted.lengths, 0)[counted.users.codes_of(users)]
        return by_activity(counts, len(known.users), "labels" if train is None else "interactions")
    check_ids(table, users, "user")
    return by_column(table, column, users, len(known.users))


def _in_users(
    whole: Comparison, splits: Mapping[str, Segmentation], sampling: Sampling
) -> tuple[list[Segment], list[Against]]:
    """Every segment of the users, under each metric, of each run and of each pair of runs."""
    rows, pairs = list[Segment](), list[Against]()
    by, names = next(iter(splits.values())).by, dict.fromkeys(name for one in splits.values() for name in one.names)
    for metric, cells in _cells(whole):
        for name in names:
            inside = {run: splits[run].users_of(name) for run in cells}
            here = {run: over(one, inside[run]) for run, one in cells.items()}
            for run, one in here.items():
                rest = over(cells[run], ~inside[run])
                rows.append(
                    _segment((metric, by, name, run), one, rest, difference_interval(one, rest, sampling), sampling)
                )
            pairs += _pairs(whole, (metric, by, name), here, sampling)
    return rows, pairs


def _of_items(
    split: Segmentation, anew: Callable[[Mask], Comparison], sampling: Sampling
) -> tuple[list[Segment], list[Against]]:
    """The numbers in which the labels of some items alone are labels; `anew` takes which, shape (items,)."""
    rows, pairs = list[Segment](), list[Against]()
    for name in split.names:
        inside = split.users_of(name)
        ours, others = anew(inside), anew(~inside)
        for (metric, cells), (_, rest) in zip(_cells(ours), _cells(others), strict=True):
            for run, one in cells.items():
                _, _, difference = paired(one, rest[run], 1, sampling)
                rows.append(_segment((metric, split.by, name, run), one, rest[run], difference, sampling))
            pairs += _pairs(ours, (metric, split.by, name), cells, sampling)
    return rows, pairs


def _segment(
    about: tuple[str, str, str, str], found: Measured, rest: Measured, difference: Interval, sampling: Sampling
) -> Segment:
    """What a run gives some users; `about` is metric, column, name and run."""
    interval = interval_of(found, sampling.confidence, draws=sampling.draws, seed=sampling.seed)
    return Segment(*about, size(found), found.mean, interval, rest.mean, difference)


def _pairs(
    whole: Comparison, about: tuple[str, str, str], cells: Mapping[str, Measured], sampling: Sampling
) -> Iterator[Against]:
    """Each run against each other one in a segment; `about` is metric, column and name."""
    sign = -1 if whole.lower_is_better(about[0], whole.presets[0]) else 1
    for ours, other in combinations(cells, 2):
        ids = [whole.facts[run].joined.users for run in (ours, other)]
        to = None if ids[0] is ids[1] or ids[0].are(ids[1]) else ids[0].codes_of(ids[1])
        yield Against(*about, (ours, other), *paired(cells[ours], cells[other], sign, sampling, to))


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
