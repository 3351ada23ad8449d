"""The first rows of score matrices: those that a cutoff can read, with all that tie with the last of them.

The k-th largest maximum of disjoint groups of columns is at most the k-th largest score. So all scores from this floor
on hold the first k and all ties with the last, without sorting and without a branch for ties.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes
from rankconv.data.attributes import Form
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.data.matrix_cut import MatrixCut
from rankconv.errors import InputError
from rankconv.inputs.arrays import array_name, as_numpy, is_array
from rankconv.inputs.reader import Column, RawRows
from rankconv.inputs.rows import as_rankings
from rankconv.inputs.values import numbered

CELLS = 1 << 19
"""Cells of a block of users, which fits the cache of a processor."""
GROUPS = 64
"""Columns are put in at most so many groups for each maximum that is looked for."""

Floats = NDArray[np.floating]


def score_matrix(data: Any) -> Floats | None:
    """Return the array of scores, shape (users, items), that this is; None for all other data."""
    if not is_array(data) or len(data.shape) != 2:
        return None
    array = as_numpy(data, array_name(data))
    return array if array.dtype in (np.float32, np.float64) else None


def first_rows(scores: Floats, rows: int, seen: Labels | None) -> Run:
    """Return the run of the first `rows` rows of each user and of all that tie with the last of them.

    Items in `seen` are no items; neither are scores of -inf. InputError for NaN and for an infinite score.
    """
    excluded = None if seen is None else _cells(seen, scores.shape)
    found = [*_found(scores, rows, excluded)]
    user, item, counts = (np.concatenate([one[at] for one in found]) for at in range(3))
    source, users = f"{array_name(scores)} of scores", numbered(len(scores))
    lists = RawRows(
        source,
        users,
        None,
        None,
        item,
        Column(scores[user, item]),
        starts=np.append(0, np.cumsum(np.bincount(user, minlength=len(scores)))),
        form=Form("dense", scores.shape, cut=MatrixCut(scores, counts, excluded)),
        distinct=True,
    )
    return as_rankings(lists)


def _cells(seen: Labels, shape: tuple[int, int]) -> Codes:
    """The sorted cells of the matrix that are seen, user * items + item, shape (cells,)."""
    user, item = seen.users.values, seen.items.values
    if "text" in (seen.users.kind, seen.items.kind):
        return np.zeros(0, np.int64)  # which is an error where the ids are put together
    by_row, of_row = np.repeat(user, seen.lengths), item[seen.item] if len(seen.item) else np.zeros(0, np.int64)
    inside = (by_row >= 0) & (by_row < shape[0]) & (of_row >= 0) & (of_row < shape[1])
    return np.unique(by_row[inside].astype(np.int64) * shape[1] + of_row[inside])


def _found(scores: Floats, rows: int, excluded: Codes | None) -> Iterator[tuple[Codes, Codes, Codes]]:
    """Blocks of users: user and item of the rows that are read, in the order of columns, and items of each user."""
    users, items = scores.shape
    step = max(1, CELLS // max(1, items))
    for start in range(0, users, step):
        block = scores[start : start + step]
        if excluded is not None:
            first, last = np.searchsorted(excluded, [start * items, (start + len(block)) * items])
            block = block.copy()
            block.ravel()[excluded[first:last] - start * items] = -np.inf
        lengths = np.count_nonzero(block != -np.inf, axis=1)
        user, item = np.divmod(np.flatnonzero(block >= _floor(block, rows, start)[:, None]), items)
        yield user + start, item.astype(np.int32), lengths


def _floor(block: Floats, rows: int, start: int) -> Floats:
    """A score that each of the first `rows` items has or exceeds, and few others do, shape (users,)."""
    items = block.shape[1]
    if not items:
        return np.zeros(len(block), block.dtype)
    groups = max(1, min(GROUPS, items // (8 * rows)))
    wide = items // groups
    best = block[:, : groups * wide].reshape(len(block), groups, wide).max(axis=1)
    best = np.concatenate([best, block[:, groups * wide :]], axis=1)
    highest = best.max(axis=1)
    odd = np.flatnonzero(np.isnan(highest) | (highest == np.inf))
    if len(odd):
        _refuse(block, int(odd[0]), start)
    lowest = np.finfo(block.dtype).min  # -inf is no item
    if best.shape[1] < rows:
        return np.full(len(block), lowest, block.dtype)
    return np.maximum(np.partition(best, -rows, axis=1)[:, -rows], lowest)


def _refuse(block: Floats, row: int, start: int) -> None:
    column = int(np.flatnonzero(np.isnan(block[row]) | (block[row] == np.inf))[0])
    raise not_finite(float(block[row, column]), start + row, column)


def not_finite(score: float, row: int, column: int) -> InputError:
    """The error for a score of a matrix that is NaN or infinite."""
    fix = "numpy.nan_to_num(scores, nan=-numpy.inf)" if np.isnan(score) else "numpy.clip(scores, None, 1e30)"
    return InputError(
        f"the score is {score}",
        where=f"row {row}, column {column} of the scores",
        allowed="Scores are finite numbers; -inf is no item",
        do=f"If it is no item, pass {fix}" if np.isnan(score) else f"Pass {fix}",
    )
