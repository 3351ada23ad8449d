"""Scores that may be no scores, but labels or ids."""

import numpy as np
from numpy.typing import NDArray

from rankconv.ask.check.data import Data
from rankconv.ask.check.found import Found, Tell, of_list_rows
from rankconv.ask.check.lint import Lint
from rankconv.ask.check.listed import Listed, users_with
from rankconv.data.arrays import Numbers

ENOUGH = 5
"""So many rows are not alike by chance."""


class ScoresAreLabels(Lint):
    """Every score is the grade of its item, 0 where there is none: the labels were handed over as the scores."""

    name = "scores-are-labels"
    title = "scores that equal the labels"
    unit = "rows of the run"
    wrong = True
    means = "Every score is the grade of its item, so the list is ordered by the labels themselves and looks perfect."
    do = "Check which column was read as the score; a model's own scores do not equal the labels."
    at_evaluate = False

    def find(self, data: Data) -> Found | None:
        """All rows or none."""
        if not data.scored or len(data.rows) < ENOUGH or not _several(data.rows.score):
            return None
        same = data.rows.score == data.rows.gain
        return of_list_rows(data.rows, same, tell=_score(data.rows)) if same.all() else None


class ScoresLikeLabels(Lint):
    """Few different scores, all of them grades that labels have, and ties in most lists: predicted labels, or hits."""

    name = "scores-like-labels"
    title = "scores that look like labels"
    unit = "rows of the run"
    wrong = True
    means = "All scores are grades that the labels have too (such as 0 and 1), so most rows are tied with each other."
    do = "Rank by what the model computes before it decides (a probability, a similarity), not by the decision."
    at_evaluate = False

    def find(self, data: Data) -> Found | None:
        """All rows or none."""
        rows = data.rows
        if not data.scored or len(rows) < ENOUGH or not _several(rows.score):
            return None
        grades = np.union1d(data.grades, 0.0)
        if not np.isin(rows.score[: 10 * ENOUGH], grades).all() or not np.isin(rows.score, grades).all():
            return None
        tied = users_with(rows.tied, rows.user, data.joined)
        if 2 * np.count_nonzero(tied) < np.count_nonzero(data.several) or (rows.score == rows.gain).all():
            return None
        return of_list_rows(rows, np.ones(len(rows), bool), tell=_score(rows))


class ScoresAreIds(Lint):
    """Every score is the id of its item or of its user: a column was taken for another."""

    name = "scores-are-ids"
    title = "scores that are ids"
    unit = "rows of the run"
    wrong = True
    means = "Every score is the number of its item, or of its user, so the list is ordered by ids."
    do = "Check which column was read as the score: --column score=NAME (in Python score='NAME')."
    at_evaluate = False

    def find(self, data: Data) -> Found | None:
        """All rows or none."""
        rows, joined = data.rows, data.joined
        if not data.scored or len(rows) < ENOUGH or not _several(rows.score):
            return None
        for ids, codes in ((joined.items.values, rows.item), (joined.users.values, rows.user)):
            first = slice(10 * ENOUGH)
            if _numbers_equal(ids[codes[first]], rows.score[first]) and _numbers_equal(ids[codes], rows.score):
                return of_list_rows(rows, np.ones(len(rows), bool), tell=_score(rows))
        return None


def _several(scores: Numbers) -> bool:
    return bool((scores[1:] != scores[:1]).any())


def _score(rows: Listed) -> Tell:
    return lambda row: f"score {rows.score[row]:g}"


def _numbers_equal(ids: NDArray[np.generic], scores: Numbers) -> bool:
    """Whether each id, read as a number, is its score; both have shape (rows,)."""
    import polars as pl

    column = pl.Series(ids) if ids.dtype.kind == "i" else pl.Series(ids.tolist(), dtype=pl.String)
    return bool((column.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy() == scores).all())
