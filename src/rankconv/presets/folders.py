"""The papers and books of `conventions/bibliography.yaml`, by key."""

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from rankconv.errors import ConventionError
from rankconv.presets.modifiers import OF_FILE, UNRETRIEVED, modified_name
from rankconv.presets.yaml_file import Citation, read_document, read_text

FOLDERS_VARIABLE = "RANKCONV_PRESETS"
ENTRY_POINTS = "rankconv.presets"
ENDINGS = (".yaml", ".yml")
BASE = "base"
"""The preset on which the others stand, which is not listed."""
_STATED = re.compile(f"^{UNRETRIEVED}:", re.MULTILINE)


def conventions() -> Traversable:
    """The folder of the package's own presets: inside the installed package, or next to `src` in a checkout."""
    packed = files("rankconv") / "conventions"
    if packed.is_dir():
        return packed
    return Path(__file__).parents[3] / "conventions"


@cache
def shipped() -> dict[str, Traversable]:
    """The package's own preset files by name."""
    found = walk(conventions(), skip=("published", "protocols", "similarity"))
    return {name: file for name, file in found if name != "bibliography"}


def of_user() -> dict[str, Traversable]:
    """Preset files in the folders that RANKCONV_PRESETS names."""
    found: dict[str, Traversable] = {}
    for folder in filter(None, os.environ.get(FOLDERS_VARIABLE, "").split(os.pathsep)):
        if not Path(folder).is_dir():
            raise ConventionError(f"{FOLDERS_VARIABLE} names a folder that is not there: {folder}")
        for name, file in walk(Path(folder)):
            if found.setdefault(name, file) is not file:
                where = f"{found[name]} and {file}"
                raise ConventionError(f"two preset files are called '{name}'", where=where, do="Rename one.")
    return found


@cache
def of_packages() -> dict[str, Traversable]:
    """Preset files that other installed packages ship under the entry point `rankconv.presets`."""
    from importlib.metadata import entry_points

    found: dict[str, Traversable] = {}
    for point in entry_points(group=ENTRY_POINTS):
        found |= dict(walk(files(point.load())))
    return found


def listed(files: Mapping[str, Traversable]) -> dict[str, Traversable]:
    """The files by the names under which presets are listed: with the modifier too where a file states its form."""
    found: dict[str, Traversable] = {}
    for name, file in files.items():
        if name != BASE:
            found[name] = file
            if name in _stating() if file is shipped().get(name) else _states(file):
                found[modified_name(name)] = file
    return found


@cache
def _stating() -> frozenset[str]:
    """The package's own presets that are listed with the modifier."""
    return frozenset(name for name, file in shipped().items() if _states(file))


def _states(file: Traversable) -> bool:
    try:
        return _STATED.search(read_text(file, str(file))) is not None
    except ConventionError:
        return False


def is_path(name: str) -> bool:
    """Whether a preset is given by its file rather than by its name."""
    return name.endswith(ENDINGS) or "/" in name or os.sep in name or OF_FILE.fullmatch(name) is not None


def walk(folder: Traversable, skip: tuple[str, ...] = ()) -> Iterator[tuple[str, Traversable]]:
    """The YAML files of a folder by name, without those in inner folders of these names."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name.rsplit(".", 1)[0]):
        if entry.is_dir():
            if entry.name not in skip and not entry.name.startswith((".", "_")):
                yield from walk(entry, skip)
        elif entry.name.endswith(ENDINGS):
            yield entry.name.rsplit(".", 1)[0], entry


FILE = "bibliography.yaml"


@cache
def bibliography() -> dict[str, Citation]:
    """Read every entry, by its key.

    >>> bibliography()["moffat2008"].title
    'Rank-biased precision for measurement of retrieval effectiveness'
    """
    document = read_document(read_text(conventions() / FILE, FILE), FILE, moderate=True)
    return {key: Citation.model_validate({"key": key, **entry}) for key, entry in document.data.items()}


def completed(citation: Citation) -> Citation:
    """The citation with what the bibliography says of its key; itself, where that has no such key."""
    entry = bibliography().get(citation.key)
    return citation if entry is None else entry.model_copy(update={"where": citation.where})
