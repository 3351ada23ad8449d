"""Preset files: their model, and how YAML is read with line numbers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Annotated, Any, Literal, TypeVar, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from rankconv.errors import ConventionError, RankconvError, unknown
from rankconv.specs.spec import HIGHEST

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][\w.+@-]*$", max_length=80)]
Given = Any
"""A setting as YAML gives it: text, a number, or a one-key mapping. The convention's own choice validates it."""
Group = Literal[
    "default",
    "search",
    "recommender",
    "learning-to-rank",
    "classification",
    "rag",
    "contests",
    "texts",
    "collections",
    "own",
]


DEFAULT = "default"
"""The key of `metrics` whose settings hold for every metric."""


class Strict(BaseModel):
    """Unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Citation(Strict):
    """Where a definition is. For a paper or book of `bibliography.yaml` its key is enough."""

    key: Name
    """Short name by which metrics and settings cite it."""
    type: Literal["article", "inproceedings", "incollection", "book", "misc"] = "misc"
    """The type of its BibTeX entry; `misc` for software and pages."""
    title: str = ""
    authors: str = ""
    """Names with commas between them: "A. Moffat, J. Zobel"."""
    year: int | None = None
    in_: str = Field(default="", alias="in")
    """The journal, the proceedings or the book."""
    volume: int | None = None
    number: int | None = None
    pages: str = ""
    publisher: str = ""
    url: str = ""
    doi: str = ""
    where: str = ""
    """Section, equation, or file and lines."""


class Check(Strict):
    """One number that the preset must give, from an independent source."""

    labels: dict[str | int, Any]
    """User to items (grade 1), or user to item to grade."""
    rankings: dict[str | int, list[Any]] = {}
    """User to items, best first."""
    scores: dict[str | int, dict[str | int, float]] = {}
    """User to item to score, in place of rankings."""
    catalogue: int | None = None
    """How many items there are, where the preset asks."""
    metric: str
    """A spec, such as ndcg@3."""
    value: str
    """A number or an expression: (2/log2(3) + 1/2) / 2."""
    user: str | int | None = None
    """The value is this user's; without it, the mean."""
    printed: bool = False
    """The value is so in print: it must agree to the digits given."""
    source: str = ""
    with_: Literal["unretrieved"] | None = Field(default=None, alias="with")
    """The modifier with which the preset must give the value."""


class Entry(BaseModel):
    """One metric of a preset. Any convention may be answered here again, for this metric alone."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    is_: str | None = Field(default=None, alias="is")
    """The strategy, where the key differs from its name."""
    called: str | list[str] = []
    """The system's own names, accepted as spellings; `{k}` represents the cutoff, `{convention}` for a number that
    settings it, `{convention=setting}` for the parameter of that setting."""
    k: int | None = Field(default=None, ge=1, le=HIGHEST, strict=True)
    """A hidden cutoff that holds where none is given."""
    with_k: dict[str, Given] = Field(default={}, alias="with-k")
    """Settings that hold only where a cutoff is given."""

    @property
    def settings(self) -> dict[str, Given]:
        """The conventions that it sets."""
        return dict(self.model_extra or {})

    @property
    def names(self) -> list[str]:
        """The system's own names."""
        return [self.called] if isinstance(self.called, str) else self.called


COMPARISON = r"(>=|<=|==|<|>)(\d+(?:\.\d+)*)"
"""One limit of a range of versions."""


class Era(Strict):
    """Earlier versions of the system that share their settings: what they have otherwise than the preset itself."""

    range: str = Field(pattern=rf"^{COMPARISON}(, *{COMPARISON})*$|^[A-Za-z][\w.-]*$")
    """The versions that it covers, as ">=2.2,<2.4"; a word, as git, for what has no number."""
    version: str = Field(pattern=r"^[\w.-]+$", max_length=40)
    """The version that was checked, by which the era is named: preset@version."""
    title: str = ""
    """What it is, where the preset's title with the version does not say it."""
    about: str = ""
    """What is peculiar."""
    extends: Name | None = None
    """The preset that it differs from, where that is not the one of its file."""
    changes: dict[str, Any] = {}
    """What differs, in the sections of a preset."""
    cite: list[Citation] = []
    """Where that version states it."""
    proof: str
    """How it was checked: the recording, or the tagged source."""
    checks: list[Check] = []


class PresetFile(Strict):
    """A preset as its file states it: only where it differs from the one it extends."""

    name: str = Field(pattern=r"^[A-Za-z0-9][\w.-]*(@[\w.-]+)?$", max_length=80)
    """The name that users type; equal to the file's stem."""
    title: str
    """What it is, in one line."""
    system: str = Field(default="", max_length=40)
    """The library, contest or paper that it describes, where the title does not begin with it; a preset that extends
    another one describes the same."""
    group: Group = "own"
    """To which field it belongs, for lists."""
    version: str = ""
    """Of the software that it describes."""
    since: str = Field(default="", pattern=r"^(\d+(\.\d+)*)?$")
    """The first version with these settings; without it the preset is of its version alone."""
    year: int | None = None
    extends: Name | None = None
    """The preset on which this one is based; `+unretrieved` may follow its name."""
    about: str = ""
    """What is peculiar, and which readings were taken where the source is silent."""
    cite: list[Citation] = []
    unretrieved: Given | Literal[True] | None = None
    """What `candidates` is under the modifier `+unretrieved`, which appends judged items that were not returned: a
    setting, or `true` for the one that it inherits. A preset that states this is listed with the modifier too."""
    preparation: dict[str, Given] = {}
    """Settings of how rankings and labels are prepared, and what is relevant."""
    aggregation: dict[str, Given] = {}
    """Settings of how users become one number, and the policies for special users and data."""
    plugin: str = Field(default="", pattern=r"^(\w[\w.-]*\.py)?$")
    """A Python file in the preset's own folder that adds what its words need. It is run only where a user names the
    preset by its path."""
    every_metric: bool | None = Field(default=None, alias="every-metric")
    """Whether metrics without an entry are offered too, under the preset's general settings; inherited."""
    without: list[str] = []
    """Inherited metrics that it does not offer."""
    metrics: dict[str, Entry | None] = {}
    """The metrics that the system offers, and no others; under `default` the settings of all of them."""
    reports: list[str] = []
    """The metrics that a test collection or contest officially reports, as specs; they are evaluated where none is
    named."""
    nicknames: dict[str, list[str]] = {}
    """What the system calls several of its metrics together, and these metrics."""
    checks: list[Check] = []
    eras: list[Era] = []
    """Earlier versions, the latest first."""

    @property
    def entries(self) -> dict[str, Entry]:
        """The metrics that it states, by name."""
        return {key: entry or Entry() for key, entry in self.metrics.items() if key != DEFAULT}

    @property
    def metric_settings(self) -> dict[str, Given]:
        """The settings of all its metrics."""
        return (self.metrics.get(DEFAULT) or Entry()).settings


def system_named(given: str, above: str, title: str) -> str:
    """Which system a preset describes: what it says, else what it extends says, else how its title begins.

    >>> system_named("", "", "BEIR, EvaluateRetrieval"), system_named("", "LensKit", "LensKit, every item relevant")
    ('BEIR', 'LensKit')
    """
    return given or above or title.partition(",")[0]


MAX_BYTES = 1_000_000
MAX_NODES = 20_000
MAX_DEPTH = 20
MAX_NESTING = 100
TOO_MUCH = "the file is too deep or too long, or its aliases expand to too much"
MERGE, TEXT = "tag:yaml.org,2002:merge", "tag:yaml.org,2002:str"
PLAIN = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")
Path = tuple[str | int, ...]

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass
class Document:
    """A YAML file as plain data, and where its parts stand."""

    data: Any
    source: str
    lines: dict[Path, int] = field(default_factory=dict)

    def at(self, path: Path) -> Any:
        """The part at this path; None where there is none, as under a merged key."""
        part = self.data
        for key in path:
            try:
                part = part[key]
            except (KeyError, IndexError, TypeError):
                return None
        return part

    def place(self, path: Path) -> str:
        """File and line of an entry, or of the nearest one around it."""
        for end in range(len(path), -1, -1):
            if path[:end] in self.lines:
                return f"{self.source}, line {self.lines[path[:end]]}"
        return self.source


def said(error: Mapping[str, Any]) -> str:
    """What a pydantic error says, as a part of a sentence of ours."""
    text = str(error["ctx"]["error"]) if error["type"] in ("value_error", "assertion_error") else str(error["msg"])
    return f"{text[:1].lower()}{text[1:]}"


File = TypeVar("File", bound=BaseModel)


def validated(kind: type[File], document: Document, called: str) -> File:
    """What a file says, by its model; a ConventionError with the line of what is not allowed in it."""
    if not isinstance(document.data, dict):
        raise ConventionError(f"{called} is a mapping of keys", where=document.place(()))
    try:
        return kind.model_validate(document.data)
    except ValidationError as problem:
        first = min(problem.errors(), key=lambda error: error["type"] != "extra_forbidden")
        raise shape_error(kind, first, document, called) from None


def shape_error(kind: type[BaseModel], error: ErrorDetails, document: Document, called: str) -> RankconvError:
    """What a model says of a file, with the line, and the keys that are allowed where one is not."""
    path, place = error["loc"], document.place(error["loc"])
    if error["type"] == "extra_forbidden":
        return unknown(f"key of {called}", str(path[-1]), _keys(kind, path), where=place)
    number = isinstance(error["input"], (int, float)) and error["type"] == "string_type"
    do = "Put the number in quotes, so that all its digits stay." if number else ""
    return ConventionError(f"'{'.'.join(map(str, path))}': {said(error)}", where=place, do=do)


def _keys(kind: type[BaseModel], path: Path) -> list[str]:
    """The keys that are allowed where the last one of this path is."""
    for part in path[:-1]:
        field = next((one for name, one in kind.model_fields.items() if part in (name, one.alias)), None)
        kind = kind if field is None else next(_models(field.annotation), kind)
    return [one.alias or name for name, one in kind.model_fields.items()]


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)


def read_text(file: Traversable, source: str) -> str:
    """What a file says; one that is too large or not UTF-8 is a ConventionError."""
    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except OSError as problem:
        raise ConventionError(f"the file cannot be opened: {problem.strerror}", where=source) from None
    if len(data) > MAX_BYTES:
        raise ConventionError(f"the file is too large (over {MAX_BYTES:,} bytes)", where=source)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        do = "Save the file as UTF-8 text"
        raise ConventionError("the line is not UTF-8", where=f"{source}, line {line}", do=do) from None


def read_document(text: str, source: str, *, moderate: bool = False) -> Document:
    """Parse one file; anything that is not plain, moderate YAML is a ConventionError with its line.

    Of a file that is `moderate`, as those of the package are, it is known that the tree can be built at all.
    """
    try:
        if not moderate:
            _check_size(text, source)
        loader = _Loader(text)
        root = loader.get_single_node()
    except RankconvError:
        raise
    except (yaml.YAMLError, RecursionError, ValueError) as problem:
        raise ConventionError(f"this is not YAML: {_short(problem)}", where=_mark(problem, source)) from None
    if root is None:
        raise ConventionError("the file is empty", where=source)
    document = Document(None, source)
    document.data = _Builder(document, loader).build(root, ())
    return document


def divided_texts(document: Document) -> Iterator[ConventionError]:
    """The texts that a comma divides because nobody quoted them: `{ap-denominator: min(k, relevant)}`."""
    for path in document.lines:
        key = path[-1] if path else ""
        mapping = document.at(path[:-1]) if path else None
        if isinstance(mapping, dict) and mapping.get(key, "") is None and str(key).count("(") < str(key).count(")"):
            names = list(mapping)[: list(mapping).index(key) + 1]
            before = next((name for name in reversed(names) if mapping[name] is not None), names[0])
            text = ", ".join([str(mapping[before]), *map(str, names[names.index(before) + 1 :])])
            wrong = f"the comma divides '{text}', which is not quoted"
            yield ConventionError(wrong, where=document.place(path), do=f'Quote it: {before}: "{text}"')


def _check_size(text: str, source: str) -> None:
    """Before the tree is built: that takes time, and recurses in C, where too deep a file would end the process."""
    nodes = depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        nodes += isinstance(event, yaml.NodeEvent)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_NESTING or nodes > MAX_NODES:
            raise ConventionError(TOO_MUCH, where=source)


class _Builder:
    def __init__(self, document: Document, loader: Any) -> None:
        self.document, self.loader, self.nodes, self.depth = document, loader, 0, 0

    def build(self, node: Any, path: Path) -> Any:
        self.nodes += 1
        self.depth += 1
        if self.nodes > MAX_NODES or self.depth > MAX_DEPTH:
            raise ConventionError(TOO_MUCH, where=self.document.source)
        built = self._built(node, path)
        self.depth -= 1
        return built

    def _built(self, node: Any, path: Path) -> Any:
        self.document.lines.setdefault(path, node.start_mark.line + 1)
        if not isinstance(node, yaml.ScalarNode) and node.tag not in PLAIN:
            line = f"{self.document.source}, line {node.start_mark.line + 1}"
            raise ConventionError(f"this is not plain data: the tag {node.tag}", where=line)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(child, (*path, place)) for place, child in enumerate(node.value)]
        return self._scalar(node)

    def _mapping(self, node: Any, path: Path) -> dict[Any, Any]:
        mapping: dict[Any, Any] = {}
        merged: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            if key_node.tag == MERGE and isinstance(value_node, yaml.MappingNode):
                merged |= self.build(value_node, path)
                continue
            key = self._scalar(key_node) if isinstance(key_node, yaml.ScalarNode) else None
            line = f"{self.document.source}, line {key_node.start_mark.line + 1}"
            if key is None or isinstance(key, (list, dict)):
                raise ConventionError("a key must be plain text or a number", where=line)
            if key in mapping:
                raise ConventionError(f"the key '{key}' is given twice", where=line)
            self.document.lines[(*path, key)] = key_node.start_mark.line + 1
            mapping[key] = self.build(value_node, (*path, key))
        return merged | mapping

    def _scalar(self, node: Any) -> Any:
        if node.tag == TEXT:
            return node.value
        try:
            return self.loader.construct_object(node, deep=True)
        except RankconvError:
            raise
        except (yaml.YAMLError, ValueError) as problem:
            raise ConventionError(
                f"this is not plain data: {_short(problem)}", where=_mark(problem, self.document.source)
            ) from None


def _short(problem: Exception) -> str:
    return str(getattr(problem, "problem", None) or problem).split("\n")[0]


def _mark(problem: Exception, source: str) -> str:
    mark = getattr(problem, "problem_mark", None)
    return source if mark is None else f"{source}, line {mark.line + 1}"
