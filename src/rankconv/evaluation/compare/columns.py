"""Definitions as the columns of a comparison: objects, whole specs, or names that the caller gives them."""

from collections.abc import Iterable, Mapping
from typing import Any

from rankconv.errors import MetricError
from rankconv.presets import arguments
from rankconv.presets.defining import metric
from rankconv.presets.definition import Definition
from rankconv.presets.resolved import Preset
from rankconv.specs.spec import at_cutoff, preset_and_rest

Columns = dict[str, Definition]
"""Definitions by the name of their column."""


def are_columns(metrics: Any, presets: Any) -> bool:
    """Whether definitions are to be put side by side, and not metrics under presets."""
    if presets is not None:
        return False
    if isinstance(metrics, (Definition, Mapping)):
        return True
    several = isinstance(metrics, Iterable) and not isinstance(metrics, (str, bytes))
    return several and any(_is_whole(one) for one in metrics)


def _is_whole(given: Any) -> bool:
    return isinstance(given, Definition) or (isinstance(given, str) and preset_and_rest(given)[0] is not None)


def columns(metrics: Any, house: Preset) -> Columns:
    """The columns; a spec without a preset is the house's. MetricError where two definitions have one name."""
    given = metrics.items() if isinstance(metrics, Mapping) else [(None, one) for one in _listed(metrics)]
    found: Columns = {}
    for label, one in given:
        definition = one if isinstance(one, Definition) else metric(arguments.spec(one), house)
        name = definition.text if label is None else str(label)
        if found.setdefault(name, definition) != definition:
            do = "Name them: rc.compare(labels, run, {'mine': …, 'theirs': …})."
            raise MetricError(f"two different definitions are called '{name}'", do=do)
    return found


def _listed(metrics: Any) -> list[Any]:
    return [metrics] if isinstance(metrics, (str, Definition)) else list(metrics)


def row_of(found: Columns) -> str:
    """What the one row is called: the metric and the cutoff that all have, else "value"."""
    names = {at_cutoff(one.metric.name, one.k) for one in found.values()}
    return names.pop() if len(names) == 1 else "value"
