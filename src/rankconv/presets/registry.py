"""All presets by name: read when they are needed, checked once, kept."""

import re
import warnings
from collections.abc import Callable, Collection, Iterable
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

import rankconv.systems  # noqa: F401  registers what single systems need
from rankconv import plugins
from rankconv.errors import ConventionError, LeftOut, PluginRun, PresetFileError, RankconvError, not_among, unknown
from rankconv.metrics import METRICS
from rankconv.metrics.base import strategy_of, unknown_metric
from rankconv.presets import folders
from rankconv.presets.entries import ENTRY_KEYS, canonical, check_names
from rankconv.presets.modifiers import SIGN, UNRETRIEVED
from rankconv.presets.modifiers import split as without_modifier
from rankconv.presets.resolved import SECTIONS, Preset
from rankconv.presets.unretrieved import with_unretrieved
from rankconv.presets.yaml_file import (
    DEFAULT,
    Check,
    Citation,
    Document,
    Entry,
    PresetFile,
    divided_texts,
    read_document,
    read_text,
    said,
)
from rankconv.specs.convention import CONVENTIONS
from rankconv.specs.setting_text import split
from rankconv.specs.spec import setting_of

HOUSE = "rankconv"
"""The preset that settings where none is named."""
ALL_PRESETS = ("rc.list_presets()", "rankconv list presets")
"""What lists them, in Python and a shell."""

PLUGIN = "If a plugin adds it, load that: --plugin FILE, from Python rc.load_plugin"

_loaded: dict[str, Preset] = {}
_modifications: dict[str, Preset] = {}


def preset(name: "str | Path | Preset", *, run_plugin: bool = True) -> Preset:
    """Return the preset of that name, or of that file if it is a path to a YAML file.

    Parameters
    ----------
    name
        A name, the path of a YAML file, or a preset, which is returned as it is. A name or path may be followed by the
        modifier `+unretrieved`: judged items that a ranking does not hold are appended at its bottom. A name may be
        followed by other settings: `blog(ap-denominator=relevant)`.
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
        For an unknown name or modifier, with the nearest known ones; for a modifier that does not apply; for a file
        with errors, with all of them, each with its line.

    Examples
    --------
    >>> import rankconv as rc
    >>> rc.preset("mllib").title
    'Apache Spark MLlib, RankingMetrics'
    >>> rc.preset("sklearn+unretrieved").title
    'scikit-learn, sklearn.metrics, with unretrieved judged items appended'
    >>> rc.preset("blog(ap-denominator=relevant)").define("map@3")
    [rc.metric('blog:map(ap-denominator=relevant)@3')]
    """
    if isinstance(name, Preset):
        return name
    if not isinstance(name, (str, Path)):
        several = isinstance(name, Collection) and not isinstance(name, bytes)
        do = "Where one preset is meant, pass one; rc.compare takes several." if several else ""
        raise ConventionError(
            f"{name!r:.100} is not a preset", allowed="A preset is a name, a path, or an rc.preset(…)", do=do
        )
    if isinstance(name, str) and (changed := CHANGED.fullmatch(name.strip())):
        return _with_settings(changed[1], changed[2])
    if isinstance(name, Path) or folders.is_path(name):
        file, modifier = without_modifier(str(name))
        of_file = _from_path(Path(file), run_plugin=run_plugin)
        return _modified(of_file) if modifier else of_file
    return _load(name, _index(), ())


CHANGED = re.compile(r"([\w.+-]+)\((.+)\)")
"""A preset with other settings, as in `blog(ap-denominator=relevant)`."""


def _with_settings(name: str, settings_text: str) -> Preset:
    """The preset with these settings, called as requested."""
    settings: dict[str, Any] = dict(setting_of(part, f"{name}({settings_text})") for part in split(settings_text))
    text = ", ".join(f"{convention_name}={setting}" for convention_name, setting in settings.items())
    return preset(name).replace(name=f"{name}({text})", **settings)


def list_presets() -> list[str]:
    """Return the names of all presets: those shipped, in the user's folders, and in installed packages.

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
    ['sklearn', 'sklearn+unretrieved', 'sklearn-0.18', 'sklearn-1.1']
    """
    return list(folders.listed(_index() | folders.of_packages()))


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
            warnings.warn(f"{said}.", LeftOut, stacklevel=3)
    return found


def neutral_settings() -> dict[str, str]:
    """The neutral setting to every convention."""
    return preset("base").neutral


def _index() -> dict[str, Traversable]:
    shipped, own = folders.shipped(), folders.of_user()
    for name in shipped.keys() & own.keys():
        raise _taken(name, str(own[name]))
    return shipped | own


def _taken(name: str, where: str) -> ConventionError:
    return ConventionError(f"the preset '{name}' is shipped already", where=where, do="Give yours another name.")


def _from_path(path: Path, *, run_plugin: bool) -> Preset:
    if not path.is_file():
        raise ConventionError(f"there is no preset file {path}")
    if SIGN in path.stem:
        wrong = f"the name '{path.stem}' has a '{SIGN}', which introduces a modifier"
        raise ConventionError(wrong, where=str(path), do="Rename the file and its preset.")
    shipped = folders.shipped()
    if path.stem in shipped:
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
    name: str, index: dict[str, Traversable], children: tuple[str, ...], named_path: Path | None = None
) -> Preset:
    """`named_path` is the file where a user named the preset by its path, so that its plugin may be run."""
    plain, modifier = without_modifier(name)
    if modifier:
        return _modified(_load(plain, index, children, named_path))
    if name in children:
        raise ConventionError(f"presets extend each other in a ring: {' → '.join([*children, name])}")
    entry = index.get(name)
    if entry is None:
        plugins.load_installed()
        index = index | folders.of_packages()
        entry = index.get(name)
    if entry is None:
        from rankconv.presets.heads import likely_presets

        likely = likely_presets(name, [one for one in index if one != "base"])
        raise file_here(name) or not_among("preset", name, likely, ALL_PRESETS)
    known, shipped = _loaded.get(name), entry is folders.shipped().get(name)
    if known is not None and shipped:
        return known  # the package's own files stay as they are
    source = str(entry)
    text = read_text(entry, _short(source))
    chain = (*children, name)
    if known is not None and (known.source, known.text) == (source, text) and _same_parent(known, index, chain):
        return known
    resolver = _Resolver(read_document(text, _short(source), moderate=shipped), index, chain, named_path)
    made = resolver.preset(name, source, text, check=not shipped)  # the tests check those of the package
    _loaded[name] = made
    return made


def _modified(preset: Preset) -> Preset:
    """The preset with the modifier, kept as long as the preset itself is."""
    known = _modifications.get(preset.name)
    if known is None or known.parent is not preset:
        known = _modifications[preset.name] = with_unretrieved(preset)
    return known


def file_here(word: str) -> ConventionError | None:
    """The error for a word that names no preset where a file of that name is in the current folder."""
    files = [f"{word}{ending}" for ending in folders.ENDINGS]
    if not (here := [file for file in files if Path(file).is_file()]):
        return None
    wrong = f"'{word}' is not the name of a preset, but the current folder has a file {here[0]}"
    return ConventionError(wrong, do=f"Name the file by its path: './{here[0]}'", shell=f"Name the file: ./{here[0]}")


def _same_parent(known: Preset, index: dict[str, Traversable], chain: tuple[str, ...]) -> bool:
    return known.parent is None or _load(known.parent.name, index, chain) is known.parent


def _short(source: str) -> str:
    """The path from `conventions` on, which says enough of a shipped file."""
    parts = source.replace("\\", "/").rsplit("conventions/", 1)
    return f"conventions/{parts[1]}" if len(parts) == 2 else source


class _Resolver:
    """Makes a preset of one document and its parent; collects the errors of the file, each with its line."""

    def __init__(
        self, document: Document, index: dict[str, Traversable], chain: tuple[str, ...], named_path: Path | None
    ) -> None:
        self.document, self.index, self.chain, self.named_path = document, index, chain, named_path
        self.errors: list[RankconvError] = []
        self.plugin = PLUGIN

    def preset(self, name: str, source: str, text: str, *, check: bool) -> Preset:
        file = self._file(name)
        if file.plugin:
            self._run(file.plugin, Path(source).parent / file.plugin)
        parent = self._parent(file.extends) if file.extends else None
        settings = dict(parent.settings) if parent else {}
        entries = dict(parent.entries) if parent else {}
        for section, kind in SECTIONS.items():
            settings |= self._settings((section,), kind.conventions, getattr(file, section))
        settings |= self._settings(("metrics", DEFAULT), metric_conventions, file.metric_settings)
        if file.unretrieved not in (None, True):
            self._unretrieved(file.unretrieved)
        for key in file.without:
            if entries.pop(key, None) is None and not (parent and key in parent.metrics):
                known = parent.metrics if parent else []
                self.errors.append(unknown("metric of its parent", key, known, where=self._place("without")))
        for key, entry in file.entries.items():
            if (made := self._entry(key, entries.get(key), entry)) is not None:
                entries[key] = made
        self._raise()
        preset = Preset(file.name, file, source, text, settings, entries, parent)
        if check:
            self._check(preset)
            self._raise()
        return preset

    def _raise(self) -> None:
        if len(self.errors) > 1:
            raise PresetFileError(self.errors)
        for error in self.errors:
            raise error

    def _file(self, name: str) -> PresetFile:
        if not isinstance(self.document.data, dict):
            raise ConventionError("a preset is a mapping of keys", where=self._place())
        self.errors += divided_texts(self.document)
        try:
            file = PresetFile.model_validate(self.document.data)
        except ValidationError as problem:
            self.errors += [self._shape_error(error) for error in problem.errors()]
        self._raise()
        if file.name != name:
            wrong = f"the file is called '{name}' and names its preset '{file.name}'"
            raise ConventionError(wrong, where=self._place("name"))
        return file

    def _shape_error(self, error: ErrorDetails) -> RankconvError:
        path = error["loc"]
        if error["type"] == "extra_forbidden":
            return unknown("key of a preset", str(path[-1]), _keys_at(path), where=self._place(*path))
        return ConventionError(f"'{'.'.join(map(str, path))}': {said(error)}", where=self._place(*path))

    def _run(self, plugin: str, file: Path) -> None:
        """Run the plugin where the user named the preset by its path; else say how to load it."""
        if plugins.is_loaded(file):
            return
        if self.named_path is None:
            self.plugin = f"The preset names the plugin {plugin}, which was not run. Load it: --plugin {file}"
            return
        warnings.warn(f"{self.document.source} names the plugin {plugin}, which is run.", PluginRun, stacklevel=2)
        try:
            plugins.load_plugin(file)
        except RankconvError as error:
            raise error.at(self._place("plugin")) from None

    def _parent(self, name: str) -> Preset:
        try:
            return _load(name, self.index, self.chain)
        except ConventionError as error:
            raise error.at(self._place("extends")) from None

    def _settings(
        self, section: tuple[str, ...], allowed: Callable[[], Iterable[str]], given: dict[str, Any]
    ) -> dict[str, str]:
        stated = {
            convention_name: self._setting((*section, convention_name), setting, allowed)
            for convention_name, setting in given.items()
        }
        return {convention_name: setting for convention_name, setting in stated.items() if setting is not None}

    def _setting(self, path: tuple[str, ...], given: Any, allowed: Callable[[], Iterable[str]]) -> str | None:
        """The setting in its one spelling; None where it is not valid."""
        convention_name, where = path[-1], self._place(*path)
        try:
            CONVENTIONS.make(convention_name)
            if convention_name not in (known := [*allowed()]):
                raise self._not_read(path, known)
            return CONVENTIONS[convention_name].validate(given)
        except RankconvError as error:
            self.errors.append(self._or_plugin(error.at(where)))
            return None

    def _unretrieved(self, form: Any) -> None:
        try:
            CONVENTIONS["candidates"].validate(form)
        except RankconvError as error:
            self.errors.append(self._or_plugin(error.at(self._place(UNRETRIEVED))))

    def _not_read(self, path: tuple[str, ...], allowed: list[str]) -> RankconvError:
        *_, section, convention_name = path
        if convention_name in CONVENTIONS and (path[0] != "metrics" or path[1] == DEFAULT):
            wrong = f"'{convention_name}' is not valid under '{section}:'"
            return ConventionError(wrong, do=f"Write it under '{section_of(convention_name)}:'")
        return unknown("convention here", convention_name, allowed)

    def _entry(self, key: str, inherited: Entry | None, own: Entry) -> Entry | None:
        """The entry with each setting in its one spelling; None where it is not valid."""
        path, before = ("metrics", key), len(self.errors)
        above = inherited.model_dump(by_alias=True, exclude_unset=True) if inherited else {}
        settings_text = own.model_dump(by_alias=True, exclude_unset=True)
        settings_text["with-k"] = {**above.get("with-k", {}), **settings_text.get("with-k", {})}
        merged = Entry.model_validate(above | settings_text)
        if strategy_of(merged.is_ or key) is None:
            plugins.load_installed()
        strategy = strategy_of(merged.is_ or key)
        if strategy is None:
            self.errors.append(self._unknown_metric(key, merged))
            return None

        def known_conventions() -> list[str]:
            sections = [name for kind in SECTIONS.values() for name in kind.conventions()]
            return [*sections, *METRICS[strategy].conventions()]

        for convention_name, setting in settings_text.items():
            if convention_name not in ENTRY_KEYS:
                self._setting((*path, convention_name), setting, known_conventions)
        for convention_name, setting in settings_text["with-k"].items():
            self._setting((*path, "with-k", convention_name), setting, known_conventions)
        try:
            check_names(own)
        except ConventionError as error:
            self.errors.append(error.at(self._place(*path, "called")))
        return canonical(merged) if len(self.errors) == before else None

    def _unknown_metric(self, key: str, entry: Entry) -> RankconvError:
        error = self._or_plugin(unknown_metric(entry.is_ or key, where=self._place("metrics", key, "is")))
        if entry.is_ is None:
            own = f"If the system calls a metric so, say which one it is: '{key}: {{is: precision}}'."
            error.do, error.shell = (f"{own} {do}" for do in (error.do, error.shell))
        return error

    def _check(self, made: Preset) -> None:
        """Collect an error for each metric that is not defined under its settings, at the line that says so."""
        for key in made.metrics if made.name != "base" else []:
            try:
                made.definition(key, (), 10 if made.takes_cutoff(key) else None)
            except RankconvError as error:
                if key not in made.file.metrics:
                    error.do = f"{error.do} Or leave the inherited metric out: 'without: [{key}]'."
                self.errors.append(error.at(self._place("metrics", key)))

    def _or_plugin(self, error: RankconvError) -> RankconvError:
        """The error, with the remark that a word which is not known here may be one that a plugin adds."""
        if error.allowed.startswith("Choose one of"):
            return error.replace(allowed=f"{error.allowed}. {self.plugin}")
        return error.replace(allowed=self.plugin) if "All of them" in error.do else error

    def _place(self, *path: str | int) -> str:
        return self.document.place(path)


def metric_conventions() -> list[str]:
    """The conventions of metrics, by name."""
    return [name for name in CONVENTIONS if not any(name in kind.conventions() for kind in SECTIONS.values())]


def section_of(convention_name: str) -> str:
    """The section of a preset file in which a convention is answered."""
    return next(
        (name for name, kind in SECTIONS.items() if convention_name in kind.conventions()), f"metrics: {DEFAULT}"
    )


def _keys_at(path: tuple[str | int, ...]) -> list[str]:
    if len(path) == 1:
        return [info.alias or name for name, info in PresetFile.model_fields.items()]
    kinds: dict[str, type[BaseModel]] = {"cite": Citation, "checks": Check}
    kind = kinds.get(str(path[0]))
    return [info.alias or name for name, info in kind.model_fields.items()] if kind else []
