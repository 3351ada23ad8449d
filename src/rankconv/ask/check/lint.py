"""A lint: one thing that makes metrics lie, how it is found, and how else it could be taken."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from rankconv.ask.check.data import Data
from rankconv.ask.check.found import Found
from rankconv.data.joined import Joined
from rankconv.errors import ConventionError
from rankconv.presets.definition import Definition


@dataclass(frozen=True, eq=False)
class Other:
    """Another way to take what was found: other answers to some questions, other data, or both."""

    answers: Mapping[str, str] = field(default_factory=dict)
    joined: Joined | None = None
    """None for the data as they are."""


class Lint(ABC):
    """One thing in labels or a run that makes metrics lie. Subclass it to add one; defining the class registers it."""

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
    answers: ClassVar[Sequence[Mapping[str, str]]] = ()
    """Answers that take it in another way, whatever the definition."""
    wrong: ClassVar[bool] = False
    """Whether the data are wrong then, and not only open to more than one reading; such findings come first."""
    at_evaluate: ClassVar[bool] = True
    """Whether `rankconv evaluate` looks for it: it is found fast, and can move the number that is printed."""

    def __init_subclass__(cls) -> None:
        if not cls.name:
            return
        known = LINTS.get(cls.name)
        if known is not None and type(known).__module__ != cls.__module__:
            raise ConventionError(f"the lint '{cls.name}' is already defined by {type(known).__module__}")
        LINTS[cls.name] = cls()

    def tried(self, data: Data) -> str:
        """What is tried to see how far numbers move; empty where nothing can be."""
        return self.otherwise

    @abstractmethod
    def find(self, data: Data) -> Found | None:
        """How often it is so; None where it is not."""

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """The other ways to take it, which leave alone all that was not found; none where it cannot matter."""
        return [Other(answers) for answers in self.answers]


LINTS: dict[str, Lint] = {}
"""Every lint by its name."""
