"""The presets of a word: one, a group of them, or all."""

from rankconv.errors import ConventionError, not_among
from rankconv.presets import folders
from rankconv.presets.heads import GROUPS, heads, likely_presets
from rankconv.presets.modifiers import split
from rankconv.presets.registry import ALL_PRESETS, CHANGED, file_here, list_presets, readable

ALL = "all"


def expand(word: str) -> list[str]:
    """The names of the presets that a word represents; a path is itself, and so does
    a preset with a modifier or with other settings.

    A preset wins over a group of its name. An unknown word is a ConventionError with the nearest of both.

    >>> expand("contests")
    ['kaggle', 'kaggle-as-described']
    """
    names = list_presets()
    if folders.is_path(word) or word in names or CHANGED.fullmatch(word) or split(word)[1]:
        return [word]
    if word == ALL:
        return [preset.name for preset in readable(names)]
    if word not in GROUPS:
        raise file_here(word) or not_among(
            "preset or group of presets", word, likely_presets(word, [ALL, *GROUPS]), ALL_PRESETS
        )
    return _members(word)


def _members(group: str) -> list[str]:
    found = [head["name"] for head in heads() if head["group"] == group]
    if not found:
        do = f"Name yours by path, or put their folder into {folders.FOLDERS_VARIABLE}."
        raise ConventionError(f"no preset belongs to the group '{group}'", do=do)
    names = [preset.name for preset in readable(found)]
    if not names:
        raise ConventionError(
            f"no preset of the group '{group}' can be read",
            do="Read one: rc.preset(…).",
            shell="See: rankconv show --check",
        )
    return names
