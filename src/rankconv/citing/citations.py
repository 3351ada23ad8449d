"""Citations: BibTeX, short forms, and the methods of a paper."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from rankconv.citing.formula import formula, mean_formula, restored, symbols
from rankconv.citing.paragraph import Statements, counted, paragraph, preset_of, sources
from rankconv.engine.metric_result import Measured
from rankconv.engine.saved import SavedDefinition, SavedNumber, version_of_rankconv
from rankconv.errors import RankconvError
from rankconv.escaping import latex
from rankconv.metrics import METRICS
from rankconv.pages import forms
from rankconv.pages.display import Shown
from rankconv.pages.page import Code, Page, Stated
from rankconv.presets.definition import Definition
from rankconv.presets.preset_file import Citation
from rankconv.presets.registry import list_presets, readable
from rankconv.presets.resolved import Preset
from rankconv.presets.signature import in_lines
from rankconv.specs.spec import at_cutoff

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
    return "\n\n".join(_written(key, fields) for key, fields in dict(entries).items())


def _written(key: str, fields: Mapping[str, str]) -> str:
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if name != "type"]
    return ",\n".join([f"@{fields['type']}{{{key}", *lines]) + "\n}"


SHOWN = (2, 2, 1)
"""How many settings are shown of preparation, of the metric, and of aggregation; besides those that were changed."""
ORDER = (1, 2, 0)
"""The metric's settings come first, as they change the most."""
DIGITS = 8
"""Hexadecimal digits of the fingerprint that are shown; enough to find the definition again."""


def telling(definition: Definition) -> list[str]:
    """The conventions whose settings are shown: those that were changed, and those on which presets differ most.

    Counted are the pairs of presets offering the metric that differ in a convention. Of the metric itself and
    of preparation the first two are taken, of aggregation the first; a setting that changes nothing here is passed
    over.
    """
    others, statements = offered(definition), Statements(definition)
    changed = [name for name, _ in definition.changed]
    chosen = []
    for place in ORDER:
        names = definition.parts[place].stated
        pairs = {name: distinguished_pairs(name, others) for name in names if statements.matters(name)}
        most = sorted((name for name in pairs if pairs[name]), key=lambda name: -pairs[name])[: SHOWN[place]]
        chosen += [name for name in names if name in changed or name in most]
    return chosen


def distinguished_pairs(convention_name: str, definitions: Sequence[Definition]) -> int:
    """How many ordered pairs of definitions differ in a convention; a metric without it is not counted."""
    counts = Counter(one.settings[convention_name] for one in definitions if convention_name in one.settings)
    return counts.total() ** 2 - sum(count**2 for count in counts.values())


def offered(definition: Definition) -> list[Definition]:
    """This metric, in this form, as each preset that offers it has it."""
    found = []
    for owner in readable(list_presets()):  # so that another era changes no line
        if definition.key in owner.metrics:
            with suppress(RankconvError):  # not in this form
                found.append(owner.definition(definition.key, (), definition.requested_k))
    return found


ABOUT_US = "rankconv: ranking metrics whose definitions are data"


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
        written = {name.lower().replace(" ", "_"): name for metric in METRICS.values() for name in metric.written}
        key = self.definition.key
        return at_cutoff(written.get(key, key), self.definition.k)

    @cached_property
    def fingerprint(self) -> str:
        """64 bits that name the definition, for `rc.from_fingerprint`. Empty where a setting is a function."""
        return self.definition.fingerprint

    @property
    def short(self) -> str:
        """One line to print next to the number.

        `nDCG@10 [mllib 4.3.0; gain=binary; ideal=all-labels; …; 9f3a12bc…]`
        """
        definition, owner = self.definition, self.owner
        version = f" {owner.file.version}" if owner and owner.file.version else ""
        changed = " (modified)" if definition.changed else ""
        settings = [f"{name}={definition.settings[name]}" for name in telling(definition)]
        named = f"{self.fingerprint[:DIGITS]}…" if self.fingerprint else "no fingerprint"
        return f"{self.label} [{'; '.join([f'{definition.preset}{version}{changed}', *settings, named])}]"

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
    def settings(self) -> dict[str, dict[str, str]]:
        """Every setting, and what it says."""
        statements = Statements(self.definition)
        return {
            name: {"setting": setting, "words": statements.words(name)}
            for name, setting in self.definition.settings.items()
        }

    @property
    def entries(self) -> list[Entry]:
        """The sources in BibTeX, and rankconv itself, each with its key."""
        return [*(entry(source) for source in self.sources), own_entry()]

    @property
    def stated(self) -> Stated:
        """The paragraph and the formulas, for a page."""
        formulas = (self.formula, self.mean_formula)
        return Stated(self.paragraph, formulas, self.symbols, [key for key, _ in self.entries])

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        counts = {} if self.number is None else {"counts": self.number.counts}
        return _data(
            metric=self.label,
            definition=self.definition.text,
            preset=self.preset,
            fingerprint=self.fingerprint,
            signature=self.definition.signature,
            short=self.short,
            paragraph=self.paragraph,
            formula=_data(user=self.formula, number=self.mean_formula, symbols=self.symbols),
            settings=self.settings,
            sources=[_stated(source) for source in self.sources],
            **counts,
        )


def _data(**given: Any) -> dict[str, Any]:
    return given


def _stated(source: Citation) -> dict[str, Any]:
    """What is known of a source."""
    return {one.name: value for one in fields(source) if (value := getattr(source, one.name)) != one.default}


def own_entry() -> Entry:
    """rankconv itself, in BibTeX."""
    return "rankconv", {"type": "misc", "title": f"{{{ABOUT_US}}}", "version": version_of_rankconv()}


@dataclass(frozen=True, eq=False, repr=False)
class Methods(Shown):
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

    @property
    def short(self) -> str:
        """One line for each, to print next to its number."""
        return "\n".join(one.short for one in self.cited)

    def _page(self) -> Page:
        """Each definition with its formulas, then the sources of all."""
        return Page([*self._stated().sections, [Code(self.to_bibtex(), "bibtex")]])

    def to_latex(self, **shown: Any) -> str:
        """The paragraphs and formulas for a document that uses amsmath; the sources are cited by their keys."""
        return forms.latex(self._stated())

    def _stated(self) -> Page:
        pieces = [(one.stated, Code(in_lines(one.definition.signature), "text")) for one in self.cited]
        return Page([[piece] for pair in pieces for piece in pair])

    def to_bibtex(self) -> str:
        """The sources, and rankconv itself, for a .bib file."""
        return bibtex(pair for one in self.cited for pair in one.entries)

    def to_dict(self) -> list[dict[str, Any]]:
        """Everything as plain data, one dict for each definition."""
        return [one.to_dict() for one in self.cited]


def of_numbers(numbers: Iterable[Measured | SavedNumber]) -> Methods:
    """The definitions of numbers that came out, with the users of each; also of numbers that were loaded."""
    cited = []
    for number in numbers:
        given = number.definition
        cited.append(Cited(restored(given) if isinstance(given, SavedDefinition) else given, number))
    return Methods(tuple(cited))
