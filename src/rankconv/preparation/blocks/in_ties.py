"""Expected values over all orders of tied rows, which hang on the rows above a hit, or on the hits down to a rank."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from rankconv.conventions.convention import Setting
from rankconv.data.arrays import Numbers
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.tie_draws import (
    Counted,
    ItemRows,
    RepeatedTie,
    TiedFactors,
    after_draw,
    at_hits_of_repeated,
    drawn_of_repeated,
    no_hit_of_repeated,
    products_of_repeated,
)

RatioSides = tuple[Any, Any]
"""Numerator and denominator of each user, both of shape (users,)."""
Worth = Callable[[int, Any], Any]
"""What a hit at a rank, from 0, is worth with so many counted rows above it: numbers of shape (counts, users)."""


def added(values: Any) -> Any:
    """The sum of values of shape (counts, users) over the counts, one after the other, shape (users,)."""
    return np.add.accumulate(values, axis=0)[-1]


def hits_of_ties(block: Block) -> Counted:
    """The hits in the tie of each row, and above it."""
    hits = block.hits_by_rank
    found = block.tie_draws.counted(hits, block.count(hits).above)
    for tie in block.repeated_ties:  # in which some places have more hits than others
        of_tie = slice(tie.rank, tie.rank + tie.size), tie.user
        found.in_tie[of_tie] = np.rint(np.asarray(hits[of_tie], np.float64).sum())
    return found


def at_hits(block: Block, worth: Worth, k: int | None = None, *, count_misses: bool = False) -> Any:
    """What is to be expected of each rank down to rank k, 0 where it is no hit and below, shape (K, users).

    Counted are the hits above, or the judged misses.
    """
    draws, hits, own = block.tie_draws, block.hits_by_rank, block.once(hits_of_ties)
    counted, others = own, np.maximum(own.in_tie - 1, 0)
    if count_misses:
        misses = block.judged_misses_by_rank
        counted = draws.counted(misses, block.count(misses).above)
        others = counted.in_tie
    found, ranks = block.numbers(np.zeros((block.depth, block.size))), int(np.max(block.rows_within(k), initial=0))
    there = np.asarray(hits, np.float64) > 0
    for rank, chances in enumerate(draws.before(np.maximum(draws.size - 1, 1), others, ranks)):
        if there[rank].any():
            found[rank] = np.where(there[rank], hits[rank] * _mean(block, rank, chances, counted, worth), found[rank])
    for tie in block.repeated_ties:
        items = _items(block, tie, block.judged_miss_rows if count_misses else block.hit_rows)
        if items:
            _put_repeated(block, found, tie, at_hits_of_repeated(items), counted, worth)
    return block.as_results(found)


def _mean(block: Block, rank: int, chances: Any, counted: Counted, worth: Worth) -> Any:
    """The mean of the worth of a hit at a rank over the counts above it, shape (users,)."""
    counts = counted.above_tie[rank] + np.arange(len(chances))[:, None]
    possible = np.asarray(chances, np.float64) > 0
    return added(np.where(possible, block.numbers(chances) * worth(rank, block.numbers(counts)), 0))


def _put_repeated(
    block: Block, found: Any, tie: RepeatedTie, places: list[Any], counted: Counted, worth: Worth
) -> None:
    """Put what is expected of the rows of a tie into `found`, shape (K, users), by the chances of each place."""
    for place, chances in enumerate(places):
        rank = tie.rank + place
        counts = counted.above_tie[tie.rank, tie.user] + np.arange(len(chances))[:, None]
        values = worth(rank, block.numbers(np.broadcast_to(counts, (len(chances), block.size))))[:, tie.user]
        possible = np.array(chances) > 0
        found[rank, tie.user] = added(
            np.where(possible, block.numbers(np.array(chances, object)) * values, 0)[:, None]
        )[0]


def _items(block: Block, tie: RepeatedTie, counted: Any) -> list[ItemRows]:
    """The rows of the items of a tie, where the first of an item counts otherwise than the others; else none.

    `counted`, shape (rows,), says which rows count.
    """
    hits = block.hit_rows
    made, differs = list[ItemRows](), False
    for rows in tie.items:
        first, later = rows[0], rows[-1]
        same = bool(hits[first] == hits[later] and counted[first] == counted[later])
        differs = differs or not same
        if same:
            made += [ItemRows(1, float(counted[row]), 0.0, bool(hits[row])) for row in rows]
        else:
            made.append(ItemRows(len(rows), float(counted[first]), float(counted[later]), bool(hits[first])))
    return made if differs else []


def squared_hits(block: Block, k: int | None) -> Any:
    """The expected square of the number of hits down to rank k, shape (users,)."""
    return block.count(at_hits(block, lambda rank, above: 2 * above + 1, k)).at(k)


def chance_of_unjudged(block: Block, k: int | None) -> Any:
    """The probability that a row down to rank k is unjudged, shape (users,)."""
    draws = block.tie_draws
    unjudged = draws.counted(block.listed - np.asarray(block.judged_by_rank, np.float64), np.zeros(draws.place.shape))
    left = block.chances(draws.size - draws.place)
    chance = np.minimum(block.chances(unjudged.in_tie) / left, 1)
    none = np.multiply.accumulate(np.concatenate([block.chances(np.ones((1, block.size))), 1 - chance]), axis=0)
    return block.as_results(block.numbers(1 - none[block.rows_within(k), np.arange(block.size)]))


def expected_last_hit(block: Block, k: int | None) -> Any:
    """The expected rank of the last hit down to rank k, 0 without one, shape (users,).

    It is at rank j or below it with the probability that a hit is among the ranks j to k.
    """
    draws, own, rows = block.tie_draws, block.once(hits_of_ties), block.rows_within(k)
    ranks = np.arange(block.depth)[:, None]
    reached = np.minimum(ranks - draws.place + draws.size, rows)  # where the tie, or what is read of it, ends
    below = np.maximum(reached - ranks - 1, 0)
    chances = np.minimum(block.chances(own.in_tie) / block.chances(draws.size - below), 1)
    misses = np.where(ranks < rows, 1 - chances, chances * 0 + 1)
    for tie in block.repeated_ties:
        end = int(np.minimum(tie.rank + tie.size, np.broadcast_to(rows, block.size)[tie.user]))
        below_none = Fraction(1)
        for rank in range(end - 1, tie.rank - 1, -1) if (items := _items(block, tie, block.hit_rows)) else ():
            none_here = no_hit_of_repeated(items, rank - tie.rank, end - rank)
            misses[rank, tie.user] = type(misses[rank, tie.user])(none_here / below_none if below_none else 0)
            below_none = none_here
    none = np.multiply.accumulate(misses[::-1], axis=0)[::-1]
    some = block.chances(np.ones(none.shape)) - none
    return block.as_results(block.numbers(np.add.accumulate(some, axis=0)[-1] if len(some) else np.zeros(block.size)))


def expected_rank_of_hit(block: Block, wanted: Numbers) -> Any:
    """The expected rank of the hit of this number, shape (users,); 0 where a list has fewer hits, or none is wanted.

    Of h hits in a tie of t rows the one that comes as number j is at place j (t + 1) / (h + 1), on average.
    """
    draws, own, user = block.tie_draws, block.once(hits_of_ties), np.arange(block.size)
    there = block.listed & (own.above_tie < wanted) & (wanted <= own.above_tie + own.in_tie)
    if not block.depth:
        return block.numbers(np.zeros(block.size))
    at = there.argmax(axis=0)
    number, size = wanted - own.above_tie[at, user], draws.size[at, user]
    place = block.chances(number * (size + 1)) / block.chances(own.in_tie[at, user] + 1)
    rank = block.chances(at.astype(np.float64)) + place
    for tie in block.repeated_ties:
        of_tie = bool(there[tie.rank, tie.user]) and at[tie.user] == tie.rank
        if of_tie and (items := _items(block, tie, block.hit_rows)):
            fewer = [sum(drawn_of_repeated(items, drawn)[: int(number[tie.user])]) for drawn in range(tie.size)]
            rank[tie.user] = type(rank[tie.user])(tie.rank + sum(fewer, Fraction(0)))
    return block.as_results(block.numbers(np.where(there.any(axis=0), rank, block.chances(np.zeros(block.size)))))


class HitCounts(NamedTuple):
    """How many hits a list may have down to a rank; arrays of shape (counts, users)."""

    counts: Numbers
    chances: Any


def hits_within(block: Block, k: int | None) -> HitCounts:
    """The hits down to rank k that the orders of tied rows allow, each with its chance."""
    user, rows = np.arange(block.size), np.minimum(block.rows_within(k), block.lengths).astype(np.int64)
    last = np.maximum(rows - 1, 0)
    if not block.depth:
        return HitCounts(np.zeros((1, block.size)), block.numbers(np.ones((1, block.size))))
    draws, own = block.tie_draws, block.once(hits_of_ties)
    chances = draws.after(last, own.in_tie)
    for tie in block.repeated_ties:
        drawn = int(rows[tie.user]) - tie.rank
        items = _items(block, tie, block.hit_rows) if 0 < drawn <= tie.size else []
        if items:
            found = drawn_of_repeated(items, drawn)
            missing = max(len(found) - len(chances), 0)
            chances = np.concatenate([chances, np.repeat(chances[:1] * 0, missing, axis=0)])
            column = [*found, *[0] * (len(chances) - len(found))]
            chances[:, tie.user] = column if chances.dtype == object else np.array(column, np.float64)
    empty = rows == 0
    chances[:, empty] = chances[:, empty] * 0
    chances[0, empty] = chances[0, empty] + 1
    counts = np.where(empty, 0.0, own.above_tie[last, user]) + np.arange(len(chances))[:, None]
    return HitCounts(np.asarray(counts, np.float64), block.numbers(chances))


def each_hit_count(block: Block, k: int | None) -> Iterator[tuple[Any, Any]]:
    """Each number of hits down to rank k that some user may have, and its chance, both of shape (users,)."""
    found = block.once(hits_within, k)
    yield from zip(found.counts, found.chances, strict=True)


def given_hits(block: Block, k: int | None, counts: Numbers) -> Block:
    """The block with an order of each list that has so many hits down to rank k, `counts` having shape (users,)."""
    draws, own, rows = block.tie_draws, block.once(hits_of_ties), block.rows_within(k)
    in_reach = np.clip(rows - (np.arange(block.depth)[:, None] - draws.place), 0, draws.size)
    found = np.where(in_reach < draws.size, np.clip(counts - own.above_tie, 0, own.in_tie), own.in_tie)
    below = draws.place - in_reach
    first = np.where(below < 0, draws.place < found, below < own.in_tie - found)
    return block.with_hits(first & block.listed)


def mean_over_hits(block: Block, k: int | None, sides_of: Callable[[Block], RatioSides]) -> RatioSides:
    """The mean over the numbers of hits down to rank k, each with its chance; numerator and denominator, (users,) each.

    0/0 counts 0 where another of these numbers has a value. A user who can have one number of hits alone keeps
    numerator and denominator, whoever else has tied rows.
    """
    total, some = block.numbers(np.zeros(block.size)), np.zeros(block.size, bool)
    sure, tops, bottoms = np.zeros(block.size, bool), total, total
    for counts, chances in each_hit_count(block, k):
        top, bottom = map(block.numbers, sides_of(given_hits(block, k, counts)))
        with np.errstate(divide="ignore", invalid="ignore"):
            value = top / bottom
        chance = np.asarray(chances, np.float64)
        there = (chance > 0) & ~np.isnan(np.asarray(value, np.float64))
        total, some, only = total + np.where(there, value * chances, 0), some | there, chance == 1
        tops, bottoms = np.where(only, top, tops), np.where(only, bottom, bottoms)
        sure |= only
    return np.where(sure, tops, np.where(some, total, 0)), np.where(sure, bottoms, np.where(some, 1.0, 0.0))


class Reader(NamedTuple):
    """A reader who is satisfied by each row with a probability; arrays of shape (K, users)."""

    arrives: Any
    """The probability that no row above satisfied."""
    satisfied: Any
    """The probability to arrive, and to be satisfied."""


def expected_reader(block: Block, gain: Setting, patience: Any) -> Reader:
    """The reader of the list, satisfied by a row with a probability that is its gain, averaged over all orders of ties.

    Who is not satisfied goes on with the probability `patience`.

    The product over c rows that are drawn of a tie is on average the c-th elementary symmetric mean of its factors.
    """
    draws, factors = block.tie_draws, block.tied_factors(gain)
    counted, places = factors.counts[factors.tie], draws.place.astype(np.int64)
    goes_on, one = block.chances(np.array([patience]))[0], block.chances(np.ones((1, block.size)))
    before, state = [one[:0]], one
    for rank, state in enumerate(draws.before(draws.size, counted)):
        before.append(added(state * factors.means[: len(state), factors.tie[rank]])[None])
    products = np.concatenate(before)
    whole = factors.means[counted.astype(np.int64), factors.tie]
    left = np.concatenate([products[1:], _after_last(block, factors, counted, state)[None]])
    left = np.where(ends := draws.place + 1 == draws.size, whole, left)
    for at, (here, below) in _factors_of_repeated(block, gain).items():
        products[at], left[at] = (type(left[at])(each) for each in (here, below))
    passed = np.where(ends, left * goes_on ** (places + 1), one)
    above = np.multiply.accumulate(np.concatenate([one, passed]), axis=0)[:-1]
    arrives = above * (products * goes_on**places)
    alone = arrives * block.chances(block.gains_by_rank(gain))
    satisfied = np.where(draws.size == 1, alone, above * ((products - left) * goes_on**places))
    return Reader(block.as_results(block.numbers(arrives)), block.as_results(block.numbers(satisfied)))


def _after_last(block: Block, factors: TiedFactors, counted: Numbers, state: Any) -> Any:
    """The expected product of the factors in the tie of the last rank, that of the rank among them, shape (users,)."""
    draws, last = block.tie_draws, factors.tie[-1]
    grown = np.concatenate([state, state[:1] * 0])[: len(factors.means)]
    drawn = after_draw(grown, *(block.chances(one[-1]) for one in (counted, draws.size - draws.place)))
    return added(drawn * factors.means[: len(drawn), last])


def _factors_of_repeated(block: Block, gain: Setting) -> dict[tuple[int, int], tuple[Fraction, Fraction]]:
    """By rank and user, in ties that repeat an item: the expected product of the factors above, and with the row."""
    return {
        (tie.rank + place, tie.user): pair
        for tie in block.repeated_ties
        for place, pair in enumerate(pairwise(products_of_repeated(block.factors_of_items(tie, gain))))
    }
