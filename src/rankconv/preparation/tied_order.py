"""Lists that stand by falling score but for ties: their first rows as a tie rule orders them, all lists at once."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Numbers, take_ownership
from rankconv.data.joined import Joined
from rankconv.data.matching import ItemIndex, Tables
from rankconv.data.ordering import is_sorted, matrices
from rankconv.preparation.pipeline import Preparation
from rankconv.specs.convention import Setting

_BITS = 15
"""A place in a list takes so many bits, the number of a tie in it as many, and the key of an item the others of 64."""
_ITEM_BITS = 26
"""The place of an item among all takes so many of these, where rows stand by grade first."""


class TieRule(NamedTuple):
    """What decides how tied rows stand."""

    ties: Setting
    narrow: bool
    """Whether scores are compared in single precision."""
    ranked: bool
    """Whether ranks tell rows of equal score apart."""

    @classmethod
    def of(cls, preparation: Preparation) -> "TieRule | None":
        """The rule of this preparation; None where tied rows must be judged one by one."""
        ties, compared = preparation.settings["ties"], preparation.compared
        known = ties.setting_type.traits.get("orders_items") is not None and not (
            compared.extended or compared.ties_made
        )
        if not (preparation.by_score and known) or preparation.keeps_ties:
            return None
        moves = ties.setting_type.traits["orders_items"] is not False
        if moves and preparation.settings["labels-used"].setting_type.traits.get("rows_are_labels"):
            return None  # labels stand as rows were given, and rows no longer do
        return cls(ties, compared.narrow, compared.ranked)

    @property
    def by_grade(self) -> bool:
        """Whether the rows of a tie stand by rising grade, and only those of one grade by their items."""
        return bool(self.ties.trait("rising_grade"))


@dataclass(frozen=True, eq=False)
class TiedOrder:
    """The first rows of all lists as a tie rule has them."""

    depth: int | None
    """So many rows of each list: those that are read, and all that are tied with the last of them; None for all."""
    items: ItemIndex | None
    """Their items; None where they stand as given."""

    @classmethod
    def of(cls, joined: Joined, rule: TieRule, rows: int | None, grades: Numbers) -> "TiedOrder | None":
        """The first rows of each list, `rows` of which are read; None where lists do not stand by falling score.

        `grades` are those of a row without a label and of one with a label of each level, shape (levels + 1,).
        """
        score, starts = joined.rankings.score, joined.rankings.starts
        too_many = rule.by_grade and len(joined.items) >= 1 << _ITEM_BITS
        if score is None or int(np.diff(starts).max(initial=0)) >= 1 << _BITS or too_many:
            return None
        with np.errstate(over="ignore"):
            compared = score.astype(np.float32).astype(np.float64) if rule.narrow else score
        if not is_sorted(starts, compared, falling=True):
            return None
        rank = joined.rankings.rank if rule.ranked else None
        tie = compared if rank is None else _by_both(compared, rank)
        depth = None if rows is None else _through_ties(starts, tie, rows)
        if not rule.ties.setting_type.traits["orders_items"]:
            return cls(depth, None)
        rising = np.unique(grades, return_inverse=True)[1].astype(np.uint64) if rule.by_grade else None
        return cls(depth, _ordered(joined, tie, rule.ties, depth, rising))


def _by_both(score: Numbers, rank: Numbers) -> Numbers:
    """What is equal in adjacent rows of equal score and rank, and falls elsewhere; arrays have shape (rows,)."""
    new = np.append(False, (score[1:] != score[:-1]) | (rank[1:] != rank[:-1]))[: len(score)]
    return -np.cumsum(new, dtype=np.float64)


def _through_ties(starts: Codes, score: Numbers, rows: int) -> int:
    """How many rows of a list hold its first `rows` and all that are tied with the last of them; the most of any list.

    `score` has shape (rows of all lists,), `starts` (lists + 1,).
    """
    deepest, lengths = rows, np.diff(starts)
    long = np.flatnonzero(lengths > deepest)
    while len(long):
        next_to = starts[long] + deepest
        long = long[score[next_to] == score[next_to - 1]]
        deepest += len(long) > 0
        long = long[lengths[long] > deepest]
    return deepest


def _ordered(
    joined: Joined, score: Numbers, ties: Setting, depth: int | None, grades: NDArray[np.uint64] | None
) -> ItemIndex:
    """The items of the first rows of each list, in common codes, ties as the setting orders them.

    Number of tie, key and place are sorted as one number. `score` has shape (rows of all lists,); `grades` say in which
    order rows without a label and with one of each level stand, shape (levels + 1,), None where labels do not matter.
    """
    tables, user_of = Tables(), np.zeros(len(joined.rankings.users), np.int64)
    listed_users = np.flatnonzero(joined.list_rows_of >= 0)
    user_of[joined.list_rows_of[listed_users]] = listed_users
    starts = joined.rankings.starts
    lengths = np.diff(starts)
    begin = np.append(0, np.cumsum(lengths if depth is None else np.minimum(lengths, depth)))
    found, listed = np.empty(int(begin[-1]), np.int32), joined.list_item
    rank_of = ties.setting_type.traits["orders_items"](joined.items)
    for some in matrices(starts, depth):
        scores, codes = some.take(score, np.nan), some.take(listed, 0)  # no row is tied with what follows the last
        both = np.zeros(codes.shape, np.uint64)
        np.cumsum(scores[:, 1:] != scores[:, :-1], axis=1, out=both[:, 1:])
        place = np.arange(some.width, dtype=np.uint64)
        key = place[::-1] if rank_of is None else rank_of[codes].astype(np.uint64)
        if grades is not None:
            kinds = joined.kinds(user_of[some.lists], some.width, tables).T
            key = key | (grades[kinds] << np.uint64(_ITEM_BITS))
        both = (both << np.uint64(64 - _BITS)) | (key << np.uint64(_BITS)) | place
        both.sort(axis=1)
        places = (both & np.uint64((1 << _BITS) - 1)).astype(np.int64)
        at = begin[some.lists][:, None] + np.arange(some.width)
        there = at < begin[some.lists + 1][:, None]
        found[at[there]] = np.take_along_axis(codes, places, axis=1)[there]
    return ItemIndex(len(joined.items), joined.labels.item, take_ownership(begin), take_ownership(found))
