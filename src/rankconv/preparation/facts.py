"""Facts of data that decide which preparations change nothing."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Mask, Numbers, among, cached_array, take_ownership, within
from rankconv.data.joined import Joined
from rankconv.data.ordering import owners_of_repeats, owners_of_ties
from rankconv.preparation.rows import Known, LabelRows
from rankconv.specs.convention import Setting


@dataclass(frozen=True)
class Compared:
    """Which scores a preparation compares: how many digits of them, and what it has done to them before."""

    narrow: bool = False
    """Whether they are compared in single precision."""
    extended: bool = False
    """Whether rows were put below the last one, each 1 lower."""
    lowest: float | None = None
    """The score to which the lowest was shifted, and all others with it; None where they were not."""
    ranked: bool = False
    """Whether ranks distinguish rows of equal score."""
    ties_made: bool = False
    """Whether a step may make ties of its own: rows without a score, or scores that are squeezed together."""

    @classmethod
    def of(cls, settings: Mapping[str, Setting]) -> "Compared":
        """The scores that a preparation with these settings compares."""
        having = {
            trait: [one for setting in settings.values() for one in setting.each if one.setting_type.traits.get(trait)]
            for trait in ("narrows_scores", "extends_below", "reads_ranks", "makes_ties")
        }
        narrow, below, ranks, ties = having.values()
        lowest = below[0].keywords.get("lowest") if below else None
        return cls(bool(narrow), bool(below), lowest, bool(ranks), bool(ties))


class Facts:
    """Masks over the users, by the name under which settings ask for them; each is made once, when it is needed."""

    def __init__(self, joined: Joined) -> None:
        self._joined = joined
        self._known: dict[Hashable, Mask] = {}

    def of(self, fact: str, rows: int | None, compared: Compared | None = None) -> Mask:
        """Whether it holds for each user, shape (users,); only the first `rows` of each list are read, None for all.

        `compared` are the scores that "falling scores" compares: by default, those given.
        """
        if fact == "long lists":
            return np.asarray(self._joined.list_counts >= (np.inf if rows is None else rows))
        if fact == "falling scores":
            exact = replace(compared or Compared(), ties_made=False)
            first = None if exact.extended else rows
            return self._once((exact, first), lambda: self._falling(exact, first))
        if fact == "scores not shifted to 0":
            shifted = compared or Compared()
            return self._once((fact, shifted), lambda: self._not_shifted_to_0(shifted))
        if fact == "distinct first rows":
            return self._once((fact, rows), lambda: self._distinct(rows))
        return self._once(fact, getattr(self, f"_{fact.replace(' ', '_')}"))

    def _once(self, key: Hashable, find: Callable[[], Mask]) -> Mask:
        if key not in self._known:
            self._known[key] = take_ownership(find())
        return self._known[key]

    def no_ties(self, compared: Compared) -> bool:
        """Whether no two rows of any list are tied, in single precision neither, so that order and ties are known."""
        falling = self.of("falling scores", None, replace(compared, narrow=True))
        return bool(falling.all()) and not compared.ties_made

    @cached_property
    def grades(self) -> Numbers:
        """The different grades, rising, shape (grades,)."""
        return take_ownership(np.unique(self._joined.labels.grade))

    @cached_property
    def highest(self) -> Numbers:
        """The different highest grades of users, rising, shape (grades,); 0 for a user without labels."""
        labels = self._joined.labels
        found = np.zeros(len(self._joined.users))
        np.maximum.at(found, np.repeat(np.arange(len(labels.users)), labels.lengths), labels.grade)
        return take_ownership(np.unique(found))

    @property
    def repeats(self) -> bool:
        """Whether an item occurs in a list more than once."""
        return not self.of("distinct lists", None).all()

    @property
    def scores_fall(self) -> bool:
        """Whether every list is strictly ordered by falling score, also in single precision; or has no scores."""
        return self.no_ties(Compared())

    def no_label_of(self, kinds: Codes) -> Mask:
        """Who has no label of these kinds, shape (users,)."""
        labels, levels = self._joined.labels, self._joined.levels
        assert levels is not None
        return self._but(_owners(labels.starts, np.isin(levels.kind, kinds)), self._joined.label_rows_of)

    def _always(self) -> Mask:
        return np.ones(len(self._joined.users), bool)

    def _never(self) -> Mask:
        return ~self._always()

    def _no_empty_lists(self) -> Mask:
        return np.asarray(self._joined.list_counts > 0)

    def _distinct_labels(self) -> Mask:
        labels = self._joined.labels
        if labels.distinct:
            return self._always()
        return self._but(owners_of_repeats(labels.starts, labels.item), self._joined.label_rows_of)

    def _distinct_lists(self) -> Mask:
        return self._distinct(None)

    def _distinct(self, rows: int | None) -> Mask:
        if self._joined.rankings.is_distinct:
            return self._always()
        return self._but(self._joined.rankings.owners_of_repeats(rows), self._joined.list_rows_of)

    def _no_negative_grades(self) -> Mask:
        labels = self._joined.labels
        if float(labels.grade.min(initial=0)) >= 0:
            return self._always()
        return self._but(_owners(labels.starts, labels.grade < 0), self._joined.label_rows_of)

    def _no_item_named_as_user(self) -> Mask:
        """Who has no item of their own id in the list or in the labels, which may follow below it, shape (users,)."""
        joined = self._joined
        take_ownership = joined.item_named_as_user
        if (take_ownership < 0).all():
            return self._always()
        holds = self._always()
        for side, rows_of, items in (
            (joined.labels, joined.label_rows_of, joined.labels.item),
            (joined.rankings, joined.list_rows_of, joined.list_item),
        ):
            named = np.full(len(side.users), -1)
            named[rows_of[rows_of >= 0]] = take_ownership[rows_of >= 0]
            holds &= self._but(_owners(side.starts, items == np.repeat(named, side.lengths)), rows_of)
        return holds

    def _no_seen_item(self) -> Mask:
        """Who has no item of `seen=` in the list, or in the labels, which may follow below it, shape (users,)."""
        joined, seen = self._joined, self._joined.extra.seen
        if seen is None:
            return self._never()  # what needs them is refused
        holds = self._always()
        for side, rows_of, items in (
            (joined.labels, joined.label_rows_of, joined.labels.item),
            (joined.rankings, joined.list_rows_of, joined.list_item),
        ):
            user_of = np.zeros(len(side.users), np.int64)
            user_of[rows_of[rows_of >= 0]] = np.flatnonzero(rows_of >= 0)
            keys = np.repeat(user_of, side.lengths) * len(joined.items) + items
            holds &= self._but(_owners(side.starts, among(keys, seen)), rows_of)
        return holds

    def _falling(self, compared: Compared, rows: int | None) -> Mask:
        """Whose list is strictly ordered by falling score, the first `rows` rows above all others, shape (users,).

        A list without scores does, unless its places are shifted away or rows share a rank.
        """
        first = None if rows is None else self._joined.rankings.first_scores(rows)
        if first is not None and rows is not None:
            starts, few = first
            with np.errstate(over="ignore"):
                tied = owners_of_ties(starts, few.astype(np.float32) if compared.narrow else few, rows)
            return self._but(tied, self._joined.list_rows_of)
        score = self._joined.rankings.falling
        holds = self._always()
        if score is not None and len(score) > 1:
            with np.errstate(over="ignore"):
                exact = score.astype(np.float32) if compared.narrow else score
            rank = self._joined.rankings.rank if compared.ranked else None
            holds = self._no_adjacent(~_falls(exact, rank))
        if compared.extended:
            margin = self._margin(compared)
            holds &= margin < 1
            if score is not None and len(score) > 1 and compared.lowest is not None:
                with np.errstate(invalid="ignore", over="ignore"):
                    holds &= self._no_adjacent(~(score[:-1] - score[1:] > self._by_row(margin)[:-1]))
        return holds

    def _not_shifted_to_0(self, compared: Compared) -> Mask:
        """Whose scores are not shifted, or surely are all above 0 once they were, shape (users,)."""
        if compared.lowest is None:
            return self._always()
        return np.asarray(self._margin(compared) < compared.lowest / 2)

    def _margin(self, compared: Compared) -> Numbers:
        """By how much the scores of each user must differ to differ still once shifted and rounded, shape (users,).

        Sums are rounded to numbers that are at most 2^-52 of the largest from each other, in single precision 2^-23.
        """
        joined, score = self._joined, self._joined.rankings.falling
        counts = joined.list_counts
        largest = counts + joined.label_counts + 1.0
        if score is not None and len(score):
            starts = np.minimum(joined.rankings.starts[:-1], len(score) - 1)
            of_list = np.append(np.maximum.reduceat(np.abs(score), starts), 0.0)  # 0 for those without a list
            with np.errstate(over="ignore"):
                largest = largest + 3 * of_list[joined.list_rows_of]
        largest = largest + 2 * abs(compared.lowest or 0.0)
        return np.where(largest < 1e30, largest, np.inf) * (2.0**-22 if compared.narrow else 2.0**-51)

    def _by_row(self, of_users: Numbers) -> Numbers:
        """What each user has, shape (users,), repeated at each of their ranked rows, shape (rows,)."""
        joined = self._joined
        listed = joined.list_rows_of >= 0
        of_lists = np.zeros(len(joined.rankings.users))
        of_lists[joined.list_rows_of[listed]] = of_users[listed]
        return np.repeat(of_lists, joined.rankings.lengths)

    def _no_adjacent(self, pairs: Mask) -> Mask:
        """Who has no such pair of rows, one above the other, shape (users,); `pairs` has shape (rows - 1,)."""
        found = np.append(pairs, False)
        starts = self._joined.rankings.starts
        found[starts[(starts > 0) & (starts < len(found))] - 1] = False
        return self._but(_owners(starts, found), self._joined.list_rows_of)

    def _but(self, owners: Codes, rows_of: Codes) -> Mask:
        """All users but those who own the rows of `owners`, shape (users,); `rows_of` maps users to owners."""
        holds = self._always()
        if len(owners):
            without = np.zeros(int(rows_of.max(initial=0)) + 2, bool)
            without[owners] = True
            holds = ~(without[rows_of] & (rows_of >= 0))
        return holds


def _falls(score: NDArray[np.floating[Any]], rank: Numbers | None) -> Mask:
    """Whether each row is below the one before it, by score or else by rank, shape (rows - 1,) for (rows,)."""
    falls: Mask = score[:-1] > score[1:]
    return falls if rank is None else falls | ((score[:-1] == score[1:]) & (rank[:-1] < rank[1:]))


def facts_of(joined: Joined) -> Facts:
    """The facts about these data, computed once for all who ask."""
    return joined.once(Facts)


def _owners(starts: Codes, rows: Mask) -> Codes:
    """The owners of such rows, rising, shape (owners,); `rows` is a mask of shape (rows,)."""
    return np.flatnonzero(np.diff(np.searchsorted(np.flatnonzero(rows), starts)))


class LabelFacts(ABC):
    """Counts and sums over the labels that exist; arrays have shape `(users,)`."""

    def __init__(self, users: Codes) -> None:
        self.users = users
        """The joined codes of the block's users."""

    @property
    @abstractmethod
    def known(self) -> Known:
        """The labels that exist, one entry for each."""

    @property
    @abstractmethod
    def _labels(self) -> LabelRows:
        """The label rows after preparation."""

    @property
    def size(self) -> int:
        """Number of users."""
        return len(self.users)

    @cached_array
    def relevant_count(self) -> Numbers:
        """R: relevant labels that exist, shape (users,)."""
        return self.sum_of_known(self.known.relevant)

    @cached_array
    def non_relevant_count(self) -> Numbers:
        """Labels that exist and are not relevant, shape (users,)."""
        return self.sum_of_known(~self.known.relevant)

    @cached_array
    def non_zero_count(self) -> Numbers:
        """Labels that exist with a grade other than 0, shape (users,)."""
        return self.sum_of_known(self.known.grade != 0)

    @cached_array
    def judged_count(self) -> Numbers:
        """Labels that are judgments, shape (users,)."""
        exists = self._labels.exists & ~self._labels.in_pool
        return np.bincount(self._labels.user[exists], minlength=self.size).astype(np.float64)

    @cached_array
    def grade_sum(self) -> Numbers:
        """Sum of the grades that exist, shape (users,)."""
        return self.sum_of_known(self.known.grade)

    @cached_array
    def relevant_grade_sum(self) -> Numbers:
        """Sum of the grades of the relevant labels that exist, shape (users,)."""
        return self.sum_of_known(np.where(self.known.relevant, self.known.grade, 0.0))

    @cached_array
    def highest_grade(self) -> Numbers:
        """The highest grade that exists, shape (users,); 0 where there is none."""
        highest = np.full(self.size, -np.inf)
        np.maximum.at(highest, self.known.user, self.known.grade)
        return np.where(np.isinf(highest), 0.0, highest)

    def labels_above(self, level: float) -> Numbers:
        """Labels that exist with a grade above the level, returned or not, shape (users,)."""
        labels = self._labels
        judged = labels.exists & ~labels.in_pool
        return np.bincount(labels.user[judged & (labels.grade > level)], minlength=self.size).astype(np.float64)

    def sum_of_known(self, values: NDArray[Any]) -> Numbers:
        """The sum over each user's labels of values in the order of `labels-used`, shape (users,)."""
        # One user's labels are summed in their own order, so the sum does not depend on the block.
        return np.bincount(self.known.user, weights=values, minlength=self.size).astype(np.float64)

    def stacked(self, values: Numbers, user: Codes, ranks: int | None = None) -> Numbers:
        """Values of rows that stand grouped by user, in one column per user, shape (ranks, users); 0 below the last."""
        place = within(user)
        if ranks is not None:
            kept = place < ranks
            place, user, values = place[kept], user[kept], values[kept]
        stack = np.zeros((int(place.max(initial=-1)) + 1, self.size))
        stack[place, user] = values
        return stack
