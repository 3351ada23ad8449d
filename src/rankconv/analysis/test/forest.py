"""Tests as rows of a forest plot: one for each pair of runs, or for each class of equal definitions."""

from collections.abc import Sequence

from rankconv.analysis.test.tables import few, p, signed
from rankconv.analysis.test.tested import Tested
from rankconv.analysis.test.tested_runs import TestedRuns
from rankconv.pages.forest_plot import Forest


def rows_of(found: TestedRuns, digits: int) -> list[Forest]:
    """A row for each test; of one pair under many definitions from the largest difference to the smallest."""
    places = dict.fromkeys((one.metric, one.runs) for one in found.tests)
    tests = [one for place in places for one in found.of(*place)]
    metrics, pairs = ({getattr(one, name) for one in tests} for name in ("metric", "runs"))
    presets = {tuple(one.presets) for one in tests}
    return [_row(one, _name(one, len(metrics) > 1, len(pairs) > 1, len(presets) > 1), digits) for one in tests]


def title_of(found: TestedRuns) -> str:
    """What is drawn."""
    pairs, metrics = found.pairs, list(dict.fromkeys(one.metric for one in found.tests))
    what = " against ".join(pairs[0]) if len(pairs) == 1 else f"{len(pairs)} pairs of runs"
    level = f"{100 * (1 - found.level):g} % intervals"
    marks = "filled: told apart, corrected for all; to the right the first run is better"
    return f"{', '.join(metrics)}: {what}; {level}; {marks}"


def _name(one: Tested, metric: bool, pair: bool, preset: bool) -> str:
    parts = [one.metric] if metric else []
    parts += [" - ".join(one.runs)] if pair else []
    return ": ".join([*parts, *([_presets(one.presets)] if preset or not parts else [])])


def _presets(presets: Sequence[str]) -> str:
    """The first presets, and how many more."""
    return few(presets) if len(", ".join(presets[:3])) <= LONGEST else f"{presets[0]} and {len(presets) - 1} more"


LONGEST = 44
"""Letters of presets beside a row."""


def _row(one: Tested, name: str, digits: int) -> Forest:
    low, high = (float("nan"),) * 2 if one.interval is None else (one.interval.low, one.interval.high)
    told = f"{signed(one.effect.mean, digits)}  p {p(one.p)}"
    return Forest(name, one.effect.mean, low, high, told, one.told_apart)
