"""All presets by name: read when they are asked for, checked once, kept."""

import re
import warnings
from collections.abc import Collection, Iterable
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rankconv import plugins
from rankconv.errors import ConventionError, LeftOut, RankingError, not_among, unknown
from rankconv.metrics import METRICS
from rankconv.metrics.base import strategy_of, unknown_metric
from rankconv.presets import folders
from rankconv.presets.entries import ENTRY_KEYS, canonical, check_names
from rankconv.presets.model import Entry, PresetFile
from rankconv.presets.resolved import SECTIONS, Preset
from rankconv.presets.yaml_file import Document, read_document, read_text, said
from rankconv.questions.answer_text import split
from rankconv.questions.choice import QUESTIONS
from rankconv.questions.spec import answer_of

HOUSE = "rankconv"
"""The preset that answers where none is named."""
ALL_PRESETS = ("rc.preset_names()", "rankconv presets")
"""What lists them, in Python and a shell."""

PLUGIN = "If a plugin adds it, load that: --plugin FILE, from Python rc.load_plugin"

_loaded: dict[str, Preset] = {}


def preset(name: "str | Path | Preset") -> Preset:
    """The preset of that name, or of that file if it is a path to a YAML file.

    A name may be followed by other answers: `blog(ap-denominator=relevant)`.
    An unknown name is a ConventionError that shows the known ones and the nearest.

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
        return _from_path(Path(name))
    return _load(name, _index(), ())


CHANGED = re.compile(r"([\w.+-]+)\((.+)\)")
"""A preset with other answers, as in `blog(ap-denominator=relevant)`."""


def _with_answers(name: str, told: str) -> Preset:
    """The preset with these answers, called as it was asked for."""
    answers: dict[str, Any] = dict(answer_of(part, f"{name}({told})") for part in split(told))
    text = ", ".join(f"{question}={answer}" for question, answer in answers.items())
    return preset(name).but(name=f"{name}({text})", **answers)


def preset_names() -> list[str]:
    """The names of all presets: those shipped, in the user's folders, and in installed packages; without `base`."""
    return [name for name in _index() | folders.of_packages() if name != "base"]


def readable(names: Iterable[str]) -> list[Preset]:
    """Those of these presets that hold together; of each other one a warning says why it is left out."""
    found = []
    for name in names:
        try:
            found.append(preset(name))
        except RankingError as error:
            hint = ", or load the plugin that adds it with --plugin FILE" if PLUGIN in error.allowed else ""
            said = f"the preset '{name}' is left out: {error.where}: {error.wrong}. Mend it{hint}"
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


def _from_path(path: Path) -> Preset:
    if not path.is_file():
        raise ConventionError(f"there is no preset file {path}")
    shipped = folders.shipped()
    if path.stem in shipped:
        raise _taken(path.stem, str(path))
    files = [file for ending in folders.ENDINGS for file in sorted(path.parent.glob(f"*{ending}"))]
    beside = {file.stem: file for file in files if file.stem not in shipped}
    return _load(path.stem, {**_index(), **beside}, ())


def _load(name: str, index: dict[str, Traversable], children: tuple[str, ...]) -> Preset:
    if name in children:
        raise ConventionError(f"presets extend each other in a ring: {' → '.join([*children, name])}")
    entry = index.get(name)
    if entry is None:
        plugins.load_installed()
        index = index | folders.of_packages()
        entry = index.get(name)
    if entry is None:
        from rankconv.presets.heads import likely_presets

        raise not_among("preset", name, likely_presets(name, [one for one in index if one != "base"]), ALL_PRESETS)
    known, shipped = _loaded.get(name), entry is folders.shipped().get(name)
    if known is not None and shipped:
        return known  # the package's own files stay as they are
    source = str(entry)
    text = read_text(entry, _short(source))
    chain = (*children, name)
    if known is not None and (known.source, known.text) == (source, text) and _same_parent(known, index, chain):
        return known
    resolver = _Resolver(read_document(text, _short(source), moderate=shipped), index, chain)
    made = resolver.preset(name, source, text)
    if not shipped:
        resolver.check(made)  # the tests check those of the package
    _loaded[name] = made
    return made


def _same_parent(known: Preset, index: dict[str, Traversable], chain: tuple[str, ...]) -> bool:
    return known.parent is None or _load(known.parent.name, index, chain) is known.parent


def _short(source: str) -> str:
    """The path from `conventions` on, which says enough of a shipped file."""
    parts = source.replace("\\", "/").rsplit("conventions/", 1)
    return f"conventions/{parts[1]}" if len(parts) == 2 else source


class _Resolver:
    """Makes a preset of one document and its parent; every error gets the line it stands on."""

    def __init__(self, document: Document, index: dict[str, Traversable], chain: tuple[str, ...]) -> None:
        self.document, self.index, self.chain = document, index, chain

    def preset(self, name: str, source: str, text: str) -> Preset:
        file = self._file()
        if file.name != name:
            raise self._at(("name",), f"the file is called '{name}' and names its preset '{file.name}'")
        parent = self._parent(file.extends) if file.extends else None
        answers = dict(parent.answers) if parent else {}
        entries = dict(parent.entries) if parent else {}
        for section in ("judging", "averaging", "parts"):
            answers |= self._answers(section, getattr(file, section))
        for key in file.without:
            if entries.pop(key, None) is None:
                raise unknown("metric of its parent", key, entries, where=self.document.place(("without",)))
        for key, entry in file.metrics.items():
            entries[key] = self._entry(key, entries.get(key), entry or Entry())
        return Preset(file.name, file, source, text, answers, entries, parent)

    def _file(self) -> PresetFile:
        if not isinstance(self.document.data, dict):
            raise self._at((), "a preset is a mapping of keys")
        try:
            return PresetFile.model_validate(self.document.data)
        except ValidationError as problem:
            raise self._shape_error(problem) from None

    def _shape_error(self, problem: ValidationError) -> RankingError:
        error = problem.errors()[0]
        path = error["loc"]
        if error["type"] == "extra_forbidden":
            return unknown("key of a preset", str(path[-1]), _keys_at(path), where=self.document.place(path))
        return self._at(path, f"'{'.'.join(map(str, path))}': {said(error)}")

    def _parent(self, name: str) -> Preset:
        try:
            return _load(name, self.index, self.chain)
        except ConventionError as error:
            raise error.at(self.document.place(("extends",))) from None

    def _answers(self, section: str, given: dict[str, Any]) -> dict[str, str]:
        kind = SECTIONS.get(section)
        others = {question for other in SECTIONS.values() for question in other.questions()}
        allowed = list(kind.questions()) if kind else [name for name in QUESTIONS if name not in others]
        return {question: self._answer((section, question), answer, allowed) for question, answer in given.items()}

    def _answer(self, path: tuple[str, ...], given: Any, allowed: list[str]) -> str:
        question = path[-1]
        if question not in allowed:
            raise _or_plugin(unknown("question here", question, allowed, where=self.document.place(path)))
        try:
            return QUESTIONS[question].validate(given)
        except RankingError as error:
            raise _or_plugin(error.at(self.document.place(path))) from None

    def _entry(self, key: str, inherited: Entry | None, own: Entry) -> Entry:
        path = ("metrics", key)
        before = inherited.model_dump(by_alias=True, exclude_unset=True) if inherited else {}
        told = own.model_dump(by_alias=True, exclude_unset=True)
        told["with-k"] = {**before.get("with-k", {}), **told.get("with-k", {})}
        merged = Entry.model_validate(before | told)
        if strategy_of(merged.is_ or key) is None:
            plugins.load_installed()
        strategy = strategy_of(merged.is_ or key)
        if strategy is None:
            raise _or_plugin(unknown_metric(merged.is_ or key, where=self.document.place((*path, "is"))))
        asked = [*(q for kind in SECTIONS.values() for q in kind.questions()), *METRICS[strategy].questions()]
        for question, answer in told.items():
            if question not in ENTRY_KEYS:
                self._answer((*path, question), answer, asked)
        for question, answer in told["with-k"].items():
            self._answer((*path, "with-k", question), answer, asked)
        try:
            check_names(own)
        except ConventionError as error:
            raise error.at(self.document.place((*path, "called"))) from None
        return canonical(merged)

    def check(self, made: Preset) -> None:
        """An error where a metric of the preset is not defined under its answers, at the line that says so."""
        for key in made.metrics if made.name != "base" else []:
            try:
                made.definition(key, (), 10 if made.takes_cutoff(key) else None)
            except RankingError as error:
                if key not in made.file.metrics:
                    error.do = f"{error.do} Or leave the inherited metric out: 'without: [{key}]'."
                raise error.at(self.document.place(("metrics", key))) from None

    def _at(self, path: tuple[str | int, ...], wrong: str) -> ConventionError:
        return ConventionError(wrong, where=self.document.place(path))


def _or_plugin(error: RankingError) -> RankingError:
    """A word that is not known here may be one that a plugin adds."""
    if error.allowed.startswith("Choose one of"):
        return error.but(allowed=f"{error.allowed}. {PLUGIN}")
    return error.but(allowed=PLUGIN) if "All of them" in error.do else error


def _keys_at(path: tuple[str | int, ...]) -> list[str]:
    if len(path) == 1:
        return [info.alias or name for name, info in PresetFile.model_fields.items()]
    kind = {"cite": "Citation", "checks": "Check"}.get(str(path[0]))
    if kind is None:
        return []
    from rankconv.presets import model

    return list(getattr(model, kind).model_fields)
