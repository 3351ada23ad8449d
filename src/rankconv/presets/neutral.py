"""The neutral setting of every convention, which the preset `base` states."""

from functools import cache, lru_cache

from rankconv.basics.registries import ReadOnlyDict
from rankconv.conventions.convention import CONVENTIONS, Registry
from rankconv.presets.entries import as_written
from rankconv.presets.folders import BASE, shipped
from rankconv.presets.preset_file import PresetFile, record
from rankconv.presets.yaml_file import read_document, read_text


def neutral_settings() -> dict[str, str]:
    """The neutral setting of every convention: as the preset `base` states it, or as a plugin registered it.

    >>> neutral_settings()["discount"]
    'log(base=2)'
    """
    return _neutral_settings(Registry.generation)


@lru_cache(maxsize=1)
def _neutral_settings(generation: int) -> dict[str, str]:
    registered = {name: one.neutral for name, one in CONVENTIONS.loaded.items() if one.neutral is not None}
    return ReadOnlyDict({**registered, **_stated_by_base()})


@cache
def _stated_by_base() -> dict[str, str]:
    """What the file says: definitions are below presets, so it is read without making a preset of it."""
    document = read_document(read_text(shipped()[BASE], BASE), BASE, moderate=True)
    file = record(PresetFile, document.data)
    given = {**file.preparation, **file.aggregation, **file.metric_settings}
    return {name: as_written(name, setting) for name, setting in given.items()}
