"""The vectors of one cutoff as one data set, on which the definitions near presets are searched as `identify` does."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice

import numpy as np

from rankconv.addons.conformance.vectors import Replied, by_user
from rankconv.analysis.identify.candidates import at_cutoff
from rankconv.analysis.identify.changes import Occurring
from rankconv.analysis.identify.effects import Effects
from rankconv.analysis.identify.neighbours import Neighbours
from rankconv.analysis.identify.tallies import MetricValues
from rankconv.data.arrays import Codes, Numbers
from rankconv.data.joined import Joined
from rankconv.evaluation.joining import join
from rankconv.presets.definition import Definition

MOST_NEAR, MOST_EQUAL = 120, 12
"""So many definitions are measured on each vector, and so many of those that agree with the same replies."""
MOST_PREPARED = 1200
"""As in `identify`, for more users."""


@dataclass(frozen=True, eq=False)
class VectorsTogether:
    """The vectors of one cutoff, whose users are all different, and the replies."""

    k: int | None
    replied: Sequence[Replied]

    @classmethod
    def by_cutoff(cls, replied: Sequence[Replied]) -> "list[VectorsTogether]":
        """Those of each cutoff, the most first."""
        cutoffs = dict.fromkeys(one.case.vector.k for one in replied)
        found = [cls(k, [one for one in replied if one.case.vector.k == k]) for k in cutoffs]
        return sorted(found, key=lambda one: -len(one.replied))

    @property
    def names(self) -> set[str]:
        """Their names."""
        return {one.case.vector.id for one in self.replied}

    @cached_property
    def joined(self) -> Joined:
        """All data as one; a user is named after the place of the vector too."""
        labels, run = dict[str, list[tuple[str, float]]](), dict[str, list[tuple[str, float]]]()
        for place, one in enumerate(self.replied):
            labels |= {f"{place} {user}": given for user, given in by_user(one.case.data.labels).items()}
            run |= {f"{place} {user}": given for user, given in by_user(one.case.data.run).items()}
        return join(labels, run)

    @cached_property
    def users(self) -> list[tuple[int, str]]:
        """The vector and the name of each user."""
        pairs = (name.split(" ", 1) for name in self.joined.users.values.tolist())
        return [(int(place), user) for place, user in pairs]

    @cached_property
    def numbers(self) -> tuple[Numbers, Numbers]:
        """What was replied for each vector, then for each user, and what it counts: 0 where nothing was; (numbers,)."""
        replies = [one.reply for one in self.replied]
        means = [math.nan if one.mean is None else one.mean for one in replies]
        values = [replies[place].users.get(user, math.nan) for place, user in self.users]
        given = [one.mean is not None for one in replies] + [replies[place].has_users for place, _ in self.users]
        return np.array([*means, *values]), np.array(given) * (1 + np.arange(len(given)) % 997 * 1e-6)

    def nearest(self, differing: Mapping[Definition, int], settings: Occurring) -> list[Definition]:
        """Definitions with one or two settings changed, those first that agree with most replies.

        For each definition there is the number of replies from which it differs.
        """
        gaps = {at_cutoff(one, self.k): 1.0 + count for one, count in differing.items()}
        by_settings = {one.setting_sets: gap for one, gap in gaps.items()}
        near = Neighbours(
            self.joined, list(gaps), settings, by_settings, tally=partial(Agreement, self), prepared=MOST_PREPARED
        )
        return list(islice(near.highest(MOST_EQUAL), MOST_NEAR))


@dataclass(frozen=True, eq=False)
class Agreement:
    """With how many replies values of users agree, and the means over those of each vector."""

    vectors: VectorsTogether
    values: MetricValues
    situations: int

    def of(self, preparations: Codes) -> "Agreement":
        """That of some preparations, shape (preparations,)."""
        return replace(self, values=self.values.of(preparations))

    def of_both(self, first: Codes, second: Codes) -> "Agreement":
        """That of pairs of changes that concern different users, shape (pairs,) each."""
        return replace(self, values=self.values.of_both(first, second))

    def stacked(self, others: Sequence["Agreement"]) -> "Agreement":
        """It, and others below."""
        return replace(self, values=MetricValues.stacked([self.values, *(one.values for one in others)]))

    def occurring(self) -> Codes:
        """The situations in which users are, shape (situations,)."""
        return np.unique(self.values.situations)

    def restricted_to(self, situations: Codes) -> "Agreement":
        """It on the situations in these places."""
        return replace(self, values=self.values.at(situations), situations=len(situations))

    def under(self, effects: Effects) -> Numbers:
        """The number of replies that agree, shape (preparations, effects)."""
        vector_of = np.array([place for place, _ in self.vectors.users])
        both = effects.of_users(self.values.situations, self.values.columns, vector_of)
        numbers = np.concatenate(both, axis=1)
        replied, counts = self.vectors.numbers
        replied = replied[:, None]
        with np.errstate(invalid="ignore"):
            close = np.isfinite(numbers) & (np.abs(numbers - replied) <= 1e-9 * np.maximum(1, np.abs(numbers)))
        same = close | (numbers == replied) | (np.isnan(numbers) & np.isnan(replied))
        return np.asarray(np.einsum("rge,g->re", same, counts))
