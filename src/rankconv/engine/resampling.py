"""A number over users drawn again: of their values and parts, or of all their lists as one."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.aggregation.exact_sum import ExactSum
from rankconv.aggregation.means import read_by
from rankconv.data.arrays import Codes, take_ownership
from rankconv.data.ids import Ids
from rankconv.engine.metric_result import Again
from rankconv.engine.scoring import BlockScores, entering, left_out
from rankconv.engine.user_values import UserValues
from rankconv.preparation.pooling import Chosen, Pool
from rankconv.presets.definition import Definition


def mean_of(definition: Definition, summed: ExactSum, more: dict[str, Any]) -> float:
    """The number that the users come to, as it is reported; `more` is what the mean reads besides their sum."""
    settings = definition.aggregation.settings
    mean = settings["aggregate"](summed=summed, **more)
    if {"ratios", "parts"} & {*read_by(settings["aggregate"])}:  # others were given what is reported of each user
        mean = reported(definition, mean)
    return float(settings["round-mean"](values=np.array([mean]))[0])


def reported(definition: Definition, value: float) -> float:
    """What is reported of a number that is not made of what was reported of the users."""
    return float(definition.aggregation.settings["report"](values=np.array([value]))[0])


@dataclass(frozen=True, eq=False)
class OfValues:
    """A mean of users' values, or of the parts that they are made of."""

    definition: Definition
    values: UserValues
    ids: Ids
    """Of all users."""

    @cached_property
    def users(self) -> Codes:
        """Those who count, shape (users who count,)."""
        return take_ownership(np.flatnonzero(entering(self.definition, self.values.states)))

    def number(self, drawn: Codes) -> float:
        """The mean over these users, shape (drawn,)."""
        users, summed = self.users[drawn], ExactSum()
        summed.add(self.values.values[users])
        mean = self.definition.aggregation.settings["aggregate"]
        more = self.values.for_mean(users, mean) if mean.reads != ("summed",) else {}
        return mean_of(self.definition, summed, more)


@dataclass(frozen=True, eq=False)
class OfOneList:
    """The number of all users' lists as one."""

    definition: Definition
    lists: Chosen = field(repr=False)
    ids: Ids
    """Of all users."""

    @cached_property
    def _pool(self) -> Pool:
        return Pool.of(self.lists)

    @property
    def users(self) -> Codes:
        """Those whose lists are put together, shape (users,)."""
        return self._pool.users

    def number(self, drawn: Codes) -> float:
        """The number of these users' lists as one, shape (drawn,); NaN where it is undefined and left out."""
        block = self._pool.drawn(np.bincount(drawn, minlength=len(self.users)))
        scored = BlockScores(self.definition, block, np.ones(1, bool))
        settings = self.definition.aggregation.settings
        if scored.states[0] in left_out(self.definition):
            return float(settings["on-no-users"]())
        return float(settings["round-mean"](values=scored.values)[0])


@dataclass(frozen=True, eq=False)
class OfSome:
    """A number over some of those who count, in an order of their own."""

    whole: Again
    places: Codes
    """Which of those who count, shape (users,)."""

    @cached_property
    def users(self) -> Codes:
        """Their places among all users, shape (users,)."""
        return self.whole.users[self.places]

    @property
    def ids(self) -> Ids:
        """Of all users."""
        return self.whole.ids

    def number(self, drawn: Codes) -> float:
        """The number over these of them, shape (drawn,)."""
        return self.whole.number(self.places[drawn])


def by_id(again: Again) -> OfSome:
    """The number with those who count in the order of their ids: in which order they came does not matter."""
    return OfSome(again, np.argsort(again.ids.text_rank[again.users]))
