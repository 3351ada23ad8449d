"""From rows as they came to `Labels` and `Rankings`: grouped by user and in the order that "given" means."""

from dataclasses import replace

import numpy as np

from rankconv.errors import InputError
from rankconv.inputs.coding import by_appearance
from rankconv.inputs.rows import Floats, Rows, by_ids
from rankconv.ranking.data import Labels, Rankings, owners_of_repeats
from rankconv.ranking.fixed import own
from rankconv.ranking.ids import Codes


def as_labels(rows: Rows) -> Labels:
    """The rows of each user together, in the order of the input."""
    grouped = _grouped(rows, None)
    grade = np.ones(len(grouped.item)) if grouped.number is None else grouped.number.floats
    starts = _starts(grouped)
    distinct = not len(owners_of_repeats(starts, grouped.item))
    about = (grouped.source, grouped.library, distinct, grouped.columns, grouped.form)
    return Labels(grouped.users, grouped.items, starts, own(grouped.item), own(grade), *about)


def as_rankings(rows: Rows) -> Rankings:
    """The rows of each user together: by rank, else by falling score, else in the order of the input."""
    _refuse_rounded(rows)
    falling = None if rows.number is None else -rows.number.floats
    grouped = _grouped(rows, falling if rows.rank is None else rows.rank.key)
    score = None if grouped.number is None else own(grouped.number.floats)
    by_score = rows.rank is None and rows.number is not None
    about = (grouped.source, grouped.library, by_score, grouped.columns, grouped.tag, grouped.form)
    return Rankings(grouped.users, grouped.items, _starts(grouped), own(grouped.item), score, *about)


def _refuse_rounded(rows: Rows) -> None:
    """Two scores of a user that differ, and not as float64, would be a tie that the data do not have."""
    if rows.number is None or rows.number.order is None:
        return
    order = np.lexsort((rows.number.order, rows.user))
    user, place, score = rows.user[order], rows.number.order[order], rows.number.floats[order]
    for at in np.flatnonzero((user[1:] == user[:-1]) & (score[1:] == score[:-1]) & (place[1:] != place[:-1]))[:1]:
        where = by_ids(rows.source, rows.users, rows.user, rows.items, rows.item)(int(order[at]))
        wrong = f"the score and another of this user differ, and both are {score[at]:.17g} as a 64-bit float"
        raise InputError(wrong, where=where, do="Subtract one number from all scores, or pass ranks in their place")


def _grouped(rows: Rows, key: Floats | Codes | None) -> Rows:
    """The rows of each user together and by rising key; items coded by first appearance in this order.

    Only so do tables with shuffled rows and lists of the same items become identical.
    """
    order = _order(rows.user, key)
    if isinstance(order, slice):
        return rows
    items, item = by_appearance(rows.items, rows.item[order])
    number = None if rows.number is None else rows.number[order]
    return replace(rows, user=rows.user[order], items=items, item=item, number=number, rank=None)


def _order(user: Codes, key: Floats | Codes | None) -> Codes | slice:
    """Rows by user and rising key, ties as they came; most input stands so already, and is not sorted."""
    if key is None:
        return slice(None) if np.all(user[1:] >= user[:-1]) else np.argsort(user, kind="stable")
    same_user = user[1:] == user[:-1]
    if np.all((user[1:] > user[:-1]) | (same_user & (key[1:] >= key[:-1]))):
        return slice(None)
    return np.lexsort((key, user))


def _starts(rows: Rows) -> Codes:
    """Where the rows of each user begin."""
    starts = np.zeros(len(rows.users) + 1, np.int64)
    np.cumsum(np.bincount(rows.user, minlength=len(rows.users)), out=starts[1:])
    return own(starts)
