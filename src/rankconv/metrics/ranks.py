"""Metrics whose value is a rank."""

from typing import ClassVar

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Metric, Ratio
from rankconv.preparation.block import Block


class _Rank(Metric):
    """What metrics share that are ranks, from 1 on, low being good."""

    lower_is_better: ClassVar[bool] = True
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    splits: ClassVar[bool] = False

    def ranks_of_hits(self, block: Block, otherwise: float) -> Numbers:
        """The rank of each hit down to the cutoff, shape (K, users)."""
        return np.where((block.hits_by_rank > 0) & block.read_to(self.scope), block.ranks, otherwise)


class FirstRank(_Rank):
    """Compute the rank of the first relevant item.

    From 1 on, low being good; 0 without a hit, which makes a mean of it hard to read.
    Source: cute-ranking, core.py, `mean_rank`.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"]}, {"u": ["x", "a"]}, "first_rank")["first_rank"]
    2.0
    """

    name = "first_rank"
    formula = "rank of the first hit"
    says = "the rank of the first relevant item {here}"
    tex = r"\min\{j \leq «K» : r_j = 1\}"

    def per_user(self, block: Block) -> Ratio:
        first = self.ranks_of_hits(block, np.inf).min(axis=0, initial=np.inf)
        return Ratio(np.where(first == np.inf, 0.0, first), np.ones(block.size))


class CoverageError(_Rank):
    """Compute the rank of the last relevant item of the list.

    The rank of the last hit, 0 without one. Low is good: at best R.
    Source: Tsoumakas, Katakis and Vlahavas, Mining Multi-label Data, 2010; scikit-learn, coverage_error.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x", "b", "y"]}, "coverage_error")["coverage_error"]
    3.0
    """

    name = "coverage_error"
    cite = "tsoumakas2010"
    formula = "rank of the last hit"
    says = "the rank of the last relevant item {here}"
    tex = r"\max\{j \leq «K» : r_j = 1\}"

    def per_user(self, block: Block) -> Ratio:
        return Ratio(self.ranks_of_hits(block, 0.0).max(axis=0, initial=0.0), np.ones(block.size))


class MeanPosition(_Rank):
    """Compute the mean rank of the items, weighted by grade.

    Ranks weighted by grade, over the list. Low is good. NaN where the grades sum to 0. Under `aggregate: weighted-mean`
    a user weighs the sum of their grades. Source: TensorFlow Ranking, ARPMetric.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": {"a": 1, "b": 3}}, {"u": ["a", "b"]}, "mean_position")["mean_position"]
    1.75
    """

    name = "mean_position"
    formula = "sum of rank · grade / sum of grades in the list"
    says = "the mean of the ranks of the items {here}, weighted by their grades"
    tex = r"\frac{\sum_{j=1}^{«K»} j \, g_j}{\sum_{j=1}^{«K»} g_j}"
    splits: ClassVar[bool] = True

    def per_user(self, block: Block) -> Ratio:
        grades = block.sum(block.grades_by_rank).at(self.scope)
        products = block.sum(**{"rank · grade": block.ranks * block.grades_by_rank})
        return Ratio(products.at(self.scope), grades, grades)
