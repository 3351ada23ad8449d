"""Orders that turn: what holds of all users, and of no part of them (Simpson 1951)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations

import numpy as np

from rankconv.analysis.segments.segment import Against, Split, over, size
from rankconv.engine.measured import Measured
from rankconv.evaluation.compare.comparison import Comparison

FEWEST = 5
"""Parts with fewer users on a side are not asked."""
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
        overall = _apart(measured, split.of == one, split.of == other)
        inside = [parts.of == place for place in range(len(parts.names))]
        apart = [_apart(measured, (split.of == one) & here, (split.of == other) & here) for here in inside]
        told = [value for value in apart if not np.isnan(value)]
        if len(told) >= PARTS and overall and all(value * overall < 0 for value in told):
            more, less = (split.names[place] for place in ((one, other) if overall > 0 else (other, one)))
            yield (
                f"{metric}{of}: {split.by} {more} has more than {less}, and less in every segment by {parts.by} "
                "(Simpson's paradox)"
            )


def _apart(measured: Measured, ours: np.ndarray, others: np.ndarray) -> float:
    """The number of these users less that of the others, both shape (users,); NaN where either side is too small."""
    sides = over(measured, ours), over(measured, others)
    return float(np.nan) if min(map(size, sides)) < FEWEST else sides[0].mean - sides[1].mean
