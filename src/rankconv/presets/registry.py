"""All presets by name: read when they are asked for, checked once, kept."""

import re
import warnings
from collections.abc import Collection, Iterable
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from rankconv import plugins
from rankconv.errors import ConventionError, LeftOut, PluginRun, PresetFileError, RankconvError, not_among, unknown
from rankconv.metrics import METRICS
from rankconv.metrics.base import strategy_of, unknown_metric
from rankconv.presets import folders
from rankconv.presets.entries import ENTRY_KEYS, canonical, check_names
from rankconv.presets.model import Entry, PresetFile
from rankconv.presets.resolved import SECTIONS, Preset
from rankconv.presets.yaml_file import Document, divided_texts, read_document, read_text, said
from rankconv.questions.answer_text import split
from rankconv.questions.choice import QUESTIONS
from rankconv.questions.spec import answer_of

HOUSE = "rankconv"
"""The preset that answers where none is named."""
ALL_PRESETS = ("rc.list_presets()", "rankconv presets")
"""What lists them, in Python and a shell."""

PLUGIN = "If a plugin adds it, load that: --plugin FILE, from Python rc.load_plugin"

_loaded: dict[str, Preset] = {}


def preset(name: "str | Path | Preset", *, run_plugin: bool = True) -> Preset:
    """Return the preset of that name, or of that file if it is a path to a YAML file.

    A name may be followed by other answers: `blog(ap-denominator=relevant)`. A file that names a `plugin:` in its own
    folder makes rankconv run it, with a `PluginRun` warning; with `run_plugin=False` it is not run. A preset that is
    found by its name never runs code.

    Raises ConventionError for an unknown name, with the nearest known ones, and for a file with errors, with all of
    them, each with its line.

    >>> import rankconv as rc
    >>> rc.preset("mllib").title
    'Apache Spark MLlib, RankingMetrics'
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
        return _with_answers(changed[1], changed[2])
    if isinstance(name, Path) or folders.is_path(name):
        return _from_path(Path(name), run_plugin=run_plugin)
    return _load(name, _index(), ())


CHANGED = re.compile(r"([\w.+-]+)\((.+)\)")
"""A preset with other answers, as in `blog(ap-denominator=relevant)`."""


def _with_answers(name: str, told: str) -> Preset:
    """The preset with these answers, called as it was asked for."""
    answers: dict[str, Any] = dict(answer_of(part, f"{name}({told})") for part in split(told))
    text = ", ".join(f"{question}={answer}" for question, answer in answers.items())
    return preset(name).replace(name=f"{name}({text})", **answers)


def list_presets() -> list[str]:
    """The names of all presets: those shipped, in the user's folders, and in installed packages; without `base`."""
    return [name for name in _index() | folders.of_packages() if name != "base"]


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


def neutral_answers() -> dict[str, str]:
    """The neutral answer to every question."""
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
    shipped = folders.shipped()
    if path.stem in shipped:
        raise _taken(path.stem, str(path))
    files = [file for ending in folders.ENDINGS for file in sorted(path.parent.glob(f"*{ending}"))]
    beside = {file.stem: file for file in files if file.stem not in shipped}
    made = _load(path.stem, {**_index(), **beside}, (), path if run_plugin else None)
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


def file_here(word: str) -> ConventionError | None:
    """The error for a word that names no preset where a file of that name lies in the current folder."""
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
        answers = dict(parent.answers) if parent else {}
        entries = dict(parent.entries) if parent else {}
        for section in ("judging", "averaging", "parts"):
            answers |= self._answers(section, getattr(file, section))
        for key in file.without:
            if entries.pop(key, None) is None and not (parent and key in parent.metrics):
                known = parent.metrics if parent else []
                self.errors.append(unknown("metric of its parent", key, known, where=self._place("without")))
        for key, entry in file.metrics.items():
            if (made := self._entry(key, entries.get(key), entry or Entry())) is not None:
                entries[key] = made
        self._raise()
        preset = Preset(file.name, file, source, text, answers, entries, parent)
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

    def _answers(self, section: str, given: dict[str, Any]) -> dict[str, str]:
        kind = SECTIONS.get(section)
        allowed = list(kind.questions()) if kind else [name for name in QUESTIONS if section_of(name) == "parts"]
        answered = {question: self._answer((section, question), answer, allowed) for question, answer in given.items()}
        return {question: answer for question, answer in answered.items() if answer is not None}

    def _answer(self, path: tuple[str, ...], given: Any, allowed: list[str]) -> str | None:
        """The answer in its one spelling; None where it is not valid."""
        question, where = path[-1], self._place(*path)
        try:
            if question not in allowed:
                raise self._not_asked(path, allowed)
            return QUESTIONS[question].validate(given)
        except RankconvError as error:
            self.errors.append(self._or_plugin(error.at(where)))
            return None

    def _not_asked(self, path: tuple[str, ...], allowed: list[str]) -> RankconvError:
        *_, section, question = path
        if question in QUESTIONS and path[0] != "metrics":
            wrong = f"'{question}' is not valid under '{section}:'"
            return ConventionError(wrong, do=f"Write it under '{section_of(question)}:'")
        return unknown("question here", question, allowed)

    def _entry(self, key: str, inherited: Entry | None, own: Entry) -> Entry | None:
        """The entry with each answer in its one spelling; None where it is not valid."""
        path, before = ("metrics", key), len(self.errors)
        above = inherited.model_dump(by_alias=True, exclude_unset=True) if inherited else {}
        told = own.model_dump(by_alias=True, exclude_unset=True)
        told["with-k"] = {**above.get("with-k", {}), **told.get("with-k", {})}
        merged = Entry.model_validate(above | told)
        if strategy_of(merged.is_ or key) is None:
            plugins.load_installed()
        strategy = strategy_of(merged.is_ or key)
        if strategy is None:
            self.errors.append(self._unknown_metric(key, merged))
            return None
        asked = [*(q for kind in SECTIONS.values() for q in kind.questions()), *METRICS[strategy].questions()]
        for question, answer in told.items():
            if question not in ENTRY_KEYS:
                self._answer((*path, question), answer, asked)
        for question, answer in told["with-k"].items():
            self._answer((*path, "with-k", question), answer, asked)
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
        """Collect an error for each metric that is not defined under its answers, at the line that says so."""
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


def section_of(question: str) -> str:
    """The section of a preset file in which a question is answered."""
    return next((name for name, kind in SECTIONS.items() if question in kind.questions()), "parts")


def _keys_at(path: tuple[str | int, ...]) -> list[str]:
    if len(path) == 1:
        return [info.alias or name for name, info in PresetFile.model_fields.items()]
    kind = {"cite": "Citation", "checks": "Check"}.get(str(path[0]))
    if kind is None:
        return []
    from rankconv.presets import model

    return list(getattr(model, kind).model_fields)
