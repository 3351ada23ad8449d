"""Which presets does a word stand for: one, a group of them, or all?"""

from typing import Any

from rankconv.errors import ConventionError, unknown
from rankconv.presets import folders
from rankconv.presets.registry import preset_names, readable
from rankconv.presets.yaml_file import read_document, read_text

ALL = "all"
OWN = "own"
GROUPS = ("house", "search", "recommender", "learning-to-rank", "rag", "contests", "texts", OWN)
"""The words for groups, in the order in which they are listed."""


def expand(word: str) -> list[str]:
    """The names of the presets that a word stands for; a path stands for itself.

    A preset wins over a group of its name. An unknown word is a ConventionError with the nearest of both.

    >>> expand("rag")
    ['llama_index', 'ragas']
    """
    names = preset_names()
    if folders.is_path(word) or word in names:
        return [word]
    if word == ALL:
        return [preset.name for preset in readable(names)]
    if word not in GROUPS:
        do = "See them with: rankconv presets"
        raise unknown("preset or group of presets", word, [ALL, *GROUPS, *names], do=do)
    return _members(word)


def _members(group: str) -> list[str]:
    found = [head["name"] for head in heads() if head["group"] == group]
    if not found:
        do = f"Name yours by path, or put their folder into {folders.FOLDERS_VARIABLE}."
        raise ConventionError(f"no preset belongs to the group '{group}'", do=do)
    names = [preset.name for preset in readable(found)]
    if not names:
        raise ConventionError(f"no preset of the group '{group}' can be read", do="See: rankconv presets --check")
    return names


def heads() -> list[dict[str, Any]]:
    """What each preset says of itself, without what it answers; by group and name."""
    files = folders.shipped() | folders.of_user() | folders.of_packages()
    found = [_head(name, file) for name, file in files.items() if name != "base"]
    return sorted(found, key=lambda head: (GROUPS.index(head["group"]), head["name"]))


def _head(name: str, file: Any) -> dict[str, Any]:
    """The keys above `extends:`, where the shape of presets ends and their answers begin."""
    try:
        text = read_text(file, str(file))
        data = read_document(text.partition("\nextends:")[0], str(file)).data
    except ConventionError as error:
        return {"name": name, "group": OWN, "title": f"cannot be read: {error}"}
    told = data if isinstance(data, dict) else {}
    group = str(told.get("group", OWN))
    return {**told, "name": name, "group": group if group in GROUPS else OWN}
