"""Which settings turn a verdict: the preset that says otherwise, and the one most like it that does not."""

from collections.abc import Iterator, Sequence

from rankconv.analysis.sensitivity.agreement import Change, Nearest
from rankconv.analysis.test.tested_runs import Verdict
from rankconv.evaluation.compare.comparison import Comparison

FEW = 3
"""So many presets of each other verdict are told of."""


def turning(comparison: Comparison, metric: str, verdicts: Sequence[Verdict]) -> Iterator[Change]:
    """Presets of the smaller camps, each with the preset of the largest camp most like it, and what parts them."""
    nearest, (usual, *others) = Nearest(comparison, metric), verdicts
    for camp in others:
        changes = [nearest.change(preset, usual.presets) for preset in camp.presets]
        yield from sorted(changes, key=lambda one: len(one.settings))[:FEW]
