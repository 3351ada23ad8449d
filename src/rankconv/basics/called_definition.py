"""What evaluates a definition that is called: `rc.NDCG(10)(labels, run)`.

A definition is below the evaluation and imports nothing of it. `rankconv` itself, which is above both and is imported
before any of its modules, states the function here.
"""

from typing import Any, ClassVar, Protocol


class EvaluatesDefinition(Protocol):
    """A function that evaluates a run, or several, by one definition."""

    def __call__(self, definition: Any, labels: Any, rankings: Any, **given: Any) -> Any:
        """Return a number; for several runs a dict of them by run."""


class CalledDefinition:
    """The function for all definitions."""

    evaluate: ClassVar[EvaluatesDefinition]
