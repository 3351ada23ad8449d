"""The two definitions that are held against each other, as a caller names them."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from rankconv.data.ids import typed
from rankconv.errors import MetricError
from rankconv.presets.defining import define_one
from rankconv.presets.definition import Definition
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset
from rankconv.specs.spec import preset_and_rest

BY_PRESET = ("-m", "ndcg@10", "-p", "mllib")
"""How a definition is requested that a preset and a metric name."""
ONE = "Ask for one of them: give one cutoff."


@dataclass(frozen=True)
class NamedDefinition:
    """One of the two definitions, and how it was requested."""

    name: str
    """The preset, or the whole spec, as it was given."""
    definition: Definition
    setting_types: tuple[str, ...]
    """How a command asks for it: `-m ndcg@10 -p mllib`, or `-m mllib:ndcg@10`."""


def explaining(user: object, files: str, ours: NamedDefinition, other: NamedDefinition) -> list[str]:
    """The commands that work out one user under both definitions: one command, where both were named by a preset.

    Python calls where a setting is a function, which no command can name.

    >>> explaining("ann", "labels.csv run.csv", side("mllib", "map@3"), side("kaggle", "map@3"))
    ['rankconv explain labels.csv run.csv -m map@3 -p mllib -u ann --against kaggle']
    """
    together = len(ours.setting_types) == len(other.setting_types) == len(BY_PRESET)
    parts = [[*ours.setting_types, "-u", typed(user), "--against", other.name]] if together else []
    if ours.definition.functions or other.definition.functions:
        return [f"rc.explain(labels, run, {side.definition!r}, user={_in_python(user)!r})" for side in (ours, other)]
    parts = parts or [[*side.setting_types, "-u", typed(user)] for side in (ours, other)]
    return [" ".join(filter(None, ["rankconv explain", files, shlex.join(setting_types)])) for setting_types in parts]


def _in_python(user: object) -> object:
    return user if isinstance(user, tuple) else str(user)


def side(given: str | Path | Preset | Definition, metric: str | Definition | None) -> NamedDefinition:
    """What a preset calls the metric, or the definition that a whole spec such as `mllib:ndcg@10` asks for."""
    if isinstance(given, Definition):
        return NamedDefinition(given.text, given, ("-m", given.text))
    named = preset_and_rest(given)[0] if isinstance(given, str) else None
    if named is not None:
        return NamedDefinition(str(given), define_one(str(given), find_preset(named), ONE), ("-m", str(given)))
    preset = find_preset(given)
    if metric is None:
        raise MetricError(
            f"no metric is given for {preset.name}",
            do="Pass one, such as ndcg@10, or name two specs: mllib:ndcg@10.",
            shell="Name one: -m ndcg@10; or two specs: mllib:ndcg@10.",
        )
    name = str(given) if not isinstance(given, Preset) else preset.name
    stated = metric.requested if isinstance(metric, Definition) else metric
    return NamedDefinition(name, define_one(stated, preset, ONE), ("-m", str(stated), "-p", name))
