"""Scores that may be no scores, but labels or ids."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rankconv.analysis.findings.data import Data
from rankconv.analysis.findings.finding import Found
from rankconv.analysis.findings.lint import Known, Lint
from rankconv.analysis.findings.listed import users_with
from rankconv.analysis.findings.tally import Counted, Few, Least, Seen, Span, of_list_rows
from rankconv.data.arrays import Codes, Numbers
from rankconv.data.ids import Ids

ENOUGH = 5
"""So many rows are not equal by chance."""


@dataclass(frozen=True)
class AllRows(Seen):
    """All rows, and what their scores are."""

    span: Span = field(default_factory=Span)
    other: int = 0
    """Not 0 where some score is not what all scores are taken for."""

    @classmethod
    def over(cls, data: Data, *, other: bool) -> "AllRows":
        """Of these data."""
        rows = data.rows
        return cls(*_all_rows(data, shown=not other), Span.over(rows.score), int(other))

    @property
    def informative(self) -> bool:
        """Whether there are enough rows, and different scores."""
        return self.of >= ENOUGH and self.span.several


class ScoresAreLabels(Lint[AllRows]):
    """Every score is the grade of its item, 0 where there is none: the labels were handed over as the scores."""

    name = "scores-are-labels"
    title = "scores that equal the labels"
    unit = "rows of the run"
    wrong = True
    means = "Every score is the grade of its item, so the list is ordered by the labels themselves and looks perfect."
    do = "Check which column was read as the score; a model's own scores do not equal the labels."
    at_evaluate = False

    def look(self, data: Data) -> AllRows:
        """Rows whose score is another."""
        if not data.scored:
            return AllRows()
        return AllRows.over(data, other=bool((data.rows.score != data.rows.gain).any()))

    def tell(self, seen: AllRows, known: Known) -> Found | None:
        """All rows or none."""
        return seen.found() if seen.informative and not seen.other else None


@dataclass(frozen=True)
class Leveled(AllRows):
    """All rows; their scores, besides grades of labels."""

    scores: Few = field(default_factory=Few)
    grades: Few = field(default_factory=Few)
    tied: int = 0
    """Lists with a tie."""
    several: int = 0
    """Lists of two rows or more."""


class ScoresLikeLabels(Lint[Leveled]):
    """Few different scores, all of them grades that labels have, and ties in most lists: predicted labels, or hits."""

    name = "scores-like-labels"
    title = "scores that look like labels"
    unit = "rows of the run"
    wrong = True
    means = "All scores are grades that the labels have too (such as 0 and 1), so most rows are tied with each other."
    do = "Rank by what the model computes before it decides (a probability, a similarity), not by the decision."
    at_evaluate = False

    def look(self, data: Data) -> Leveled:
        """The scores and grades there are, and how many lists have ties."""
        rows = data.rows
        if not data.scored:
            return Leveled(grades=Few.over(data.grades))
        tied = users_with(rows.tied, rows.user, data.joined)
        counts = (int(np.count_nonzero(users)) for users in (tied, data.several))
        scores, other = Few.over(rows.score), bool((rows.score != rows.gain).any())
        counted = _all_rows(data, shown=scores.values is not None)
        return Leveled(*counted, Span.over(rows.score), int(other), scores, Few.over(data.grades), *counts)

    def tell(self, seen: Leveled, known: Known) -> Found | None:
        """All rows or none; none where scores are the labels of their own rows."""
        scores, grades = seen.scores.values, seen.grades.values
        if not seen.informative or not seen.other or scores is None or grades is None or not scores <= grades | {0.0}:
            return None
        return seen.found() if 2 * seen.tied >= seen.several else None


@dataclass(frozen=True)
class ScoresAndIds(AllRows):
    """All rows; `other` is not 0 where some score is not the id of its item."""

    other_users: int = 0
    """Not 0 where some score is not the id of its user."""


class ScoresAreIds(Lint[ScoresAndIds]):
    """Every score is the id of its item or of its user: a column was taken for another."""

    name = "scores-are-ids"
    title = "scores that are ids"
    unit = "rows of the run"
    wrong = True
    means = "Every score is the number of its item, or of its user, so the list is ordered by ids."
    do = "Check which column was read as the score: --column score=NAME (in Python score='NAME')."
    at_evaluate = False

    def look(self, data: Data) -> ScoresAndIds:
        """Whether some score is no id of an item, or of a user."""
        if not data.scored:
            return ScoresAndIds()
        rows, joined = data.rows, data.joined
        other, of_users = _others(joined.items, rows.item, rows.score), _others(joined.users, rows.user, rows.score)
        shown = _all_rows(data, shown=not (other and of_users))
        return ScoresAndIds(*shown, Span.over(rows.score), int(other), int(of_users))

    def tell(self, seen: ScoresAndIds, known: Known) -> Found | None:
        """All rows or none."""
        return seen.found() if seen.informative and not (seen.other and seen.other_users) else None


def _all_rows(data: Data, *, shown: bool) -> Counted:
    """All rows with their scores, as something that is seen; `shown` says whether there may be examples."""
    rows = data.rows
    if not shown:
        return len(rows), len(rows), Least()
    return of_list_rows(data, rows, np.ones(len(rows), bool), tell=lambda row: f"score {rows.score[row]:g}")


def _others(ids: Ids, codes: Codes, scores: Numbers) -> bool:
    """Whether the id of some row, whose code is given, is not its score; both have shape (rows,)."""
    if ids.kind == "compound":
        return True
    first = slice(10 * ENOUGH)
    return not (_numbers_equal(ids.values[codes[first]], scores[first]) and _numbers_equal(ids.values[codes], scores))


def _numbers_equal(ids: NDArray[np.generic], scores: Numbers) -> bool:
    """Whether each id, read as a number, is its score; both have shape (rows,)."""
    import polars as pl

    column = pl.Series(ids) if ids.dtype.kind == "i" else pl.Series(ids.tolist(), dtype=pl.String)
    return bool((column.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy() == scores).all())
