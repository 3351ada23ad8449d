"""The data as lints read them: the rows of rankings, and facts that several lints share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.attributes import Parents
from rankconv.data.joined import Joined, keys_of
from rankconv.data.labels_and_rankings import Labels
from rankconv.evaluation.findings.finding import Example, TallyFields, first_examples
from rankconv.preparation.facts import facts_of
from rankconv.preparation.word_numbers import with_grades
from rankconv.preparation.working_rows import LabelRows, ListRows, match
from rankconv.presets.definition import Definition

FEW_USERS = 1000
"""The number of users that are looked at one by one, if it must be quick."""

NumberKey = tuple[str, str]
"""A number by its preset and its metric."""
Remark = Callable[[int], str]
"""What to say of one user or row, by its code or place."""


@dataclass(frozen=True, eq=False)
class CheckedMetrics:
    """Which numbers are checked, and how far down a list."""

    definitions: Mapping[NumberKey, Definition]
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
        """Whether some definition must know whether a list holds an item twice."""
        settings = {one.preparation.settings["duplicates"] for one in self.definitions.values()}
        return any(setting.traits.plain == "distinct lists" for setting in settings)


@dataclass(frozen=True, eq=False)
class RankedRows:
    """Ranked rows, one list after the other; every array has one entry per row."""

    joined: Joined
    user: Codes
    """The joined code of the user."""
    place: Codes
    """Position in the list, from 0."""
    at: Codes
    """Where the row is in the rankings."""

    @classmethod
    def first(cls, joined: Joined, rows: int | None, users: Codes | None = None) -> "RankedRows":
        """The first rows of each list, or with None all, of these users, shape (users chosen,), or of everybody."""
        if users is None:
            users = np.flatnonzero(joined.list_counts > 0)
        counts = joined.list_counts[users]
        read = counts if rows is None else np.minimum(counts, rows)
        place = np.arange(int(read.sum())) - np.repeat(np.cumsum(read) - read, read)
        first = joined.rankings.starts[joined.list_rows_of[users]]
        return cls(joined, np.repeat(users, read), place, np.repeat(first, read) + place)

    def __len__(self) -> int:
        return len(self.user)

    @cached_property
    def item(self) -> Codes:
        """The joined code of the item, shape (rows,)."""
        return self.joined.common(self.joined.rankings.item[self.at])

    @cached_property
    def score(self) -> Numbers:
        """The score, shape (rows,); 0 where the input has none."""
        run = self.joined.rankings
        return np.zeros(len(self.at)) if run.score is None or run.words is not None else run.score[self.at]

    @property
    def follows(self) -> Mask:
        """Whether the row above is of the same user, shape (rows,)."""
        return self.place > 0

    @cached_property
    def tied(self) -> Mask:
        """Whether the row above is of the same user and has the same score, shape (rows,)."""
        return np.append(False, self.score[1:] == self.score[:-1])[: len(self)] & self.follows

    @cached_property
    def keys(self) -> Codes:
        """`user * items + item`: one number for each pair of user and item, shape (rows,)."""
        return self.user * len(self.joined.items) + self.item

    @cached_property
    def repeats(self) -> Mask:
        """Whether a row above, of the same user, holds the same item, shape (rows,)."""
        repeats = np.zeros(len(self.keys), bool)
        ordered = np.sort(self.keys)  # much faster than the order itself, which is rarely needed
        if (ordered[1:] == ordered[:-1]).any():
            order = np.argsort(self.keys, kind="stable")
            ordered = self.keys[order]
            repeats[order[1:]] = ordered[1:] == ordered[:-1]
        return repeats

    @cached_property
    def grade(self) -> Numbers:
        """The grade of the item, shape (rows,); NaN where the user has no label for it."""
        labels, owner = self.joined.labels, label_users(self.joined)
        kept = np.flatnonzero(self.users_with(slice(None))[owner])
        known = LabelRows(owner[kept], labels.item[kept], labels.grade[kept])
        found = match(known, ListRows(self.user, self.item, self.place, self.score), len(self.joined.items))
        return np.append(known.grade, np.nan)[found]

    @cached_property
    def gain(self) -> Numbers:
        """The grade, 0 where there is none, shape (rows,)."""
        return np.nan_to_num(self.grade)

    @property
    def by_score(self) -> "RankedRows":
        """The lists by falling score, ties in the given order; only for whole lists."""
        order = np.lexsort((self.place, -self.score, self.user))
        return RankedRows(self.joined, self.user[order], self.place, self.at[order])

    def only(self, rows: Mask | Codes) -> "RankedRows":
        """These rows alone: a mask of shape (rows,), or their places."""
        return RankedRows(self.joined, self.user[rows], self.place[rows], self.at[rows])

    def users_with(self, rows: Mask | Codes | slice) -> Mask:
        """Which users have any of these rows, shape (users,); `rows` as in `only`."""
        found = np.zeros(len(self.joined.users), bool)
        found[self.user[rows]] = True
        return found


def label_users(joined: Joined) -> Codes:
    """The joined code of the user of each label, shape (labels,)."""
    user_of = np.zeros(len(joined.labels.users), np.int64)
    known = np.flatnonzero(joined.label_rows_of >= 0)
    user_of[joined.label_rows_of[known]] = known
    return np.repeat(user_of, joined.labels.lengths)


@dataclass(frozen=True, eq=False)
class CheckedData:
    """Labels and a run."""

    joined: Joined
    checked_metrics: CheckedMetrics
    quick: bool = False
    """Whether to look only where the engine has looked already, at the rows that the metrics read, and at few users."""
    train: Labels | None = None
    """The training data of the model, where they are given."""
    respelled: Joined | None = None
    """The data with one spelling for each id; None where no spelling differs."""

    def __post_init__(self) -> None:
        for definition in [*self.checked_metrics.definitions.values()][:1]:
            object.__setattr__(self, "joined", with_grades(self.joined, definition.preparation.settings))

    @cached_property
    def rows(self) -> RankedRows:
        """Every ranked row; if it must be quick, those that are read."""
        return RankedRows.first(self.joined, self.checked_metrics.read if self.quick else None)

    @cached_property
    def unsorted(self) -> RankedRows:
        """The whole lists whose scores do not fall strictly; if it must be quick, the first of them."""
        users = np.flatnonzero(~facts_of(self.joined).of("falling scores", None))
        return RankedRows.first(self.joined, None, users[:FEW_USERS] if self.quick else users)

    @cached_property
    def rising_and_falling(self) -> tuple[Mask, Mask]:
        """Users with a score above that of the row before, and users with one below it, both of shape (users,).

        None where scores made the order.
        """
        if not self.scored or self.joined.rankings.by_score:
            return (np.zeros(len(self.joined.users), bool),) * 2
        rows = self.unsorted
        step = np.append(0.0, np.diff(rows.score))[: len(rows)]
        return rows.users_with(rows.follows & (step > 0)), rows.users_with(rows.follows & (step < 0))

    @cached_property
    def may_repeat(self) -> bool:
        """Whether lists may hold an item twice, as far as that is known without looking for it."""
        return not (self.checked_metrics.looks_for_repeats and facts_of(self.joined).of("distinct lists", None).all())

    @property
    def grades(self) -> Numbers:
        """The different grades, shape (levels,); where there are many, those of all labels, shape (labels,)."""
        levels = self.joined.levels
        return self.joined.labels.grade if levels is None else levels.grades

    @cached_property
    def top(self) -> RankedRows:
        """The rows down to the cutoff."""
        return RankedRows.first(self.joined, self.checked_metrics.cutoff)

    @cached_property
    def hits(self) -> RankedRows:
        """The rows of relevant items, in lists of two rows and more."""
        return self.rows.only((self.rows.gain > 0) & self.several[self.rows.user])

    @cached_property
    def label_user(self) -> Codes:
        """The joined code of the user of each label, shape (labels,)."""
        return label_users(self.joined)

    @cached_property
    def trained(self) -> Codes:
        """Sorted keys `user * items + item` of the training data that labels and run know, shape (pairs,)."""
        return keys_of(self.train, self.joined.users, self.joined.items)

    @cached_property
    def trained_labels(self) -> Mask:
        """Whether user and item of a label occur in the training data, shape (labels,)."""
        keys = self.label_user * len(self.joined.items) + self.joined.labels.item
        return np.isin(keys, self.trained)

    @property
    def several(self) -> Mask:
        """Users with a list of two rows or more, shape (users,)."""
        return self.joined.list_counts > 1

    @property
    def scored(self) -> bool:
        """Whether the run has scores that are numbers."""
        return self.joined.rankings.scored and self.joined.rankings.words is None

    @property
    def labelled(self) -> Mask:
        """Users with a label, shape (users,)."""
        return self.joined.label_counts > 0

    @property
    def listed(self) -> Mask:
        """Users with a ranked row, shape (users,)."""
        return self.joined.list_counts > 0

    def users(self, users: Mask, of: Mask, note: Remark | None = None) -> TallyFields:
        """Count these users among those looked at, `of`; both have shape (users,)."""
        codes, ids = np.flatnonzero(users), self.joined.users
        example = lambda code: Example(ids.id(code), None, note(code) if note else "")
        return len(codes), int(np.count_nonzero(of)), self._first(codes, codes, example)

    def list_rows(
        self, listed: RankedRows, rows: Mask, of: int | None = None, note: Remark | None = None
    ) -> TallyFields:
        """Count these ranked rows, shape (rows,)."""
        places, users, items = np.flatnonzero(rows), self.joined.users, self.joined.items

        def example(row: int) -> Example:
            said = note(row) if note else f"rank {listed.place[row] + 1}"
            return Example(users.id(int(listed.user[row])), items.id(int(listed.item[row])), said)

        return len(places), len(listed) if of is None else of, self._first(listed.user[places], places, example)

    def label_rows(self, rows: Mask) -> TallyFields:
        """Count these labels, shape (labels,)."""
        places, labels, users = np.flatnonzero(rows), self.joined.labels, self.joined.users
        owner = self.label_user if len(places) else places

        def example(row: int) -> Example:
            item = labels.items.id(int(labels.item[row]))
            return Example(users.id(int(owner[row])), item, f"grade {labels.grade[row]:g}")

        return len(places), len(rows), self._first(owner[places], places, example)

    def _first(self, owner: Codes, places: Codes, example: Callable[[int], Example]) -> tuple[Example, ...]:
        return () if self.quick else first_examples(self.joined.users, owner, places, example)

    @property
    def counts(self) -> dict[str, int]:
        """How much data there is, by names in words."""
        return {
            "users with labels": int(self.labelled.sum()),
            "labels": len(self.joined.labels.item),
            "users with a list": int(self.listed.sum()),
            "rows": self.joined.rankings.row_count,
            "items": len(self.joined.items),
        }


@dataclass(frozen=True)
class WithParents:
    """Take the part of each id before a separator as its document, unless documents were given."""

    separator: str

    def __call__(self, data: CheckedData) -> Joined:
        """The data, of which chunks can be collapsed."""
        extra = data.joined.extra
        return replace(data.joined, extra=replace(extra, parents=extra.parents or Parents(self.separator)))


Turn = Callable[[CheckedData], Joined]
"""Other data in the place of these."""


def turned(data: CheckedData) -> Joined:
    """Reverse each list, with scores negated."""
    run = data.joined.rankings
    owner = np.repeat(np.arange(len(run.users)), run.lengths)
    back = run.starts[owner] + run.starts[owner + 1] - 1 - np.arange(len(owner))
    score, rank = (None if numbers is None else -numbers[back] for numbers in (run.score, run.rank))
    return replace(data.joined, rankings=run.replace(item=run.item[back], score=score, rank=rank))


def untrained(data: CheckedData) -> Joined:
    """Remove the labels that occur in the training data."""
    labels, kept = data.joined.labels, ~data.trained_labels
    starts = np.append(0, np.cumsum(kept))[labels.starts]
    fewer = labels.replace(starts=starts, item=labels.item[kept], grade=labels.grade[kept], is_distinct=None)
    return replace(data.joined, labels=fewer)


def with_seen(data: CheckedData) -> Joined:
    """Take the training data as what users had seen."""
    return replace(data.joined, extra=replace(data.joined.extra, seen=data.trained))


def respelled(data: CheckedData) -> Joined:
    """Give each id one spelling."""
    assert data.respelled is not None
    return data.respelled
