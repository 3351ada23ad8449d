"""The rows of prepared lists: hits, gains, grades and ranks as arrays of shape (K, users), ranks first."""

from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rankconv.basics.errors import MetricError
from rankconv.conventions.convention import Setting
from rankconv.data.arrays import Codes, Mask, Numbers, among, cached_array, set_readonly
from rankconv.data.joined import Joined
from rankconv.preparation.arithmetic import CumulativeSum, RankValues
from rankconv.preparation.blocks.label_block import Judgments, JudgmentValues, LabelBlock
from rankconv.preparation.captions import shown_as
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.searches import evaluates_each
from rankconv.preparation.tie_draws import TieDraws
from rankconv.preparation.ties import ExpectedRows, TieEffect, Ties
from rankconv.preparation.working_rows import NOTHING, KnownLabels, LabelRows, ListRows, Reason, WorkingBlock

T = TypeVar("T")


class ListBlock(LabelBlock):
    """The rows of the prepared lists by rank, and the labels of their users."""

    def __init__(
        self, joined: Joined, users: Codes, preparation: Preparation, in_rankings: Mask, label_count: Codes
    ) -> None:
        super().__init__(users, preparation)
        self.joined = joined
        self.refused, self.reasons = np.zeros(len(users), bool), list[Reason]()
        """Users whose data this preparation does not allow, shape (users,), and why."""
        self.in_rankings, self.label_count = in_rankings, label_count
        """Who has a row in the run, and how many label rows each user has as the data were given, shape (users,)."""
        self.aligned_arrays, self.tie_rule = False, preparation.tie_rule
        self.keeps_ties = preparation.keeps_ties
        self.catalogue = float(joined.extra.catalogue or np.nan)
        """Number of items there are; NaN where the caller did not say."""
        self._rank_of_tie = preparation.settings["ties"].keywords.get("at", "")
        self.k: int | None = None
        """The metric's cutoff, where preparation reads it."""
        self.deepest: int | None = None
        """The deepest cutoff that is requested of the block; None where something reads whole lists."""
        self.as_given: int | None = None
        """So many first rows of each list were left as they are, and no other row is looked at; None where some is."""
        self._once: dict[Any, Any] = {}

    @property
    @abstractmethod
    def _prepared(self) -> tuple[WorkingBlock, Mask]:
        """What preparation leaves of the rows, and which of them are hits, shape (rows,)."""

    @property
    def prepared(self) -> WorkingBlock:
        """What preparation left of the block's rows."""
        return self._prepared[0]

    @property
    def hit_rows(self) -> Mask:
        """Which of the prepared rows are hits, shape (rows,)."""
        return self._prepared[1]

    @property
    def known(self) -> KnownLabels:
        """The labels that exist, one entry for each."""
        assert self.prepared.known is not None
        return self.prepared.known

    @property
    def _labels(self) -> LabelRows:
        return self.prepared.labels

    @property
    def _rows(self) -> ListRows:
        return self.prepared.rows

    @cached_property
    def _at(self) -> tuple[Codes, Codes]:
        """The place of each row in its list, from 0, and its user, both of shape (rows,)."""
        return self._rows.in_list, self._rows.user

    def part(self, of: Callable[..., T], *arguments: Any) -> T:
        """What the part `of` a formula gives, `of(block, *arguments)`; an explanation has it under its caption."""
        return of(self, *arguments)

    def once(self, of: Callable[..., T], *arguments: Any) -> T:
        """What `block.part(of, *arguments)` gives, computed once for all definitions that need it."""
        key = (of, arguments)
        if key not in self._once:
            self._once[key] = set_readonly(self.part(of, *arguments))
        result: T = self._once[key]
        return result

    @property
    def call_counts(self) -> Numbers:
        """How many calls each user has, shape (users,); one where a list came in no calls, none without a row."""
        run, of_lists = self.joined.rankings, self.joined.list_rows_of[self.users_of_lists("searches are of each user")]
        if run.calls is None:
            return self.in_rankings.astype(np.float64)
        return np.append(run.calls.counts, 0)[of_lists].astype(np.float64)

    @property
    def evaluates_each_call(self) -> bool:
        """Whether users may have several lists, each of which is evaluated alone."""
        return self.joined.rankings.has_calls and evaluates_each(self.joined, self.preparation.settings)

    def users_of_lists(self, why: str) -> Codes:
        """The users, shape (users,), for what is known of each; a MetricError where the lists of all are one list."""
        if self.preparation.pools:
            raise MetricError(f"{why}, and the lists of all users are pooled", do="Drop scope=global")
        return self.users

    # per user, shape (users,)

    @cached_array
    def lengths(self) -> Numbers:
        """Rows of each prepared list, shape (users,)."""
        return self._rows.lengths(self.size).astype(np.float64)

    @cached_array
    def distinct_hits(self) -> CumulativeSum:
        """Relevant items down to each rank, shape (ranks, users); an item that is repeated is counted once."""
        return self.count(self.by_rank(self._rows.relevant & self._first_of_item))

    @cached_array
    def hit_items(self) -> CumulativeSum:
        """Hits down to each rank, shape (ranks, users); an item that is repeated is counted where it is first."""
        return self.count(self.by_rank(self.hit_rows & self._first_of_item))

    @cached_array
    def first_by_rank(self) -> Numbers:
        """1 where the item of the row is in no row above, shape (K, users)."""
        return self.by_rank(self._first_of_item.astype(np.float64))

    @property
    def _first_of_item(self) -> Mask:
        return np.asarray(self._rows.repeats(int(self._rows.item.max(initial=0)) + 1) == 0)

    # by rank, shape (K, users)

    @cached_array
    def depth(self) -> int:
        """K: rows of the longest list."""
        return int(self.lengths.max(initial=0))

    def by_rank(self, values: NDArray[Any]) -> Numbers:
        """Values of the prepared rows, shape (rows,), where these rows are, shape (K, users); 0 beyond a list's end.

        Those of the pieces of a row are added.
        """
        by_rank = np.zeros((self.depth, self.size))
        if self._rows.cell is None:
            by_rank[self._at] = values
        else:
            np.add.at(by_rank, self._at, values)
        return set_readonly(by_rank)

    @cached_array
    def hits_by_rank(self) -> Numbers:
        """1 where the row is a hit, shape (K, users); its expected value where ties count by these."""
        return self._values_by_rank(of_hits=lambda row: row.hits)

    def _values_by_rank(self, of_rows: JudgmentValues | None = None, of_hits: JudgmentValues | None = None) -> Numbers:
        """What each row adds, and what it adds more where it is a hit, shape (K, users); expected values in ties."""
        rows, values = self._rows, np.zeros(len(self._rows.user))
        judgments = Judgments(
            np.nan_to_num(rows.grade), rows.judged, np.ones(len(values)) if rows.hits is None else rows.hits
        )
        if of_rows is not None:
            values = values + of_rows(judgments)
        if of_hits is not None:
            worth = of_hits(judgments) if rows.item_weight is None else of_hits(judgments) * rows.item_weight
            values = values + np.where(self.hit_rows, worth, 0.0)
        return self.by_rank(self._expected(values))

    @cached_array
    def hits_so_far(self) -> CumulativeSum:
        """Number of hits down to each rank: `block.hits_so_far.at(k)` has shape (users,)."""
        return self.count(hits=self.hits_by_rank)

    @cached_array
    def row_weights_so_far(self) -> CumulativeSum:
        """Sum of the weights of the rows down to each rank, shape (ranks, users); without weights their number."""
        weight = self._rows.item_weight
        if weight is None:
            return self.count(self.listed.astype(np.float64))
        return self.sum(**{"weight of row": self.by_rank(self._expected(weight))})

    def unretrieved_weight(self, k: int | None) -> Numbers:
        """The sum of the weights of the relevant labels that no hit at rank k or above has, shape (users,)."""
        rows, known, (place, user) = self._rows, self.known, self._at
        found = self.hit_rows & (place < np.broadcast_to(self.rows_within(k), self.size)[user])
        if self.preparation.pools:  # an item of two users is two items, and a label is of one
            left = known.relevant & ~among(known.label, np.unique(rows.label[found]))
        else:
            items = int(max(rows.item.max(initial=0), known.item.max(initial=0))) + 1
            left = known.relevant & ~among(
                known.user * items + known.item, np.unique((user * items + rows.item)[found])
            )
        weight: Any = np.ones(len(left)) if known.weight is None else known.weight
        return self.sum_of_known(np.where(left, weight, 0.0))

    @cached_array
    def grades_so_far(self) -> CumulativeSum:
        """Sum of the grades down to each rank, shape (ranks, users); a row without a grade adds nothing."""
        return self.sum(**{"sum of grades": self.grades_by_rank})

    @cached_array
    def hit_grades_so_far(self) -> CumulativeSum:
        """Sum of the grades of the hits down to each rank, shape (ranks, users).

        Where ties count by expected values, each row has its own.
        """
        return self.sum(**{"grade of hit": self._values_by_rank(of_hits=lambda row: row.grade)})

    def gains_by_rank(self, gain: Setting) -> Numbers:
        """The gain of each row, shape (K, users); its expected value where ties count by these."""
        return self.once(_gains_by_rank, gain)

    def _find_gains(self, gain: Setting) -> Numbers:
        return self.by_rank(self._expected(self._gains_of_rows(gain)))

    def _gains_of_rows(self, gain: Setting) -> Numbers:
        """The gain of each row, shape (rows,)."""
        rows = self._rows
        values = self.numbers(np.zeros(len(rows.user)))
        values[self._rows_with_grade] = self._gains_of_graded_rows(gain)
        for weight in (rows.weight, rows.item_weight):
            if weight is not None:
                values *= weight
        return values

    @cached_array
    def _rows_with_grade(self) -> Codes:
        """The rows that are judged and have a grade, shape (graded rows,)."""
        return np.flatnonzero(self._rows.judged & ~np.isnan(self._rows.grade))

    def _gains_of_graded_rows(self, gain: Setting) -> Numbers:
        """The gains of these rows, shape (graded rows,)."""
        rows, graded = self._rows, self._rows_with_grade
        return self.worth(gain, rows.grade[graded], rows.relevant[graded], rows.user[graded])

    @cached_array
    def items_by_rank(self) -> Codes:
        """The item of each row, in the joined codes, shape (K, users).

        -1 where the list has ended, and for a row that represents no item.
        """
        items = np.full((self.depth, self.size), NOTHING)
        items[self._at] = self._items
        return items

    @property
    def _items(self) -> Codes:
        """The item of each row, shape (rows,); lists put together have codes of their own for those of each user."""
        return np.where(self._rows.item == NOTHING, NOTHING, self._rows.item % self.prepared.items)

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

    @cached_array
    def misses_by_rank(self) -> Numbers:
        """1 where the row is no hit, shape (K, users)."""
        return self._values_by_rank(lambda row: row.one, lambda row: -row.one)

    @cached_array
    def judged_by_rank(self) -> Numbers:
        """1 where the row is judged for this user, shape (K, users)."""
        return self._values_by_rank(lambda row: row.judged)

    @cached_array
    def judged_misses_by_rank(self) -> Numbers:
        """1 where the row is judged and no hit, shape (K, users)."""
        return self._values_by_rank(lambda row: row.judged, lambda row: -1.0 * row.judged)

    @cached_array
    def judged_for_anyone_by_rank(self) -> Numbers:
        """1 where the item has a label of any user, shape (K, users)."""
        labelled = np.append(self.joined.labelled, False)[self._items]
        return self.by_rank(self._expected(labelled.astype(np.float64)))

    @cached_array
    def in_pool_by_rank(self) -> Numbers:
        """1 where the item was pooled for this user and not judged, shape (K, users)."""
        return self.by_rank(np.append(self._labels.in_pool, False)[self._rows.label])

    @property
    def unjudged_rows(self) -> Mask:
        """Which prepared rows hold an item without a judgment for this user, shape (rows,); invented rows hold none."""
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
        return self._values_by_rank(lambda row: row.grade)

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

        Where the order of rows must not count, it is that in the prepared list.
        """
        if self.preparation.settings["order"].traits.reads_ranks:
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

    @cached_array
    def _expected_rows(self) -> ExpectedRows:
        rows = self._rows
        tied_by = [rows.score, self.prepared.rows_at_end] + ([] if rows.rank is None else [rows.rank])
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

    @cached_property
    def averages_ties(self) -> bool:
        """Whether rows count by expected values, and some are tied."""
        return self.tie_rule is TieEffect.EXPECTED and bool((self.tie_draws.size > 1).any())

    @cached_array
    def tie_draws(self) -> TieDraws:
        """The ties of the rows, as they are drawn one after the other."""
        ties, place, size = self._expected_rows, np.zeros((self.depth, self.size)), np.ones((self.depth, self.size))
        place[self._at], size[self._at] = ties.place, ties.sizes[ties.read]
        return TieDraws(place, size, self.chances)

    @staticmethod
    def chances(values: NDArray[Any]) -> Any:
        """Numbers as what probabilities are computed with, shape as `values`."""
        return np.asarray(values, np.float64)

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

    # rows of labels

    def returned_gains(self, gain: Setting, k: int | None) -> RankValues:
        """The gains of the first k rows, by falling gain, shape (ranks, users)."""
        there = self.read_to(k) if self.keeps_ties else self.listed[:k]
        rising: Numbers = np.sort(np.where(there, self.gains_by_rank(gain)[: len(there)], -np.inf), axis=0)
        return np.where(rising == -np.inf, 0.0, rising)[::-1]


@shown_as("gain")
def _gains_by_rank(block: ListBlock, gain: Setting) -> Numbers:
    return block._find_gains(gain)
