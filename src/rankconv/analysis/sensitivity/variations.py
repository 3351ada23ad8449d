"""Do definitions agree on which run is better: their orders, and the settings that change it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rankconv.evaluation.compare.comparison import Comparison
from rankconv.evaluation.differences import between
from rankconv.metrics.base import Expectation
from rankconv.preparation.steps.labels import RELEVANT
from rankconv.presets.definition import Definition, with_changes
from rankconv.presets.resolved import Preset
from rankconv.specs.spec import SpecLike, text_of


@dataclass(frozen=True)
class Change:
    """A preset that turns a pair of runs round, and the preset most like it that does not."""

    preset: str
    near: str
    settings: tuple[str, ...]
    """In which the first differs from the second, of those that can matter on these data."""


@dataclass(frozen=True)
class Flip:
    """A pair of runs whose order depends on the definition."""

    usual: tuple[str, str]
    """The better and the worse run under most presets."""
    agree: list[str]
    """Presets under which it is so."""
    equal: list[str]
    """Presets that give both the same."""
    changes: list[Change]
    """Presets that turn it round."""


def scores(comparison: Comparison, metric: str) -> dict[str, dict[str, float]]:
    """Preset → run → mean, with the sign turned where less is better, so that the best run has the most."""
    return {
        preset: {run: -mean if comparison.lower_is_better(metric, preset) else mean for run, mean in by_run.items()}
        for preset, by_run in comparison.means(metric).items()
    }


def flips(comparison: Comparison, metric: str) -> list[Flip]:
    """The pairs of runs that are in different order under different presets."""
    found = []
    better, nearest = scores(comparison, metric), Nearest(comparison, metric)
    for ours, other in combinations(comparison.runs, 2):
        signs = {preset: np.sign(means[ours] - means[other]) for preset, means in better.items()}
        usual = (ours, other) if sum(signs.values()) >= 0 else (other, ours)
        side = 1 if usual[0] == ours else -1
        agree, turned = ([name for name, sign in signs.items() if sign == wanted] for wanted in (side, -side))
        if turned:
            equal = [name for name, sign in signs.items() if not sign]
            changes = [nearest.change(name, agree) for name in turned] if agree else []
            found.append(Flip(usual, agree, equal, changes))
    return found


class Nearest:
    """Finds the preset most like another; what is between two presets is worked out once for all pairs of runs."""

    def __init__(self, comparison: Comparison, metric: str) -> None:
        self._measured, self._facts = comparison.measured(metric), list(comparison.facts.values())
        self._reasons: dict[tuple[str, str], list[str]] = {}

    def change(self, preset: str, others: Sequence[str]) -> Change:
        """The preset against the one of the others from which the fewest settings part it."""
        near = min(others, key=lambda other: len(self._between(preset, other)))
        return Change(preset, near, tuple(self._between(preset, near)))

    def _between(self, preset: str, other: str) -> list[str]:
        if (preset, other) not in self._reasons:
            self._reasons[preset, other] = between(self._measured[preset], self._measured[other], self._facts)
        return self._reasons[preset, other]


PRESETS, TIES, CUTOFFS, THRESHOLDS = "presets", "tie orders", "cutoffs", "thresholds"
"""What may vary."""
TIE_RULES = {"worst": "relevant-last", "expected": "expected", "best": "relevant-first"}
"""The order of tied rows, and the setting that makes it."""


@dataclass(frozen=True)
class Variation:
    """One way in which all presets are varied."""

    kind: str
    """One of `presets`, `tie orders`, `cutoffs`, `thresholds`."""
    name: str
    """`worst`, `@5`, `relevant=at-least(2)`; empty for the presets as they are."""


EXPECTED = Variation(TIES, "expected")
AS_IS = Variation(PRESETS, "")


def of_ties(definition: Definition) -> dict[Variation, Definition]:
    """The worst order of tied rows, the expected value over all orders where that is known, the best order."""
    rules = {Variation(TIES, name): rule for name, rule in TIE_RULES.items()}
    if definition.expectation is not Expectation.CLOSED_FORM:
        del rules[EXPECTED]
    found = {variation: with_changes(definition, {"order": "score", "ties": rule}) for variation, rule in rules.items()}
    return {variation: one for variation, one in found.items() if one}


def by_score(definition: Definition) -> Definition | None:
    """As it is, but ordered by score: where that is another number, the lists do not stand by falling score."""
    return with_changes(definition, {"order": "score", "ties": "given"})


def of_cutoffs(preset: Preset, metric: SpecLike, cutoffs: Sequence[int]) -> dict[Variation, Definition]:
    """The metric at each of these cutoffs at which the preset offers it."""
    by_cutoff = {k: preset.read(metric).at(k) for k in cutoffs}
    return {Variation(CUTOFFS, f"@{k}"): preset.define(spec)[0] for k, spec in by_cutoff.items() if preset.offers(spec)}


def of_thresholds(definition: Definition, thresholds: Sequence[float]) -> dict[Variation, Definition]:
    """An item being relevant from each of these grades on."""
    settings = [RELEVANT.validate(f"at-least({text_of(level)})") for level in thresholds]
    found = {setting: with_changes(definition, {"relevant": setting}) for setting in settings}
    return {Variation(THRESHOLDS, f"relevant={setting}"): one for setting, one in found.items() if one}
