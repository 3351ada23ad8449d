"""The definition of a call, looked up once."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import rankconv as rc


@lru_cache(maxsize=1024)
def of(preset: str, spec: str, k: int | None = None) -> rc.Definition:
    """The metric of a preset, at a cutoff if there is one.

    Raises ConventionError and MetricError for what the preset does not offer.
    """
    return rc.metric(spec if k is None else f"{spec}@{k}", preset=preset)


def changed(definition: rc.Definition, settings: Mapping[str, Any]) -> rc.Definition:
    """The definition with other settings by convention; itself where there are none."""
    given: dict[str, Any] = dict(settings)
    return definition.replace(**given) if given else definition
