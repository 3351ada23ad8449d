"""Where a definition stands: the sources of its preset, and the papers that single answers come from."""

from collections.abc import Iterator
from itertools import islice

from rankconv.citing.statements import Statements
from rankconv.definition import Definition
from rankconv.errors import ConventionError
from rankconv.presets.model import Citation
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.registry import preset_names, readable
from rankconv.presets.resolved import Preset

OF_ANSWERS = (
    Citation(
        key="chapelle2009",
        title="Expected reciprocal rank for graded relevance",
        authors="O. Chapelle, D. Metzler, Y. Zhang, P. Grinspan",
        year=2009,
        doi="10.1145/1645953.1646033",
    ),
    Citation(
        key="mcsherry2008",
        title="Computing information retrieval performance measures efficiently in the presence of tied scores",
        authors="F. McSherry, M. Najork",
        year=2008,
        doi="10.1007/978-3-540-78646-7_38",
    ),
    Citation(
        key="clarke2021",
        title="Assessing top-k preferences",
        authors="C. L. A. Clarke, A. Vtyurina, M. D. Smucker",
        year=2021,
        doi="10.1145/3451161",
    ),
)
"""Sources that answers cite, and no preset."""


def sources(definition: Definition, owner: Preset | None) -> list[Citation]:
    """The sources of the preset, then the papers that its answers come from; each once."""
    found = list(_of_preset(owner)) if owner else []
    for key in _cited(definition):
        found += [citation for citation in citations(key) if citation.authors]
    return list({citation.key: citation for citation in reversed(found)}.values())[::-1]


def preset_of(definition: Definition) -> Preset | None:
    """The preset of a definition; None where it is no longer to be had."""
    try:
        return find_preset(definition.preset)
    except ConventionError:
        return None


def _of_preset(owner: Preset) -> list[Citation]:
    """Its own, or those of the preset that it extends."""
    while not owner.file.cite and owner.parent is not None:
        owner = owner.parent
    return owner.file.cite


def _cited(definition: Definition) -> Iterator[str]:
    """The sources that answers name, of those that change something."""
    told = Statements(definition)
    for part in definition.parts:
        for question, answer in part.answers.items():
            if answer.option.cite and question not in told.silent:
                yield answer.option.cite


def citations(key: str) -> list[Citation]:
    """What an answer cites: a source by its key, or a preset by its name."""
    by_key = {citation.key: citation for citation in OF_ANSWERS}
    if key in by_key:
        return [by_key[key]]
    names = preset_names()
    if key in names:
        cited = _of_preset(find_preset(key))
        return [citation for citation in cited if citation.key == key] or cited
    found = (citation for preset in readable(names) for citation in preset.file.cite)
    return list(islice((citation for citation in found if citation.key == key), 1))
