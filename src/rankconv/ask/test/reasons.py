"""Which answers turn a verdict: the preset that says otherwise, and the one most like it that does not."""

from collections.abc import Iterator, Sequence

from rankconv.ask.compare.comparison import Comparison
from rankconv.ask.sensitivity.agreement import Change
from rankconv.ask.test.tested_runs import Verdict
from rankconv.engine.grouping import between

FEW = 3
"""So many presets of each other verdict are told of."""


def turning(comparison: Comparison, metric: str, verdicts: Sequence[Verdict]) -> Iterator[Change]:
    """Presets of the smaller camps, each with the preset of the largest camp most like it, and what parts them."""
    facts, measured = list(comparison.facts.values()), comparison.measured(metric)
    usual, *others = verdicts
    for camp in others:
        changes = []
        for preset in camp.presets:
            apart = {near: between(measured[preset], measured[near], facts) for near in usual.presets}
            near = min(apart, key=lambda one: len(apart[one]))
            changes.append(Change(preset, near, tuple(apart[near])))
        yield from sorted(changes, key=lambda one: len(one.answers))[:FEW]
