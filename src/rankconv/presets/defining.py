"""The definitions that callers ask for: specs, read with the presets that they name."""

from collections.abc import Sequence

from rankconv import arguments
from rankconv.definition import Definition
from rankconv.errors import MetricError
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset
from rankconv.spec import each_spec, preset_and_rest

Metrics = str | Sequence[str]


def define(metrics: Metrics | None, preset: Preset) -> dict[str, Definition]:
    """The definitions that these specs ask for, by the text of each: `map@5,10` is `map@5` and `map@10`."""
    found: dict[str, Definition] = {}
    for text in (spec for listed in arguments.specs(metrics) for spec in each_spec(listed)):
        named, rest = preset_and_rest(text)
        owner = preset if named is None else find_preset(named)
        head = "" if named is None else f"{named}:"
        found |= {head + spec: definition for spec in owner.members(rest) for definition in owner.define(spec)}
    if not found:
        raise arguments.no_metric()
    return found


def define_one(spec: str | None, preset: Preset, do: str) -> Definition:
    """The one definition that a spec asks for; a MetricError that says what to do where it asks for several."""
    definitions = list(define(arguments.spec(spec), preset).values())
    if len(definitions) > 1:
        raise MetricError(f"'{spec}' asks for {len(definitions)} numbers", do=do)
    return definitions[0]
