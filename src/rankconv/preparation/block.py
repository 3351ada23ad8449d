"""A judged block of users: what every metric reads. Ranks first, users second, as arrays of shape (K, users)."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Mask, Numbers, cached_array, set_readonly, within
from rankconv.data.joined import Joined
from rankconv.preparation.cumulative import ByRank, CumulativeSum
from rankconv.preparation.expected import SHARED, ExpectedRows, Thresholds, TieEffect, Ties
from rankconv.preparation.facts import LabelFacts
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.rows import NOTHING, Known, LabelRows, ListRows, Reason, WorkingBlock
from rankconv.specs.convention import Setting

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class IdealList:
    """The list that a metric compares with: gains and discounts by rank, and how many ranks of it count."""

    gains: ByRank
    discount: Setting
    rows: "int | Codes | None" = None


class Block(LabelFacts, ABC):
    """The judged lists of a block of users.

    Everything that a metric may ask is here: hits and gains by rank, lengths, the labels that exist, and counts of
    them per user. Arrays per user have shape `(users,)`; arrays by rank `(K, users)`, K the longest list;
    `grades`, `hits` and `present` show the same as `(users, K)`.
    """

    def __init__(
        self, joined: Joined, users: Codes, preparation: Preparation, in_rankings: Mask, label_count: Codes
    ) -> None:
        super().__init__(users)
        self.joined, self.preparation = joined, preparation
        """The data, and the settings under which they were judged."""
        self.refused, self.reasons = np.zeros(self.size, bool), list[Reason]()
        """Users whose data this preparation does not allow, shape (users,), and why."""
        self.in_rankings, self.label_count = in_rankings, label_count
        """Who has a row in the run, and how many label rows each user has as the data were given, shape (users,)."""
        self.known_are_rows, self.tie_rule = False, preparation.tie_rule
        self.keeps_ties = preparation.keeps_ties
        self.catalogue = float(joined.extra.catalogue or np.nan)
        """Number of items there are; NaN where the caller did not say."""
        self._rank_of_tie = preparation.settings["ties"].keywords.get("at", "")
        self._level = float(preparation.settings["relevant"].keywords.get("level", 0.0))
        self.k: int | None = None
        """The metric's cutoff, where preparation reads it."""
        self.deepest: int | None = None
        """The deepest cutoff that is requested of the block; None where something reads whole lists."""
        self.as_given: int | None = None
        """So many first rows of each list were left as they are, and no other row is looked at; None where some is."""
        self._once: dict[Any, Any] = {}

    @property
    @abstractmethod
    def _judged(self) -> tuple[WorkingBlock, Mask]:
        """What preparation leaves of the rows, and which of them are hits, shape (rows,)."""

    @property
    def judged(self) -> WorkingBlock:
        """What preparation left of the block's rows."""
        return self._judged[0]

    @property
    def hit_rows(self) -> Mask:
        """Which of the judged rows are hits, shape (rows,)."""
        return self._judged[1]

    @property
    def known(self) -> Known:
        """The labels that exist, one entry for each."""
        assert self.judged.known is not None
        return self.judged.known

    @property
    def _labels(self) -> LabelRows:
        return self.judged.labels

    @property
    def _rows(self) -> ListRows:
        return self.judged.rows

    @cached_property
    def _at(self) -> tuple[Codes, Codes]:
        """The place of each row in its list, from 0, and its user, both of shape (rows,)."""
        return within(self._rows.user), self._rows.user

    def once(self, part: Callable[..., T], *arguments: Any) -> T:
        """What `part(block, *arguments)` gives, computed once for all definitions that ask for it."""
        key = (part, arguments)
        if key not in self._once:
            self._once[key] = set_readonly(part(self, *arguments))
        result: T = self._once[key]
        return result

    # what a metric makes of arrays, shape (K, users); a block of exact numbers notes what is named, for `explain`

    def sum(self, values: ByRank | None = None, /, **named: ByRank) -> CumulativeSum:
        """Sums of values of shape (K, users) down the ranks, such as `block.sum(precision=…)`.

        Under its name an explanation has the values.
        """
        return CumulativeSum(self, next(iter(named.values())) if values is None else values)

    def count(self, values: ByRank | None = None, /, **named: ByRank) -> CumulativeSum:
        """Counts down the ranks of values of shape (K, users): sums that an explanation does not spell out."""
        return CumulativeSum(self, next(iter(named.values())) if values is None else values)

    # of any ranks, also those below the lists

    def brief(self, values: Any) -> Numbers:
        """Values of any shape to compute with, whose way is not shown, and whose long fractions are decimals."""
        return np.asarray(values, np.float64)

    def running(self, how: np.ufunc, values: Numbers) -> Numbers:
        """Sums (`np.add`) or products (`np.multiply`) down to each rank and with it, shape (ranks, users)."""
        return np.asarray(how.accumulate(values, axis=0))

    def total(self, values: Numbers | None = None, /, **named: Numbers) -> Numbers:
        """The sum of values of shape (ranks, users) over their ranks, shape (users,).

        Under its name an explanation has the values of the rows.
        """
        down = self.running(np.add, next(iter(named.values())) if values is None else values)
        return np.array(down[-1])  # a copy: a view would keep all ranks

    def show(self, **columns: "ByRank | Callable[[], ByRank]") -> None:
        """Values of shape (K, users) that an explanation has under these names, or functions that give them."""

    def says(self, words: Callable[[], str], value: Any) -> None:
        """A number of each user, shape (users,), or a function that gives it; an explanation shows it."""

    def show_groups(self, names: Callable[[], list[str]], values: Any) -> None:
        """What each group has, shape (groups,), which an explanation has with their names."""

    def show_ideal(self, made: "Callable[[], IdealList]") -> None:
        """The ideal list, which an explanation has rank by rank."""

    def number(self, value: float) -> Any:
        """A parameter of the metric, as a number to compute with."""
        return value

    def numbers(self, values: Any) -> Numbers:
        """Values of any shape as an array to compute with."""
        return np.asarray(values, np.float64)

    def ranks_down_to(self, count: int) -> Numbers:
        """1, 2, 3, … shape (count, 1)."""
        return np.arange(1.0, count + 1)[:, None]

    def of_ranks(self, setting: Setting, count: int, beyond: float = 0.0) -> Numbers:
        """What a setting gives for the ranks 1 to count, or `beyond` each, such as their discounts, shape (count, 1).

        (count, users) where the setting reads something of the lists.
        """
        if of_lists(setting):
            return self._of_lists(setting, self.ranks_down_to(count) + beyond)
        if not setting.setting_type.named:  # a caller's function may change, and may know few ranks
            values: Numbers = np.asarray(setting(ranks=np.arange(1.0, count + 1) + beyond))
        else:
            values = _of_ranks(setting, -(-count // _TABLE_STEP), beyond)
        return values[:count].reshape(-1, 1)

    def _of_lists(self, setting: Setting, ranks: Numbers) -> Numbers:
        """What a setting that reads something of the lists gives for ranks of shape (ranks, 1) or (ranks, users)."""
        read = {name: of_list(self) for name, of_list in OF_LISTS.items() if name in setting.reads}
        values: Numbers = np.broadcast_to(np.asarray(setting(ranks=ranks, **read)), (len(ranks), self.size))
        return values

    def at_ranks(self, setting: Setting, ranks: Numbers) -> Numbers:
        """What a setting gives for these ranks, such as their discounts; a rank may be a half. Shape (K, users)."""
        if of_lists(setting):
            return self._of_lists(setting, ranks)
        whole = np.floor(ranks).astype(np.int64)
        values = self.of_ranks(setting, int(whole.max(initial=1)))[:, 0][whole - 1]
        if (whole == ranks).all():
            return values
        return np.where(whole == ranks, values, self.of_ranks(setting, int(whole.max()), 0.5)[:, 0][whole - 1])

    # per user, shape (users,)

    @cached_array
    def lengths(self) -> Numbers:
        """Rows of each judged list, shape (users,)."""
        return self._rows.counts(self.size).astype(np.float64)

    @cached_array
    def distinct_hits(self) -> CumulativeSum:
        """Relevant items down to each rank, shape (ranks, users); an item that is repeated is counted once."""
        first = self._rows.repeats(int(self._rows.item.max(initial=0)) + 1) == 0
        return self.count(self.by_rank(self._rows.relevant & first))

    @cached_array
    def hit_items(self) -> CumulativeSum:
        """Hits down to each rank, shape (ranks, users); an item that is repeated is counted where it is first."""
        first = self._rows.repeats(int(self._rows.item.max(initial=0)) + 1) == 0
        return self.count(self.by_rank(self.hit_rows & first))

    # by rank, shape (K, users)

    @cached_array
    def depth(self) -> int:
        """K: rows of the longest list."""
        return int(self.lengths.max(initial=0))

    def by_rank(self, values: NDArray[Any]) -> Numbers:
        """Values of the judged rows, shape (rows,), where their rows stand, shape (K, users); 0 beyond a list's end."""
        by_rank = np.zeros((self.depth, self.size))
        by_rank[self._at] = values
        return set_readonly(by_rank)

    @cached_array
    def hits_by_rank(self) -> Numbers:
        """1 where the row is a hit, shape (K, users); its expected value where ties count by these."""
        return self.by_rank(self._expected(self._hits_of_rows))

    @cached_array
    def hits_so_far(self) -> CumulativeSum:
        """Number of hits down to each rank: `block.hits_so_far.at(k)` has shape (users,)."""
        return self.count(hits=self.hits_by_rank)

    @cached_array
    def grades_so_far(self) -> CumulativeSum:
        """Sum of the grades down to each rank, shape (ranks, users); a row without a grade adds nothing."""
        values = self._expected(np.nan_to_num(self._rows.grade))
        return self.sum(**{"sum of grades": self.by_rank(values)})

    @cached_array
    def hit_grades_so_far(self) -> CumulativeSum:
        """Sum of the grades of the hits down to each rank, shape (ranks, users).

        Where ties count by expected values, each row has its own.
        """
        values = self._expected(np.where(self.hit_rows, np.nan_to_num(self._rows.grade), 0.0))
        return self.sum(**{"grade of hit": self.by_rank(values)})

    def gains_by_rank(self, gain: Setting) -> Numbers:
        """The gain of each row, shape (K, users); its expected value where ties count by these."""
        return self.once(_gains_by_rank, gain)

    @cached_array
    def items_by_rank(self) -> Codes:
        """The item of each row, in the joined codes, shape (K, users).

        -1 where the list has ended, and for a row that represents no item.
        """
        items = np.full((self.depth, self.size), NOTHING)
        items[self._at] = self._rows.item
        return items

    @cached_array
    def ranks(self) -> Numbers:
        """The rank of each row from 1, shape (K, 1); (K, users) where tied rows share a rank."""
        if self.tie_rule is not TieEffect.SHARED:
            return np.arange(1.0, self.depth + 1)[:, None]
        return self.by_rank(self._ties.shared_ranks(self._rank_of_tie))

    @cached_array
    def listed(self) -> Mask:
        """Which ranks the lists have, shape (K, users)."""
        return np.arange(self.depth)[:, None] < self.lengths

    @property
    def rows_by_rank(self) -> Numbers | Mask:
        """How many rows stand at each rank, shape (K, users): one, or none below the list."""
        return self.listed

    @cached_array
    def misses_by_rank(self) -> Numbers:
        """1 where the row is no hit, shape (K, users)."""
        return self.by_rank(self._expected((~self.hit_rows).astype(np.float64)))

    @cached_array
    def judged_by_rank(self) -> Numbers:
        """1 where the row is judged for this user, shape (K, users)."""
        return self.by_rank(self._expected(self._rows.judged.astype(np.float64)))

    @cached_array
    def judged_misses_by_rank(self) -> Numbers:
        """1 where the row is judged and no hit, shape (K, users)."""
        return self.by_rank(self._expected((self._rows.judged & ~self.hit_rows).astype(np.float64)))

    @cached_array
    def judged_for_anyone_by_rank(self) -> Numbers:
        """1 where the item has a label of any user, shape (K, users)."""
        labelled = np.append(self.joined.labelled, False)[self._rows.item]
        return self.by_rank(self._expected(labelled.astype(np.float64)))

    @cached_array
    def in_pool_by_rank(self) -> Numbers:
        """1 where the item was pooled for this user and not judged, shape (K, users)."""
        return self.by_rank(np.append(self._labels.in_pool, False)[self._rows.label])

    @property
    def unjudged_rows(self) -> Mask:
        """Which judged rows hold an item that has no judgment for this user, shape (rows,); invented rows hold none."""
        rows, labels = self._rows, self._labels
        judged = np.append(labels.exists & ~labels.in_pool, False)[rows.label]
        return np.asarray(~judged & (rows.item != NOTHING))

    @cached_array
    def has_unjudged(self) -> Mask:
        """Who has a row that holds an item without a judgment for this user, shape (users,)."""
        return np.bincount(self._rows.user[self.unjudged_rows], minlength=self.size) > 0

    @cached_array
    def grades_by_rank(self) -> Numbers:
        """The grade of each row, 0 where it has none, shape (K, users)."""
        return self.by_rank(self._expected(np.nan_to_num(self._rows.grade)))

    @cached_array
    def scores_by_rank(self) -> Numbers:
        """The score of each row, shape (K, users)."""
        return self.by_rank(self._rows.score)

    @property
    def ranks_by_rank(self) -> Numbers:
        """The rank of each row, shape (K, users) also where all lists share them."""
        return np.broadcast_to(self.ranks, (self.depth, self.size))

    @cached_array
    def places(self) -> Numbers:
        """The position of each row in the list as it was given, from 0, shape (K, users).

        Where the order of rows must not count, it is that in the judged list.
        """
        if self.preparation.settings["order"].trait("reads_ranks"):
            return np.where(self.listed, np.arange(self.depth)[:, None], 0.0)
        return self.by_rank(self._rows.place)

    @property
    def present(self) -> Mask:
        """Which ranks the lists have, shape (users, K)."""
        return self.listed.T

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

    @cached_array
    def _ties(self) -> Ties:
        return Ties(self._rows.user, self._rows.score, self._rows.rank)

    def thresholds(self, by: str) -> Thresholds:
        """The rows by falling `score`, or by `rank`, with their ties."""
        return self.once(_thresholds, by)

    @cached_array
    def _expected_rows(self) -> ExpectedRows:
        rows = self._rows
        tied_by = [rows.score, self.judged.rows_at_end] + ([] if rows.rank is None else [rows.rank])
        return ExpectedRows(rows.user, tied_by, rows.item)

    def _expected(self, values: Numbers) -> Numbers:
        """The expected values where ties count by these; elsewhere the values as they are, shape (rows,)."""
        return self._expected_rows.means_of(values) if self.tie_rule is TieEffect.EXPECTED else values

    @property
    def _hits_of_rows(self) -> Numbers:
        """How many hits each row is, shape (rows,)."""
        hits, times = self.hit_rows.astype(np.float64), self._rows.hits
        return hits if times is None else hits * times

    @cached_array
    def hit_products_by_rank(self) -> Numbers:
        """The expected product of the hit at a rank and of the hits down to it, shape (K, users)."""
        return self.by_rank(self._expected_rows.products_of(self._hits_of_rows))

    @cached_array
    def hit_chances_by_rank(self) -> Numbers:
        """The probability of a hit at a rank if none is above it, shape (K, users)."""
        return self.by_rank(self._expected_rows.chances_of(self._hits_of_rows))

    @cached_array
    def no_hit_so_far(self) -> Numbers:
        """The probability that no hit is among the first rows, shape (K + 1, users)."""
        return np.asarray(np.multiply.accumulate(np.vstack([np.ones(self.size), 1 - self.hit_chances_by_rank])))

    def hit_within(self, k: int | None) -> Numbers:
        """The probability that a hit is at rank k or above, shape (users,)."""
        return np.asarray(1 - self.no_hit_so_far[self.rows_within(k), np.arange(self.size)])

    def at_end_of_tie(self, so_far: CumulativeSum) -> Numbers:
        """Sums down to each row, ties that share a rank taken whole, shape (K, users)."""
        if self.tie_rule is not TieEffect.SHARED:
            return so_far.down_to
        last = self.by_rank(self._ties.last).astype(np.int64)
        return np.take_along_axis(so_far.sums, last + 1, axis=0)

    def filtered_ranks(self) -> tuple[Numbers, Numbers]:
        """The rank of each relevant row without the rows of other relevant items, and how many rows are then left.

        Both have shape (K, users), and say nothing of other rows. Of a repeated item of which the first row alone is a
        hit, the other rows compete with it.
        """
        shared = self.tie_rule is TieEffect.SHARED
        place, user = self._at
        first, last = (self._ties.first, self._ties.last) if shared else (place, place)
        relevant = np.bincount(self._key_of_item, weights=self.hit_rows)[self._key_of_item] > 0
        below = np.append(0, np.cumsum(relevant))  # relevant rows of all lists before each row
        start = np.arange(len(place)) - place
        above, through = below[start + first] - below[start], below[start + last + 1] - below[start]
        key, repeated = self._key_of_item * (self.depth + 1), relevant & ~self.hit_rows
        own = np.sort((key + place)[repeated])
        mine = 1 + np.searchsorted(own, key + last, side="right") - np.searchsorted(own, key, side="left")
        ranks = SHARED[self._rank_of_tie if shared else "min"](first - above * 1.0, last - (through - mine) * 1.0)
        whole = 1 + np.bincount(self._key_of_item, weights=repeated)[self._key_of_item]
        others = np.bincount(user, weights=relevant, minlength=self.size)
        return self.by_rank(ranks), self.by_rank((self.lengths - others)[user] + whole)

    @cached_property
    def _key_of_item(self) -> Codes:
        """A number for the user and the item of each row, shape (rows,)."""
        keys = self._rows.keys(int(self._rows.item.max(initial=0)) + 1)
        return np.asarray(np.unique(keys, return_inverse=True)[1]).ravel()

    def rows_within(self, k: int | None) -> int | Codes:
        """How many rows stand at rank k or above: one number, or shape (users,) where tied rows share a rank.

        Shape (users,) also where the cutoff keeps the rows tied with the k-th.
        """
        if k is None:
            return self.depth
        if self.keeps_ties:
            return np.asarray(((self.by_rank(self._ties.first) < k) & self.listed).sum(axis=0))
        if self.tie_rule is not TieEffect.SHARED:
            return min(k, self.depth)
        return np.asarray(((self.ranks <= k) & self.listed).sum(axis=0))

    def read_to(self, k: int | None) -> Mask:
        """Which rows stand at rank k or above, shape (K, users)."""
        return self.listed & (np.arange(self.depth)[:, None] < self.rows_within(k))

    def length_at(self, k: int | None) -> Numbers:
        """Rows of each list down to rank k, shape (users,)."""
        return np.minimum(self.lengths, self.rows_within(k))

    # labels

    def ideal_gains(self, gain: Setting, ranks: int | None) -> ByRank:
        """The gains of the first `ranks` labels that exist, by falling gain, shape (ranks, users)."""
        known = self.known
        gains = self.gains_of_known(gain)
        order = np.lexsort((-np.asarray(gains, np.float64), known.at_end, known.user))
        return self.stacked(gains[order], known.user[order], ranks)

    def returned_gains(self, gain: Setting, k: int | None) -> ByRank:
        """The gains of the first k rows, by falling gain, shape (ranks, users)."""
        there = self.read_to(k) if self.keeps_ties else self.listed[:k]
        rising: Numbers = np.sort(np.where(there, self.gains_by_rank(gain)[: len(there)], -np.inf), axis=0)
        return np.where(rising == -np.inf, 0.0, rising)[::-1]

    def given_gains(self, gain: Setting, ranks: int | None) -> Numbers:
        """The gains of the first `ranks` labels that exist, in the order given, shape (ranks, users)."""
        return self.stacked(self.gains_of_known(gain), self.known.user, ranks)

    def gains_of_known(self, gain: Setting) -> Numbers:
        """The gain of each label that exists, in the order of `labels-used`, shape (labels,)."""
        return self.worth(gain, self.known.grade, self.known.relevant, self.known.user)

    def worth(self, gain: Setting, grades: Numbers, relevant: Mask, user: Codes | None = None) -> Numbers:
        """The gains of these grades, shape as `grades`; NaN for one too large for a number, which engines refuse.

        `user` says whose they are, shape as `grades`: some gains hang on what else a user has.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            values = np.asarray(gain(grades=grades, relevant=relevant, **self._for_gains(gain, user)), np.float64)
        return np.where(np.isinf(values), np.nan, values)

    def _for_gains(self, gain: Setting, user: Codes | None) -> dict[str, Any]:
        """What a gain may read besides grades; `user`, and what comes per user, has shape (labels,)."""
        return {"level": self._level} | ({"own_highest": self.highest_grade[user]} if of_user(gain) else {})

    @cached_array
    def rank_of_known(self) -> Numbers:
        """The first rank of each label's item, in the order of `labels-used`, shape (labels,); infinite if not
        returned."""
        ranks = self.ranks_by_rank[self._at]
        return np.asarray(np.append(ranks, np.inf)[self._row_of_known])

    @cached_array
    def score_of_known(self) -> Numbers:
        """The score of each label's item, in the order of `labels-used`, shape (labels,); NaN if it was not
        returned."""
        return np.asarray(np.append(self._rows.score, np.nan)[self._row_of_known])

    @cached_array
    def _row_of_known(self) -> Codes:
        labelled = np.flatnonzero(self._rows.label >= 0)
        first = np.full(len(self._labels.user) + 1, len(self._rows.user))
        np.minimum.at(first, self._rows.label[labelled], labelled)
        return np.asarray(first[self.known.label])


OF_LISTS: dict[str, Callable[[Block], Numbers]] = {
    "lengths": lambda block: block.lengths,
    "relevant_counts": lambda block: block.relevant_count,
}
"""What a setting for ranks, such as a discount, may read of the lists, shape (users,)."""


def of_lists(setting: Setting) -> bool:
    """Whether what a setting gives for a rank hangs on the user's list too."""
    return any(name in OF_LISTS for name in setting.reads)


def of_user(gain: Setting) -> bool:
    """Whether a gain hangs on what else the user has, and not on the label alone."""
    return "own_highest" in gain.reads


def _gains_by_rank(block: Block, gain: Setting) -> Numbers:
    rows = block._rows
    graded = np.flatnonzero(rows.judged & ~np.isnan(rows.grade))
    values = block.numbers(np.zeros(len(rows.user)))
    values[graded] = block.worth(gain, rows.grade[graded], rows.relevant[graded], rows.user[graded])
    if rows.weight is not None:
        values *= rows.weight
    gains = block.by_rank(block._expected(values))
    block.show(gain=gains)
    return gains


_TABLE_STEP = 1024  # a whole number of SIMD lanes, so that no entry depends on the length of the table


@lru_cache(maxsize=64)
def _of_ranks(setting: Setting, steps: int, beyond: float) -> Numbers:
    return np.asarray(setting(ranks=np.arange(1.0, steps * _TABLE_STEP + 1) + beyond))


def _thresholds(block: Block, by: str) -> Thresholds:
    rows = block._rows
    if by == "score":
        return Thresholds(block, rows.user, rows.score)
    return Thresholds(block, rows.user, -block.ranks_by_rank[block._at])
