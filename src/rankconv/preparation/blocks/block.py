"""A prepared block of users, which every metric reads: its ties, and where in the lists the items of labels are."""

from copy import copy
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

import numpy as np

from rankconv.conventions.convention import Setting
from rankconv.data.arrays import Codes, Mask, Numbers, cached_array, first_places
from rankconv.preparation.blocks.list_block import ListBlock
from rankconv.preparation.tie_draws import RepeatedTie, TiedFactors
from rankconv.preparation.ties import SHARED, Thresholds, TieEffect


class Block(ListBlock):
    """The prepared lists of a block of users: everything that a metric reads.

    Arrays per user have shape `(users,)`; arrays by rank `(K, users)`, K being the rows of the longest list; `grades`,
    `hits` and `present` show the same as `(users, K)`. Each name has a docstring with its shape: those of labels are in
    `LabelBlock` (`relevant_count`, `ideal_gains`), of rows by rank in `ListBlock` (`hits_by_rank`, `gains_by_rank`,
    `lengths`), sums and what settings give for ranks in `Arithmetic` (`sum`, `of_ranks`), and of ties here.
    """

    def thresholds(self, by: str) -> Thresholds:
        """The rows by falling `score`, or by `rank`, with their ties."""
        return self.once(_thresholds, by)

    def as_results(self, values: Any) -> Numbers:
        """What probabilities make of numbers, of any shape; an explanation has the results alone."""
        return np.asarray(values)

    @property
    def judged_miss_rows(self) -> Mask:
        """Which of the prepared rows are judged and no hits, shape (rows,)."""
        return np.asarray(self._rows.judged & ~self.hit_rows)

    def tied_factors(self, gain: Setting) -> TiedFactors:
        """1 less the gain of each row, tie by tie."""
        ties, factors = self._expected_rows, 1 - self.chances(self._gains_of_rows(gain))
        tie = np.full((self.depth, self.size), len(ties.sizes))
        tie[self._at] = ties.read
        there = np.flatnonzero(factors != 1)
        return TiedFactors.of(tie, len(ties.sizes) + 1, ties.tie[there], factors[there])

    def factors_of_items(self, tie: RepeatedTie, gain: Setting) -> list[tuple[int, Fraction]]:
        """The rows of each item of a tie, and 1 less the gain of that one of them which comes first."""
        factors = 1 - self.chances(self._gains_of_rows(gain))
        return [
            part
            for rows in tie.items
            for part in (
                [(len(rows), Fraction(factors[rows[0]]))]
                if factors[rows[-1]] != factors[rows[0]]
                else [(1, Fraction(factors[row])) for row in rows]
            )
        ]

    def with_hits(self, hits: Mask) -> Self:
        """The block where these ranks are hits and no others, of shape (K, users), in an order of tied rows."""
        made = copy(self)
        for name in ("hits_so_far", "hit_items", "distinct_hits", "judged_misses_by_rank", "hit_grades_so_far"):
            made.__dict__.pop(name, None)
        found = self.numbers(hits.astype(np.float64))
        made.__dict__ |= {"hits_by_rank": found, "misses_by_rank": self.numbers(self.listed.astype(np.float64)) - found}
        made.__dict__["averages_ties"] = False
        made.tie_rule = TieEffect.ORDER
        made._once = {key: value for key, value in self._once.items() if key[0] is _thresholds}
        return made

    @cached_array
    def repeated_ties(self) -> list[RepeatedTie]:
        """The ties in which an item occurs more than once."""
        ties, (place, user) = self._expected_rows, self._at
        starts = ((ties.items_of(tie), int(ties.starts[tie])) for tie in ties.with_copies)
        return [RepeatedTie(int(user[start]), int(place[start]), items) for items, start in starts]

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

    @cached_array
    def rank_of_known(self) -> Numbers:
        """The first rank of each label's item, in the order of `labels-used`, shape (labels,); infinite if not
        returned."""
        ranks = self.ranks_by_rank[self._at]
        if self.averages_ties:
            ranks = self.numbers(self._expected_first_ranks)
        return np.asarray(np.append(ranks, np.inf)[self._row_of_known])

    @property
    def _expected_first_ranks(self) -> Any:
        """The expected rank of the first row in its tie that holds the item of each row, shape (rows,)."""
        place, user = self._at
        start = place - self.tie_draws.place[self._at].astype(np.int64)
        of_item = (user * self.depth + start) * (int(self._rows.item.max(initial=0)) + 2) + self._rows.item
        _, which, times = np.unique(of_item, return_inverse=True, return_counts=True)
        sizes = self.tie_draws.size[self._at] + 1
        return self.chances(start) + self.chances(sizes) / self.chances(times[np.ravel(which)] + 1)

    @cached_array
    def score_of_known(self) -> Numbers:
        """The score of each label's item, in the order of `labels-used`, shape (labels,); NaN if it was not
        returned."""
        return np.asarray(np.append(self._rows.score, np.nan)[self._row_of_known])

    @cached_array
    def _row_of_known(self) -> Codes:
        """The first row of each label's item, shape (labels,); the number of rows where it was not returned."""
        rows, known, items = self._rows, self.known, len(self.joined.items) + 1
        labelled = np.flatnonzero(rows.label >= 0)
        first = np.full(len(self._labels.user) + 1, len(rows.user))
        np.minimum.at(first, rows.label[labelled], labelled)
        found: Codes = first[known.label]
        alone = known.label < 0
        if alone.any():  # which a row represents; one that fills up has item -1
            wanted = (known.user * items + known.item + 1)[alone]
            found[alone] = first_places(wanted, rows.user * items + rows.item + 1)
        return found


def _thresholds(block: Block, by: str) -> Thresholds:
    rows = block._rows
    if by == "score":
        return Thresholds(block, rows.user, rows.score)
    return Thresholds(block, rows.user, -block.ranks_by_rank[block._at])
