"""recmetrics: `mark`, `recommender_precision`, `recommender_recall` of 0.1.5, and `mapk` of its repository.

    from rankconv.compat.recmetrics import mark        # was: from recmetrics import mark
    mark(actual, predicted, k=10)

The rankconv way, which knows users by their ids:

    rc.evaluate(labels, run, "mark@10", preset="recmetrics")

What may surprise, and is kept: what is called mean average recall is average precision divided by all relevant items;
precision and recall are not cut, take their lists the other way round than `mark`, and round each user to 4 decimals;
an empty list ends precision, a user without relevant items recall. `mapk` is not in the release; in the repository
(b21222d) AP is divided by the hits, so a list with one early hit gets 1. Where a relevant item is repeated it counts
that item again in the precision of a later hit, which no setting describes: such lists are refused.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from rankconv.compat.queries import WrongAssertion, WrongDivision, WrongValue, mean, of, refused_as
from rankconv.typing import Number

__all__ = ["mapk", "mark", "recommender_precision", "recommender_recall"]
PRESET = "recmetrics"


def mark(actual: Sequence[Sequence[Any]], predicted: Sequence[Sequence[Any]], k: int = 10) -> Number:
    """Compute the mean average recall: `recmetrics:mark@k`, in 0 to 1.

    Raises WrongAssertion, an AssertionError, where there are not as many lists of both, as the repository does; the
    release drops what is beyond the shorter.

    >>> mark([["A", "B", "X"], ["A", "B", "Y"]], [["X", "Y", "Z"], ["X", "Y", "Z"]], k=5)
    0.25
    """
    return _cut("mark", actual, predicted, k)


def mapk(actual: Sequence[Sequence[Any]], predicted: Sequence[Sequence[Any]], k: int = 10) -> Number:
    """Compute the mean average precision: `recmetrics:map(ap-denominator=hits)@k`, in 0 to 1; 0 for a user without
    hits.

    Raises WrongAssertion as `mark`, and WrongValue for a relevant item that is returned twice before another comes.

    >>> round(mapk([["A", "B", "X"], ["A", "B", "Y"]], [["X", "Y", "Z"], ["A", "Z", "B"]], k=5), 4)
    0.9167
    """
    for true, found in zip(actual, predicted, strict=False):
        hits = [item for item in found[:k] if item in true]
        if [*dict.fromkeys(hits)] != hits[: len({*hits})]:
            allowed = "recmetrics counts the repeat again in the precision of a later hit, which is no convention"
            raise WrongValue("a relevant item is returned twice", allowed=allowed, do="Keep the first one.")
    return _cut("map(ap-denominator=hits)", actual, predicted, k)


def recommender_precision(predicted: Iterable[Sequence[Any]], actual: Iterable[Sequence[Any]]) -> Number:
    """Compute precision: `recmetrics:precision`, in 0 to 1, each user rounded to 4 decimals.

    Raises WrongDivision, a ZeroDivisionError, for an empty list.

    >>> recommender_precision([["X", "Y", "Z"]], [["A", "B", "X"]])
    0.3333
    """
    with refused_as(WrongDivision):
        return mean(of(PRESET, "recommender_precision"), actual, predicted)


def recommender_recall(predicted: Iterable[Sequence[Any]], actual: Iterable[Sequence[Any]]) -> Number:
    """Compute recall: `recmetrics:recall`, each user rounded to 4 decimals.

    Raises WrongDivision, a ZeroDivisionError, for a user without relevant items.

    >>> recommender_recall([["X", "Y", "Z"]], [["A", "B", "X"]])
    0.3333
    """
    with refused_as(WrongDivision):
        return mean(of(PRESET, "recommender_recall"), actual, predicted, repeats_count=True)


def _cut(spec: str, actual: Sequence[Any], predicted: Sequence[Any], k: int) -> Number:
    if len(actual) != len(predicted):
        wrong = f"there are {len(actual)} lists of relevant items and {len(predicted)} that were returned"
        raise WrongAssertion(wrong, do="Pass one of each for each user.")
    return mean(of(PRESET, spec, k), actual, predicted, repeats_count=True)
