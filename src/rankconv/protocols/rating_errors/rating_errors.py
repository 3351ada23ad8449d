"""RMSE and MAE of predicted ratings, in both readings of their mean."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rankconv import inputs
from rankconv.data.arrays import Numbers
from rankconv.data.ids import typed
from rankconv.errors import InputError
from rankconv.pages.cells import number
from rankconv.pages.table import Table
from rankconv.presets import arguments

Missing = Literal["error", "skip"]
"""What becomes of a rating that nobody predicted."""
NOTE = "RMSE and MAE judge predicted ratings and no ranking: the order of a list is no matter to them."


@dataclass(frozen=True)
class RatingErrors:
    """How far predictions are from ratings, in units of the ratings; 0 is best, NaN where there is none."""

    rmse: float
    """Over all ratings: the root of the mean of the squares."""
    mae: float
    rmse_by_user: float
    """The mean over users of each user's own."""
    mae_by_user: float
    ratings: int
    """How many count."""
    users: int
    missing: int
    """Ratings without a prediction, which were skipped."""

    def table(self, digits: int = 4) -> Table:
        """Both measures, over all ratings and as means over users."""
        rows = [
            ["RMSE", number(self.rmse, digits), number(self.rmse_by_user, digits)],
            ["MAE", number(self.mae, digits), number(self.mae_by_user, digits)],
        ]
        skipped = f", {self.missing:,} without a prediction skipped" if self.missing else ""
        users = "1 user" if self.users == 1 else f"{self.users:,} users"
        counted = f"{self.ratings:,} {'rating' if self.ratings == 1 else 'ratings'} of {users}{skipped}."
        return Table(["no ranking metric", "over all ratings", "mean over users"], rows, notes=[counted, NOTE])


def rating_errors(labels: Any, predictions: Any, missing: Missing = "error") -> RatingErrors:
    """Compute the errors of predicted ratings.

    `labels` are ratings, `predictions` scores in the unit of the ratings; both are what `rc.evaluate` takes. Ratings of
    items that nobody predicted are an InputError, or skipped. Predictions of unrated items are no matter.
    """
    arguments.word(missing, Missing, "missing")
    known, run = inputs.labels(labels), inputs.rankings(predictions)
    there = set(run.users.values.tolist())
    lost, errors = 0, list[Numbers]()
    for user in known.users.values.tolist():
        predicted = _scores(run, user) if user in there else {}
        rated = known.rows_of(user)
        gaps = [predicted[item] - rating for item, rating in rated.items() if item in predicted]
        if len(gaps) < len(rated) and missing == "error":
            item = next(item for item in rated if item not in predicted)
            do, shell = (f"Skip such ratings: {how}." for how in ("missing='skip'", "--missing skip"))
            raise InputError(
                f"there is no prediction for user {typed(user)!r} rates {typed(item)!r}", do=do, shell=shell
            )
        lost += len(rated) - len(gaps)
        errors += [np.array(gaps)] if gaps else []
    return _of(errors, lost)


def _scores(run: Any, user: Any) -> dict[Any, float]:
    items, scores = run.rows_of(user)
    if scores is None:
        raise InputError("the predictions have no scores", where=run.source, do="Give each item its predicted rating.")
    return dict(zip(items, scores, strict=True))


def _of(errors: list[Numbers], lost: int) -> RatingErrors:
    """The measures of the errors of each user, each of shape (their ratings,)."""
    if not errors:
        raise InputError("no rating has a prediction", do="Pass predictions of the items that were rated.")
    together = np.concatenate(errors)
    squares, sizes = np.array([np.mean(one**2) for one in errors]), np.array([np.mean(np.abs(one)) for one in errors])
    overall = float(np.sqrt(np.mean(together**2))), float(np.mean(np.abs(together)))
    by_user = float(np.mean(np.sqrt(squares))), float(np.mean(sizes))
    return RatingErrors(*overall, *by_user, len(together), len(errors), lost)
