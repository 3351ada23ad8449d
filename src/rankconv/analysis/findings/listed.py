"""Rows of lists as arrays: all of them, or the first of each list."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.preparation.rows import LabelRows, ListRows, match


@dataclass(frozen=True, eq=False)
class Listed:
    """Ranked rows, one list after the other; every array has one entry per row."""

    joined: Joined
    user: Codes
    """The joined code of the user."""
    place: Codes
    """Position in the list, from 0."""
    at: Codes
    """Where the row is in the rankings."""

    @classmethod
    def first(cls, joined: Joined, rows: int | None, users: Codes | None = None) -> "Listed":
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
        score = self.joined.rankings.score
        return np.zeros(len(self.at)) if score is None else score[self.at]

    @cached_property
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
        ordered = np.sort(self.keys)  # much faster than the order itself, which hardly anybody needs
        if (ordered[1:] == ordered[:-1]).any():
            order = np.argsort(self.keys, kind="stable")
            ordered = self.keys[order]
            repeats[order[1:]] = ordered[1:] == ordered[:-1]
        return repeats

    @cached_property
    def grade(self) -> Numbers:
        """The grade of the item, shape (rows,); NaN where the user has no label for it."""
        labels, chosen = self.joined.labels, np.zeros(len(self.joined.users), bool)
        chosen[self.user] = True
        owner = owners(self.joined)
        kept = np.flatnonzero(chosen[owner])
        known = LabelRows(owner[kept], labels.item[kept], labels.grade[kept])
        found = match(known, ListRows(self.user, self.item, self.place, self.score), len(self.joined.items))
        return np.append(known.grade, np.nan)[found]

    @cached_property
    def gain(self) -> Numbers:
        """The grade, 0 where there is none, shape (rows,)."""
        return np.nan_to_num(self.grade)

    @property
    def by_score(self) -> "Listed":
        """The lists by falling score, ties as they stand; only for whole lists."""
        order = np.lexsort((self.place, -self.score, self.user))
        return Listed(self.joined, self.user[order], self.place, self.at[order])

    def only(self, rows: Mask | Codes) -> "Listed":
        """These rows alone: a mask of shape (rows,), or their places."""
        return Listed(self.joined, self.user[rows], self.place[rows], self.at[rows])


def owners(joined: Joined) -> Codes:
    """The joined code of the user of each label, shape (labels,)."""
    user_of = np.zeros(len(joined.labels.users), np.int64)
    known = np.flatnonzero(joined.label_rows_of >= 0)
    user_of[joined.label_rows_of[known]] = known
    return np.repeat(user_of, joined.labels.lengths)


def users_with(rows: Mask | Codes, user: Codes, joined: Joined) -> Mask:
    """Of which users any of these rows is, shape (users,)."""
    found = np.zeros(len(joined.users), bool)
    found[user[rows]] = True
    return found
