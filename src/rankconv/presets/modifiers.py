"""The words of modified presets: `sklearn+unretrieved` is `sklearn` with unretrieved judged items appended."""

import re

from rankconv.errors import ConventionError, unknown

SIGN = "+"
UNRETRIEVED = "unretrieved"
"""Judged items that a ranking does not hold are appended at its bottom."""
MODIFIERS = (UNRETRIEVED,)
OF_FILE = re.compile(r"(.*?\.ya?ml)((?:\+[\w-]*)+)", re.DOTALL)
"""The path of a file, and its modifiers."""
_NAME = re.compile(r"([\w.-]*)((?:\+[\w-]*)+)")


def split(name: str) -> tuple[str, str]:
    """Split a name, or the path of a file, into the preset and its modifier; empty where it has none.

    Raises ConventionError for an unknown modifier, and for one that is given twice.

    >>> split("sklearn+unretrieved"), split("./c++/mine.yaml"), split("./mine.yaml+unretrieved")
    (('sklearn', 'unretrieved'), ('./c++/mine.yaml', ''), ('./mine.yaml', 'unretrieved'))
    """
    match = OF_FILE.fullmatch(name) or _NAME.fullmatch(name)
    if match is None:
        return name, ""
    preset, modifiers = match[1], match[2].split(SIGN)[1:]
    for word in modifiers:
        if word not in MODIFIERS:
            raise unknown("modifier of presets", word, MODIFIERS, where=name)
    if len(modifiers) > 1:
        wrong = f"the modifier '{modifiers[0]}' is given {len(modifiers)} times"
        raise ConventionError(wrong, where=name, do=f"Write {modified_name(preset)}.")
    return preset, "".join(modifiers)


def modified_name(preset: str) -> str:
    """Return the name of a preset with the modifier."""
    return f"{preset}{SIGN}{UNRETRIEVED}"


def modified_title(title: str) -> str:
    """Return the title of a preset with the modifier."""
    return f"{title}, with unretrieved judged items appended"
