"""Situations of a whole data set before any user is judged, and what such data may count as."""

from collections.abc import Callable
from dataclasses import dataclass

from rankconv.data.arrays import Mask
from rankconv.data.joined import Joined
from rankconv.judging.on_data import undecided
from rankconv.questions.choice import Choice

WHAT_STOPS = Choice("data-cause", "What of such data as a whole?", asked=False, closed=True)
"""The answers to the situations of a whole data set."""


@WHAT_STOPS.option("formula", rule="what the formula gives", by_formula=True)
def _() -> None:
    """Nothing special."""


@WHAT_STOPS.option("nan", rule="NaN", says="the mean is NaN")
def _() -> None:
    """The mean is NaN, whatever the users have."""


@WHAT_STOPS.option("error", rule="the whole input is refused", refuses="everybody", says="the whole evaluation fails")
def _() -> None:
    """The system gives no number at all."""


@WHAT_STOPS.number(rule="this number, for every user", says="every user and the mean count as {value}")
def _(value: float) -> float:
    """The data as a whole is answered, not its users."""
    return value


WHAT_STOPS.also(zero="0")


@dataclass(frozen=True)
class DataCause:
    """A question about the data set as a whole, and whether it is so."""

    choice: Choice
    what: str
    """The situation: "nobody has a label"."""
    holds: Callable[[Joined, Mask], bool]


DATA_CAUSES: dict[str, DataCause] = {}
"""Asked before any user is scored; each sees the data and who is in the population."""


def data_cause(name: str, what: str) -> Callable[[Callable[[Joined, Mask], bool]], Callable[[Joined, Mask], bool]]:
    """Decorator: this function says whether the situation holds; the population has shape (users,)."""

    def register(function: Callable[[Joined, Mask], bool]) -> Callable[[Joined, Mask], bool]:
        choice = Choice(name, f"What if {what}?", options_of=WHAT_STOPS, tells=f"data in which {what}")
        choice.alike(undecided(name))
        DATA_CAUSES[name] = DataCause(choice, what, function)
        return function

    return register


@data_cause("no-labels-at-all", "nobody has a label")
def _(joined: Joined, population: Mask) -> bool:
    return not joined.label_counts.any()


@data_cause("one-user", "there is only one user")
def _(joined: Joined, population: Mask) -> bool:
    return len(joined.users) == 1
