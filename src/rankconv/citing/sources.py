"""Where a definition stands: the sources of its preset, and the papers that single settings come from."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from rankconv.citing.statements import Statements
from rankconv.errors import ConventionError
from rankconv.presets.bibliography import bibliography
from rankconv.presets.definition import Definition
from rankconv.presets.model import Citation
from rankconv.presets.registry import list_presets, readable
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset
from rankconv.specs.convention import SettingType


def sources(definition: Definition, owner: Preset | None) -> list[Citation]:
    """The sources of the preset, that of the metric, then the papers that its settings come from; each once."""
    metric = type(definition.metric)
    found = [*(owner.sources if owner else []), *sources_of(metric.cite, metric.paper)]
    for setting_type in _cited(definition):
        found += [citation for citation in sources_of(setting_type.cite, setting_type.paper) if citation.authors]
    return list({citation.key: citation for citation in reversed(found)}.values())[::-1]


def preset_of(definition: Definition) -> Preset | None:
    """The preset that a definition was taken from, unchanged; None where it is no longer to be had."""
    if isinstance(definition.owner, Preset):
        return definition.owner.original or definition.owner
    try:
        return find_preset(definition.preset)
    except ConventionError:
        return None


def _cited(definition: Definition) -> Iterator[SettingType]:
    """The answers that name a source, of those that change something."""
    told = Statements(definition)
    for part in definition.parts:
        for convention_name, setting in part.settings.items():
            if convention_name not in told.silent:
                yield from (one.setting_type for one in setting.whole if one.setting_type.cite)


def sources_of(key: str, paper: Mapping[str, Any]) -> list[Citation]:
    """What a key means: a paper of the bibliography or a plugin's, a source of a preset, or the sources of a preset."""
    if not key:
        return []
    if key in bibliography():
        return [bibliography()[key]]
    if paper:
        return [Citation.model_validate({"key": key, **paper})]
    names = list_presets()
    if key in names:
        cited = find_preset(key).sources
        return [citation for citation in cited if citation.key == key] or cited
    found = (citation for preset in readable(names) for citation in preset.sources)
    return list(islice((citation for citation in found if citation.key == key), 1))
