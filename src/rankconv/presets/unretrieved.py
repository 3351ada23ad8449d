"""Presets with the modifier `+unretrieved`: judged items that a ranking does not hold are appended at its bottom."""

from dataclasses import replace

from rankconv.errors import ConventionError
from rankconv.preparation.steps.lists import CANDIDATES
from rankconv.presets.entries import changed
from rankconv.presets.modifiers import UNRETRIEVED, modified_name, modified_title
from rankconv.presets.resolved import Preset
from rankconv.presets.yaml_file import PresetFile


def with_unretrieved(preset: Preset) -> Preset:
    """Return the preset with unretrieved judged items appended; it extends the preset as a file would.

    Raises ConventionError for a preset whose rankings already hold other items than those returned, unless its file
    states `unretrieved:`.

    >>> from rankconv.presets.registry import preset
    >>> with_unretrieved(preset("sklearn")).settings["candidates"]
    'with-unretrieved'
    """
    form, file = _form(preset), preset.file
    settings = {CANDIDATES.name: form}
    modified = PresetFile.model_construct(
        name=modified_name(preset.name),
        title=modified_title(preset.title),
        system=preset.system,
        group=file.group,
        version=file.version,
        year=file.year,
        extends=preset.name,
        about=f"As preset {preset.name}, with judged items that a ranking does not hold appended at its bottom.",
        cite=file.cite,
        preparation=settings,
        checks=file.checks,
    )
    entries = {key: changed(entry, settings) for key, entry in preset.entries.items()}
    name, settings = modified.name, preset.settings | settings
    return replace(preset, name=name, file=modified, settings=settings, entries=entries, parent=preset, _defined={})


def _form(preset: Preset) -> str:
    """The setting of `candidates` that the nearest file states, if the preset has the candidates of that file."""
    stating: Preset | None = preset
    while stating is not None and stating.file.unretrieved in (None, True):
        stating = stating.parent
    stated = {} if stating is None else _candidates(stating)
    others = [item for item in _candidates(preset).items() if item not in stated.items()]
    if stating is None or others:
        metric, setting = others[0]
        raise ConventionError(
            f"{metric or 'the preset'} has candidates={setting}, and no file states '{UNRETRIEVED}:' for that",
            where=modified_name(preset.name),
            allowed=f"Without '{UNRETRIEVED}:' the modifier applies to presets that extend base and have "
            "candidates=returned in all metrics",
            do=f"In a file of your own that extends {preset.name}, state '{UNRETRIEVED}:' and a setting of candidates.",
        )
    return CANDIDATES.validate(stating.file.unretrieved)


def _candidates(preset: Preset) -> dict[str, str]:
    """The settings of `candidates` that a preset states: by metric, and under no name for all of them."""
    name = CANDIDATES.name
    own = {key: {**entry.with_k, **entry.settings} for key, entry in preset.entries.items()}
    return {"": preset.settings.get(name, "")} | {key: str(one[name]) for key, one in own.items() if name in one}
