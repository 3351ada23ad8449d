"""Preset files: what they may say, as plain records. Files of users are checked against these types by pydantic."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from typing_extensions import TypedDict

from rankconv.conventions.spec import HIGHEST

if TYPE_CHECKING:
    from pydantic import ConfigDict  # importing it takes as long as the first number of a process


class Limits:
    """What is checked of a value in a file besides its type, in the words of pydantic; else no more than a note."""

    def __init__(self, **rules: Any) -> None:
        self.rules = rules

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        """The schema of the type with these rules."""
        return {**handler(source), **self.rules}


def yaml_key(field: str) -> str:
    """The key of a field in a file.

    >>> yaml_key("in_"), yaml_key("with_k")
    ('in', 'with-k')
    """
    return field.rstrip("_").replace("_", "-")


STRICT: "ConfigDict" = {"extra": "forbid", "alias_generator": yaml_key, "use_attribute_docstrings": True}
"""Unknown keys are errors; what is below a field describes it."""
Name = Annotated[str, Limits(pattern=r"^[A-Za-z0-9][\w.+@-]*$", max_length=80)]
YamlSetting = Any
"""A setting as YAML gives it: text or a number. The convention validates it."""
PresetGroup = Literal[
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


@dataclass(frozen=True, kw_only=True)
class Citation:
    """Where a definition is. For a paper or book of `bibliography.yaml` its key is enough."""

    __pydantic_config__ = STRICT
    key: Name
    """Short name by which metrics and settings cite it."""
    type: Literal["article", "inproceedings", "incollection", "book", "misc"] = "misc"
    """The type of its BibTeX entry; `misc` for software and pages."""
    title: str = ""
    authors: str = ""
    """Names with commas between them: "A. Moffat, J. Zobel"."""
    year: int | None = None
    in_: str = ""
    """The journal, the proceedings or the book."""
    volume: int | None = None
    number: int | None = None
    pages: str = ""
    publisher: str = ""
    url: str = ""
    doi: str = ""
    where: str = ""
    """Section, equation, or file and lines."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """One number that the preset must give, from an independent source."""

    __pydantic_config__ = STRICT
    labels: dict[str | int, Any]
    """User to items (grade 1), or user to item to grade."""
    rankings: dict[str | int, list[Any]] = field(default_factory=dict)
    """User to items, best first."""
    scores: dict[str | int, dict[str | int, float]] = field(default_factory=dict)
    """User to item to score, in place of rankings."""
    catalogue: int | None = None
    """How many items there are, where the preset asks."""
    train: dict[str | int, list[Any]] | None = None
    """User to items of training, where the preset asks."""
    propensities: dict[str | int, float] | None = None
    """Item to propensity, where the preset asks."""
    shown: dict[str | int, list[Any]] | None = None
    """User to the items that were shown, best first, where the preset asks."""
    item_features: dict[str | int, Any] | None = None
    """Item to its group, where the preset asks."""
    group_target: dict[str, Any] | None = None
    """Group to the share that it should have, where the preset asks."""
    metric: str
    """A spec, such as ndcg@3."""
    value: str
    """A number or an expression: (2/log2(3) + 1/2) / 2; `refused` where the preset gives none."""
    user: str | int | None = None
    """The value is this user's; without it, the mean."""
    printed: Annotated[bool, Limits(strict=True)] = False
    """The value is so in print: it must agree to the digits given."""
    source: str = ""
    with_: Literal["unretrieved"] | None = None
    """The modifier with which the preset must give the value."""

    @property
    def side_data(self) -> dict[str, Any]:
        """What is given besides labels and a run, by the arguments that give it."""
        names = ("catalogue", "train", "propensities", "shown", "item_features", "group_target")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, kw_only=True)
class ContrastedCheck(Check):
    """One number that the preset must give, and a definition that gives another one on the same data."""

    unlike: str
    """A spec: what the metric would be if the claim were false, such as ndcg(gain=linear)@3, or one of another preset
    or name."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One sentence on how the system behaves, and what holds it: a check, or the place that says so."""

    __pydantic_config__ = STRICT
    text: str
    check: ContrastedCheck | None = None
    """Data on which the preset gives another number, or refuses, than it would if the sentence were false."""
    source: str = ""
    """Where the sentence can be read: a file with its lines, a section or page."""

    @property
    def is_held(self) -> bool:
        """Whether something holds it."""
        return self.check is not None or bool(self.source)


class EntryKeys(TypedDict, total=False):
    """The keys of an entry that are not conventions."""

    is_: str | None
    """The strategy, where the key differs from its name."""
    called: str | list[str]
    """The system's own names, accepted as spellings; `{k}` represents the cutoff, `{convention}` for a number that
    settings it, `{convention=setting}` for the parameter of that setting."""
    k: Annotated[int, Limits(ge=1, le=HIGHEST, strict=True)] | None
    """A hidden cutoff that holds where none is given."""
    with_k: dict[str, YamlSetting]
    """Settings that hold only where a cutoff is given."""


EntryKeys.__pydantic_config__ = {**STRICT, "extra": "allow"}  # type: ignore[attr-defined]
ENTRY_KEYS = tuple(map(yaml_key, EntryKeys.__annotations__))


@dataclass(frozen=True)
class MetricEntry:
    """One metric of a preset. Any convention may be set here again, for this metric alone."""

    stated: Mapping[str, Any] = field(default_factory=dict)
    """Keys and conventions as in the file."""

    @property
    def settings(self) -> dict[str, YamlSetting]:
        """The conventions that it sets."""
        return {name: setting for name, setting in self.stated.items() if name not in ENTRY_KEYS}

    def with_settings(self, change: Callable[[str, YamlSetting], YamlSetting]) -> "MetricEntry":
        """The entry with what a function makes of each setting, also of those that hold only with a cutoff."""
        own, with_k = ({q: change(q, given) for q, given in some.items()} for some in (self.settings, self.with_k))
        return MetricEntry({**self.stated, **own, **({"with-k": with_k} if with_k else {})})

    @property
    def names(self) -> list[str]:
        """The system's own names."""
        called: str | list[str] = self.stated.get("called", [])
        return [called] if isinstance(called, str) else called

    @property
    def is_(self) -> str | None:
        """The strategy, where the key differs from its name."""
        return self.stated.get("is")

    @property
    def k(self) -> int | None:
        """A hidden cutoff that holds where none is given."""
        return self.stated.get("k")

    @property
    def with_k(self) -> dict[str, YamlSetting]:
        """Settings that hold only where a cutoff is given."""
        return dict(self.stated.get("with-k", {}))


COMPARISON = r"(>=|<=|==|<|>)(\d+(?:\.\d+)*)"
"""One limit of a range of versions."""


@dataclass(frozen=True, kw_only=True)
class Era:
    """Earlier versions of the system that share their settings: what they have otherwise than the preset itself."""

    __pydantic_config__ = STRICT
    range: Annotated[str, Limits(pattern=rf"^{COMPARISON}(, *{COMPARISON})*$|^[A-Za-z][\w.-]*$")]
    """The versions that it covers, as ">=2.2,<2.4"; a word, as git, for what has no number."""
    version: Annotated[str, Limits(pattern=r"^[\w.-]+$", max_length=40)]
    """The version that was checked, by which the era is named: preset@version."""
    title: str = ""
    """What it is, where the preset's title with the version does not say it."""
    about: str = ""
    """Its history and context."""
    says: list[Claim] = field(default_factory=list)
    """How these versions behave, the most important first."""
    extends: Name | None = None
    """The preset that it differs from, where that is not the one of its file."""
    as_newest: bool = False
    """Whether it differs from what it extends as its file does from the preset that this one extends: a variant, by the
    same settings, of an earlier version. Metrics that the earlier version lacks stay away."""
    changes: dict[str, Any] = field(default_factory=dict)
    """What differs, in the sections of a preset."""
    cite: list[Citation] = field(default_factory=list)
    """Where that version states it."""
    proof: str
    """How it was checked: the recording, or the tagged source."""
    checks: list[Check] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class PresetFile:
    """A preset as its file states it: only where it differs from the one it extends."""

    __pydantic_config__ = STRICT
    name: Annotated[str, Limits(pattern=r"^[A-Za-z0-9][\w.-]*(@[\w.-]+)?$", max_length=80)]
    """The name that users type; equal to the file's stem."""
    title: str
    """What it is, in one line."""
    system: Annotated[str, Limits(max_length=40)] = ""
    """The library, contest or paper that it describes, where the title does not begin with it; a preset that extends
    another one describes the same."""
    also: list[Annotated[str, Limits(max_length=40)]] = field(default_factory=list)
    """Other names under which people look for it; an error about one of them names this preset."""
    group: PresetGroup = "own"
    """To which field it belongs, for lists."""
    version: str = ""
    """Of the software that it describes."""
    since: Annotated[str, Limits(pattern=r"^(\d+(\.\d+)*)?$")] = ""
    """The first version with these settings; without it the preset is of its version alone."""
    year: int | None = None
    extends: Name | None = None
    """The preset on which this one is based; `+unretrieved` may follow its name."""
    about: str = ""
    """Its history and context: what kind of program or text it is, what its input is, what was read of it."""
    says: list[Claim] = field(default_factory=list)
    """How the system behaves, the most important first, one fact a sentence."""
    cite: list[Citation] = field(default_factory=list)
    unretrieved: YamlSetting | Literal[True] | None = None
    """What `candidates` is under the modifier `+unretrieved`, which appends judged items that were not returned: a
    setting, or `true` for the one that it inherits. A preset that states this is listed with the modifier too."""
    preparation: dict[str, YamlSetting] = field(default_factory=dict)
    """Settings of how rankings and labels are prepared, and what is relevant."""
    aggregation: dict[str, YamlSetting] = field(default_factory=dict)
    """Settings of how users become one number, and the policies for special users and data."""
    plugin: Annotated[str, Limits(pattern=r"^(\w[\w.-]*\.py)?$")] = ""
    """A Python file in the preset's own folder that adds what its words need. It is run only where a user names the
    preset by its path."""
    every_metric: bool | None = None
    """Whether metrics without an entry are offered too, under the preset's general settings; inherited."""
    without: list[str] | dict[str, str] = field(default_factory=list)
    """Inherited metrics that it does not offer; by each why, as errors say it."""
    metrics: dict[str, EntryKeys | None] = field(default_factory=dict)
    """The metrics that the system offers, and no others; under `default` the settings of all of them."""
    reports: list[str] = field(default_factory=list)
    """The metrics that a test collection or contest officially reports, as specs; they are evaluated where none is
    named."""
    nicknames: dict[str, list[str]] = field(default_factory=dict)
    """What the system calls several of its metrics together, and these metrics."""
    native_names: str = ""
    """The grammar that reads names of metrics as the system writes them; inherited."""
    user_word: Annotated[str, Limits(pattern=r"^([a-z]+)?$")] = ""
    """What the system calls a user: topic, query; inherited."""
    alternatives: dict[str, list[str]] = field(default_factory=dict)
    """By policy under which it refuses data, presets that take such data; inherited."""
    checks: list[Check] = field(default_factory=list)
    eras: list[Era] = field(default_factory=list)
    """Earlier versions, the latest first."""

    @property
    def entries(self) -> dict[str, MetricEntry]:
        """The metrics that it states, by name."""
        return {key: MetricEntry(stated or {}) for key, stated in self.metrics.items() if key != DEFAULT}

    @property
    def metric_settings(self) -> dict[str, YamlSetting]:
        """The settings of all its metrics."""
        return MetricEntry(self.metrics.get(DEFAULT) or {}).settings


def system_named(given: str, above: str, title: str) -> str:
    """Which system a preset describes: what it says, else what it extends says, else how its title begins.

    >>> system_named("", "", "BEIR, EvaluateRetrieval"), system_named("", "LensKit", "LensKit, every item relevant")
    ('BEIR', 'LensKit')
    """
    return given or above or title.partition(",")[0]


FileRecord = TypeVar("FileRecord", Citation, Check, ContrastedCheck, Claim, Era, PresetFile)
_FIELDS = {"in": "in_", "with": "with_"}
_PARTS: dict[str, type[Any]] = {
    "cite": Citation,
    "says": Claim,
    "check": ContrastedCheck,
    "checks": Check,
    "eras": Era,
}


def record(kind: type[FileRecord], data: Mapping[str, Any]) -> FileRecord:
    """Make a record of data that are checked.

    >>> record(Citation, {"key": "here", "in": "Proceedings"}).in_
    'Proceedings'
    """
    given = {_FIELDS.get(key, key.replace("-", "_")): value for key, value in data.items()}
    for name in given.keys() & _PARTS.keys():
        kind_of_part, stated = _PARTS[name], given[name]
        several = isinstance(stated, list)
        given[name] = [record(kind_of_part, one) for one in stated] if several else record(kind_of_part, stated)
    return kind(**given)
