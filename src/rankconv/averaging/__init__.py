"""Which users count, what a special user counts as, and how users become one number.

May import judging and what is below it; what is undefined for a user is decided here, never inside a metric.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

import numpy as np

from rankconv.averaging import unknown
from rankconv.averaging.case_order import CASE_ORDER, asked_in_order
from rankconv.averaging.data_cases import DATA_CAUSES
from rankconv.averaging.judged_cases import JUDGED_CAUSES, JudgedTotals
from rankconv.averaging.means import MEAN, NOBODY, REPORTED, ROUND_MEAN, ROUND_USER
from rankconv.averaging.special_case import CAUSES, Cause, Situation, special_case
from rankconv.averaging.special_cases import ROWS_NEEDED
from rankconv.data.arrays import Mask
from rankconv.data.joined import Joined
from rankconv.data.train import Train
from rankconv.judging.on_data import OnData
from rankconv.metrics.base import Metric
from rankconv.questions.answer_set import until_registered
from rankconv.questions.choice import Choice, Registry
from rankconv.questions.open_answers import OpenAnswers

__all__ = [
    "CAUSES",
    "DATA_CAUSES",
    "JUDGED_CAUSES",
    "Averaging",
    "Cause",
    "JudgedTotals",
    "Situation",
    "special_case",
]

USERS = Choice(
    "users",
    "Which users are looked at?",
    reads=("joined",),
    noun="population",
    tells="a user who has labels and no list, or a list and no labels",
)
"""An answer gives who is in the population, shape (users,). It is given the data of all users at once, unless it says
`spans_users=False`: then it looks at each user alone, and may be given any part of them."""


@USERS.option("labelled", rule="users with a label row", spans_users=False, says="all users with a label are evaluated")
def _(joined: Joined) -> Mask:
    """Users who were only ranked are outside."""
    return joined.label_counts > 0


@USERS.option(
    "ranked",
    rule="users with a ranked row",
    spans_users=False,
    says="all users with a ranked item are evaluated",
)
def _(joined: Joined) -> Mask:
    """Users who were only labelled are outside."""
    return joined.list_counts > 0


@USERS.option(
    "intersection",
    rule="users with a label row and a ranked row",
    spans_users=False,
    says="all users with a label and a ranked item are evaluated",
)
def _(joined: Joined) -> Mask:
    """Everyone else is outside."""
    return (joined.label_counts > 0) & (joined.list_counts > 0)


@USERS.option(
    "union",
    rule="every user of the labels or of the rankings",
    spans_users=False,
    says="all users of the labels or of the rankings are evaluated",
)
def _(joined: Joined) -> Mask:
    """Also a user whose labels and list are both empty, where the input can name one."""
    return joined.label_counts >= 0


@USERS.option(
    "in-training",
    rule="users with a row in training",
    needs=("train",),
    spans_users=False,
    cite="replay_rec",
    says="all users with a row in training are evaluated who have a label or a ranked item",
)
def _(joined: Joined) -> Mask:
    """Of those whom labels, rankings or `users=` name; nobody where no training was given."""
    return joined.once(Train).has_users if joined.extra.train is not None else joined.label_counts < 0


@USERS.alike
def _(ours: OnData, other: OnData) -> bool:
    ours_are, others_are = (one.answers["users"](joined=one.joined) for one in (ours, other))
    return np.array_equal(ours_are, others_are)


class Averaging(OpenAnswers):
    """The answers to every question about users and means, and about special users and data."""

    @classmethod
    def questions(cls) -> Mapping[str, Choice]:
        """The questions by name, those about special users in the order in which they are asked."""
        return _questions(Registry.generation)

    @cached_property
    def causes(self) -> list[str]:
        """The causes that it answers with anything but the formula, in the order in which they are asked."""
        return asked_in_order(self.answers)

    @cached_property
    def skips(self) -> list[str]:
        """The causes that leave a user out of the mean."""
        return [name for name in self.causes if self.answers[name].trait("skips")]

    @until_registered
    def asked_of_data(self) -> list[str]:
        """The situations of the data as a whole that it answers with anything but the formula, in their order."""
        return self.asked(DATA_CAUSES)

    @until_registered
    def asked_of_judged(self) -> list[str]:
        """The situations of all judged lists that it answers with anything but the formula, in their order."""
        return self.asked(JUDGED_CAUSES)

    @until_registered
    def reads_whole_lists(self) -> bool:
        """Whether some cause, of a user or of all, looks at rows below the metric's cutoff."""
        of_users, of_all = self.causes, self.asked_of_judged
        return any(
            [CAUSES[name].whole_lists for name in of_users] + [JUDGED_CAUSES[name].reads_deep for name in of_all]
        )

    def goes_by_order(self, metric: type[Metric]) -> bool:
        """Whether a user counts otherwise, and not as 0, because of the order in which their list stands."""
        return any(cause.may_fall(metric, self.answers[name]) for name, cause in CAUSES.items())

    def asked(self, causes: Iterable[str]) -> list[str]:
        """Those of the causes that it answers with anything but the formula, in their order."""
        answers = self.answers
        return [name for name in causes if not answers[name].trait("by_formula")]


@lru_cache(maxsize=1)
def _questions(generation: int) -> Mapping[str, Choice]:
    causes = [cause.choice for causes in (CAUSES, DATA_CAUSES, JUDGED_CAUSES) for cause in causes.values()]
    asked = (USERS, MEAN, NOBODY, REPORTED, ROUND_USER, ROUND_MEAN, CASE_ORDER, ROWS_NEEDED, *causes)
    return {choice.name: choice for choice in asked}
