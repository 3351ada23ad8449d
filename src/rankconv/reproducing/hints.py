"""Which preset would give a number that the named one does not."""

from collections.abc import Iterator, Sequence

from rankconv.engine import measure
from rankconv.errors import RankingError
from rankconv.metrics.base import strategy_of
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.registry import preset_names
from rankconv.presets.resolved import Preset
from rankconv.reproducing.claims import Claim
from rankconv.reproducing.sources import Source
from rankconv.reproducing.verdicts import reproduced
from rankconv.results import Result

SHOWN = 3
"""How many presets a hint names."""


def hints(source: Source, claims: Sequence[Claim]) -> dict[Claim, str]:
    """For each number, the presets whose entry of the same metric gives it; empty where none does."""
    found: dict[Claim, list[str]] = {claim: [] for claim in claims}
    for name in preset_names() if claims else []:
        for claim in claims:
            if len(found[claim]) < SHOWN and any(_gives(source, claim, spec) for spec in _like(find_preset(name), claim)):
                found[claim].append(name)
    return {claim: _said(names) for claim, names in found.items()}


def _said(names: list[str]) -> str:
    return f"{', '.join(names)} would give it" if names else "no preset gives it"


def _like(preset: Preset, claim: Claim) -> Iterator[tuple[Preset, str]]:
    """The preset's metrics of the same strategy, at the same cutoff."""
    definition = claim.asked.definition
    for key in preset.metrics:
        if strategy_of(preset.entry(key).is_ or key) == definition.metric.name:
            spec = key if definition.k is None else f"{key}@{definition.k}"
            if preset.offers(spec):
                yield preset, spec


def _gives(source: Source, claim: Claim, where: tuple[Preset, str]) -> bool:
    preset, spec = where
    joined = source.joined[claim.asked.inputs]
    try:
        measured = measure(joined, preset.define(spec), None)
    except RankingError:
        return False
    result = Result(preset.name, joined.users.values, {spec: measured[0]})
    users = [str(user) for user in result.users]
    user = claim.asked.user
    value = result[spec] if user is None else float(result.per_user[spec][users.index(str(user))])
    return bool(reproduced(claim.printed, value)) and not result.errors
