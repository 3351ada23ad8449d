"""What a paper says of its numbers: the definition in words, its formula, its sources, and who was counted."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rankconv.citing.formula import formula, mean_formula, symbols
from rankconv.citing.paragraph import counted, paragraph
from rankconv.citing.short import label, short
from rankconv.citing.sources import preset_of, sources
from rankconv.citing.statements import Statements
from rankconv.definition import Definition
from rankconv.measured import Measured
from rankconv.presets.model import Citation
from rankconv.presets.registry import neutral_answers
from rankconv.presets.resolved import Preset
from rankconv.saved import SavedNumber, version_of_rankconv


@dataclass(frozen=True, eq=False)
class Cited:
    """One definition told to the readers of a paper."""

    definition: Definition
    number: Measured | SavedNumber | None = field(default=None, repr=False)
    """What came out of it, where there is a result."""
    given: Preset | None = field(default=None, repr=False)
    """The preset, where it is not one that is found by its name."""

    @cached_property
    def owner(self) -> Preset | None:
        """The preset; None where it is no longer to be had."""
        return self.given or preset_of(self.definition)

    @property
    def label(self) -> str:
        """The metric as a paper writes it: "nDCG@10"."""
        return label(self.definition)

    @cached_property
    def fingerprint(self) -> str:
        """64 bits that name the definition; `rc.from_fingerprint` finds it again."""
        return self.definition.fingerprint_over(neutral_answers())

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
        changed = ", ".join(f"{question}={answer}" for question, answer in self.definition.changed)
        but = f", but with {changed}" if changed else ""
        begins = f"{self.label} is computed as the rankconv preset {self.preset} defines it{but}."
        ends = f"Computed with rankconv {version_of_rankconv()}; the definition has the fingerprint {self.fingerprint}."
        users = counted(self.definition, self.number) if self.number is not None else ""
        return " ".join(filter(None, [begins, paragraph(self.definition), users, ends]))

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
    def answers(self) -> dict[str, dict[str, str]]:
        """Every answer, and what it says."""
        told = Statements(self.definition)
        return {name: {"answer": answer, "words": told.words(name)} for name, answer in self.definition.answers.items()}


@dataclass(frozen=True, eq=False)
class Methods:
    """One or several definitions told to the readers of a paper.

    >>> import rankconv as rc
    >>> told = rc.evaluate({"u": ["a"], "v": []}, {"u": ["x", "a"]}, "mllib:map@5").methods()
    >>> print(told.cited[0].paragraph.split(". ")[-2])
    The number is 0.25; of 2 users, 1 was scored and 1 was counted as 0 (no relevant label)
    >>> print(told.bibtex().split(",")[0])
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

    def text(self, width: int | None = 100) -> str:
        """The paragraphs, formulas and sources for a terminal of this width."""
        from rankconv.report.methods import text_of

        return text_of(self, width)

    def markdown(self) -> str:
        """The same as GitHub Markdown."""
        from rankconv.report.methods import markdown_of

        return markdown_of(self)

    def latex(self) -> str:
        """The paragraphs and formulas for a document that uses amsmath; the sources are cited by their keys."""
        from rankconv.report.methods import latex_of

        return latex_of(self)

    def bibtex(self) -> str:
        """The sources, and rankconv itself, for a .bib file."""
        from rankconv.report.methods import bibtex_of

        return bibtex_of(self)

    def to_dict(self) -> list[dict[str, Any]]:
        """Everything as plain data, one dict for each definition."""
        from rankconv.report.methods import data_of

        return [data_of(one) for one in self.cited]

    def __str__(self) -> str:
        return self.text()
