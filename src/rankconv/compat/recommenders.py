"""Microsoft Recommenders 1.2.1: the ranking functions of `recommenders.evaluation.python_evaluation`.

    from rankconv.compat.recommenders import ndcg_at_k    # was: from recommenders.evaluation.python_evaluation import …
    ndcg_at_k(rating_true, rating_pred, k=10)

The rankconv way, which takes frames of pandas, polars and others, and tells each user's number:

    rc.evaluate(rating_true, rating_pred, "ndcg@10", preset="recommenders")

What may surprise, and is kept: every row of the truth is relevant, also one with the rating 0;
precision, recall and MAP look only at users of both frames, NDCG at all users of the truth;
`map` divides by all relevant items and `map_at_k` by min(k, relevant), and both are cut at k; NDCG is binary unless
`score_type` says otherwise; with `relevancy_method=None` the rows are the list and are not cut, and `"by_threshold"`
cuts at `threshold` and divides by k, so numbers can pass 1.

What differs here: frames are those of pandas with a user, an item and a prediction; a prediction that is NaN is
refused; rating errors (`rmse`, `mae`, …), `auc` and `logloss`, coverage, diversity, novelty and serendipity have no
name here: ask the preset, `rc.evaluate({}, run, "coverage", preset="recommenders", train=train)`. Means are `Number`s,
floats that know their definition.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import rankconv as rc
from rankconv.compat.queries import WrongValue, changed, of, refused_as
from rankconv.data.joined import put_together
from rankconv.typing import Number

__all__ = [
    "ColumnMismatchError",
    "ColumnTypeMismatchError",
    "map",
    "map_at_k",
    "ndcg_at_k",
    "precision_at_k",
    "r_precision_at_k",
    "recall_at_k",
]
WHOLE, CUT = "recommenders-relevancy-none", "recommenders"
USER, ITEM, RATING, PREDICTION, K, THRESHOLD = "userID", "itemID", "rating", "prediction", 10, 10
GAINS = {"binary": "binary", "raw": "linear", "exp": "exponential"}
LOGARITHMS = {"loge": "log(base=e)", "log2": "log(base=2)"}


class ColumnMismatchError(rc.InputError):
    """A frame lacks a column."""


class ColumnTypeMismatchError(rc.InputError):
    """The ids of both frames are not of one type."""


def _ranking(name: str, metric: str, about: str, **of_whole: str) -> Callable[..., Number]:
    """A function of two frames; `of_whole` are settings where the list is not the `top_k`."""

    def number(
        rating_true: Any,
        rating_pred: Any,
        col_user: str = USER,
        col_item: str = ITEM,
        col_prediction: str = PREDICTION,
        relevancy_method: str | None = "top_k",
        k: int = K,
        threshold: int = THRESHOLD,
        **_: Any,
    ) -> Number:
        settings = {} if relevancy_method == "top_k" else of_whole
        frames = _Frames(rating_true, rating_pred, col_user, col_item, col_prediction)
        return frames.number(metric, relevancy_method, k, threshold, settings)

    number.__name__ = number.__qualname__ = name
    number.__doc__ = f"""Compute {about}

    All functions of two frames raise ColumnMismatchError where a column is missing, ColumnTypeMismatchError where
    ids differ in type, NotImplementedError for another `relevancy_method`, and WrongValue, a ValueError, else.
    """
    return number


precision_at_k = _ranking(
    "precision_at_k", "precision", "precision: `recommenders:precision_at_k@k`, over users of both frames."
)
recall_at_k = _ranking("recall_at_k", "recall", "recall: `recommenders:recall_at_k@k`.")
r_precision_at_k = _ranking(
    "r_precision_at_k",
    "r_precision",
    "R-precision, over users with a hit alone.",
    **{"max-depth": "none", "r-precision-at": "relevant"},
)
map = _ranking("map", "map", "the mean average precision over all relevant items: `recommenders:map@k`.")
map_at_k = _ranking(
    "map_at_k", "map_at_k", "the mean average precision over min(k, relevant): `recommenders:map_at_k@k`."
)


def ndcg_at_k(
    rating_true: Any,
    rating_pred: Any,
    col_user: str = USER,
    col_item: str = ITEM,
    col_rating: str = RATING,
    col_prediction: str = PREDICTION,
    relevancy_method: str | None = "top_k",
    k: int = K,
    threshold: int = THRESHOLD,
    score_type: str = "binary",
    discfun_type: str = "loge",
    **_: Any,
) -> Number:
    """Compute NDCG: `recommenders:ndcg_at_k@k`.

    `score_type` is `binary`, `raw` (gain=linear) or `exp` (gain=exponential), `discfun_type` `loge` or `log2`;
    WrongValue, a ValueError, for another.

    >>> import pandas
    >>> true = pandas.DataFrame({"userID": [1, 1], "itemID": [3, 4], "rating": [5, 1]})
    >>> pred = pandas.DataFrame({"userID": [1, 1], "itemID": [4, 9], "prediction": [0.9, 0.5]})
    >>> round(ndcg_at_k(true, pred, k=2), 4), round(ndcg_at_k(true, pred, k=2, score_type="raw"), 4)
    (0.6131, 0.1776)
    """
    if score_type not in GAINS:
        raise WrongValue(f"score_type must be one of 'binary', 'raw', 'exp', and is {score_type!r:.50}")
    if discfun_type not in LOGARITHMS:
        raise WrongValue(f"discfun_type must be one of 'loge', 'log2', and is {discfun_type!r:.50}")
    settings = {"gain": GAINS[score_type], "discount": LOGARITHMS[discfun_type]}
    frames = _Frames(rating_true, rating_pred, col_user, col_item, col_prediction, col_rating)
    return frames.number("ndcg", relevancy_method, k, threshold, settings)


@dataclass(frozen=True)
class _Frames:
    """The two frames, and what their columns are called."""

    true: Any
    pred: Any
    user: str
    item: str
    prediction: str
    rating: str | None = None

    def number(self, metric: str, method: str | None, k: int, threshold: int, settings: dict[str, str]) -> Number:
        """What a metric gives for these frames."""
        graded = [] if self.rating is None else [self.rating]
        true = self._columns(self.true, [self.user, self.item, *graded], "true rating")
        rows = self._columns(self.pred, [self.user, self.item, self.prediction], "predicted rating")
        for name in (self.user, self.item):
            kinds = {frame[name].dtype.kind.replace("u", "i") for frame in (true, rows)}
            if len(kinds) > 1:
                raise ColumnTypeMismatchError("Columns in provided DataFrames are not the same datatype", where=name)
        if method not in ("top_k", "by_threshold", None):
            raise NotImplementedError("Invalid relevancy_method")
        if method == "by_threshold":  # the rows of each user with the highest predictions
            falling = rows.sort_values([self.user, self.prediction], ascending=[True, False])
            rows = falling.groupby(self.user).head(threshold)
        ordered = method == "top_k"
        with refused_as(WrongValue):
            found = changed(of(CUT if ordered else WHOLE, metric, k), settings)
            labels = rc.Labels(true, user=self.user, item=self.item, grade=self.rating)
            kept = rows if ordered else rows[[self.user, self.item]]
            run = rc.Run(kept, user=self.user, item=self.item, score=self.prediction if ordered else None)
            number: Number = found(put_together(labels, run))  # without users in common the library gives 0
        return number

    @staticmethod
    def _columns(frame: Any, names: list[str], called: str) -> Any:
        if not hasattr(frame, "groupby"):
            do = "Pass one of pandas, such as frame.to_pandas()."
            raise WrongValue(f"the {called} is a {type(frame).__name__}, and no DataFrame", do=do)
        missing = [name for name in names if name not in frame.columns]
        if missing:
            wrong = f"Missing columns in {called} DataFrame: {', '.join(missing)}"
            do = "Rename columns, or say what they are called: col_user, col_item, col_prediction or col_rating."
            raise ColumnMismatchError(wrong, do=do)
        return frame[names]
