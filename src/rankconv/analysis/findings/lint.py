"""A lint: one thing that makes metrics lie, what is seen of it, what that says, and how else it could be taken."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from rankconv.analysis.findings.data import Data, Turn
from rankconv.analysis.findings.found import Found
from rankconv.analysis.findings.known import Known
from rankconv.analysis.findings.seen import Seen
from rankconv.errors import ConventionError
from rankconv.presets.definition import Definition


@dataclass(frozen=True, eq=False)
class Other:
    """Another way to take what was found: other settings to some conventions, other data, or both."""

    settings: Mapping[str, str] = field(default_factory=dict)
    turn: Turn | None = None
    """None for the data as they are."""


S = TypeVar("S", bound=Seen)


class Lint(ABC, Generic[S]):
    """One thing in labels or a run that makes metrics lie. Subclass it to add one; defining the class registers it.

    It looks at all that there is of some users, `look`; what it saw of all of them adds up to what it tells, `tell`.
    So it is the same thing in memory, where all users are looked at together, and in batches of files.
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
    """Answers that take it in another way, whatever the definition."""
    wrong: ClassVar[bool] = False
    """Whether the data are wrong then, and not only open to more than one reading; such findings come first."""
    reads_values: ClassVar[bool] = False
    """Whether it looks at the values of users."""
    at_evaluate: ClassVar[bool] = True
    """Whether `rankconv evaluate` looks for it: it is found fast, and can move the number that is printed."""

    def __init_subclass__(cls) -> None:
        if not cls.name:
            return
        known = LINTS.get(cls.name)
        if known is not None and type(known).__module__ != cls.__module__:
            raise ConventionError(f"the lint '{cls.name}' is already defined by {type(known).__module__}")
        LINTS[cls.name] = cls()

    @abstractmethod
    def look(self, data: Data) -> S:
        """What is seen of these users, which adds up."""

    def tell(self, seen: S, known: Known) -> Found | None:
        """How often it is so, by what was seen of all users; None where it is not."""
        return seen.found()

    def tried(self, seen: S, known: Known) -> str:
        """What is tried to see how far numbers move; empty where nothing can be."""
        return self.otherwise

    def others(self, seen: S, known: Known, definition: Definition) -> Iterable[Other]:
        """The other ways to take it, which leave alone all that was not found; none where it cannot matter."""
        return [Other(settings) for settings in self.settings]


LINTS: dict[str, Lint[Any]] = {}
"""Every lint by its name."""
