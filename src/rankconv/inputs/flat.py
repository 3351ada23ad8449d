"""Flat arrays with one entry per candidate, and matrices of hits, read as labels and a run."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes
from rankconv.data.ids import Ids, coded_integers
from rankconv.data.joined import Joined, join
from rankconv.errors import InputError, RankconvError
from rankconv.inputs.arrays import array_name, as_numpy, is_array
from rankconv.inputs.rows import RawRows, as_labels, as_rankings
from rankconv.inputs.values import coded, numbered, numbers_from_array

_SOURCE = "the grouped rows"
_MOST_POSITIVES = 10**8
"""No user has so many relevant items."""


def grouped(y_true: Any, y_score: Any, *, group: Any = None, query_id: Any = None) -> Joined:
    """Return the labels and the run of flat arrays, one entry per candidate.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        Grades.
    y_score : array-like of shape (n_rows,)
        Scores.
    group : array-like of int, optional
        Sizes of the queries, one after the other, as in LightGBM and XGBoost.
    query_id : array-like of shape (n_rows,), optional
        The query of each row. Without `group` and `query_id` all rows are of one query.

    Returns
    -------
    Joined
        For `rc.evaluate` and `rc.compare`; items are numbered by row.

    Raises
    ------
    InputError
        If lengths do not match, or a grade or score is not a finite number.

    Examples
    --------
    >>> import rankconv as rc
    >>> judged = rc.grouped([1, 0, 0, 1], [0.2, 0.9, 0.1, 0.8], group=[2, 2])
    >>> rc.evaluate(judged, "mrr").per_user["mrr"].tolist()
    [0.5, 1.0]
    """
    grades, scores = _flat(y_true, "y_true"), _flat(y_score, "y_score")
    if len(grades) != len(scores):
        raise InputError(f"y_true has {len(grades)} entries, and y_score has {len(scores)}", do="Give each row both")
    users, user = _queries(len(grades), group, query_id)
    items = numbered(len(grades))

    def rows(values: NDArray[Any], role: str) -> RawRows:
        number = numbers_from_array(values, role, lambda row: f"{_SOURCE}, row {row}")
        return RawRows(_SOURCE, users, user, items, np.arange(len(values)), number)

    return join(as_labels(rows(grades, "grade")), as_rankings(rows(scores, "score")))


def _flat(values: Any, name: str) -> NDArray[Any]:
    array = as_numpy(values if is_array(values) else np.array(list(values)), name)
    if array.ndim != 1:
        do = "Pass arrays of users by items as rc.Labels(…) and rc.Run(…)"
        raise InputError(f"{name} has {array.ndim} dimensions, and one is wanted", do=do)
    if array.dtype.kind not in "biuf" and len(array):
        raise InputError(f"{name} holds {array.dtype}, and numbers are wanted")
    return array


def _queries(rows: int, group: Any, query_id: Any) -> tuple[Ids, Codes]:
    """The query of each row as ids and codes, shape (rows,)."""
    if group is not None and query_id is not None:
        raise InputError("group= and query_id= say the same thing twice", do="Leave one of them out")
    if query_id is not None:
        return _named_queries(rows, query_id)
    sizes = _flat([rows] if group is None else group, "group")
    if sizes.dtype.kind not in "iu" or (sizes < 0).any() or sizes.sum() != rows:
        wrong = f"the group sizes sum to {sizes.sum()}, and there are {rows} rows"
        do = "Pass the number of rows of each query, one after the other, or query_id= with the query of each row"
        raise InputError(wrong, do=do)
    return numbered(len(sizes)), np.repeat(np.arange(len(sizes)), sizes).astype(np.int64)


def _named_queries(rows: int, query_id: Any) -> tuple[Ids, Codes]:
    ids = as_numpy(query_id, array_name(query_id)) if is_array(query_id) else list(query_id)
    if len(ids) != rows:
        raise InputError(f"query_id has {len(ids)} entries, and there are {rows} rows", do="Give each row its query")
    return coded(ids, "query", lambda row: f"{_SOURCE}, row {row}")


def hit_matrix(hits: Any, positives: Any = None) -> Joined:
    """Return the labels and the run of a matrix of hits.

    Parameters
    ----------
    hits : array-like of shape (n_users, k)
        1 where the item at that rank is relevant, else 0.
    positives : array-like of shape (n_users,), optional
        The number of relevant items of each user; by default the last column of `hits`, as in RecBole's `rec.topk`.

    Returns
    -------
    Joined
        For `rc.evaluate` and `rc.compare`. Items are called by their ranks from 0, unretrieved ones by the next
        numbers.

    Raises
    ------
    InputError
        If a cell is not 0 or 1, a number of positives is not a count below 100,000,000, or a user has more hits than
        positives.

    Examples
    --------
    >>> import rankconv as rc
    >>> judged = rc.hit_matrix([[0, 1, 0], [1, 1, 0]], positives=[2, 2])
    >>> rc.evaluate(judged, "recall@3").per_user["recall@3"].tolist()
    [0.5, 1.0]
    """
    source, found, known = _checked_hits(hits, positives)
    users, ranks = numbered(len(found)), found.shape[1]
    missing = known - found.sum(axis=1)
    hit_user, hit_rank = (at.astype(np.int64) for at in np.nonzero(found))
    user = np.concatenate([hit_user, np.repeat(np.arange(len(found)), missing)])
    labels = np.concatenate([hit_rank, ranks + _counted(missing)])
    lists = np.tile(np.arange(ranks), len(found))
    known_rows = RawRows(source, users, user, *coded_integers(labels))
    ranked = RawRows(source, users, np.repeat(np.arange(len(found)), ranks), *coded_integers(lists))
    return join(as_labels(known_rows), as_rankings(ranked))


def _counted(lengths: Codes) -> Codes:
    """0, 1, ... up to each length, anew for the next, shape (sum of lengths,); lengths have shape (users,)."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)


def _checked_hits(hits: Any, positives: Any) -> tuple[str, NDArray[np.bool_], Codes]:
    source = "a matrix of hits"
    array = _cells(hits, source)
    if array.ndim != 2 or (positives is None and not array.shape[1]):
        wrong = "it has no column" if array.ndim == 2 else f"it has {array.ndim} dimensions"
        raise InputError(wrong, where=source, allowed="One row per user, one column per rank")
    counts = _cells(array[:, -1] if positives is None else positives, "the numbers of positives")
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


def _cells(given: Any, source: str) -> NDArray[Any]:
    """What the caller gave as an array of numbers, of whatever shape it has."""
    try:
        array = as_numpy(given, source) if is_array(given) else np.array(given)
    except RankconvError:
        raise
    except ValueError:
        raise InputError(
            "the rows are not equally long", where=source, do="Give every user a 0 or 1 at every rank"
        ) from None
    if array.size and array.dtype.kind not in "biuf":
        raise InputError(f"it holds {array.dtype}, and numbers are wanted", where=source)
    return array


def _counts(counts: NDArray[Any], source: str) -> Codes:
    """The numbers of relevant items as integers, shape (users,); an InputError where one is no count."""
    none = ~((counts >= 0) & (counts < _MOST_POSITIVES) & (counts % 1 == 0))
    for user in np.flatnonzero(none)[:1]:
        wrong, do = f"{counts[user]} is no number of positives", "Pass the number of all relevant items of each user"
        raise InputError(wrong, where=f"{source}, row {user}", do=do)
    return counts.astype(np.int64)
