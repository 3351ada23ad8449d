"""One definition as a paper states it: in words, as a formula, with its sources, and who was counted."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rankconv.citing.bibtex import Entry, entry
from rankconv.citing.formula import formula, mean_formula, symbols
from rankconv.citing.paragraph import counted, paragraph
from rankconv.citing.short import label, short
from rankconv.citing.sources import preset_of, sources
from rankconv.citing.statements import Statements
from rankconv.engine.measured import Measured
from rankconv.engine.saved import SavedNumber, version_of_rankconv
from rankconv.pages.page import Stated
from rankconv.presets.definition import Definition
from rankconv.presets.model import Citation
from rankconv.presets.registry import neutral_settings
from rankconv.presets.resolved import Preset

ABOUT_US = "rankconv: ranking metrics whose definitions are data"


@dataclass(frozen=True, eq=False)
class Cited:
    """One definition told to the readers of a paper."""

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
        return label(self.definition)

    @cached_property
    def fingerprint(self) -> str:
        """64 bits that name the definition; `rc.from_fingerprint` finds it again. Empty where a function answers."""
        return "" if self.definition.functions else self.definition.fingerprint_over(neutral_settings())

    @property
    def short(self) -> str:
        """One line to print next to the number."""
        return short(self.definition, self.owner, self.fingerprint)

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
        changed = ", ".join(f"{convention_name}={setting}" for convention_name, setting in self.definition.changed)
        but = f", but with {changed}" if changed else ""
        begins = f"{self.label} is computed as the rankconv preset {self.preset} defines it{but}."
        ends = f"Computed with rankconv {version_of_rankconv()}; {self._named}."
        users = counted(self.definition, self.number) if self.number is not None else ""
        return " ".join(filter(None, [begins, paragraph(self.definition), users, ends]))

    @property
    def _named(self) -> str:
        if self.fingerprint:
            return f"the definition has the fingerprint {self.fingerprint}"
        why = self.definition.why_no_fingerprint
        return f"the definition has no fingerprint, and its number cannot be told by a name: {why}"

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
        """Where the definition stands."""
        return sources(self.definition, self.owner)

    @property
    def settings(self) -> dict[str, dict[str, str]]:
        """Every setting, and what it says."""
        told = Statements(self.definition)
        return {
            name: {"setting": setting, "words": told.words(name)} for name, setting in self.definition.settings.items()
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
            short=self.short,
            paragraph=self.paragraph,
            formula=_data(user=self.formula, number=self.mean_formula, symbols=self.symbols),
            settings=self.settings,
            sources=[source.model_dump(exclude_defaults=True) for source in self.sources],
            **counts,
        )


def _data(**given: Any) -> dict[str, Any]:
    return given


def own_entry() -> Entry:
    """rankconv itself, in BibTeX."""
    return "rankconv", {"type": "misc", "title": f"{{{ABOUT_US}}}", "version": version_of_rankconv()}
