"""Situations of a whole data set: before any user is judged, and after all of them have been."""

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

import numpy as np

from rankconv.data.arrays import Mask
from rankconv.data.joined import Joined
from rankconv.judging.block import Block
from rankconv.judging.on_data import undecided
from rankconv.questions.choice import Answer, Choice

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


@dataclass
class JudgedTotals:
    """What the judged lists of the users counted add up to."""

    asked: Collection[str] = ()
    """The causes that are asked for; only for the grades does it matter."""
    longest: float = 0
    """Rows of the longest list."""
    deepest: float = 0
    """The greatest rank of a row."""
    deepest_with_relevant: float = 0
    """The greatest rank of a row of a user who has a relevant label."""
    highest_grades: list[float] = field(default_factory=list)
    """The highest grade that each user has."""
    hits: float = 0
    """Hits of all users."""

    def add(self, block: Block, inside: Mask) -> None:
        """Add the users of a judged block who are in the population, `inside`, shape (users,)."""
        self.longest = max(self.longest, block.lengths[inside].max(initial=0))
        deepest = block.lengths
        if block.tie_rule == "shared":
            deepest = np.where(block.listed, block.ranks, 0).max(axis=0, initial=0)
        relevant = inside & (block.relevant_count > 0)
        self.deepest = max(self.deepest, deepest[inside].max(initial=0))
        self.deepest_with_relevant = max(self.deepest_with_relevant, deepest[relevant].max(initial=0))
        if "highest-grades-all-zero" in self.asked:
            self.highest_grades += block.highest_grade[inside].tolist()
        self.hits += block.hits_so_far.whole[inside].sum()

    def include(self, other: "JudgedTotals") -> None:
        """Add what another batch of users came to."""
        self.longest, self.deepest = max(self.longest, other.longest), max(self.deepest, other.deepest)
        self.deepest_with_relevant = max(self.deepest_with_relevant, other.deepest_with_relevant)
        self.highest_grades += other.highest_grades
        self.hits += other.hits


@dataclass(frozen=True)
class JudgedCause:
    """A question about all judged lists together."""

    choice: Choice
    what: str
    holds: Callable[[JudgedTotals, int | None], bool]
    reads_deep: bool = False
    """Whether it looks deeper into lists than most metrics do."""
    by_order: bool = False
    """Whether it depends on the order of lists."""

    def may_fall(self, answer: Answer) -> bool:
        """Whether all may lose by a better order of lists, because of what such data count as."""
        return self.by_order and not answer.option.traits.get("by_formula") and answer.keywords.get("value") != 0


JUDGED_CAUSES: dict[str, JudgedCause] = {}
"""Asked after all users have been judged."""


def judged_cause(
    name: str, what: str, **more: bool
) -> Callable[[Callable[[JudgedTotals, int | None], bool]], Callable[[JudgedTotals, int | None], bool]]:
    """Decorator: this function says whether the situation holds, by what was judged and the cutoff."""

    def register(function: Callable[[JudgedTotals, int | None], bool]) -> Callable[[JudgedTotals, int | None], bool]:
        choice = Choice(name, f"What if {what}?", options_of=WHAT_STOPS, tells=f"data in which {what}")
        choice.alike(undecided(name))
        JUDGED_CAUSES[name] = JudgedCause(choice, what, function, **more)
        return function

    return register


@judged_cause("cutoff-beyond-lists", "no list is as long as k")
def _(seen: JudgedTotals, k: int | None) -> bool:
    return k is not None and k > seen.longest


@judged_cause("cutoff-beyond-ranks", "no row has rank k or a greater one")
def _(seen: JudgedTotals, k: int | None) -> bool:
    return k is not None and k > seen.deepest


@judged_cause("cutoff-beyond-ranks-with-relevant", "no row of a user with a relevant label has rank k or a greater one")
def _(seen: JudgedTotals, k: int | None) -> bool:
    return k is not None and k > seen.deepest_with_relevant


@judged_cause("highest-grades-all-zero", "the highest grades of all users sum to zero")
def _(seen: JudgedTotals, k: int | None) -> bool:
    return bool(seen.highest_grades) and math.fsum(seen.highest_grades) == 0


@judged_cause("no-rows-at-all", "nobody has a row in the judged list")
def _(seen: JudgedTotals, k: int | None) -> bool:
    return seen.longest == 0


@judged_cause("no-hits-at-all", "nobody has a hit", by_order=True, reads_deep=True)
def _(seen: JudgedTotals, k: int | None) -> bool:
    return seen.hits == 0
