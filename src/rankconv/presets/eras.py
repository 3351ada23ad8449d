"""Eras: versions of a system that share their settings. `haystack@2.2` names the era that covers version 2.2.

The newest era is the preset itself; its file states the earlier ones as differences to it. A version is compared by the
numbers that it begins with, or holds with dots between them: 2.2 is 2.2.0, and 10.0-rc3 is 10.
"""

import operator
import re
from collections.abc import Callable

from rankconv.errors import ConventionError
from rankconv.presets.folders import VERSION, split
from rankconv.presets.resolved import Preset
from rankconv.presets.yaml_file import COMPARISON, Document, Era, PresetFile

_NUMBERS = re.compile(r"(?<![\w.])\d+(?:\.\d+)+|^\d+")
_WRITTEN = re.compile(r"\d+(\.\d+)*([-.]?(a|b|rc|alpha|beta|pre|post|dev)[-.]?\d*)*")
"""A version with numbers as packages write it."""
_HOLDS: dict[str, Callable[[tuple[int, ...], tuple[int, ...]], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, without zeros at their end; empty where it has none.

    >>> numbers("2.2.0"), numbers("10.0-rc3"), numbers("commit 0b75cf84, after 3.9.0"), numbers("git")
    ((2, 2), (10,), (3, 9), ())
    """
    found = _NUMBERS.search(version)
    parts = [int(part) for part in found[0].split(".")] if found else []
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return tuple(parts)


def _wanted(version: str) -> tuple[int, ...]:
    """The numbers of a version that a name states; empty for other words."""
    return numbers(version) if _WRITTEN.fullmatch(version) else ()


def covers(era: Era, version: str) -> bool:
    """Whether an era covers a version."""
    if version in (era.range, era.version):
        return True
    own, limits = _wanted(version), re.findall(COMPARISON, era.range)
    return bool(own and limits) and all(_HOLDS[sign](own, numbers(limit)) for sign, limit in limits)


def era_of(file: PresetFile, version: str) -> Era | None:
    """Return the era that covers a version, or None where that is the preset itself.

    Raises ConventionError where none does, with all that are known.
    """
    if version == file.version:
        return None
    for era in file.eras:
        if covers(era, version):
            return era
    own, checked = _wanted(version), numbers(file.version)
    if own and numbers(file.since or file.version) <= own <= checked:
        return None
    newer = own > checked > ()
    wrong = f"{file.name} {version} is newer than {file.version}, which was checked"
    eras = [*ranges(file).items()]
    nearest = "" if newer or not file.eras else _nearest(file, own).version
    raise ConventionError(
        wrong if newer else f"no era of '{file.name}' covers version {version}",
        allowed=f"Eras of {file.name}: {'; '.join(f'{name} ({range})' for name, range in eras)}",
        nearest=nearest and f"{file.name}{VERSION}{nearest}",
        do=f"Name one of them; {file.name} alone is the newest.",
    )


def _nearest(file: PresetFile, version: tuple[int, ...]) -> Era:
    """The last era before a version, or the first of all."""
    by_age = sorted(file.eras, key=lambda era: numbers(era.version))
    return next((era for era in reversed(by_age) if numbers(era.version) <= version), by_age[0])


def ranges(file: PresetFile) -> dict[str, str]:
    """The versions that each era covers, the newest first, by the name of its preset."""
    checked = f"up to {file.version}, which was checked" if file.version else "no version is stated"
    newest = f">={file.since}, {checked}" if file.since else file.version or checked
    return {file.name: newest} | {f"{file.name}{VERSION}{era.version}": era.range for era in file.eras}


def versioned(name: str, version: str) -> str:
    """The name of a preset with its version, as a signature has it; with a modifier after both.

    >>> versioned("mllib", "4.3.0"), versioned("mllib@2.1.3", "2.1.3"), versioned("sklearn+unretrieved", "1.9.1")
    ('mllib@4.3.0', 'mllib@2.1.3', 'sklearn@1.9.1+unretrieved')
    """
    if not version or VERSION in name:
        return name
    preset, modifier = split(name)
    return f"{preset}{VERSION}{version}{name.removeprefix(preset) if modifier else ''}"


def document_of(era: Era, newest: Preset, document: Document) -> Document:
    """The document that a preset file of this era would be; its lines are those of the file that states the era."""
    file = newest.file
    place = file.eras.index(era)
    above = ("eras", place)
    stated = {key: value for key, value in document.data["eras"][place].items() if key not in ("range", "proof")}
    changes = stated.pop("changes", None) or {}
    lines = {path[len(above) :]: line for path, line in document.lines.items() if path[: len(above)] == above}
    lines |= {path[1:]: line for path, line in lines.items() if path[:1] == ("changes",)}
    head = {
        "title": f"{file.title}, version {era.version}",
        "system": newest.system,
        "group": file.group,
        "extends": file.name,
    }
    data = head | stated | changes | {"name": f"{file.name}{VERSION}{era.version}"}
    return Document(data, document.source, lines)
