"""What the lints look at: labels and a run under common codes, the numbers asked for, and values of users."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from rankconv.analysis.findings.listed import Listed, owners
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined, keys_of
from rankconv.data.labels_and_rankings import Labels
from rankconv.preparation.facts import facts_of
from rankconv.presets.definition import Definition

FEW_USERS = 1000
"""So many users are looked at one by one, if it must be quick."""

Place = tuple[str, str]
"""A number by its preset and its metric."""


@dataclass(frozen=True, eq=False)
class Asked:
    """Which numbers are looked at, and how far down a list."""

    definitions: Mapping[Place, Definition]
    k: int | None = None
    """The cutoff that the caller names."""

    @cached_property
    def cutoff(self) -> int | None:
        """The rank at which lists are cut: the deepest of the metrics unless named; None where none is cut."""
        return self.k or max((one.k or 0 for one in self.definitions.values()), default=0) or None

    @cached_property
    def read(self) -> int | None:
        """The rank down to which any metric reads the list; None for whole lists."""
        scopes = [one.metric.scope for one in self.definitions.values()]
        return self.k or (None if None in scopes else max((scope or 0 for scope in scopes), default=0) or None)

    @cached_property
    def looks_for_repeats(self) -> bool:
        """Whether some definition asks whether items stand in a list twice, so that it is known."""
        settings = {one.preparation.settings["duplicates"] for one in self.definitions.values()}
        return any(setting.setting_type.traits.get("plain") == "distinct lists" for setting in settings)


@dataclass(frozen=True, eq=False)
class Data:
    """Labels and a run, all of them or all that there is of some users."""

    joined: Joined
    asked: Asked
    values: Mapping[Place, Numbers] = field(default_factory=dict)
    """The value of each user, shape (users,), under the definitions for which users are looked at one by one."""
    quick: bool = False
    """Whether to look only where the engine has looked already, at the rows that the metrics read, and at few users."""
    train: Labels | None = None
    """What a recommender learned from, where it is given."""
    respelled: Joined | None = None
    """The data with one spelling for each id; None where there is nothing to mend."""

    @cached_property
    def rows(self) -> Listed:
        """Every ranked row; if it must be quick, those that are read."""
        return Listed.first(self.joined, self.asked.read if self.quick else None)

    @cached_property
    def unsorted(self) -> Listed:
        """The whole lists that do not stand strictly by falling score; if it must be quick, the first of them."""
        users = np.flatnonzero(~facts_of(self.joined).of("falling scores", None))
        return Listed.first(self.joined, None, users[:FEW_USERS] if self.quick else users)

    @cached_property
    def may_repeat(self) -> bool:
        """Whether items can stand in a list twice, as far as that is known without looking for them."""
        return not (self.asked.looks_for_repeats and facts_of(self.joined).of("distinct lists", None).all())

    @property
    def grades(self) -> Numbers:
        """The different grades, shape (levels,); where there are many, those of all labels, shape (labels,)."""
        levels = self.joined.levels
        return self.joined.labels.grade if levels is None else levels.grades

    @cached_property
    def top(self) -> Listed:
        """The rows down to the cutoff."""
        return Listed.first(self.joined, self.asked.cutoff)

    @cached_property
    def label_user(self) -> Codes:
        """The joined code of the user of each label, shape (labels,)."""
        return owners(self.joined)

    @cached_property
    def trained(self) -> Codes:
        """Sorted keys `user * items + item` of the training data that labels and run know, shape (pairs,)."""
        return keys_of(self.train, self.joined.users, self.joined.items)

    @cached_property
    def trained_labels(self) -> Mask:
        """Whether user and item of a label stand in the training data, shape (labels,)."""
        keys = self.label_user * len(self.joined.items) + self.joined.labels.item
        return np.isin(keys, self.trained)

    @property
    def several(self) -> Mask:
        """Users with a list of two rows or more, shape (users,)."""
        return self.joined.list_counts > 1

    @property
    def scored(self) -> bool:
        """Whether the run has scores."""
        return self.joined.rankings.scored

    @property
    def labelled(self) -> Mask:
        """Users with a label, shape (users,)."""
        return self.joined.label_counts > 0

    @property
    def listed(self) -> Mask:
        """Users with a ranked row, shape (users,)."""
        return self.joined.list_counts > 0


Turn = Callable[[Data], Joined]
"""Other data in the place of these."""


def turned(data: Data) -> Joined:
    """The data with each list from its last row to its first, and scores negated."""
    run = data.joined.rankings
    owner = np.repeat(np.arange(len(run.users)), run.lengths)
    back = run.starts[owner] + run.starts[owner + 1] - 1 - np.arange(len(owner))
    score, rank = (None if numbers is None else -numbers[back] for numbers in (run.score, run.rank))
    return replace(data.joined, rankings=run.replace(item=run.item[back], score=score, rank=rank))


def untrained(data: Data) -> Joined:
    """The data without the labels that stand in the training data."""
    labels, kept = data.joined.labels, ~data.trained_labels
    starts = np.append(0, np.cumsum(kept))[labels.starts]
    fewer = labels.replace(starts=starts, item=labels.item[kept], grade=labels.grade[kept], told_distinct=None)
    return replace(data.joined, labels=fewer)


def with_seen(data: Data) -> Joined:
    """The data with the training data as what users had seen."""
    return replace(data.joined, extra=replace(data.joined.extra, seen=data.trained))


def respelled(data: Data) -> Joined:
    """The data with one spelling for each id."""
    assert data.respelled is not None
    return data.respelled
