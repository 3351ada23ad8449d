"""From a preset file to a preset: what it extends is filled in, its settings are checked, its errors collected.

An era is the versions of a system that share their settings: `haystack@2.2` names the one that covers version 2.2. The
newest era is the preset itself; its file states the earlier ones as differences to it. A version is compared by the
numbers that it begins with, or holds with dots between them: 2.2 is 2.2.0, and 10.0-rc3 is 10.
"""

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rankconv.basics import plugins
from rankconv.basics.errors import ConventionError, PluginRun, PresetFileError, RankconvError, likely, unknown, warn
from rankconv.conventions.convention import CONVENTIONS
from rankconv.conventions.spec import text_of
from rankconv.metrics import METRICS
from rankconv.metrics.base import SPELLINGS, strategy_of
from rankconv.metrics.metric_names import strategy_spelt, unknown_metric
from rankconv.preparation.steps.lists import CANDIDATES
from rankconv.presets.entries import as_written, canonical, changed, check_names
from rankconv.presets.folders import UNRETRIEVED, VERSION, modified_name, modified_title, split
from rankconv.presets.native_names.grammar import grammar_named
from rankconv.presets.preset import SECTIONS, Preset
from rankconv.presets.preset_file import COMPARISON, DEFAULT, Era, MetricEntry, PresetFile, record
from rankconv.presets.yaml_file import Document, divided_texts

PLUGIN = "If a plugin adds it, load that: --plugin FILE, from Python rc.load_plugin"


def or_plugin(error: RankconvError, plugin: str = PLUGIN) -> RankconvError:
    """Return the error, with the remark that a word which is not known here may be one that a plugin adds."""
    if error.allowed.startswith("Choose one of"):
        return error.replace(allowed=f"{error.allowed}. {plugin}")
    return error.replace(allowed=plugin) if "All of them" in error.do else error


class Resolver:
    """Makes a preset of one document; `parent` gives the preset that it extends, by name.

    Collects the errors of the file, each with its line. `run_plugin` says whether a plugin that it names is run,
    `check` whether its values are checked, and that each of its metrics is defined; without it each setting is taken
    as it is written, in its one spelling, so that no metric is loaded that nobody looks up.
    """

    def __init__(
        self, document: Document, parent: Callable[[str], Preset], *, run_plugin: bool = False, check: bool
    ) -> None:
        self.document, self.parent_named, self.run_plugin, self.check = document, parent, run_plugin, check
        self.errors: list[RankconvError] = []
        self.plugin = PLUGIN

    def preset(self, name: str, source: str, text: str) -> Preset:
        file = self._file(name)
        if file.plugin:
            self._run(file.plugin, Path(source).parent / file.plugin)
        parent = self._parent(file.extends) if file.extends else None
        settings = dict(parent.settings) if parent else {}
        entries = dict(parent.entries) if parent else {}
        stated = {"preparation": file.preparation, "aggregation": file.aggregation}
        for section, kind in SECTIONS.items():
            settings |= self._settings((section,), kind.conventions, stated[section])
        settings |= self._settings(("metrics", DEFAULT), metric_conventions, file.metric_settings)
        if file.unretrieved not in (None, True):
            with self._collected((UNRETRIEVED,)):
                if isinstance(file.unretrieved, bool):
                    text_of(file.unretrieved)  # which says that it is no text
                CANDIDATES.validate(file.unretrieved)
        if file.native_names:
            with self._collected(("native-names",)):
                grammar_named(file.native_names)
        for key in file.without:
            if entries.pop(key, None) is None and not (parent and key in parent.metrics):
                known = parent.metrics if parent else []
                self.errors.append(unknown("metric of its parent", key, known, where=self._place("without")))
        for key, entry in file.entries.items():
            if (made := self._entry(key, entries.get(key), entry)) is not None:
                entries[key] = made
        self._raise()
        preset = Preset(file.name, file, source, text, settings, entries, parent)
        if self.check:
            self._check(preset)
            self._raise()
        return preset

    def _raise(self) -> None:
        if self.errors:
            raise PresetFileError(self.errors) if len(self.errors) > 1 else self.errors[0]

    def _file(self, name: str) -> PresetFile:
        if not isinstance(self.document.data, dict):
            raise ConventionError("a preset is a mapping of keys", where=self._place())
        if self.check:
            from rankconv.presets.checked_file import problems, shape_error

            self.errors += divided_texts(self.document)
            found = problems(PresetFile, self.document.data)
            self.errors += [shape_error(PresetFile, one, self.document, "a preset") for one in found]
            if found:
                self._raise()
        file = record(PresetFile, self.document.data)
        if file.name != name:
            wrong = f"the file is called '{name}' and names its preset '{file.name}'"
            raise ConventionError(wrong, where=self._place("name"))
        return file

    def _run(self, plugin: str, file: Path) -> None:
        """Run the plugin where the user named the preset by its path; else say how to load it."""
        if plugins.is_loaded(file):
            return
        if not self.run_plugin:
            load = f"--plugin {file}, from Python rc.load_plugin({str(file)!r})"
            self.plugin = f"The preset names the plugin {plugin}, which was not run. Load it: {load}"
            return
        warn(f"{self.document.source} names the plugin {plugin}, which is run.", PluginRun)
        try:
            plugins.load_plugin(file)
        except RankconvError as error:
            raise error.at(self._place("plugin")) from None

    def _parent(self, name: str) -> Preset:
        try:
            return self.parent_named(name)
        except ConventionError as error:
            raise error.at(self._place("extends")) from None

    def _settings(
        self, section: tuple[str, ...], allowed: Callable[[], Iterable[str]], given: Mapping[str, Any]
    ) -> dict[str, str]:
        """Return the valid settings of a section, each in its one spelling; `allowed` gives its conventions."""
        if not self.check:
            return {name: as_written(name, setting) for name, setting in given.items()}
        stated: dict[str, str] = {}
        known = [*allowed()]
        for name, setting in given.items():
            with self._collected((*section, name)):
                if name not in known:
                    CONVENTIONS.make(name)
                    known = [*allowed()]
                if name not in known:
                    raise self._not_read((*section, name), known)
                stated[name] = CONVENTIONS[name].validate(setting)
        return stated

    @contextmanager
    def _collected(self, path: tuple[str | int, ...]) -> Iterator[None]:
        """Collect the error of what is at this path, and go on."""
        try:
            yield
        except RankconvError as error:
            self.errors.append(or_plugin(error.at(self._place(*path)), self.plugin))

    def _not_read(self, path: tuple[str, ...], allowed: list[str]) -> RankconvError:
        *_, section, convention_name = path
        if convention_name in CONVENTIONS and (path[0] != "metrics" or path[1] == DEFAULT):
            wrong = f"'{convention_name}' is not valid under '{section}:'"
            kinds = SECTIONS.items()
            right = next((name for name, kind in kinds if convention_name in kind.conventions()), f"metrics: {DEFAULT}")
            return ConventionError(wrong, do=f"Write it under '{right}:'")
        return unknown("convention here", convention_name, allowed)

    def _entry(self, key: str, inherited: MetricEntry | None, own: MetricEntry) -> MetricEntry | None:
        """The entry with each setting in its one spelling; None where it is not valid."""
        path, before = ("metrics", key), len(self.errors)
        with_k = {**(inherited.with_k if inherited else {}), **own.with_k}
        merged = MetricEntry({**(inherited.stated if inherited else {}), **own.stated, "with-k": with_k})
        if not self.check:
            return canonical(merged, as_written)
        if strategy_of(merged.is_ or key) is None:
            plugins.load_installed()
        strategy = strategy_of(merged.is_ or key)
        if strategy is None and merged.is_ is None and (strategy := strategy_spelt(key)):
            merged = MetricEntry({**merged.stated, "is": strategy})
        if strategy is None:
            self.errors.append(self._unknown_metric(key, merged))
            return None

        def known_conventions() -> list[str]:
            sections = [name for kind in SECTIONS.values() for name in kind.conventions()]
            return [*sections, *METRICS[strategy].conventions()]

        self._settings(path, known_conventions, own.settings)
        self._settings((*path, "with-k"), known_conventions, with_k)
        try:
            check_names(own)
        except ConventionError as error:
            self.errors.append(error.at(self._place(*path, "called")))
        return canonical(merged) if len(self.errors) == before else None

    def _unknown_metric(self, key: str, entry: MetricEntry) -> RankconvError:
        error = or_plugin(unknown_metric(entry.is_ or key, where=self._place("metrics", key, "is")), self.plugin)
        if entry.is_ is None:
            near = likely(key, [*METRICS, *SPELLINGS], most=1) or ["precision"]
            own = f"If the system calls a metric so, say which one it is: '{key}: {{is: {near[0]}}}'."
            error.do, error.shell = (f"{own} {do}" for do in (error.do, error.shell))
        return error

    def _check(self, made: Preset) -> None:
        """Collect an error for each metric that is not defined under its settings, at the line that says so."""
        for key in made.metrics if made.name != "base" else []:
            try:
                made.definition(key, (), 10 if made.takes_cutoff(key) else None)
            except RankconvError as error:
                if key not in made.file.metrics:
                    leave = f"Or leave the inherited metric out: 'without: [{key}]'."
                    error.do = f"{error.do.rstrip('.')}. {leave}".removeprefix(". ")
                    error.shell = error.shell and f"{error.shell.rstrip('.')}. {leave}"
                self.errors.append(error.at(self._place("metrics", key)))
        for at, spec in enumerate(made.file.reports):
            with self._collected(("reports", at)):
                made.define(spec)

    def _place(self, *path: str | int) -> str:
        return self.document.place(path)


def metric_conventions() -> list[str]:
    """The conventions of metrics, by name."""
    sections = {name for kind in SECTIONS.values() for name in kind.conventions()}
    return [name for name in CONVENTIONS if name not in sections]


def with_unretrieved(preset: Preset) -> Preset:
    """Return the preset with unretrieved judged items appended; it extends the preset as a file would.

    Raises ConventionError for a preset whose rankings already hold other items than those returned, unless its file
    states `unretrieved:`.

    >>> from rankconv.presets.preset_registry import preset
    >>> with_unretrieved(preset("sklearn")).settings["candidates"]
    'with-unretrieved'
    """
    form, file = _form(preset), preset.file
    settings = {CANDIDATES.name: form}
    modified = PresetFile(
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
    numbered = [era for era in file.eras if numbers(era.version)]
    by_age = sorted(numbered or file.eras, key=lambda era: numbers(era.version))
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


OF_THE_ERA = ("range", "proof", "as-newest")
"""What an era states that no preset does."""
DIFFERENCES = ("unretrieved", "preparation", "aggregation", "without", "metrics")
"""Where a preset states what it has otherwise than the one that it extends."""


def document_of(era: Era, newest: Preset, document: Document, parent: Preset) -> Document:
    """The document that a preset file of this era would be; its lines are those of the file that states the era.

    `parent` is the preset that it extends.
    """
    file = newest.file
    place = file.eras.index(era)
    above = ("eras", place)
    stated = {key: value for key, value in document.data["eras"][place].items() if key not in OF_THE_ERA}
    changes = stated.pop("changes", None) or {}
    if era.as_newest:
        changes = _of_variant(document.data, newest, parent) | changes
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


def _of_variant(stated: Mapping[str, Any], newest: Preset, parent: Preset) -> dict[str, Any]:
    """The differences of a variant, of the metrics that its parent has in an era; and metrics of its own."""
    known = newest.parent.metrics if newest.parent else []

    def is_there(key: str) -> bool:
        return key == DEFAULT or key in parent.metrics or key not in known

    found = {key: stated[key] for key in DIFFERENCES if key in stated}
    found["about"] = stated.get("about", "")
    left_out = stated.get("without", [])
    here = [key for key in left_out if key in parent.metrics]
    found["without"] = {key: left_out[key] for key in here} if isinstance(left_out, dict) else here
    found["metrics"] = {key: entry for key, entry in stated.get("metrics", {}).items() if is_there(key)}
    return found
