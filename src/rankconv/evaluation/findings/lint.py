"""A lint: a data problem that changes metrics, what is counted of it, and how else it could be taken."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from rankconv.engine.metric_result import Measured
from rankconv.evaluation.findings.finding import Finding, Tally
from rankconv.evaluation.findings.lint_data import CheckedData, NumberKey, Turn
from rankconv.presets.definition import Definition


@dataclass(frozen=True, eq=False)
class LintFacts:
    """What was measured and counted."""

    data: CheckedData
    measured: Mapping[NumberKey, Measured]
    tallies: Mapping[str, Tally]
    """By the names of lints."""

    @property
    def definitions(self) -> Mapping[NumberKey, Definition]:
        """Those that are checked."""
        return self.data.checked_metrics.definitions

    @property
    def by_score(self) -> bool:
        """Whether scores made the order of the lists."""
        return self.data.joined.rankings.by_score


@dataclass(frozen=True, eq=False)
class Other:
    """Another way to take what was found: other settings of some conventions, other data, or both."""

    settings: Mapping[str, str] = field(default_factory=dict)
    turn: Turn | None = None
    """None for the data as they are."""


T = TypeVar("T", bound=Tally)


class Lint(ABC, Generic[T]):
    """A data problem in labels or a run that changes metrics. Subclass it to add one; defining the class registers it.

    `look` counts it in the data.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str]
    """What is found, without a verb: "ties at the cutoff"."""
    unit: ClassVar[str]
    """What is counted: users, rows of the run."""
    means: ClassVar[str]
    """What it means, in one sentence."""
    do: ClassVar[str]
    """What to do about it."""
    otherwise: ClassVar[str] = ""
    """What moves the number: "other tie orders"; empty where there is no other way to take it."""
    settings: ClassVar[Sequence[Mapping[str, str]]] = ()
    """Settings that take it in another way, whatever the definition."""
    wrong: ClassVar[bool] = False
    """Whether the data are wrong then, and not only open to more than one reading; such findings come first."""
    at_evaluate: ClassVar[bool] = True
    """Whether `rankconv evaluate` looks for it: it is found fast, and can move the number that is printed."""

    def __init_subclass__(cls) -> None:
        if cls.name:
            LINTS[cls.name] = cls()

    @abstractmethod
    def look(self, data: CheckedData) -> T:
        """Count it in these data."""

    def holds(self, tally: T, known: LintFacts) -> bool:
        """Whether what was counted is a finding; the count is not 0."""
        return True

    def usual(self, known: LintFacts) -> bool:
        """Whether such data are usual, and are read as they are: then `rankconv evaluate` says nothing of them."""
        return False

    def note(self, tally: T, known: LintFacts) -> str:
        """What more there is to say of those found."""
        return ""

    def found(self, tally: T, known: LintFacts) -> Finding | None:
        """How often it is so, and what it means; None where it is not so."""
        if not (tally.count and self.holds(tally, known)):
            return None
        return Finding(
            name=self.name,
            title=self.title,
            wrong=self.wrong,
            count=tally.count,
            of=tally.of,
            unit=self.unit,
            note=self.note(tally, known),
            means=self.means,
            do=self.to_do(tally, known),
            otherwise=self.tried(tally, known),
            examples=tally.first,
        )

    def to_do(self, tally: T, known: LintFacts) -> str:
        """What to do about those found."""
        return self.do

    def tried(self, tally: T, known: LintFacts) -> str:
        """What is tried to see how far numbers move; empty where nothing can be."""
        return self.otherwise

    def others(self, tally: T, known: LintFacts, definition: Definition) -> Iterable[Other]:
        """The other ways to take it, which leave alone all that was not found; none where it cannot matter."""
        return [Other(settings) for settings in self.settings]


LINTS: dict[str, Lint[Any]] = {}
"""Every lint by its name; `rankconv.evaluation.findings.moves` loads all of them."""
