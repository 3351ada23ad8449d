"""A number over users drawn again: of their values and parts, or of all their lists as one."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.aggregation.exact_sum import ExactSum
from rankconv.aggregation.means import sums_of
from rankconv.data.arrays import Codes, Mask, Numbers, take_ownership
from rankconv.data.ids import Ids
from rankconv.engine.measured import SCORED, Again
from rankconv.engine.scoring import BlockScores, entering, left_out
from rankconv.metrics.base import Parts, Ratio
from rankconv.metrics.for_means import OfUsers, read_by
from rankconv.preparation.pooling import Chosen, Pool
from rankconv.presets.definition import Definition
from rankconv.specs.option import Setting


class UserValues:
    """Values and states of all users, and what a mean is made of besides; arrays have shape `(users,)`."""

    def __init__(self, size: int, reads: tuple[str, ...]) -> None:
        """`reads` is what the mean reads: its `weights`, `ratios` or `parts`."""
        self.reads = reads
        self.values = np.full(size, np.nan)
        self.states = np.zeros(size, np.int8)
        self._weights = np.zeros(size if "weights" in reads else 0)
        self._split = np.zeros((2, size if "ratios" in reads else 0))
        self._parts: list[Numbers] = []
        self._combine: Callable[..., Ratio] | None = None

    def take(self, scored: BlockScores, at: Codes | slice, of: Mask | slice) -> None:
        """Keep the values of the users `of` of a block, shape (users of the block,), at the places `at`."""
        self.values[at], self.states[at] = scored.rounded[of], scored.states[of]
        if "weights" in self.reads:
            self._weights[at] = scored.weights[of]
        if "ratios" in self.reads:
            self._split[:, at] = scored.ratio.numerator[of], scored.ratio.denominator[of]
        if "parts" in self.reads:
            combine = scored.found.combine if isinstance(scored.found, Parts) else None
            self._take_parts([part[of] for part in scored.parts], at, combine)

    def include(self, other: "UserValues", at: Codes) -> None:
        """Keep the values of the users of another batch at the places `at`, shape (users of that batch,)."""
        self.values[at], self.states[at] = other.values, other.states
        if "weights" in self.reads:
            self._weights[at] = other._weights
        if "ratios" in self.reads:
            self._split[:, at] = other._split
        self._take_parts(other._parts, at, other._combine)

    def finished(self) -> "UserValues":
        """Itself, when all users are there: nobody writes to it any more."""
        self.values, self.states = take_ownership(self.values), take_ownership(self.states)
        self._weights, self._split, self._parts = (
            take_ownership(self._weights),
            take_ownership(self._split),
            [*map(take_ownership, self._parts)],
        )
        return self

    def _take_parts(self, parts: list[Numbers], at: Codes | slice, combine: Callable[..., Ratio] | None) -> None:
        self._combine = combine or self._combine
        for place, part in enumerate(parts):
            if place == len(self._parts):
                self._parts.append(np.full(len(self.values), np.nan))
            self._parts[place][at] = part

    def for_mean(self, counted: Codes, mean: Setting) -> dict[str, Any]:
        """What this mean may read of the users counted, shape (counted,); ratios are those of users who were scored."""
        ratios = self._split[:, counted[self.states[counted] == SCORED]] if "ratios" in self.reads else self._split
        values, parts = self.values[counted], [part[counted] for part in self._parts]
        weights = self._weights[counted] if "weights" in self.reads else self._weights
        sums = sums_of(mean, OfUsers(values, weights, (ratios[0], ratios[1]), tuple(parts)))
        more = {"ratios": ratios, "parts": (parts, self._combine), "sums": sums, "combine": self._combine}
        return {"values": values, "weights": weights, **more}


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
