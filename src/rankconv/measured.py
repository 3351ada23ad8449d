"""What came out of one definition: the mean, each user's value and state, and what the preset refuses."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.averaging import CAUSES
from rankconv.definition import Definition
from rankconv.errors import MetricError
from rankconv.ranking.rows import Numbers


@dataclass(frozen=True)
class Refusal:
    """A number that a preset does not give, because the system that it describes refuses the data."""

    definition: Definition
    cause: str
    what: str
    """What is wrong, without saying with whom: "has no ranked row in the input"."""
    answer: str = ""
    """What the preset says of it: `missing=error-all`."""
    user: Any = None
    """The first user concerned; None where it is the data as a whole."""

    @property
    def why(self) -> str:
        """The whole reason in words."""
        who = "" if self.user is None else f"user {self.user!r} "
        return f"{who}{self.what}" + (f", and the preset says {self.answer}" if self.answer else "")

    @property
    def error(self) -> MetricError:
        """As an exception."""
        do = "Another preset may take the data; from Python, errors='collect' keeps the other numbers."
        return MetricError(self.why, where=self.definition.text, do=do)


@dataclass(eq=False)
class Measured:
    """What came out of one definition."""

    definition: Definition
    mean: float
    values: Numbers
    """Shape (users,); NaN where outside or skipped."""
    states: NDArray[np.int8]
    refusals: list[Refusal] = field(default_factory=list)
    of_all: str = ""
    """The cause that answered for the data as a whole, such as `one-user`; empty where each user has his own number."""

    @property
    def state_names(self) -> list[str]:
        """What each number in `states` stands for."""
        averaging = self.definition.averaging
        return ["outside", "scored", *(f"{cause}: {averaging.given(cause)}" for cause in CAUSES)]

    @property
    def counts(self) -> dict[str, int]:
        """How many users were scored, answered by which cause, left outside."""
        numbers = np.bincount(self.states, minlength=2 + len(CAUSES)).tolist()
        return {name: count for name, count in zip(self.state_names, numbers, strict=True) if count or name == "scored"}
