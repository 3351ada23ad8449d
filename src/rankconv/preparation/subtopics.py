"""Each group of a user's labels judged alone: the same list once for each of them, and how they are put together."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, Numbers, set_readonly
from rankconv.errors import MetricError
from rankconv.preparation.block import Block
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.row_block import RowBlock, judge
from rankconv.preparation.steps.subtopics import Pairs, pairs_of, split


@dataclass(frozen=True, eq=False)
class SeparateSubtopics:
    """The groups of a block's users, each judged as if it were a user of its own."""

    block: Block
    """The list of its user and the labels of the group alone; its users are the groups."""
    user: Codes
    """The user of each group, as a place in the block, shape (groups,)."""
    place: Codes
    """The place of each group among those of its user, from 0, shape (groups,)."""
    name: Codes
    """The code of each group's name, -1 where it has none, shape (groups,)."""
    users: int
    """How many users there are."""
    weight: Numbers
    """What each group weighs, shape (groups,)."""
    total: Numbers
    """By what the weighted sum over the groups of a user is divided, shape (users,)."""

    def added(self, values: Any) -> Any:
        """The sum over the groups of each user of values of shape (groups,) or (ranks, groups): (…, users).

        Groups are added in their order, so that a sum does not depend on who else is in the block.
        """
        if values.ndim == 1 and values.dtype != object:
            return np.bincount(self.user, weights=values, minlength=self.users)
        total: Any = np.zeros((*values.shape[:-1], self.users))
        total = self.block.numbers(total) if values.dtype == object else total
        for here in self._by_place:
            total[..., self.user[here]] = total[..., self.user[here]] + values[..., here]
        return total

    @cached_property
    def _by_place(self) -> list[Codes]:
        """The first groups of all users, then the second ones, and so on, each of shape (groups there,).

        No user occurs twice in one of these.
        """
        return np.split(np.argsort(self.place, kind="stable"), np.cumsum(np.bincount(self.place))[:-1])

    def names(self, user: int = 0) -> list[str]:
        """The names of the groups of a user, by their place in the block; numbers where they have none."""
        groups = self.block.joined.labels.groups
        here = np.flatnonzero(self.user == user)
        if groups is None:
            return [str(place + 1) for place in self.place[here].tolist()]
        return [str(groups.names.id(code)) for code in self.name[here].tolist()]


def separate_subtopics(block: Block) -> SeparateSubtopics:
    """The groups of the block's users, prepared in the same way; made once: `block.once(separate_subtopics)`."""
    settings = block.preparation.settings
    if block.preparation.pools:
        raise MetricError(
            "groups are looked at one by one, and the lists of all users are pooled", do="Drop scope=global"
        )
    pairs = pairs_of(block.joined, block.users, settings["no-subtopic"].trait("makes", ""))
    preparation = block.preparation.replace({"subtopics": "ignore"})
    alone = _judged_alone(block, pairs, preparation)
    given = None if pairs.weight is None else block.numbers(pairs.weight)
    weight, whole = settings["subtopic-weight"](relevant=alone.relevant_count, given=given)
    made = SeparateSubtopics(alone, pairs.user, pairs.place, pairs.name, block.size, weight, np.zeros(block.size))
    return replace(made, total=made.added(weight) if whole else block.numbers(np.ones(block.size)))


def _judged_alone(block: Block, pairs: Pairs, preparation: Preparation) -> Block:
    """The groups as if each were a user, with its rows and labels judged on their own."""
    working = split(block.joined, block.users, pairs, block.k, block.as_given)
    made = judge(working, preparation, type(block) if isinstance(block, RowBlock) else RowBlock)
    if block.as_given is not None:
        made.as_given = block.as_given
        made.lengths = set_readonly(np.maximum(block.lengths[pairs.user], working.rows.counts(working.size)))
    return made
