"""What the lints look at: labels and a run under common codes, the cutoff, and what was measured."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from rankconv.ask.check.listed import Listed, owners
from rankconv.ask.check.spelling import Spelling
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined, keys_of
from rankconv.data.labels_and_rankings import Labels
from rankconv.engine.measured import Measured
from rankconv.judging.facts import facts_of

FEW_USERS = 1000
"""So many users are looked at one by one, if it must be quick."""

Places = Mapping[tuple[str, str], Measured]
"""What was measured, by preset and metric."""


@dataclass(frozen=True, eq=False)
class Data:
    """Labels and a run, and how far down a list is looked at."""

    joined: Joined
    measured: Places
    k: int | None = None
    """The cutoff that the caller names."""
    quick: bool = False
    """Whether to look only where the engine has looked already, at the rows that the metrics read, and at few users."""
    train: Labels | None = None
    """What a recommender learned from, where it is given."""
    spelling: Spelling = field(default_factory=Spelling)
    """Ids that are the same but for their spelling."""
    respelled: Joined | None = None
    """The data with one spelling for each id; None where there is nothing to mend."""

    @cached_property
    def cutoff(self) -> int | None:
        """The rank at which lists are cut: the deepest of the metrics unless named; None where none is cut."""
        return self.k or max((one.definition.k or 0 for one in self.measured.values()), default=0) or None

    @cached_property
    def read(self) -> int | None:
        """The rank down to which any metric reads the list; None for whole lists."""
        scopes = [one.definition.metric.scope for one in self.measured.values()]
        return self.k or (None if None in scopes else max((scope or 0 for scope in scopes), default=0) or None)

    @cached_property
    def rows(self) -> Listed:
        """Every ranked row; if it must be quick, those that are read."""
        return Listed.first(self.joined, self.read if self.quick else None)

    @cached_property
    def unsorted(self) -> Listed:
        """The whole lists that do not stand strictly by falling score; if it must be quick, the first of them."""
        users = np.flatnonzero(~facts_of(self.joined).of("falling scores", None))
        return Listed.first(self.joined, None, users[:FEW_USERS] if self.quick else users)

    @cached_property
    def may_repeat(self) -> bool:
        """Whether items can stand in a list twice, as far as that is known without looking for them."""
        answers = {one.definition.judging.answers["duplicates"] for one in self.measured.values()}
        known = any(answer.option.traits.get("plain") == "distinct lists" for answer in answers)
        return not (known and facts_of(self.joined).of("distinct lists", None).all())

    @property
    def grades(self) -> Numbers:
        """The different grades, shape (levels,); where there are many, those of all labels, shape (labels,)."""
        levels = self.joined.levels
        return self.joined.labels.grade if levels is None else levels.grades

    @cached_property
    def top(self) -> Listed:
        """The rows down to the cutoff."""
        return Listed.first(self.joined, self.cutoff)

    @cached_property
    def label_user(self) -> Codes:
        """The joined code of the user of each label, shape (labels,)."""
        return owners(self.joined)

    @cached_property
    def turned(self) -> Joined:
        """These data with each list from its last row to its first, and scores negated."""
        run = self.joined.rankings
        owner = np.repeat(np.arange(len(run.users)), run.lengths)
        back = run.starts[owner] + run.starts[owner + 1] - 1 - np.arange(len(owner))
        score = None if run.score is None else -run.score[back]
        return replace(self.joined, rankings=replace(run, item=run.item[back], score=score))

    @cached_property
    def trained(self) -> Codes:
        """Sorted keys `user * items + item` of the training data that labels and run know, shape (pairs,)."""
        return keys_of(self.train, self.joined.users, self.joined.items)

    @cached_property
    def trained_labels(self) -> Mask:
        """Whether user and item of a label stand in the training data, shape (labels,)."""
        keys = self.label_user * len(self.joined.items) + self.joined.labels.item
        return np.isin(keys, self.trained)

    @cached_property
    def untrained(self) -> Joined:
        """These data without the labels that stand in the training data."""
        labels, kept = self.joined.labels, ~self.trained_labels
        starts = np.append(0, np.cumsum(kept))[labels.starts]
        fewer = replace(labels, starts=starts, item=labels.item[kept], grade=labels.grade[kept], told_distinct=None)
        return replace(self.joined, labels=fewer)

    @cached_property
    def with_seen(self) -> Joined:
        """These data with the training data as what users had seen."""
        return replace(self.joined, extra=replace(self.joined.extra, seen=self.trained))

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
