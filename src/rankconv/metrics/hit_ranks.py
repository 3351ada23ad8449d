"""Metrics of the ranks of hits: of the first, of the last, their mean, and sums over all ranks."""

from abc import abstractmethod
from typing import Annotated, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.metrics.base import Metric, Ratio, TopKMetric
from rankconv.metrics.position import AP_DENOMINATOR
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.in_ties import expected_last_hit


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
    closed_form = True
    formula = "rank of the first hit"
    says = "the rank of the first relevant item {here}"
    tex = r"\min\{j \leq «K» : r_j = 1\}"

    def per_user(self, block: Block) -> Ratio:
        if block.averages_ties:
            first = block.no_hit_so_far[:-1] - block.no_hit_so_far[1:]
            return Ratio(block.sum(**{"rank": block.ranks * first}).at(self.scope), np.ones(block.size))
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
    closed_form = True
    cite = "tsoumakas2010"
    formula = "rank of the last hit"
    says = "the rank of the last relevant item {here}"
    tex = r"\max\{j \leq «K» : r_j = 1\}"

    def per_user(self, block: Block) -> Ratio:
        if block.averages_ties:
            return Ratio(block.once(expected_last_hit, self.scope), np.ones(block.size))
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
    why_no_expectation = "the grades down to a cutoff have another sum in each order"
    reads_data = ("grades",)
    linear = True
    formula = "sum of rank · grade / sum of grades in the list"
    says = "the mean of the ranks of the items {here}, weighted by their grades"
    tex = r"\frac{\sum_{j=1}^{«K»} j \, g_j}{\sum_{j=1}^{«K»} g_j}"
    splits: ClassVar[bool] = True

    @property
    def in_closed_form(self) -> bool:
        """Of whole lists, whose grades have one sum in each order."""
        return self.scope is None and super().in_closed_form

    def per_user(self, block: Block) -> Ratio:
        grades = block.sum(block.grades_by_rank).at(self.scope)
        products = block.sum(**{"rank · grade": block.ranks * block.grades_by_rank})
        return Ratio(products.at(self.scope), grades, grades)


SUMMAND = Convention("summand", "Metric that is summed over the depths", reads=("block", "found", "rows"), phrase=True)
"""A setting gives the term of one depth, shape (users,), from the hits down to it and the rows read."""


@SUMMAND.setting("precision", rule="precision", tex="P_j")
def _(found: Numbers, rows: Numbers | float) -> Numbers:
    """Hits by rows."""
    return np.asarray(found / rows)


@SUMMAND.setting("recall", rule="recall", cite="elliot", tex=r"\frac{H_j}{R}")
def _(block: Block, found: Numbers) -> Numbers:
    """Hits by R; 0 without relevant labels."""
    relevant = block.relevant_count
    return np.where(relevant > 0, found / np.where(relevant > 0, relevant, 1.0), 0.0)


class _SumOverDepths(TopKMetric):
    """What the sums over all depths have in common."""

    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    summand: Annotated[str, SUMMAND]
    ap_denominator: Annotated[str, AP_DENOMINATOR]

    @abstractmethod
    def rows_at(self, block: Block, depth: int) -> tuple[Numbers | float, Mask | bool]:
        """The rows read down to this depth, and whether its term counts; numbers, or shape (users,) each."""

    def per_user(self, block: Block) -> Ratio:
        """The terms of all depths, also below the end of a list where there is a cutoff, by `ap-denominator`."""
        terms = []
        for depth in range(1, (block.depth if self.k is None else self.k) + 1):
            rows, counts = self.rows_at(block, depth)
            term = self.settings["summand"](block=block, found=block.hits_so_far.at(depth), rows=rows)
            terms.append(np.where(counts, term, 0.0))
        ends: int | Codes = block.lengths.astype(np.int64) if self.k is None else self.k
        total = block.sum(np.reshape(terms, (len(terms), block.size))).at_rows(ends)
        return Ratio(total, self.divided_by("ap-denominator", block))


class SummedOverRanks(_SumOverDepths):
    """Compute the mean precision or recall at ranks 1 to k.

    Summed over all depths to k, also below the end of a short list, and divided by the setting of `ap-denominator`.
    Unlike average precision it counts the depths without a hit too. NaN where the divisor is 0.
    Source: Elliot 0.3.1, elliot/evaluation/metrics/accuracy/map and mar.

    >>> import rankconv as rc
    >>> spec = "summed_over_ranks(ap-denominator=k)@2"
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x"]}, spec)[spec]
    0.75
    """

    name = "summed_over_ranks"
    linear = True
    formula = "sum of term@j, j = 1 to k, / ap-denominator"
    called = "average over ranks"
    says = (
        "the sum of {summand} at each rank {down_to}, whether there is a relevant item or not, divided by "
        "{ap-denominator}"
    )
    tex = r"\frac{\sum_{j=1}^{«k»} «summand»}{«ap-denominator»}"

    def rows_at(self, block: Block, depth: int) -> tuple[Numbers | float, Mask | bool]:
        return float(depth), True


def _last_given_is_hit(block: Block) -> Numbers:
    """For each number of rows, 0 to K, whether the one that was given last is a hit, shape (K + 1, users)."""
    last, latest = np.zeros((block.depth + 1, block.size)), np.full(block.size, -1.0)
    for rank in range(block.depth):
        newer = block.listed[rank] & (block.places[rank] > latest)
        latest = np.where(newer, block.places[rank], latest)
        last[rank + 1] = np.where(newer, block.hits_by_rank[rank], last[rank])
    return last


class SummedOverTable(_SumOverDepths):
    """Compute the mean precision or recall at the depths that end in a hit in the order of the table.

    Ranks come from the scores, but whether a depth counts is decided by that one of its rows that comes last in the
    table given; below the end of a list its last row decides for all depths to k. Divided by `ap-denominator`.
    Source: Evidently 0.7.23, metrics/recsys/precision_recall_k.py.

    >>> import rankconv as rc
    >>> spec = "summed_over_table@2"
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x"]}, spec)[spec]
    0.5
    """

    name = "summed_over_table"
    why_no_expectation = "the row that was given last decides which depths count"
    reads_data = ("order",)
    formula = "sum of term@j where the last row given down to j is a hit, / ap-denominator"
    called = "average over table rows"
    says = (
        "the sum of {summand} at each rank {down_to} of whose rows the one given last is relevant, divided by "
        "{ap-denominator}"
    )
    tex = r"\frac{\sum_{j=1}^{«k»} \ell_j «summand»}{«ap-denominator»}"

    def rows_at(self, block: Block, depth: int) -> tuple[Numbers | float, Mask | bool]:
        place = np.minimum(block.rows_within(depth), block.depth)
        counts = block.once(_last_given_is_hit)[place, np.arange(block.size)] > 0
        return np.maximum(np.minimum(depth, block.lengths), 1), counts
