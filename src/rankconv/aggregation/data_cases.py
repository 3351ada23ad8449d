"""Situations of a whole data set before any user is judged, and what such data may count as."""

from collections.abc import Callable
from typing import NamedTuple

from rankconv.data.joined import Joined
from rankconv.preparation.on_data import undecided
from rankconv.specs.convention import Convention

WHAT_STOPS = Convention("data-policy", "What of such data as a whole?", asked=False, closed=True)
"""The settings to the situations of a whole data set."""


@WHAT_STOPS.setting("as-computed", rule="what the formula gives", by_formula=True)
def _() -> None:
    """Nothing special."""


@WHAT_STOPS.setting("nan", rule="NaN", says="the mean is NaN")
def _() -> None:
    """The mean is NaN, whatever the users have."""


@WHAT_STOPS.setting(
    "refuse-all", rule="the whole input is refused", refuses="everybody", says="the whole evaluation fails"
)
def _() -> None:
    """The system gives no number at all."""


@WHAT_STOPS.number(rule="this number, for every user", says="every user and the mean count as {value}")
def _(value: float) -> float:
    """The data as a whole is answered, not its users."""
    return value


WHAT_STOPS.also(zero="0")


class WholeData(NamedTuple):
    """What is known of a whole data set before anything is judged."""

    users: int
    label_rows: int

    @classmethod
    def of(cls, joined: Joined) -> "WholeData":
        """The users of labels and rankings, and the rows of labels."""
        return cls(len(joined.users), int(joined.label_counts.sum()))


class DataPolicy(NamedTuple):
    """A convention about the data set as a whole, and whether it is so."""

    convention: Convention
    what: str
    """The situation: "nobody has a label"."""
    holds: Callable[[WholeData], bool]


DATA_POLICIES: dict[str, DataPolicy] = {}
"""Asked before any user is scored."""


def data_policy(name: str, what: str) -> Callable[[Callable[[WholeData], bool]], Callable[[WholeData], bool]]:
    """Decorator: this function says whether the situation holds."""

    def register(function: Callable[[WholeData], bool]) -> Callable[[WholeData], bool]:
        convention = Convention(name, f"What if {what}?", options_of=WHAT_STOPS, tells=f"data in which {what}")
        convention.alike(undecided(name))
        DATA_POLICIES[name] = DataPolicy(convention, what, function)
        return function

    return register


@data_policy("on-no-labels-at-all", "nobody has a label")
def _(data: WholeData) -> bool:
    return not data.label_rows


@data_policy("on-one-user", "there is only one user")
def _(data: WholeData) -> bool:
    return data.users == 1
