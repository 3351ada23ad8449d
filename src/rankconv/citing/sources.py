"""Where a definition stands: the sources of its preset, and the papers that single answers come from."""

from collections.abc import Iterator
from itertools import islice

from rankconv.citing.statements import Statements
from rankconv.errors import ConventionError
from rankconv.presets.definition import Definition
from rankconv.presets.model import Citation
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.registry import preset_names, readable
from rankconv.presets.resolved import Preset
from rankconv.questions.choice import Option


def sources(definition: Definition, owner: Preset | None) -> list[Citation]:
    """The sources of the preset, then the papers that its answers come from; each once."""
    found = list(_of_preset(owner)) if owner else []
    for option in _cited(definition):
        found += [citation for citation in of_answer(option) if citation.authors]
    return list({citation.key: citation for citation in reversed(found)}.values())[::-1]


def preset_of(definition: Definition) -> Preset | None:
    """The preset that a definition was taken from, unchanged; None where it is no longer to be had."""
    if isinstance(definition.owner, Preset):
        return definition.owner.original or definition.owner
    try:
        return find_preset(definition.preset)
    except ConventionError:
        return None


def _of_preset(owner: Preset) -> list[Citation]:
    """Its own, or those of the preset that it extends."""
    while not owner.file.cite and owner.parent is not None:
        owner = owner.parent
    return owner.file.cite


def _cited(definition: Definition) -> Iterator[Option]:
    """The answers that name a source, of those that change something."""
    told = Statements(definition)
    for part in definition.parts:
        for question, answer in part.answers.items():
            if question not in told.silent:
                yield from (one.option for one in answer.whole if one.option.cite)


def of_answer(option: Option) -> list[Citation]:
    """What an answer cites: its paper, or a source of presets by its key, or those of a preset by its name."""
    key, names = option.cite, preset_names()
    if option.paper:
        return [Citation.model_validate({"key": key, **option.paper})]
    if key in names:
        cited = _of_preset(find_preset(key))
        return [citation for citation in cited if citation.key == key] or cited
    found = (citation for preset in readable(names) for citation in preset.file.cite)
    return list(islice((citation for citation in found if citation.key == key), 1))
