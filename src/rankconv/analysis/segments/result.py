"""The result of an evaluation by segment, and where the order of runs reverses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations, permutations
from typing import Any

import numpy as np

from rankconv.analysis.segments.segment import FEW, Against, Segment, Split, over, size
from rankconv.engine.metric_result import Measured
from rankconv.evaluation.compare.comparison import Comparison
from rankconv.optional import frame_of
from rankconv.pages.cells import finite, number, plain
from rankconv.pages.display import Drawn, Tabular
from rankconv.pages.forest_plot import Forest, draw
from rankconv.pages.page import Heading, Note, Page, Paragraph, Piece
from rankconv.pages.picture import Target
from rankconv.pages.table import Table
from rankconv.statistics.intervals import ends, kinds_of, shown

FEWEST = 5
"""Parts with fewer users on a side are left out."""
PARTS = 2
"""So many parts, at least, must say otherwise."""


def reversals(whole: Comparison, splits: Sequence[Mapping[str, Split]], against: Sequence[Against]) -> Iterator[str]:
    """Sentences on orders of runs, and of segments, that are the other way round in every part of the users."""
    for metric in whole.metrics:
        yield from _of_runs(whole, metric, against)
        cells = {run: whole.cell(metric, whole.presets[0], run) for run in whole.runs}
        for run, one in cells.items():
            for split, parts in permutations([each[run] for each in splits], 2):
                if one is not None and one.again is not None:
                    yield from _of_segments(metric, run, one, split, parts)


def _of_runs(whole: Comparison, metric: str, against: Sequence[Against]) -> Iterator[str]:
    """Runs whose means stand the other way round than in every segment."""
    of = [one for one in against if one.metric == metric and one.users >= FEWEST]
    means = whole.means(metric).get(whole.presets[0], {})
    sign = -1 if whole.lower_is_better(metric, whole.presets[0]) else 1
    for by, runs in dict.fromkeys((one.by, one.runs) for one in of):
        parts = [one.difference for one in of if (one.by, one.runs) == (by, runs)]
        if len(parts) < PARTS or not means:
            continue
        overall = sign * (means[runs[0]] - means[runs[1]])
        if overall and all(part * overall < 0 for part in parts):
            first, second = runs if overall > 0 else runs[::-1]
            yield f"{metric}: {first} has the better mean, and {second} is better in every segment by {by}"


def _of_segments(metric: str, run: str, measured: Measured, split: Split, parts: Split) -> Iterator[str]:
    """Two segments whose order is the other way round in every part of another split."""
    of = f" of {run}" if run else ""
    for one, other in combinations(range(len(split.names)), 2):
        overall = _difference(measured, split.of == one, split.of == other)
        inside = [parts.of == place for place in range(len(parts.names))]
        differences = [_difference(measured, (split.of == one) & here, (split.of == other) & here) for here in inside]
        entries = [value for value in differences if not np.isnan(value)]
        if len(entries) >= PARTS and overall and all(value * overall < 0 for value in entries):
            more, less = (split.names[place] for place in ((one, other) if overall > 0 else (other, one)))
            yield (
                f"{metric}{of}: {split.by} {more} has more than {less}, and less in every segment by {parts.by} "
                "(Simpson's paradox)"
            )


def _difference(measured: Measured, ours: np.ndarray, others: np.ndarray) -> float:
    """The number of these users less that of the others, both shape (users,); NaN where either side is too small."""
    sides = over(measured, ours), over(measured, others)
    return float(np.nan) if min(map(size, sides)) < FEWEST else sides[0].mean - sides[1].mean


@dataclass(frozen=True, eq=False, repr=False)
class SegmentResult(Drawn, Tabular):
    """The number of each segment of the users, with what it is put against."""

    comparison: Comparison = field(repr=False)
    segments: list[Segment]
    against: list[Against]
    """Each pair of runs in each segment; empty for one run."""
    reversals: list[str]
    """Where an order is the other way round in every part."""
    confidence: float
    cuts: dict[str, str] = field(default_factory=dict)
    """Each column that was cut into quarters, and over what: `users of the labels (100 values)`."""

    def _page(self, digits: int = 4) -> Page:
        """A table for each metric and column, the runs against each other, and what turns."""
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
        yield from (Paragraph(f"Turned: {one}.") for one in self.reversals)
        why = dict.fromkeys((one.metric, one.interval.why) for one in self.segments if one.interval.why)
        yield from (Note(f"No interval: {reason} ({metric}).") for metric, reason in why)

    def _segments(self, segments: Sequence[Segment], digits: int) -> Table:
        several = len({one.run for one in segments}) > 1
        heads = ["segment", *(["run"] if several else []), "users", "number", "interval", "less the others"]
        rows = [
            [
                *(named(one), *([one.run] if several else []), str(one.users), number(one.number, digits)),
                *(shown(one.interval, digits), shown(one.difference, digits, "+")),
            ]
            for one in segments
        ]
        return Table(heads, rows, labels=1 + several)

    def _pairs(self, pairs: Sequence[Against], digits: int) -> Table:
        rows = [
            [named(one), *one.runs, str(one.users), f"{one.difference:+.{digits}f}", shown(one.interval, digits, "+")]
            for one in pairs
        ]
        return Table(["segment", "run", "against", "users", "better by", "interval"], rows, labels=3)

    def table(self, digits: int = 4) -> Table:
        """A row for each number of a segment."""
        heads = ["metric", "by", "segment", "run", "users", "number", "low", "high", "rest", "low", "high"]
        rows = [[*map(str, _about(one)), *(number(value, digits) for value in _numbers(one))] for one in self.segments]
        return Table(heads, rows, labels=4)

    def plot(self, path: Target, digits: int = 4) -> None:
        """Draw the numbers of all segments with their intervals into an SVG or PNG file. Needs matplotlib."""
        several = len({one.run for one in self.segments}) > 1
        rows = [
            Forest(
                f"{one.metric} {one.by}: {one.name}" + (f" ({one.run})" if several else ""),
                one.number,
                *ends(one.interval),
                f"{number(one.number, digits)}  {one.users} users",
                not one.few,
                one.few,
            )
            for one in self.segments
        ]
        draw(rows, f"Segments under {self.comparison.presets[0]}", "number", path, None)

    def to_dict(self) -> dict[str, Any]:
        """Plain data; NaN is None, as JSON has it."""
        segments = [plain(asdict(one)) | {"few": one.few} for one in self.segments]
        against = [plain(asdict(one)) | {"few": one.few} for one in self.against]
        fields = {"segments": segments, "against": against, "reversals": self.reversals, "confidence": self.confidence}
        return fields | {"cuts": self.cuts}

    def to_frame(self) -> Any:
        """One row per number of a segment, as a frame."""
        about, ends_of = ("metric", "by", "segment", "run", "users"), ("difference_low", "difference_high")
        columns = (*about, "number", "low", "high", "rest", *ends_of)
        rows = [(*_about(one), *map(finite, _numbers(one))) for one in self.segments]
        return frame_of([dict(zip(columns, row, strict=True)) for row in rows])


def _about(one: Segment) -> tuple[str, str, str, str, int]:
    return one.metric, one.by, one.name, one.run, one.users


def _numbers(one: Segment) -> tuple[float, ...]:
    return one.number, *ends(one.interval), one.rest, *ends(one.difference)


def named(one: Segment | Against) -> str:
    """The segment's name, and that it has few users."""
    return f"{one.name} (few)" if one.few else one.name
