"""ml_metrics 0.1.4: `apk` and `mapk`, the lines of many contests and blog posts, without its broken build.

    from rankconv.compat.ml_metrics import mapk        # was: from ml_metrics import mapk
    mapk(actual, predicted, k=10)

The rankconv way, which knows users by their ids and tells everybody's number:

    rc.evaluate(labels, run, "map@10", preset="ml_metrics")

What may surprise, and is kept: a user without relevant items counts 1 (in the repository, under the same version
number, 0: preset `ml_metrics@git`); AP is divided by min(k, relevant), so it may fall with k; an item that is listed
twice in `actual` counts as two relevant ones, of which one is never found; users are paired by place, and those beyond
the shorter list are dropped. What differs here: a cutoff is a whole number above 0 (there, 0 divides by zero, and a
negative one cuts from the end), and what is returned is an `Number`, a float that knows its definition.
"""

from collections.abc import Iterable
from typing import Any

import rankconv as rc
from rankconv.compat.queries import WrongDivision, WrongValue, of, paired, refused_as
from rankconv.typing import Number

__all__ = ["apk", "auc", "kdd_apk", "kdd_mapk", "mapk"]
PRESET = "ml_metrics"


def apk(actual: Iterable[Any], predicted: Iterable[Any], k: int = 10) -> Number:
    """Compute the average precision of one list: `ml_metrics:apk@k`, in 0 to 1.

    >>> apk([1, 2, 3, 4, 5], [6, 4, 7, 1, 2], 2)
    0.25
    """
    return mapk([actual], [predicted], k)


def mapk(actual: Iterable[Iterable[Any]], predicted: Iterable[Iterable[Any]], k: int = 10) -> Number:
    """Compute the mean average precision: `ml_metrics:mapk@k`, in 0 to 1.

    NaN without any list.

    >>> mapk([[1, 2], []], [[3, 2], [1]], k=2)
    0.625
    >>> mapk([[1, 2]], [[3, 2]], k=2).definition
    rc.metric('ml_metrics:map@2')
    """
    return _mean("mapk", actual, predicted, k)


def kdd_apk(actual: Iterable[Any], predicted: Iterable[Any], k: int = 10) -> Number:
    """Compute the average precision of one list over all relevant items: `ml_metrics:kdd_apk@k`.

    >>> kdd_apk([1, 2, 3, 4, 5], [6, 4, 7, 1, 2], 2)
    0.1
    """
    return kdd_mapk([actual], [predicted], k)


def kdd_mapk(actual: Iterable[Iterable[Any]], predicted: Iterable[Iterable[Any]], k: int = 10) -> Number:
    """As `mapk`, divided by all relevant items, and 0 for a user without any: `ml_metrics:kdd_mapk@k`."""
    return _mean("kdd_mapk", actual, predicted, k)


def auc(actual: Iterable[Any], posterior: Iterable[float]) -> Number:
    """Compute the area under the ROC curve of one list: `ml_metrics:auc`, in 0 to 1.

    `actual` are labels, shape (rows,), of which those equal to 1 are relevant; `posterior` the scores, shape (rows,).
    Raises WrongDivision, a ZeroDivisionError, where all rows are of one kind, or there are none.

    >>> auc([1, 0, 1, 0], [3, 2, 2, 1])
    0.875
    """
    with refused_as(WrongValue):
        rows = rc.grouped([float(one == 1) for one in actual], posterior)
    with refused_as(WrongDivision):
        number: Number = of(PRESET, "auc")(rows)
        return number


def _mean(name: str, actual: Any, predicted: Any, k: int) -> Number:
    number: Number = of(PRESET, name, k)(*paired(actual, predicted, repeats_count=True))
    return number
