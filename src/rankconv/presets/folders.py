"""Where presets are, and what they are called: folders, names with modifiers, heads of files, the order of lists."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from rankconv.basics.errors import ConventionError, likely, unknown
from rankconv.presets.entries import called, squeezed
from rankconv.presets.preset_file import DEFAULT, Citation, PresetGroup, record, system_named
from rankconv.presets.yaml_file import read_document, read_text

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

SIGN = "+"
VERSION = "@"
"""Between a preset and a version of its system."""
UNRETRIEVED = "unretrieved"
"""Judged items that a ranking does not hold are appended at its bottom."""
MODIFIERS = (UNRETRIEVED,)
OF_FILE = re.compile(r"(.*?\.ya?ml)((?:\+[\w-]*)+)", re.DOTALL)
"""The path of a file, and its modifiers."""
_NAME = re.compile(r"([\w.@-]*)((?:\+[\w-]*)+)")


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


def newest(name: str) -> str:
    """Return the name of the preset itself, without version and modifier.

    >>> newest("trec_eval@9"), newest("sklearn+unretrieved")
    ('trec_eval', 'sklearn')
    """
    return split(name)[0].partition(VERSION)[0]


def modified_name(preset: str) -> str:
    """Return the name of a preset with the modifier."""
    return f"{preset}{SIGN}{UNRETRIEVED}"


def modified_title(title: str) -> str:
    """Return the title of a preset with the modifier."""
    return f"{title}, with unretrieved judged items appended"


FOLDERS_VARIABLE = "RANKCONV_PRESETS"
ENTRY_POINTS = "rankconv.presets"
ENDINGS = (".yaml", ".yml")
BASE = "base"
"""The preset on which the others stand, which is not listed."""
_STATED = re.compile(f"^{UNRETRIEVED}:", re.MULTILINE)


def conventions() -> "Traversable":
    """The folder of the package's own presets: inside the installed package, or next to `src` in a checkout."""
    above = Path(__file__).parents
    found = next((folder for folder in (above[0] / "shipped", above[3] / "conventions") if folder.is_dir()), None)
    if found is not None:
        return found
    from importlib.resources import files  # the package itself is in a zip

    return files("rankconv.presets") / "shipped"


@cache
def packed_folder(name: str) -> "Traversable":
    """A folder of `conventions`, which the wheel holds as a zip."""
    import zipfile

    packed = conventions() / f"{name}.zip"
    return zipfile.Path(zipfile.ZipFile(packed.open("rb"))) if packed.is_file() else conventions() / name


@cache
def shipped() -> dict[str, "Traversable"]:
    """The package's own preset files by name."""
    found = walk(conventions(), skip=("published", "protocols", "registry", "similarity", "vectors"))
    return {name: file for name, file in found if name != "bibliography"}


@cache
def collections() -> frozenset[str]:
    """The package's own presets that say what a test collection or contest reports."""
    return frozenset(name for name, _ in walk(conventions() / COLLECTIONS))


def of_user() -> dict[str, "Traversable"]:
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
def of_packages() -> dict[str, "Traversable"]:
    """Preset files that other installed packages ship under the entry point `rankconv.presets`."""
    from importlib.metadata import entry_points
    from importlib.resources import files

    found: dict[str, Traversable] = {}
    for point in entry_points(group=ENTRY_POINTS):
        found |= dict(walk(files(point.load())))
    return found


def listed(files: Mapping[str, "Traversable"]) -> dict[str, "Traversable"]:
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


def _states(file: "Traversable") -> bool:
    try:
        return _STATED.search(read_text(file, str(file))) is not None
    except ConventionError:
        return False


def is_path(name: str) -> bool:
    """Whether a preset is given by its file rather than by its name."""
    return name.endswith(ENDINGS) or "/" in name or os.sep in name or OF_FILE.fullmatch(name) is not None


def walk(folder: "Traversable", skip: tuple[str, ...] = ()) -> Iterator[tuple[str, "Traversable"]]:
    """The YAML files of a folder by name, without those in inner folders of these names."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name.rsplit(".", 1)[0]):
        if entry.is_dir():
            if entry.name not in skip and not entry.name.startswith((".", "_")):
                yield from walk(entry, skip)
        elif entry.name.endswith(ENDINGS):
            yield entry.name.rsplit(".", 1)[0], entry


MOST_USED = (
    "trec_eval sklearn torchmetrics pytrec_eval ranx ir_measures mllib lightgbm xgboost catboost "
    "sentence_transformers beir mteb recbole recommenders lenskit implicit lightfm rectools tensorflow_ranking "
    "ragas llama_index evidently kaggle wikipedia"
).split()
"""The reference program of the field; then libraries, those that most projects install before those of one community;
then what contests and texts say. A judgement, and no count: it decides which name is read first, never a number."""


def place(name: str) -> tuple[int, bool, str]:
    """Sorts presets by how many people use them; eras and then variants come after what they vary.

    All others are at the end, and so is a variant at an earlier version.

    >>> sorted(["blog", "sklearn+unretrieved", "beir", "sklearn", "trec_eval@9"], key=place)
    ['trec_eval@9', 'sklearn', 'sklearn+unretrieved', 'beir', 'blog']
    >>> sorted(["torchmetrics-pos@0.6.2", "torchmetrics-pos", "torchmetrics@0.6.2", "ranx"], key=place)
    ['torchmetrics@0.6.2', 'torchmetrics-pos', 'ranx', 'torchmetrics-pos@0.6.2']
    """
    today, _, version = name.partition(VERSION)
    varied = [
        at for at, known in enumerate(MOST_USED) if today == known or today.startswith((f"{known}-", f"{known}+"))
    ]
    at, variant = min(varied, default=len(MOST_USED)), today not in MOST_USED or "+" in version
    return len(MOST_USED) if variant and version else at, variant, name


def best_place(names: Iterable[str]) -> int:
    """Where the one that most people use is; variants do not count.

    >>> best_place(["blog", "sklearn", "trec_eval@9"]), best_place(["sklearn+unretrieved"]) == len(MOST_USED)
    (1, True)
    """
    return min((MOST_USED.index(name) for name in names if name in MOST_USED), default=len(MOST_USED))


OWN, COLLECTIONS = "own", "collections"
GROUPS = get_args(PresetGroup)
"""The words for groups, in the order in which they are listed."""
_SETTINGS = re.compile(
    r"^(?:preparation|aggregation|parts|every-metric|without|metrics|reports|nicknames|says|checks|eras):", re.MULTILINE
)
_METRICS = re.compile(r"^metrics:.*\n((?:[ #].*\n|\n)*)", re.MULTILINE)
"""What the text of a preset says of its metrics."""
_CALLED = re.compile(r"(?:\bcalled: *|^  (?=[^\s#-][^:{]*:))(\[[^]]*]|[^,:}\n]+)", re.MULTILINE)
"""The names of metrics in it: its keys, and what the system calls them."""
_SHORTEST = 3
"""Letters of a word that is looked for in what presets say."""
_LEAST_RATIO = 0.75
"""How much a word must be spelled like a preset's name to be taken for it: openrec is not opensearch."""
IN_TITLE = 2
"""What `_says` gives at most for a word in a preset's name or title; more is in its sources."""


def heads() -> list[dict[str, Any]]:
    """What each preset says of itself, and the system that it describes, by group and name."""
    files = listed(shipped() | of_user() | of_packages())
    found = {name: _head(name, file) for name, file in files.items()}
    parts = [head | {"system": _system(head, found)} for head in found.values()]
    return sorted(parts, key=lambda head: (GROUPS.index(head["group"]), head["name"]))


def likely_presets(word: str, others: Iterable[str] = ()) -> list[str]:
    """The presets, or other words, that a word may mean: by name, title and sources, then by how it is spelled.

    >>> likely_presets("spark")[0], likely_presets("torch")[0], likely_presets("trec-eval")[0]
    ('mllib', 'torchmetrics', 'trec_eval')
    """
    known_heads = heads()
    known = sorted((head["name"] for head in known_heads), key=place)
    wanted, spelled = _plain(word), likely(word, [*others, *known], least=_LEAST_RATIO)
    said = {head["name"]: at for head in known_heads if (at := _says(head, wanted)) is not None}
    named = [name for name in said if name not in collections() or said[name] <= IN_TITLE]
    meant = sorted(named, key=lambda name: (name in collections(), said[name], place(name)))
    return list(dict.fromkeys([*meant, *spelled]))


def presets_calling(word: str) -> dict[str, str]:
    """The shipped presets whose text has a metric of this name, those first that spell it so, and how each spells it.

    >>> presets_calling("RetrievalMAP")
    {'torchmetrics': 'RetrievalMAP', 'autorag': 'retrieval_map'}
    """
    plain, found = squeezed(word), dict[str, str]()
    for name in sorted(shipped(), key=place):
        names = [*_metric_names(read_text(shipped()[name], name))]
        if any(called(one, word) for one in names):
            found[name] = word
        elif same := [one for one in names if squeezed(one) == plain]:
            found[name] = same[0]
    return dict(sorted(found.items(), key=lambda pair: pair[1] != word))


def _metric_names(text: str) -> Iterator[str]:
    """The names of metrics in the text of a preset: its own, and those of its system."""
    for section in _METRICS.findall(text):
        for names in _CALLED.findall(section):
            found = (one.strip(" \"'") for one in names.strip("[]").split(","))
            yield from (one for one in found if one != DEFAULT)


def _says(head: Mapping[str, Any], word: str) -> int | None:
    """Where a preset speaks of it: as its other name, in its name, first in its title, in the title, in sources."""
    if word in (_plain(str(other)) for other in head.get("also", [])):
        return -1
    if len(word) < _SHORTEST:
        return None
    sources = " ".join(str(source.get(key, "")) for source in head.get("cite", []) for key in ("key", "title", "url"))
    name, title, sources = (_plain(str(text)) for text in (head["name"], head.get("title", ""), sources))
    found = (word in name, title.startswith(word), word in title, word in sources)
    return found.index(True) if any(found) else None


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text[:10_000].casefold())


def _system(head: Mapping[str, Any], heads: Mapping[str, Any], below: tuple[str, ...] = ()) -> str:
    """The system that it describes; where presets extend each other in a circle, as its title says."""
    parent = str(head.get("extends", "")).partition(VERSION)[0]
    known = parent in heads and parent not in below
    above = _system(heads[parent], heads, (*below, parent)) if known else ""
    return system_named(str(head.get("system") or ""), above, str(head.get("title", "")))


def _head(name: str, file: Any) -> dict[str, Any]:
    """The keys above those where its settings begin."""
    try:
        known_heads = _head_of(_SETTINGS.split(read_text(file, str(file)), 1)[0], str(file))
    except ConventionError as error:
        return {"name": name, "group": OWN, "title": f"cannot be read: {error}"}
    group = str(known_heads.get("group", OWN))
    title = str(known_heads.get("title", ""))
    titles = {"title": modified_title(title)} if split(name)[1] else {}
    return {**known_heads, **titles, "name": name, "group": group if group in GROUPS else OWN}


@lru_cache(maxsize=1024)
def _head_of(text: str, file: str) -> dict[str, Any]:
    data = read_document(text, file).data
    return data if isinstance(data, dict) else {}


FILE = "bibliography.yaml"


@cache
def bibliography() -> dict[str, Citation]:
    """Read every entry, by its key.

    >>> bibliography()["moffat2008"].title
    'Rank-biased precision for measurement of retrieval effectiveness'
    """
    document = read_document(read_text(conventions() / FILE, FILE), FILE, moderate=True)
    return {key: record(Citation, {"key": key, **entry}) for key, entry in document.data.items()}


def completed(citation: Citation) -> Citation:
    """The citation with what the bibliography says of its key; itself, where that has no such key."""
    entry = bibliography().get(citation.key)
    return citation if entry is None else replace(entry, where=citation.where)
