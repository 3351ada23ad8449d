"""A judged block of users: what every metric reads. Ranks first, users second, as arrays of shape (K, users)."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rankconv.choice import Answer
from rankconv.ranking.ids import Codes
from rankconv.ranking.rows import Known, Mask, Numbers, WorkingBlock, within

T = TypeVar("T")


class Block:
    """The judged lists of a block of users.

    Everything that a metric may ask is here: hits and gains by rank, lengths, the labels that exist, and counts of
    them per user. Arrays per user have shape `(users,)`; arrays by rank `(K, users)`, K the longest list;
    `grades`, `hits` and `present` show the same as `(users, K)`.
    """

    def __init__(self, judged: WorkingBlock, hit: Mask, tie_rule: str, ties: Answer, relevant: Answer) -> None:
        assert judged.known is not None
        self.users = judged.users
        self.refused, self.reasons = judged.refused, judged.reasons
        self.in_rankings = judged.in_rankings
        self.label_count = judged.label_rows
        self.known: Known = judged.known
        self.known_are_rows = judged.known_rows
        self.tie_rule = tie_rule
        self._rows, self._labels, self._hit, self._ties = judged.rows, judged.labels, hit, ties
        self._level = float(relevant.keywords.get("level", 0.0))
        self._at = (within(judged.rows.user), judged.rows.user)
        self._once: dict[Any, Any] = {}

    @property
    def size(self) -> int:
        """Number of users."""
        return len(self.users)

    def once(self, part: Callable[..., T], *arguments: Any) -> T:
        """`part(block, *arguments)`, computed one time for all definitions that ask for it."""
        key = (part, arguments)
        if key not in self._once:
            self._once[key] = part(self, *arguments)
        result: T = self._once[key]
        return result

    # per user, shape (users,)

    @cached_property
    def lengths(self) -> Numbers:
        """Rows of each judged list."""
        return self._rows.counts(self.size).astype(np.float64)

    @cached_property
    def relevant_count(self) -> Numbers:
        """R: relevant labels that exist."""
        return self._per_user(self.known.relevant)

    @cached_property
    def non_relevant_count(self) -> Numbers:
        """Labels that exist and are not relevant."""
        return self._per_user(~self.known.relevant)

    @cached_property
    def judged_count(self) -> Numbers:
        """Labels that are judgments."""
        exists = self._labels.exists & ~self._labels.in_pool
        return np.bincount(self._labels.user[exists], minlength=self.size).astype(np.float64)

    @cached_property
    def grade_sum(self) -> Numbers:
        """Sum of the grades that exist."""
        return self._per_user(self.known.grade)

    @cached_property
    def highest_grade(self) -> Numbers:
        """The highest grade that exists; 0 where there is none."""
        highest = np.full(self.size, -np.inf)
        np.maximum.at(highest, self.known.user, self.known.grade)
        return np.where(np.isinf(highest), 0.0, highest)

    def labels_above(self, level: float) -> Numbers:
        """Labels that exist with a grade above the level, returned or not."""
        labels = self._labels
        judged = labels.exists & ~labels.in_pool
        return np.bincount(labels.user[judged & (labels.grade > level)], minlength=self.size).astype(np.float64)

    @cached_property
    def distinct_hits(self) -> "Running":
        """Relevant items so far, an item that is repeated counted once."""
        first = self._rows.repeats(int(self._rows.item.max(initial=0)) + 1) == 0
        return Running(self, self._by_rank(self._rows.relevant & first))

    def _per_user(self, values: NDArray[Any]) -> Numbers:
        # One user's labels are summed in their own order, so the sum does not depend on the block.
        return np.bincount(self.known.user, weights=values, minlength=self.size).astype(np.float64)

    # by rank, shape (K, users)

    @cached_property
    def depth(self) -> int:
        """K: rows of the longest list."""
        return int(self.lengths.max(initial=0))

    def _by_rank(self, values: NDArray[Any]) -> Numbers:
        by_rank = np.zeros((self.depth, self.size))
        by_rank[self._at] = values
        return by_rank

    @cached_property
    def hits_by_rank(self) -> Numbers:
        """1 where the row is a hit; within averaged ties, the share of hits in the tie."""
        return self._by_rank(self._shared_out(self._hit.astype(np.float64)))

    @cached_property
    def hits_so_far(self) -> "Running":
        """Number of hits down to each rank: `block.hits_so_far.at(k)` has shape (users,)."""
        return Running(self, self.hits_by_rank)

    @cached_property
    def grades_so_far(self) -> "Running":
        """Sum of the grades down to each rank; a row without a grade adds nothing."""
        return Running(self, self._by_rank(self._shared_out(np.nan_to_num(self._rows.grade))))

    def gains_by_rank(self, gain: Answer) -> Numbers:
        """What each row is worth, averaged within ties where they are averaged."""
        return self.once(_gains_by_rank, gain)

    @cached_property
    def ranks(self) -> Numbers:
        """The rank of each row from 1, shape (K, 1); (K, users) where tied rows share a rank."""
        if self.tie_rule != "shared":
            return np.arange(1.0, self.depth + 1)[:, None]
        first, last = self._tie_ends
        rank = last + 1 if self._ties.keywords["at"] == "last" else (first + last + 2) // 2
        return self._by_rank(rank)

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Which ranks the lists have, shape (users, K)."""
        return np.arange(self.depth) < self.lengths[:, None]

    @property
    def grades(self) -> Numbers:
        """The grade of each row, shape (users, K); NaN where the row has none or the list has ended."""
        grades = np.full((self.depth, self.size), np.nan)
        grades[self._at] = self._rows.grade
        return grades.T

    @property
    def hits(self) -> Numbers:
        """1 where the row is a hit, shape (users, K)."""
        return self.hits_by_rank.T

    # ties

    @cached_property
    def _ties_of_rows(self) -> tuple[Codes, Codes]:
        """Where each tie starts, and the tie that each row belongs to."""
        rows = self._rows
        new = np.append(True, (rows.user[1:] != rows.user[:-1]) | (rows.score[1:] != rows.score[:-1]))[: len(rows.user)]
        return np.flatnonzero(new), np.cumsum(new) - 1

    @cached_property
    def _tie_ends(self) -> tuple[Codes, Codes]:
        """First and last place of the tie that each row belongs to, from 0."""
        place = self._at[0]
        starts, group = self._ties_of_rows
        ends = np.append(starts[1:], len(place))[: len(starts)] - 1
        return place[starts][group], place[ends][group]

    def _shared_out(self, values: Numbers) -> Numbers:
        """The same values; within averaged ties, the mean over the whole tie."""
        if self.tie_rule != "averaged" or not len(values):
            return values
        starts, group = self._ties_of_rows
        return (np.add.reduceat(values, starts) / np.diff(np.append(starts, len(values))))[group]

    @cached_property
    def _last_of_tie(self) -> Codes:
        last = np.zeros((self.depth, self.size), np.int64)
        last[self._at] = self._tie_ends[1]
        return last

    def at_end_of_tie(self, so_far: "Running") -> Numbers:
        """Sums down to each row, ties that share a rank taken whole, shape (K, users)."""
        if self.tie_rule != "shared":
            return so_far.sums[1:]
        return np.take_along_axis(so_far.sums, self._last_of_tie + 1, axis=0)

    def rows_within(self, k: int | None) -> int | Codes:
        """How many rows stand at rank k or above: one number, or one per user where ranks are shared."""
        if k is None:
            return self.depth
        if self.tie_rule != "shared":
            return min(k, self.depth)
        return np.asarray(((self.ranks <= k) & self.present.T).sum(axis=0))

    # labels

    def gains_of_known(self, gain: Answer) -> Numbers:
        """What each label that exists is worth, in the order of `known`."""
        values: Numbers = gain(grades=self.known.grade, relevant=self.known.relevant, level=self._level)
        return np.asarray(values, np.float64)

    def stacked(self, values: Numbers, user: Codes) -> Numbers:
        """Values of rows that stand grouped by user, one below the other, shape (most rows, users)."""
        counts = np.bincount(user, minlength=self.size)
        stack = np.zeros((int(counts.max(initial=0)), self.size))
        stack[within(user), user] = values
        return stack


class Running:
    """Sums over the ranks from the top down, for every cutoff at once."""

    def __init__(self, block: Block, values: Numbers) -> None:
        self.block = block
        self.sums = np.zeros((len(values) + 1, block.size))
        """Shape (K + 1, users): row j holds the sum over the first j rows."""
        for rank, row in enumerate(values):
            np.add(self.sums[rank], row, out=self.sums[rank + 1])

    def at(self, k: int | None) -> Numbers:
        """The sum down to rank k, or to the end of the list, shape (users,)."""
        return self.at_rows(self.block.rows_within(k))

    def at_rows(self, rows: int | Codes) -> Numbers:
        """The sum over so many rows: the same for all, or one number per user."""
        if isinstance(rows, int):
            return np.asarray(self.sums[rows])
        return np.asarray(self.sums[np.minimum(rows, len(self.sums) - 1), np.arange(self.block.size)])


def _gains_by_rank(block: Block, gain: Answer) -> Numbers:
    rows = block._rows
    graded = np.flatnonzero(rows.judged & ~np.isnan(rows.grade))
    values = np.zeros(len(rows.user))
    values[graded] = gain(grades=rows.grade[graded], relevant=rows.relevant[graded], level=block._level)
    if rows.weight is not None:
        values *= rows.weight
    return block._by_rank(block._shared_out(values))
