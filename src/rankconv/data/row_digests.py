"""The digests of labels and of a run: a sum for each thing that can be read of them.

Of labels these are which items each user has with which sign of the grade (`labels`), the `grades`, and the order of
the rows (`label-order`; `label-repeats` is that of the rows of an item that is labelled twice). Of a run they are the
rankings by falling score (`run`), the `scores`, the places as given of lists with ties or rising scores (`order`;
`order-repeats` is that of the rows of an item that such a list repeats), and the `ranks` that the input states of them.
"""

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Mask
from rankconv.data.digest import (
    DigestSum,
    Hashes,
    TextHashes,
    blocks,
    hashes_of_column,
    id_hashes,
    number_hashes,
    place_hashes,
    places_in_lists,
    sum_of,
    summed,
    text_hash,
)
from rankconv.data.ids import RawIds
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.data.ordering import by_key, owners_of_repeats
from rankconv.data.raw_rows import RawLists, RawRankings
from rankconv.data.words import Words

Sums = dict[str, DigestSum]
ItemHashes = Callable[[Any], Hashes]
"""Gives the hashes of the items of rows: of a slice of all rows, or of rows by their numbers."""


class SumsByPart:
    """Sums of users that come block by block, by the part of the data."""

    def __init__(self) -> None:
        self.sums: Sums = {}

    def add(self, name: str, users: Hashes, rows: Codes, products: Hashes) -> None:
        """Add users: their hashes, how many rows each has, and the sums of the products of these, shape (users,)."""
        self.sums[name] = self.sums.get(name, DigestSum()) + sum_of(users, rows, products)


def item_hashes(column: RawIds | None, ids: Callable[[], Any], codes: Callable[[], Codes]) -> ItemHashes:
    """What gives the hashes of the items of rows: by their codes, or by their texts where they have no codes."""
    if column is not None:
        of = TextHashes().of if len(column.values) >= TextHashes.PAYS_FROM else hashes_of_column
        return lambda rows: of(column.values[rows])
    of_ids, code = id_hashes(ids()), codes()
    return lambda rows: of_ids.take(code[rows])


# labels


def sums_of_labels(labels: Labels, wanted: Collection[str]) -> Sums:
    """The sums of labels, with `label-order` where that is `wanted`."""
    found, users, starts, grade = SumsByPart(), id_hashes(labels.users), labels.starts, labels.grade
    items = item_hashes(_uncoded(labels), lambda: labels.items, lambda: labels.item)
    places = place_hashes(int(np.diff(starts).max(initial=0)))
    same = grade.strides == (0,) and len(grade) > 0
    for at, to in blocks(starts):
        rows, own = slice(starts[at], starts[to]), starts[at : to + 1] - starts[at]
        of_item, counts = items(rows), np.diff(own)
        of_grade = of_sign = _number_hashes(grade[:1] if same else grade[rows], labels.words)
        if labels.words is None:
            of_sign = number_hashes(np.sign(grade[:1] if same else grade[rows]))
        with np.errstate(over="ignore"):
            found.add("labels", users[at:to], counts, summed(of_item * of_sign, own))
            found.add("grades", users[at:to], counts, summed(of_item * of_grade, own))
            if "label-order" in wanted:
                several = counts > 1
                by_place = summed(of_item * places.take(places_in_lists(own)), own)
                _add_some(found, "label-order", users[at:to], counts, by_place, several)
            if not labels.is_distinct and len(owners_of_repeats(own, of_item.view(np.int64))):
                _add_repeats(found, "label-repeats", users[at:to], own, of_item * of_grade, _occurrences(of_item, own))
    return found.sums


def _number_hashes(numbers: NDArray[np.floating[Any]], words: Words | None) -> Hashes:
    """The hashes of the grades or scores of rows, shape (rows,), or of the words in the place of these."""
    if words is None:
        return number_hashes(numbers)
    return words.in_place_of(numbers, np.array([text_hash(text) for text in words.texts], np.uint64))


def _uncoded(labels: Labels) -> RawIds | None:
    """The column of the texts of the items, where these have no codes yet."""
    return None if "_coded" in vars(labels) else labels.raw_items


def _add_some(found: SumsByPart, name: str, users: Hashes, rows: Codes, products: Hashes, some: Mask) -> None:
    if some.any():
        found.add(name, users[some], rows[some], products[some])


def _add_repeats(
    found: SumsByPart, name: str, users: Hashes, starts: Codes, products: Hashes, occurrences: Codes
) -> None:
    """Add the users who have an item in several rows: of these rows the products, and which row of the item each is.

    `occurrences` numbers the rows of such an item of a user from 1 on, and is 0 for all others, shape (rows,).
    """
    again = occurrences > 0
    of_place = place_hashes(int(occurrences.max(initial=0))).take(occurrences - 1, mode="clip")
    rows = np.bincount(np.repeat(np.arange(len(users)), np.diff(starts))[again], minlength=len(users))
    _add_some(found, name, users, rows, summed(np.where(again, products * of_place, np.uint64(0)), starts), rows > 0)


def _occurrences(of_item: Hashes, starts: Codes) -> Codes:
    """The number of each row among those of its user that have its item, from 1 on; 0 where it is the only one."""
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    order = np.lexsort((of_item, owner))  # stable
    new = np.append(True, (np.diff(owner[order]) != 0) | (of_item[order][1:] != of_item[order][:-1]))[: len(order)]
    begin = np.flatnonzero(new)
    often = np.diff(np.append(begin, len(order)))
    found = np.empty(len(order), np.int64)
    found[order] = np.where(np.repeat(often, often) > 1, np.arange(len(order)) - np.repeat(begin, often) + 1, 0)
    return found


# a run


class HashedRows(NamedTuple):
    """The rows of the lists of some users, list after list as given, shape (rows,)."""

    items: Hashes
    falling: NDArray[np.floating[Any]] | None
    """What falls where one row is above another; None where each row is below the one before it."""
    score: NDArray[np.floating[Any]] | None
    rank: NDArray[np.floating[Any]] | None
    """The ranks that the input states."""
    words: Words | None = None
    """The words that the scores are the places of."""


def sums_of_run(run: Run, wanted: Collection[str]) -> Sums:
    """The sums of a run, with those of `order`, `order-repeats` and `ranks` that are `wanted`."""
    found, users, starts = SumsByPart(), id_hashes(run.users), run.starts
    places, rows = place_hashes(int(np.diff(starts).max(initial=0))), _rows_of(run)
    with np.errstate(over="ignore"):
        for at, to in blocks(starts):
            _add_lists(found, users[at:to], starts[at : to + 1] - starts[at], rows(at, to), places, wanted)
    return found.sums


def _add_lists(
    found: SumsByPart, users: Hashes, starts: Codes, rows: HashedRows, places: Hashes, wanted: Collection[str]
) -> None:
    """Add the lists of a block of users, those of user `u` from `starts[u]` on."""
    counts, first = np.diff(starts), np.zeros(len(rows.items), bool)
    first[starts[:-1][counts > 0]] = True
    if rows.score is not None:
        of_scores = _products(rows.items, _number_hashes(rows.score, rows.words), starts)
        _add_some(
            found, "scores", users, counts, of_scores, counts > 0
        )  # a part of empty lists has none to be known by
    falls = first if rows.falling is None else _falls(rows.falling) | first
    if rows.falling is None or falls.all():
        found.add("run", users, counts, _by_place(rows.items, starts, places))
        return
    by_rank: Hashes = rows.items * places[_dense_ranks(rows.falling, starts, first, falls)]
    found.add("run", users, counts, summed(by_rank, starts))
    loose = np.zeros(len(counts), bool)
    loose[counts > 0] = np.add.reduceat(~falls, starts[:-1][counts > 0], dtype=np.int64) > 0
    if "order" in wanted:
        _add_some(found, "order", users, counts, _by_place(rows.items, starts, places), loose)
    if "order-repeats" in wanted and len(owners_of_repeats(starts, rows.items.view(np.int64))):
        occurrences = np.where(np.repeat(loose, counts), _occurrences(rows.items, starts), 0)
        _add_repeats(found, "order-repeats", users, starts, by_rank, occurrences)
    if "ranks" in wanted and rows.rank is not None:
        dense = _counted(np.append(True, rows.rank[1:] != rows.rank[:-1])[: len(first)] | first, starts)
        _add_some(found, "ranks", users, counts, _products(rows.items, places.take(dense), starts), loose)


def _rows_of(run: Run) -> Callable[[int, int], HashedRows]:
    """What gives the rows of the lists of some users, from and to."""
    if isinstance(run, RawRankings) and "_coded" not in vars(run) and run.words is None:
        return _uncoded_rows(run.lists, item_hashes(run.lists.item, lambda: None, lambda: np.empty(0, np.int64)))
    items = item_hashes(None, lambda: run.items, lambda: run.item)
    starts, score, rank = run.starts, run.score, run.rank

    def rows(at: int, to: int) -> HashedRows:
        some = slice(starts[at], starts[to])
        scores, ranks = (None if one is None else one[some] for one in (score, rank))
        falling = _falling(scores, ranks) if run.words is None or scores is None else np.zeros(len(scores))
        return HashedRows(items(some), falling, scores, ranks, run.words)

    return rows


def _uncoded_rows(lists: RawLists, items: ItemHashes) -> Callable[[int, int], HashedRows]:
    """The same of rows whose items have no codes, and which are sorted here, block by block."""
    starts, together, agree = lists.starts, lists.together, lists.agree

    def rows(at: int, to: int) -> HashedRows:
        some = slice(starts[at], starts[to])
        key = None if lists.key is None else lists.key[some]
        moved = None if key is None else by_key(starts[at : to + 1] - starts[at], key, falling=lists.falling)
        order: Any = slice(None) if moved is None else moved
        here = some if together is None else together[some][order]
        of_items = items(some)[order] if together is None else items(here)  # hashes are moved faster than texts
        score = None
        if lists.score is not None:
            score = lists.score[some][order] if together is None else lists.score[here]
        rank = None
        if agree is not None and key is not None:
            rank = np.where(np.repeat(agree[at:to], np.diff(starts[at : to + 1])), key[order].astype(np.float64), 0.0)
        return HashedRows(of_items, _falling(score, rank), score, rank)

    return rows


def _falling(score: Any, rank: Any) -> Any:
    """What falls from row to row: scores; without them ranks that rise."""
    return score if score is not None or rank is None else -rank


def _falls(falling: NDArray[np.floating[Any]]) -> Mask:
    falls = np.ones(len(falling), bool)
    np.less(falling[1:], falling[:-1], out=falls[1:])
    return falls


def _by_place(items: Hashes, starts: Codes, places: Hashes) -> Hashes:
    """The sums of the products of items and places, shape (users,)."""
    counts = np.diff(starts)
    if len(counts) and counts[0] and (counts == counts[0]).all():
        sums: Hashes = items.reshape(len(counts), -1) @ places[: counts[0]]
        return sums
    return summed(items * places.take(places_in_lists(starts)), starts)


def _products(items: Hashes, values: Hashes, starts: Codes) -> Hashes:
    """The sums of the products of items and values, both of shape (rows,); the sums have shape (users,)."""
    counts = np.diff(starts)
    if len(counts) and counts[0] and (counts == counts[0]).all():
        sums: Hashes = np.einsum("ij,ij->i", items.reshape(len(counts), -1), values.reshape(len(counts), -1))
        return sums
    return summed(items * values, starts)


def _counted(new: Mask, starts: Codes) -> Codes:
    """How many `new` rows are above each row of its list, itself included, less 1, shape (rows,)."""
    found = np.cumsum(new, dtype=np.int32)
    found -= np.repeat(found[np.minimum(starts[:-1], len(found) - 1)], np.diff(starts))
    return found


def _dense_ranks(falling: NDArray[np.floating[Any]], starts: Codes, first: Mask, falls: Mask) -> Codes:
    """The dense rank of each row by falling score, from 0 in each list, shape (rows,); rows may be in any order."""
    rises = np.zeros(len(falling), bool)
    np.greater(falling[1:], falling[:-1], out=rises[1:])
    if not (rises & ~first).any():
        return _counted(falls, starts)
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    order = np.lexsort((-falling, owner))
    ordered = falling[order]
    ranks = _counted(np.append(True, ordered[1:] < ordered[:-1]) | first, starts)
    back = np.empty_like(ranks)
    back[order] = ranks
    return back
