"""The picture of a metric under many definitions: which values there are, for which run, and who gives them."""

from collections.abc import Sequence

import numpy as np

from rankconv.evaluation.results.differences import ComparedNumbers, EqualNumbers
from rankconv.presets.preset_registry import HOUSE
from rankconv.rendering.pages.strip_plot import StripMark, StripPlot, StripRow


def strip_plot(
    measure: str,
    groups: Sequence[EqualNumbers],
    runs: Sequence[str] = ("",),
    chosen: str = "",
    kind: str = "preset",
    digits: int = 4,
) -> StripPlot | None:
    """The values of these groups, a row for each run; None where no finite value is among them."""
    finite = [one for one in groups if np.isfinite(one.means).all()]
    if not finite:
        return None
    return StripPlot(measure, [_row(run, finite, place) for place, run in enumerate(runs)], chosen, kind, digits)


def _row(run: str, groups: Sequence[EqualNumbers], place: int) -> StripRow:
    """One run; what differs for another run alone is the same mark."""
    names: dict[float, list[str]] = {}
    for one in groups:
        names.setdefault(one.means[place], []).extend(one.names)
    return StripRow(run, [StripMark(value, sorted(names[value])) for value in sorted(names)])


def strip_of(comparison: ComparedNumbers, metric: str, digits: int = 4) -> StripPlot | None:
    """The values of one metric of a comparison; the default preset is chosen, the first one where that has none."""
    groups = [EqualNumbers(means, names) for means, names in comparison.groups(metric, digits).items()]
    return strip_plot(metric, groups, comparison.runs, chosen_preset(comparison, metric), digits=digits)


def chosen_preset(comparison: ComparedNumbers, metric: str) -> str:
    """The default preset where it gives the metric, else the first preset that does; empty where none does."""
    measured = comparison.means(metric)
    return next((name for name in sorted(comparison.presets, key=lambda name: name != HOUSE) if name in measured), "")


def strips(comparison: ComparedNumbers, digits: int = 4) -> list[StripPlot]:
    """The picture of each metric of which there are two values or more."""
    found = (strip_of(comparison, metric, digits) for metric in comparison.metrics)
    return [one for one in found if one is not None and one.low < one.high]
