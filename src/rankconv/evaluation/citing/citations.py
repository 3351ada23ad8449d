"""Citations: BibTeX, and the methods of a paper."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, NotRequired, Required, cast

from typing_extensions import TypedDict

from rankconv.aggregation.special_case import AND
from rankconv.basics.escaping import latex
from rankconv.conventions.spec import at_cutoff
from rankconv.engine.metric_result import Measured
from rankconv.engine.saved_result import SavedDefinition, SavedNumber, version_of_rankconv
from rankconv.evaluation.citing.formula import formula, mean_formula, symbols
from rankconv.evaluation.citing.paragraph import Statements, counted, paragraph, preset_of, sources
from rankconv.metrics import METRICS
from rankconv.presets.definition import Definition, settings_of
from rankconv.presets.preset import Preset
from rankconv.presets.preset_file import Citation
from rankconv.presets.signature import in_lines
from rankconv.rendering.pages.display import PagedResult
from rankconv.rendering.pages.display import latex as written_in_latex
from rankconv.rendering.pages.page import Code, Page, StatedDefinition

Entry = tuple[str, Mapping[str, str]]
"""The key of an entry, and its fields, of which `type` is its type."""


def entry(citation: Citation, version: str = "") -> Entry:
    """The type and the fields of a source, those that it has.

    Where in the source the definition is given is not a field: the entry of a source is the same in every call.
    """
    container = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle"}
    fields = {
        "type": citation.type,
        "title": f"{{{latex(citation.title)}}}",
        "author": latex(" and ".join(filter(None, re.split(r",\s*", citation.authors)))),
        "year": "" if citation.year is None else str(citation.year),
        container.get(citation.type, "howpublished"): latex(citation.in_),
        "volume": "" if citation.volume is None else str(citation.volume),
        "number": "" if citation.number is None else str(citation.number),
        "pages": citation.pages,
        "publisher": latex(citation.publisher),
        "version": latex(version),
        "doi": citation.doi,
        "url": citation.url,
    }
    return citation.key, {name: value for name, value in fields.items() if value}


def bibtex(entries: Iterable[Entry]) -> str:
    """Entries as a .bib file holds them, each key once."""
    return "\n\n".join(_bibtex_entry(key, fields) for key, fields in dict(entries).items())


def _bibtex_entry(key: str, fields: Mapping[str, str]) -> str:
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if name != "type"]
    return ",\n".join([f"@{fields['type']}{{{key}", *lines]) + "\n}"


ABOUT_US = "rankconv: ranking metrics whose definitions are data"


class FormulaData(TypedDict):
    """The formula of a definition, in LaTeX."""

    user: str
    """The value of a user."""
    number: str
    """The number that is reported."""
    symbols: dict[str, str]
    """The meaning of each sign."""


class SettingData(TypedDict):
    """The setting of a convention."""

    setting: str
    words: str
    """What it says, in words."""


class CitationData(TypedDict, total=False):
    """A source; only what is known of it."""

    key: Required[str]
    """The short name by which metrics and settings cite it, of its BibTeX entry too."""
    type: str
    """The type of its BibTeX entry; left out of a `misc`."""
    title: str
    authors: str
    year: int
    in_: str
    """The journal, the proceedings or the book."""
    volume: int
    number: int
    pages: str
    publisher: str
    url: str
    doi: str
    where: str
    """Section, equation, or file and lines."""


class CitedData(TypedDict):
    """One definition described for the readers of a paper."""

    metric: str
    """The metric as a paper writes it: nDCG@10."""
    definition: str
    preset: str
    """The preset, and what it describes."""
    fingerprint: str
    """The name of the definition, of 16 hexadecimal digits; empty where a setting is a function."""
    signature: str
    paragraph: str
    """The definition in sentences."""
    formula: FormulaData
    settings: dict[str, SettingData]
    """The setting of each convention."""
    sources: list[CitationData]
    counts: NotRequired[dict[str, int]]
    """How many users were scored, given a value by which policy, left outside; where there is a result."""


@dataclass(frozen=True, eq=False)
class Cited:
    """One definition described for the readers of a paper."""

    definition: Definition
    number: Measured | SavedNumber | None = field(default=None, repr=False)
    """What came out of it, where there is a result."""

    @cached_property
    def owner(self) -> Preset | None:
        """The preset; None where it is no longer to be had."""
        return preset_of(self.definition)

    @property
    def label(self) -> str:
        """The metric as a paper writes it: "nDCG@10"."""
        written = {name.lower().replace(" ", "_"): name for metric in METRICS.values() for name in metric.paper_names}
        key = self.definition.key
        return at_cutoff(written.get(key, key), self.definition.k)

    @cached_property
    def fingerprint(self) -> str:
        """64 bits that name the definition, for `rc.from_fingerprint`. Empty where a setting is a function."""
        return self.definition.fingerprint

    @property
    def preset(self) -> str:
        """The preset and what it describes: "mllib (Apache Spark MLlib, RankingMetrics, version 4.3.0)"."""
        owner = self.owner
        if owner is None:
            return self.definition.preset
        version = f", version {owner.file.version}" if owner.file.version else ""
        return f"{owner.name} ({owner.title}{version})"

    @cached_property
    def paragraph(self) -> str:
        """The whole definition in sentences, and who was counted where there is a result."""
        changed = ", ".join(f"{name}={setting}" for name, setting in self.definition.changed)
        but = f", but with {changed}" if changed else ""
        named = f"the definition has the fingerprint {self.fingerprint}"
        if not self.fingerprint:
            why = self.definition.why_no_fingerprint
            named = f"the definition has no fingerprint, and its value has no name: {why}"
        sentences = [
            f"{self.label} is computed as the rankconv preset {self.preset} defines it{but}.",
            paragraph(self.definition),
            counted(self.definition, self.number) if self.number is not None else "",
            f"Computed with rankconv {version_of_rankconv()}; {named}.",
        ]
        return " ".join(filter(None, sentences))

    @property
    def formula(self) -> str:
        """The value of a user in LaTeX."""
        return f"m = {formula(self.definition)}"

    @property
    def mean_formula(self) -> str:
        """The number that is reported, in LaTeX."""
        return f"M = {mean_formula(self.definition)}"

    @property
    def symbols(self) -> dict[str, str]:
        """What the signs of the formula mean."""
        return symbols(self.definition)

    @property
    def sources(self) -> list[Citation]:
        """Where the definition is."""
        return sources(self.definition, self.owner)

    @property
    def settings(self) -> dict[str, SettingData]:
        """Every setting, and what it says; of policies that other definitions join, those that decide something."""
        statements, parts = Statements(self.definition), self.definition.setting_sets
        return {
            name: {"setting": setting.text, "words": statements.words(name)}
            for name, setting in settings_of(*parts).items()
            if AND not in name or not setting.traits.by_formula
        }

    @property
    def entries(self) -> list[Entry]:
        """The sources in BibTeX, and rankconv itself, each with its key."""
        return [*(entry(source) for source in self.sources), own_entry()]

    @property
    def stated(self) -> StatedDefinition:
        """The paragraph and the formulas, for a page."""
        formulas = (self.formula, self.mean_formula)
        return StatedDefinition(self.paragraph, formulas, self.symbols, [key for key, _ in self.entries])

    def to_dict(self) -> CitedData:
        """Everything as plain data."""
        data: CitedData = {
            "metric": self.label,
            "definition": self.definition.text,
            "preset": self.preset,
            "fingerprint": self.fingerprint,
            "signature": self.definition.signature,
            "paragraph": self.paragraph,
            "formula": {"user": self.formula, "number": self.mean_formula, "symbols": self.symbols},
            "settings": self.settings,
            "sources": [citation_data(source) for source in self.sources],
        }
        if self.number is not None:
            data["counts"] = self.number.counts
        return data


def citation_data(source: Citation) -> CitationData:
    """What is known of a source."""
    known: Any = {one.name: value for one in fields(source) if (value := getattr(source, one.name)) != one.default}
    return cast(CitationData, known)


def own_entry() -> Entry:
    """rankconv itself, in BibTeX."""
    return "rankconv", {"type": "misc", "title": f"{{{ABOUT_US}}}", "version": version_of_rankconv()}


@dataclass(frozen=True, eq=False, repr=False)
class Methods(PagedResult):
    """One or several definitions described for the readers of a paper.

    >>> import rankconv as rc
    >>> methods = rc.evaluate({"u": ["a"], "v": []}, {"u": ["x", "a"]}, "mllib:map@5").methods()
    >>> print(methods.cited[0].paragraph.split(". ")[-2])
    The number is 0.25; of 2 users, 1 was scored and 1 was counted as 0 (no relevant label)
    >>> print(methods.to_bibtex().split(",")[0])
    @misc{mllib
    """

    cited: tuple[Cited, ...]

    def __iter__(self) -> Iterator[Cited]:
        return iter(self.cited)

    def __len__(self) -> int:
        return len(self.cited)

    def _page(self) -> Page:
        """Each definition with its formulas, then the sources of all."""
        return Page([*self._stated().sections, [Code(self.to_bibtex(), "bibtex")]])

    def to_latex(self, **shown: Any) -> str:
        """The paragraphs and formulas for a document that uses amsmath; the sources are cited by their keys."""
        return written_in_latex(self._stated())

    def _stated(self) -> Page:
        pieces = [(one.stated, Code(in_lines(one.definition.signature), "text")) for one in self.cited]
        return Page([[piece] for pair in pieces for piece in pair])

    def to_bibtex(self) -> str:
        """The sources, and rankconv itself, for a .bib file."""
        return bibtex(pair for one in self.cited for pair in one.entries)

    def to_dict(self) -> list[CitedData]:
        """Everything as plain data, one dict for each definition."""
        return [one.to_dict() for one in self.cited]


def of_numbers(numbers: Iterable[Measured | SavedNumber]) -> Methods:
    """The definitions of numbers that came out, with the users of each; also of numbers that were loaded."""
    cited = []
    for number in numbers:
        given = number.definition
        cited.append(Cited(given.restored() if isinstance(given, SavedDefinition) else given, number))
    return Methods(tuple(cited))
