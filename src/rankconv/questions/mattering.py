"""Whether the answer to a question can matter: beside other answers, and on the data at hand.

Both are told where the question stands, by `CHOICE.idle(…)` and `CHOICE.alike`; whoever must know asks here.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from rankconv.questions.option import Answer


class Told(NamedTuple):
    """The answers of a definition or of one part of it, as far as they are told."""

    answers: Mapping[str, Answer]
    k: int | None = None
    """The cutoff of the metric."""
    metric: Any = None
    """The class of the metric."""

    def trait(self, question: str, name: str) -> Any:
        """What the answer to a question has under this name; None where it has nothing, or nothing is told."""
        return self.answers[question].option.traits.get(name) if question in self.answers else None

    def any(self, name: str) -> bool:
        """Whether some answer has something under this name."""
        return any(answer.option.traits.get(name) for answer in self.answers.values())


class Idle(NamedTuple):
    """Beside which other answers the one to a question cannot matter."""

    because: str
    """The reason: "the list is not ordered by score"; empty where it goes without saying."""
    by: str
    """The question whose answer makes it so, `k` for the cutoff; empty where none does."""
    holds: Callable[[Told], bool]

    @property
    def by_setting(self) -> bool:
        """Whether another setting makes it so."""
        return self.by not in ("", "k")


IDLE: dict[str, dict[str, Idle]] = {}
"""By question, and by reason."""
ALIKE: dict[str, Callable[[Any, Any], bool]] = {}
"""By question, whether two definitions are bound to agree on it on the data at hand."""


def idle(told: Told) -> dict[str, Idle]:
    """The questions whose answers cannot matter, each with what makes it so."""
    rules = ((question, rule) for question in IDLE if question in told.answers for rule in IDLE[question].values())
    return {question: rule for question, rule in rules if rule.holds(told)}


def alike(question: str, ours: Any, other: Any) -> bool:
    """Whether the answers of two definitions to this question are bound to agree on the data at hand."""
    return question in ALIKE and ALIKE[question](ours, other)
