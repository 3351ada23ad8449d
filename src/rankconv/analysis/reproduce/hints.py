"""Which preset would give a number that the named one does not."""

from collections.abc import Iterator, Sequence

from rankconv.analysis.reproduce.printed_numbers import PrintedNumber
from rankconv.analysis.reproduce.sources import Source
from rankconv.analysis.reproduce.verdicts import reproduced
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.errors import RankconvError
from rankconv.evaluation.result import Result
from rankconv.metrics.base import strategy_of
from rankconv.presets.registry import list_presets, readable
from rankconv.presets.resolved import Preset
from rankconv.specs.spec import at_cutoff

SHOWN = 3
"""How many presets a hint names."""
Like = tuple[str, int | None]
"""The strategy of a metric, and its cutoff."""


def hints(source: Source, claims: Sequence[PrintedNumber]) -> dict[PrintedNumber, str]:
    """For each number, the presets whose entry of the same metric gives it."""
    like: dict[PrintedNumber, Like] = {}
    for claim in claims:
        definition = claim.asked.definition
        like[claim] = definition.metric.name, definition.k
    found: dict[PrintedNumber, list[str]] = {claim: [] for claim in claims}
    for inputs in dict.fromkeys(claim.asked.inputs for claim in claims):
        here = {claim: one for claim, one in like.items() if claim.asked.inputs == inputs}
        for preset in readable(list_presets()):
            for claim in _given(preset, source.joined[inputs], here):
                found[claim].append(preset.name)
    return {claim: _said(names) for claim, names in found.items()}


def _said(names: list[str]) -> str:
    more = len(names) - SHOWN
    shown = ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
    return f"{shown} would give it" if names else "no preset gives it"


def _given(preset: Preset, joined: Joined, like: dict[PrintedNumber, Like]) -> list[PrintedNumber]:
    """The numbers that one of the preset's metrics of the same strategy and cutoff gives."""
    specs = {spec: one for one in dict.fromkeys(like.values()) for spec in _specs(preset, one)}
    try:
        definitions = [definition for spec in specs for definition in preset.define(spec)]
        measured = measure(joined, definitions, None)
    except RankconvError:
        return []
    result = Result(preset.name, joined.users.values, dict(zip(specs, measured, strict=True)))
    return [
        claim for claim, one in like.items() if any(_gives(result, s, claim) for s, of in specs.items() if of == one)
    ]


def _specs(preset: Preset, like: Like) -> Iterator[str]:
    strategy, k = like
    for key in preset.metrics:
        spec = at_cutoff(key, k)
        if strategy_of(preset.entry(key).is_ or key) == strategy and preset.offers(spec):
            yield spec


def _gives(result: Result, spec: str, claim: PrintedNumber) -> bool:
    if spec in result.errors:
        return False
    user = claim.asked.user
    users = [str(one) for one in result.users]
    value = result[spec] if user is None else float(result.per_user[spec][users.index(str(user))])
    return reproduced(claim.printed, value) is not None
