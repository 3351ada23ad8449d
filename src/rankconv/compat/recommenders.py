"""Microsoft Recommenders 1.2.1: the ranking functions of `recommenders.evaluation.python_evaluation`.

    from rankconv.compat.recommenders import ndcg_at_k    # was: from recommenders.evaluation.python_evaluation import …
    ndcg_at_k(rating_true, rating_pred, k=10)

The rankconv way, which takes frames of pandas, polars and others, and tells each user's number:

    rc.evaluate(rating_true, rating_pred, "ndcg@10", preset="recommenders-all-rows")

What may surprise, and is kept: every row of the truth is relevant, also one with the rating 0 (preset
`recommenders-all-rows`); precision, recall and MAP look only at users of both frames, NDCG at all users of the truth;
`map` divides by all relevant items and `map_at_k` by min(k, relevant), and both are cut at k; NDCG is binary unless
`score_type` says otherwise; with `relevancy_method=None` the rows are the list and are not cut, and `"by_threshold"`
cuts at `threshold` and divides by k, so numbers can pass 1.

What differs here: frames are those of pandas with a user, an item and a prediction; a prediction that is NaN is
refused; rating errors (`rmse`, `mae`, …), `auc` and `logloss`, diversity and serendipity have no name here: ask the
preset for `diversity`, `novelty`, `serendipity`. Means are `Number`s, floats that know their definition.
"""

from collections.abc import Callable
from typing import Any

import rankconv as rc
from rankconv.compat.queries import WrongValue, changed, of, refused_as
from rankconv.data.joined import put_together
from rankconv.typing import Number

__all__ = [
    "ColumnMismatchError",
    "ColumnTypeMismatchError",
    "catalog_coverage",
    "distributional_coverage",
    "map",
    "map_at_k",
    "ndcg_at_k",
    "novelty",
    "precision_at_k",
    "r_precision_at_k",
    "recall_at_k",
]
WHOLE, CUT = "recommenders-relevancy-none-all-rows", "recommenders-all-rows"
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
        names = (col_user, col_item, col_prediction)
        return _number(metric, rating_true, rating_pred, names, relevancy_method, k, threshold, **settings)

    number.__name__ = number.__qualname__ = name
    number.__doc__ = f"""Compute {about}

    All functions of two frames raise ColumnMismatchError where a column is missing, ColumnTypeMismatchError where
    ids differ in type, NotImplementedError for another `relevancy_method`, and WrongValue, a ValueError, else.
    """
    return number


_OVER_BOTH = "precision: `recommenders-all-rows:precision_at_k@k`, over users of both frames."
_OVER_ALL = "the mean average precision over all relevant items: `recommenders-all-rows:map@k`."
_OVER_LEAST = "the mean average precision over min(k, relevant): `recommenders-all-rows:map_at_k@k`."
_R_PRECISION = {"max-depth": "none", "r-precision-at": "relevant"}
precision_at_k = _ranking("precision_at_k", "precision", _OVER_BOTH)
recall_at_k = _ranking("recall_at_k", "recall", "recall: `recommenders-all-rows:recall_at_k@k`.")
r_precision_at_k = _ranking(
    "r_precision_at_k", "r_precision", "R-precision, over users with a hit alone.", **_R_PRECISION
)
map = _ranking("map", "map", _OVER_ALL)
map_at_k = _ranking("map_at_k", "map_at_k", _OVER_LEAST)


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
    """Compute NDCG: `recommenders-all-rows:ndcg_at_k@k`.

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
    names = (col_user, col_item, col_prediction)
    return _number(
        "ndcg", rating_true, rating_pred, names, relevancy_method, k, threshold, rating=col_rating, **settings
    )


def catalog_coverage(train_df: Any, reco_df: Any, col_user: str = USER, col_item: str = ITEM) -> Number:
    """Compute the share of training items that are recommended: `recommenders:catalog_coverage`, in 0 to 1."""
    return _beyond("coverage", train_df, reco_df, col_user, col_item)


def distributional_coverage(train_df: Any, reco_df: Any, col_user: str = USER, col_item: str = ITEM) -> Number:
    """Compute the entropy of recommended items in bits: `recommenders:distributional_coverage`."""
    return _beyond("entropy", train_df, reco_df, col_user, col_item)


def novelty(train_df: Any, reco_df: Any, col_user: str = USER, col_item: str = ITEM) -> Number:
    """Compute the novelty of recommended items in bits: `recommenders:novelty`."""
    return _beyond("novelty", train_df, reco_df, col_user, col_item)


def _number(
    metric: str,
    true: Any,
    pred: Any,
    names: tuple[str, str, str],
    method: str | None,
    k: int,
    threshold: int,
    *,
    rating: str = "",
    **settings: str,
) -> Number:
    user, item, prediction = names
    _check_columns(true, [user, item, *([rating] if rating else [])], "true rating")
    _check_columns(pred, [user, item, prediction], "predicted rating")
    _check_types(true, pred, names)
    if method not in ("top_k", "by_threshold", None):
        raise NotImplementedError("Invalid relevancy_method")
    rows = pred[[*names]] if method != "by_threshold" else _first(pred[[*names]], names, threshold)
    ordered = method == "top_k"
    with refused_as(WrongValue):
        found = changed(of(CUT if ordered else WHOLE, metric, k), settings)
        labels = rc.Labels(
            true[[user, item, *([rating] if rating else [])]], user=user, item=item, grade=rating or None
        )
        kept = rows if ordered else rows[[user, item]]
        run = rc.Run(kept, user=user, item=item, score=prediction if ordered else None)
        number: Number = found(put_together(labels, run))  # without users in common the library gives 0
    return number


def _first(rows: Any, names: tuple[str, str, str], threshold: int) -> Any:
    """The rows of each user with the highest predictions, as many as `threshold` says."""
    user, _, prediction = names
    return rows.sort_values([user, prediction], ascending=[True, False]).groupby(user).head(threshold)


def _beyond(metric: str, train: Any, reco: Any, user: str, item: str) -> Number:
    """A number of lists that needs training data and no label; WrongValue, a ValueError, where a column is missing."""
    for frame, name in ((train, "train_df"), (reco, "reco_df")):
        if not {user, item} <= {*frame.columns}:
            raise WrongValue(f"Missing columns in {name} DataFrame", allowed=f"It needs {user} and {item}")
    with refused_as(WrongValue):
        run = rc.Run(reco[[user, item]], user=user, item=item)
        learned = rc.Labels(train[[user, item]], user=user, item=item)
        number: Number = of("recommenders", metric)({}, run, train=learned)
    return number


def _check_columns(frame: Any, names: list[str], called: str) -> None:
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise ColumnMismatchError(f"Missing columns in {called} DataFrame", allowed=f"It lacks {', '.join(missing)}")


def _check_types(true: Any, pred: Any, names: tuple[str, str, str]) -> None:
    for name in names[:2]:
        kinds = {"i" if frame[name].dtype.kind == "u" else frame[name].dtype.kind for frame in (true, pred)}
        if len(kinds) > 1:
            raise ColumnTypeMismatchError("Columns in provided DataFrames are not the same datatype", where=name)
