"""A matrix of hits with the number of positives, as RecBole has it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes
from rankconv.data.coded import coded_integers
from rankconv.data.joined import Joined, join
from rankconv.errors import InputError
from rankconv.inputs.array_interface import as_numpy, is_array
from rankconv.inputs.coding import numbered
from rankconv.inputs.reader import Rows
from rankconv.inputs.reading import as_labels, as_rankings

_MOST = 10**8
"""No user has so many relevant items."""


def hit_matrix(hits: Any, positives: Any = None) -> Joined:
    """What are the labels and the run behind a matrix that only says which ranks were hits?

    `hits` has one row per user and one column per rank, 1 where the item there is relevant; `positives` is the number
    of relevant items of each user. Without it the last column of `hits` is, as in RecBole's `rec.topk`. The items are
    called by their ranks from 0, the relevant ones that were not returned by the numbers behind them.
    Returns what `rc.join` returns, for `rc.evaluate` and `rc.compare`.

    Raises `InputError` when a cell is neither 0 nor 1, a number of positives is no count (negative, a fraction,
    missing, 100,000,000 or more), or a user has more hits than positives.

    >>> import rankconv as rc
    >>> judged = rc.hit_matrix([[0, 1, 0], [1, 1, 0]], positives=[2, 2])
    >>> rc.evaluate(judged, "recall@3").per_user["recall@3"].tolist()
    [0.5, 1.0]
    """
    source, found, known = _checked(hits, positives)
    users, ranks = numbered(len(found)), found.shape[1]
    missing = known - found.sum(axis=1)
    hit_user, hit_rank = (at.astype(np.int64) for at in np.nonzero(found))
    user = np.concatenate([hit_user, np.repeat(np.arange(len(found)), missing)])
    labels = np.concatenate([hit_rank, ranks + _counted(missing)])
    lists = np.tile(np.arange(ranks), len(found))
    known_rows = Rows(source, users, user, *coded_integers(labels))
    ranked = Rows(source, users, np.repeat(np.arange(len(found)), ranks), *coded_integers(lists))
    return join(as_labels(known_rows), as_rankings(ranked))


def _counted(lengths: Codes) -> Codes:
    """0, 1, ... up to each length, anew for the next, shape (sum of lengths,); lengths have shape (users,)."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)


def _checked(hits: Any, positives: Any) -> tuple[str, NDArray[np.bool_], Codes]:
    source = "a matrix of hits"
    array = _numbers(hits, source)
    if array.ndim != 2 or (positives is None and not array.shape[1]):
        wrong = "it has no column" if array.ndim == 2 else f"it has {array.ndim} dimensions"
        raise InputError(wrong, where=source, allowed="One row per user, one column per rank")
    counts = _numbers(array[:, -1] if positives is None else positives, "the numbers of positives")
    array = array[:, :-1] if positives is None else array
    if counts.shape != (len(array),):
        raise InputError(f"there are {len(array)} rows, and {counts.size} numbers of positives", where=source)
    known = _counts(counts, source)
    for user, rank in np.argwhere((array != 0) & (array != 1))[:1]:
        where = f"{source}, row {user}, column {rank}"
        raise InputError(f"{array[user, rank]} is neither 0 nor 1", where=where, do="Pass grades as rc.Labels(…)")
    for user in np.flatnonzero(known < (array != 0).sum(axis=1))[:1]:
        wrong = f"there are {int(array[user].sum())} hits, and {known[user]} positives"
        raise InputError(wrong, where=f"{source}, row {user}", do="Pass the number of all relevant items of each user")
    return source, array != 0, known


def _numbers(given: Any, source: str) -> NDArray[Any]:
    """What the caller gave as an array of numbers, of whatever shape it has."""
    try:
        array = as_numpy(given, source) if is_array(given) else np.array(given)
    except ValueError:
        raise InputError(
            "the rows are not equally long", where=source, do="Give every user a 0 or 1 at every rank"
        ) from None
    if array.size and array.dtype.kind not in "biuf":
        raise InputError(f"it holds {array.dtype}, and numbers are wanted", where=source)
    return array


def _counts(counts: NDArray[Any], source: str) -> Codes:
    """The numbers of relevant items as integers, shape (users,); an InputError where one is no count."""
    none = ~((counts >= 0) & (counts < _MOST) & (counts % 1 == 0))
    for user in np.flatnonzero(none)[:1]:
        wrong, do = f"{counts[user]} is no number of positives", "Pass the number of all relevant items of each user"
        raise InputError(wrong, where=f"{source}, row {user}", do=do)
    return counts.astype(np.int64)
