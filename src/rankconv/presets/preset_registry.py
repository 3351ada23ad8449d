"""All presets by name: read when they are needed, checked once, kept."""

import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from os.path import isfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankconv.basics import plugins
from rankconv.basics.errors import ConventionError, LeftOut, PresetFileError, RankconvError, not_among, warn
from rankconv.conventions.spec import setting_of, split
from rankconv.presets import folders
from rankconv.presets.folders import GROUPS, SIGN, VERSION, heads, likely_presets
from rankconv.presets.folders import split as without_modifier
from rankconv.presets.preset import Preset
from rankconv.presets.preset_file import Era
from rankconv.presets.resolver import Resolver, document_of, era_of, with_unretrieved
from rankconv.presets.yaml_file import read_document, read_text

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

HOUSE = "rankconv"
"""The preset that settings where none is named."""
ALL_PRESETS = ("rc.list_presets()", "rankconv list presets")
"""What lists them, in Python and a shell."""

_loaded: dict[str, Preset] = {}
_modifications: dict[str, Preset] = {}


def preset(name: "str | Path | Preset", *, run_plugin: bool = True) -> Preset:
    """Return the preset of that name, or of that file if it is a path to a YAML file.

    Parameters
    ----------
    name
        A name, the path of a YAML file, or a preset, which is returned as it is. A name or path may be followed by the
        modifier `+unretrieved`: judged items that a ranking does not hold are appended at its bottom. A name may be
        followed by a version of the system, `trec_eval@9`, for the era that covers it, and by other settings:
        `blog(ap-denominator=relevant)`.
    run_plugin
        Whether the plugin is run that a file names as `plugin:` in its own folder, with a `PluginRun` warning. A
        preset that is found by its name never runs code.

    Returns
    -------
    Preset
        The preset; the same object as long as its file does not change.

    Raises
    ------
    ConventionError
        For an unknown name or modifier, with the nearest known ones; for a version that no era covers, with those that
        are known; for a modifier that does not apply; for a file with errors, with all of them, each with its line.

    Examples
    --------
    >>> import rankconv as rc
    >>> rc.preset("mllib").title
    'Apache Spark MLlib, RankingMetrics'
    >>> rc.preset("sklearn+unretrieved").title
    'scikit-learn, sklearn.metrics, with unretrieved judged items appended'
    >>> rc.preset("trec_eval@9")
    Preset('trec_eval@9.0.8': NIST trec_eval 9, without -c; 30 metrics)
    >>> rc.preset("blog(ap-denominator=relevant)").define("map@3")
    [rc.metric('blog:map(ap-denominator=relevant)@3')]
    """
    if isinstance(name, Preset):
        return name
    if isinstance(name, str) and name in _loaded and name in folders.shipped():
        return _loaded[name]  # the package's own files stay as they are
    if not isinstance(name, (str, Path)):
        several = isinstance(name, Collection) and not isinstance(name, bytes)
        do = "Where one preset is meant, pass one; rc.compare takes several." if several else ""
        raise ConventionError(
            f"{name!r:.100} is not a preset", allowed="A preset is a name, a path, or an rc.preset(…)", do=do
        )
    if isinstance(name, str) and len(names := split(name)) > 1 and not folders.is_path(name):
        do, shell = "Pass one; rc.compare takes several.", "For several presets: rankconv compare."
        raise ConventionError(f"'{name:.100}' names {len(names)} presets", do=do, shell=shell)
    if isinstance(name, str) and (changed := CHANGED.fullmatch(name.strip())):
        return _with_settings(changed[1], changed[2])
    if isinstance(name, Path) or folders.is_path(name):
        file, modifier = without_modifier(str(name))
        of_file = _from_path(Path(file), run_plugin=run_plugin)
        return _modified(of_file) if modifier else of_file
    return _load(name, _index(), ())


CHANGED = re.compile(r"([\w.+@-]+)\((.+)\)")
"""A preset with other settings, as in `blog(ap-denominator=relevant)`."""


def _with_settings(name: str, settings_text: str) -> Preset:
    """The preset with these settings, called as requested."""
    pairs = [setting_of(part, f"{name}({settings_text})") for part in split(settings_text)]
    settings: dict[str, Any] = dict(pairs)
    if len(settings) < len(pairs):
        raise ConventionError(f"'{name}({settings_text})' gives one convention two settings", do="Give one setting.")
    text = ", ".join(f"{convention_name}={setting}" for convention_name, setting in settings.items())
    return preset(name).replace(name=f"{name}({text})", **settings)


def list_presets(*, eras: bool = False, collections: bool = False) -> list[str]:
    """Return the names of all presets: those shipped, in the user's folders, and in installed packages.

    Parameters
    ----------
    eras : bool, default False
        Whether the earlier versions of each are listed after it, as `trec_eval@9.0.8`.
    collections : bool, default False
        Whether to include the group `collections`: presets of systems with the metrics that a test collection or
        contest reports.

    Returns
    -------
    list of str
        The names, without `base`. A preset whose file states `unretrieved:` is listed with that modifier too.

    Raises
    ------
    ConventionError
        For a folder that is not there, and for two files of one name.

    Examples
    --------
    >>> import rankconv as rc
    >>> [name for name in rc.list_presets() if name.startswith("sklearn")]
    ['sklearn', 'sklearn+unretrieved']
    """
    every = folders.listed(_index() | folders.of_packages())
    names = [name for name in every if collections or name not in folders.collections()]
    return [each for name in names for each in (name, *(_eras(name) if eras else ()))]


def _eras(name: str) -> list[str]:
    """The names of the earlier versions of a preset; of a file that cannot be read none."""
    with suppress(RankconvError):
        return [f"{name}{VERSION}{era.version}" for era in preset(name).file.eras]
    return []


def names_preset(word: str) -> bool:
    """Whether a word names a preset, be it at a version or with a modifier."""
    return folders.newest(word) in list_presets(collections=True)


def readable(names: Iterable[str]) -> list[Preset]:
    """Those of these presets that hold together; of each other one a warning says why it is left out."""
    found = []
    for name in names:
        try:
            found.append(preset(name))
        except RankconvError as error:
            first = error.errors[0] if isinstance(error, PresetFileError) else error
            hint = ", or load the plugin that adds it with --plugin FILE" if "--plugin" in first.allowed else ""
            said = f"the preset '{name}' is left out: {first.where}: {first.wrong}. Correct it{hint}"
            warn(f"{said}.", LeftOut)
    return found


def _index() -> dict[str, "Traversable"]:
    shipped, own = folders.shipped(), folders.of_user()
    for name in shipped.keys() & own.keys():
        raise _taken(name, str(own[name]))
    return shipped | own


def _taken(name: str, where: str) -> ConventionError:
    return ConventionError(f"the preset '{name}' is shipped already", where=where, do="Give yours another name.")


def _from_path(path: Path, *, run_plugin: bool) -> Preset:
    if not isfile(path):
        raise ConventionError(f"there is no preset file {path}")
    for sign, introduced in ((SIGN, "modifier"), (VERSION, "version")):
        if sign in path.stem:
            wrong = f"the name '{path.stem}' has a '{sign}', which introduces a {introduced}"
            raise ConventionError(wrong, where=str(path), do="Rename the file and its preset.")
    shipped = folders.shipped()
    if path.stem in shipped:
        if Path(str(shipped[path.stem])).resolve() == path.resolve():
            return preset(path.stem)
        raise _taken(path.stem, str(path))
    files = [file for ending in folders.ENDINGS for file in sorted(path.parent.glob(f"*{ending}"))]
    neighbours = {file.stem: file for file in files if file.stem not in shipped}
    made = _load(path.stem, {**_index(), **neighbours}, (), path if run_plugin else None)
    plugin = path.parent / made.file.plugin
    if made.file.plugin and not plugins.is_loaded(plugin):
        do, shell = f"Load it: rc.load_plugin({str(plugin)!r})", f"Load it: --plugin {plugin}"
        raise ConventionError(
            f"it names the plugin {made.file.plugin}, which is not run here", where=str(path), do=do, shell=shell
        )
    return made


def _load(
    name: str, index: dict[str, "Traversable"], children: tuple[str, ...], named_path: Path | None = None
) -> Preset:
    """`named_path` is the file where a user named the preset by its path, so that its plugin may be run."""
    plain, modifier = without_modifier(name)
    if modifier:
        return _modified(_load(plain, index, children, named_path))
    system, sign, version = name.partition(VERSION)
    if sign:
        newest = _load(system, index, children, named_path)
        era = era_of(newest.file, version)
        return newest if era is None else _of_era(era, newest, index, children)
    _check_ring(name, children)
    entry = index.get(name)
    if entry is None:
        plugins.load_installed()
        index = index | folders.of_packages()
        entry = index.get(name)
    if entry is None and len(spelt := [one for one in index if one.casefold() == name.casefold()]) == 1:
        return _load(spelt[0], index, children, named_path)
    if entry is None:
        likely = likely_presets(name, [one for one in index if one != folders.BASE])
        raise file_here(name) or not_among("preset", name, likely, ALL_PRESETS)
    known, shipped = _loaded.get(name), entry is folders.shipped().get(name)
    if known is not None and shipped:
        return known
    source = str(entry)
    text = read_text(entry, _short(source))
    chain = (*children, name)
    if known is not None and (known.source, known.text) == (source, text) and _same_parent(known, index, chain):
        return known
    document = read_document(text, _short(source), moderate=shipped)
    run_plugin, check = named_path is not None, not shipped  # the tests check those of the package
    resolver = Resolver(document, lambda parent: _load(parent, index, chain), run_plugin=run_plugin, check=check)
    made = resolver.preset(name, source, text)
    _loaded[name] = made
    for era in () if shipped else made.file.eras:
        _of_era(era, made, index, children)
    return made


def _of_era(era: Era, newest: Preset, index: dict[str, "Traversable"], children: tuple[str, ...]) -> Preset:
    """The preset of an era, which extends the newest one as a file would."""
    name = f"{newest.name}{VERSION}{era.version}"
    _check_ring(name, children)
    known, chain = _loaded.get(name), (*children, name)
    if known is not None and known.text == newest.text and _same_parent(known, index, chain):
        return known
    shipped = newest.name in folders.shipped()
    stated = read_document(newest.text, _short(newest.source), moderate=shipped)
    document = document_of(era, newest, stated, _load(era.extends or newest.name, index, chain))
    resolver = Resolver(document, lambda parent: _load(parent, index, chain), check=not shipped)
    _loaded[name] = resolver.preset(name, newest.source, newest.text)
    return _loaded[name]


def _check_ring(name: str, children: tuple[str, ...]) -> None:
    if name in children:
        raise ConventionError(f"presets extend each other in a ring: {' → '.join([*children, name])}")


def _modified(preset: Preset) -> Preset:
    """The preset with the modifier, kept as long as the preset itself is."""
    known = _modifications.get(preset.name)
    if known is None or known.parent is not preset:
        known = _modifications[preset.name] = with_unretrieved(preset)
    return known


def file_here(word: str) -> ConventionError | None:
    """The error for a word that names no preset where a file of that name is in the current folder."""
    files = [f"{word}{ending}" for ending in folders.ENDINGS]
    if not (here := [file for file in files if isfile(file)]):
        return None
    wrong = f"'{word}' is not the name of a preset, but the current folder has a file {here[0]}"
    return ConventionError(wrong, do=f"Name the file by its path: './{here[0]}'", shell=f"Name the file: ./{here[0]}")


def _same_parent(known: Preset, index: dict[str, "Traversable"], chain: tuple[str, ...]) -> bool:
    return known.parent is None or _load(known.parent.name, index, chain) is known.parent


def _short(source: str) -> str:
    """The path from `conventions` on, which says enough of a shipped file."""
    parts = source.replace("\\", "/").rsplit("conventions/", 1)
    return f"conventions/{parts[1]}" if len(parts) == 2 else source


ALL = "all"


def expand(word: str) -> list[str]:
    """The names of the presets that a word represents; a path is itself, and so does
    a preset with a version, with a modifier or with other settings. Several may be named with commas between.

    A preset wins over a group of its name. An unknown word is a ConventionError with the nearest of both.

    >>> expand("contests"), expand("ranx,mllib")
    (['kaggle', 'kaggle-as-described'], ['ranx', 'mllib'])
    """
    if len(several := split(word)) > 1 and not folders.is_path(word):
        return [name for one in several for name in expand(one)]
    names = list_presets(collections=True)
    states_more = VERSION in word or CHANGED.fullmatch(word) or without_modifier(word)[1]
    if word in names or states_more or folders.is_path(word):
        return [word]
    if word == ALL:
        return [preset.name for preset in readable(list_presets())]
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
            do=f"See why: rc.preset({found[0]!r})",
            shell=f"See why: rankconv show --check {found[0]}",
        )
    return names
