"""Scores that may be no scores: labels, ranks, ids."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from rankconv.checking.data import Data
from rankconv.checking.found import Found, Tell, of_list_rows, of_users
from rankconv.checking.lint import Lint, Other
from rankconv.checking.listed import Listed, users_with
from rankconv.definition import Definition
from rankconv.ranking.rows import Mask, Numbers

ENOUGH = 5
"""So many rows are not alike by chance."""


class ScoresAreLabels(Lint):
    """Every score is the grade of its item, 0 where there is none: the labels were handed over as the scores."""

    name = "scores-are-labels"
    title = "scores that equal the labels"
    unit = "rows of the run"
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
        several = data.joined.list_counts > 1
        tied = users_with(_equal_to_above(rows), rows.user, data.joined)
        if 2 * np.count_nonzero(tied) < np.count_nonzero(several) or (rows.score == rows.gain).all():
            return None
        return of_list_rows(rows, np.ones(len(rows), bool), tell=_score(rows))


class ScoresAreRanks(Lint):
    """In every list the scores are the ranks themselves, 1 for the best: sorted by score, the worst comes first."""

    name = "scores-are-ranks"
    title = "scores that are ranks"
    unit = "users"
    means = "The scores of each list are 1, 2, 3, …, smallest for the best, so sorting by score turns the list round."
    do = "Name the column a rank (--column rank=NAME), or negate it."
    otherwise = "the other order"

    def find(self, data: Data) -> Found | None:
        """All lists or none, among those of two rows and more."""
        several = data.joined.list_counts > 1
        if not data.scored or data.joined.rankings.by_score or not several.any():
            return None
        falling = data.joined.facts.of("falling scores", None)
        if (falling & several).any() or len(data.rows) < ENOUGH:
            return None
        away = data.rows.score - data.rows.place
        if away[0] not in (0, 1) or (away != away[0]).any():
            return None
        return of_users(data.joined, several, several)

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """By rank, or by score."""
        return [Other({"order": "given"}), Other({"order": "score"})]


class ScoresAreIds(Lint):
    """Every score is the id of its item or of its user: a column was taken for another."""

    name = "scores-are-ids"
    title = "scores that are ids"
    unit = "rows of the run"
    means = "Every score is the number of its item, or of its user, so the list is ordered by ids."
    do = "Check which column was read as the score: --column score=NAME."
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


def _equal_to_above(rows: Listed) -> Mask:
    return np.append(False, rows.score[1:] == rows.score[:-1]) & rows.follows


def _score(rows: Listed) -> Tell:
    return lambda row: f"score {rows.score[row]:g}"


def _numbers_equal(ids: NDArray[np.generic], scores: Numbers) -> bool:
    """Whether each id, read as a number, is its score."""
    import polars as pl

    column = pl.Series(ids) if ids.dtype.kind == "i" else pl.Series(ids.tolist(), dtype=pl.String)
    return bool((column.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy() == scores).all())
