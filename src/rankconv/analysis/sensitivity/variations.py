"""The definitions that a number is varied over: other orders of ties, cutoffs, thresholds."""

from collections.abc import Sequence
from dataclasses import dataclass

from rankconv.metrics.base import Expectation
from rankconv.preparation.steps.relevance import RELEVANT
from rankconv.presets.definition import Definition
from rankconv.presets.reanswering import answered
from rankconv.presets.resolved import Preset
from rankconv.specs.setting_text import text_of
from rankconv.specs.spec import Asked

PRESETS, TIES, CUTOFFS, THRESHOLDS = "presets", "tie orders", "cutoffs", "thresholds"
"""What may vary."""
TIE_RULES = {"worst": "relevant-last", "expected": "expected", "best": "relevant-first"}
"""The order of tied rows, and the answer that makes it."""


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
    found = {variation: answered(definition, {"order": "score", "ties": rule}) for variation, rule in rules.items()}
    return {variation: one for variation, one in found.items() if one}


def by_score(definition: Definition) -> Definition | None:
    """As it is, but ordered by score: where that is another number, the lists do not stand by falling score."""
    return answered(definition, {"order": "score", "ties": "given"})


def of_cutoffs(preset: Preset, metric: Asked, cutoffs: Sequence[int]) -> dict[Variation, Definition]:
    """The metric at each of these cutoffs at which the preset offers it."""
    asked = {k: preset.read(metric).at(k) for k in cutoffs}
    return {Variation(CUTOFFS, f"@{k}"): preset.define(spec)[0] for k, spec in asked.items() if preset.offers(spec)}


def of_thresholds(definition: Definition, thresholds: Sequence[float]) -> dict[Variation, Definition]:
    """An item being relevant from each of these grades on."""
    settings = [RELEVANT.validate(f"at-least({text_of(level)})") for level in thresholds]
    found = {setting: answered(definition, {"relevant": setting}) for setting in settings}
    return {Variation(THRESHOLDS, f"relevant={setting}"): one for setting, one in found.items() if one}
