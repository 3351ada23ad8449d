"""Apache Spark 4.3.0: `pyspark.mllib.evaluation.RankingMetrics`, on lists, without a cluster.

    from rankconv.compat.pyspark import RankingMetrics    # was: from pyspark.mllib.evaluation import RankingMetrics
    RankingMetrics(predictionAndLabels).ndcgAt(10)

The rankconv way, which knows users by their ids: `rc.evaluate(labels, run, "ndcg@10", preset="mllib")`; on a cluster
`rankconv.spark.evaluate`, which joins the two tables for you and collects no list.

What may surprise, and is kept: the list comes first and its relevant items second; a row without relevant items
counts 0; AP at k is divided by min(k, relevant), without k by all relevant items; an item that is returned twice is a
hit each time; NDCG is binary, and with a third column of grades its ideal is in the order given (preset
`mllib-graded`).

What differs here: rows are lists, or anything whose `collect()` gives them; nothing is logged for rows without labels;
items are compared as Python compares them, where Spark makes them floating-point numbers.
"""

from collections.abc import Hashable, Iterable
from typing import Any

from rankconv.compat.queries import WrongValue, of, paired, refused_as
from rankconv.typing import Number

__all__ = ["RankingMetrics"]
PRESET = "mllib"


class RankingMetrics:
    """Metrics of rankings. `predictionAndLabels` are pairs of a list and its relevant items.

    Raises WrongValue, a ValueError, for rows that are no pairs, and for a cutoff below 1.

    >>> metrics = RankingMetrics([([1, 6, 2, 7, 8, 3, 9, 10, 4, 5], [1, 2, 3, 4, 5]), ([1, 2, 3, 4, 5], [])])
    >>> round(metrics.precisionAt(5), 2), round(metrics.meanAveragePrecision, 4), round(metrics.ndcgAt(3), 4)
    (0.2, 0.3111, 0.352)
    >>> metrics.ndcgAt(3).definition
    rc.metric('mllib:ndcg@3')
    """

    def __init__(self, predictionAndLabels: Any) -> None:  # noqa: N803
        rows = predictionAndLabels.collect() if hasattr(predictionAndLabels, "collect") else predictionAndLabels
        allowed = "A row holds the list and its relevant items, and may hold their grades"
        try:
            self._rows = [tuple(row) for row in rows]
        except TypeError as problem:
            raise WrongValue(f"these are no rows: {problem}", allowed=allowed) from None
        wrong = next((at for at, row in enumerate(self._rows) if len(row) not in (2, 3)), None)
        if wrong is not None:
            raise WrongValue(f"{len(self._rows[wrong])} entries", where=f"row {wrong}", allowed=allowed)
        self._graded = bool(self._rows) and len(self._rows[0]) == 3

    def precisionAt(self, k: int) -> Number:  # noqa: N802
        """Compute the precision of the first k: `mllib:precision@k`, in 0 to 1."""
        return self._number("precision", k)

    def recallAt(self, k: int) -> Number:  # noqa: N802
        """Compute the recall of the first k: `mllib:recall@k`."""
        return self._number("recall", k)

    @property
    def meanAveragePrecision(self) -> Number:  # noqa: N802
        """Compute the mean of the precisions at the ranks of the relevant items. `mllib:map`."""
        return self._number("map")

    def meanAveragePrecisionAt(self, k: int) -> Number:  # noqa: N802
        """Compute the mean average precision of the first k: `mllib:map@k`, divided by min(k, relevant)."""
        return self._number("map", k)

    def ndcgAt(self, k: int) -> Number:  # noqa: N802
        """Compute NDCG of the first k: `mllib:ndcg@k`; with grades `mllib-graded:ndcg@k`."""
        if self._graded:
            with refused_as(WrongValue):
                number: Number = of("mllib-graded", "ndcg", _cutoff(k))(*_graded(self._rows))
            return number
        return self._number("ndcg", k)

    def _number(self, metric: str, k: int | None = None) -> Number:
        lists = paired([row[1] for row in self._rows], [row[0] for row in self._rows])
        with refused_as(WrongValue):
            number: Number = of(PRESET, metric, None if k is None else _cutoff(k))(*lists)
        return number


def _graded(rows: Iterable[tuple[Any, ...]]) -> tuple[dict[int, dict[Hashable, float]], dict[int, list[Hashable]]]:
    """Labels with their grades, and lists, by the place of the row."""
    labels, run = {}, {}
    for place, (found, items, *grades_of_items) in enumerate(rows):
        grades = next(iter(grades_of_items), ())
        if len(grades) != len(items):
            wrong, do = f"{len(grades)} grades of {len(items)} relevant items", "Give each relevant item one grade."
            raise WrongValue(wrong, where=f"row {place}", do=do)
        labels[place], run[place] = dict(zip(items, map(float, grades), strict=True)), [*found]
    return labels, run


def _cutoff(k: int) -> int:
    if not isinstance(k, int) or k < 1:
        raise WrongValue(f"ranking position k should be positive, and is {k!r:.50}")
    return k
