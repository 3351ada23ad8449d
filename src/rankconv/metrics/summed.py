"""Sums of precision or recall over all depths, hit or not: called average precision, and something else."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.data.arrays import Codes, Numbers
from rankconv.metrics.base import Ratio, TopKMetric
from rankconv.metrics.position import AP_DENOMINATOR
from rankconv.preparation.block import Block
from rankconv.specs.convention import Convention

TERM = Convention("summand", "Metric that is summed over the depths", reads=("block", "found", "rows"), phrase=True)
"""A setting gives the term of one depth, shape (users,), from the hits down to it and the rows read."""


@TERM.setting("precision", rule="precision", tex="P_j")
def _(found: Numbers, rows: Numbers | float) -> Numbers:
    """Hits by rows."""
    return np.asarray(found / rows)


@TERM.setting("recall", rule="recall", cite="elliot", tex=r"\frac{H_j}{R}")
def _(block: Block, found: Numbers) -> Numbers:
    """Hits by R; 0 without relevant labels."""
    relevant = block.relevant_count
    return np.where(relevant > 0, found / np.where(relevant > 0, relevant, 1.0), 0.0)


class _Summed(TopKMetric):
    """What the sums over all depths have in common."""

    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    summand: Annotated[str, TERM]
    ap_denominator: Annotated[str, AP_DENOMINATOR]

    def depths(self, block: Block) -> int:
        """The number of depths over which terms are summed."""
        return block.depth if self.k is None else self.k

    def summed(self, block: Block, terms: list[Numbers]) -> Ratio:
        """The sum of the terms down to the cutoff, or to the end of each list, by the setting to `ap-denominator`.

        There is one term for each depth, shape (users,).
        """
        ends: int | Codes = block.lengths.astype(np.int64) if self.k is None else self.k
        total = block.sum(np.reshape(terms, (len(terms), block.size))).at_rows(ends)
        return Ratio(total, self.divided_by(self.settings["ap-denominator"], block))


class SummedOverRanks(_Summed):
    """Compute the mean precision or recall at ranks 1 to k.

    Summed over all depths to k, also below the end of a short list, and divided by the setting to `ap-denominator`.
    Unlike average precision it counts the depths without a hit too. NaN where the divisor is 0.
    Source: Elliot 0.3.1, elliot/evaluation/metrics/accuracy/map and mar.

    >>> import rankconv as rc
    >>> spec = "summed_over_ranks(ap-denominator=k)@2"
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x"]}, spec)[spec]
    0.75
    """

    name = "summed_over_ranks"
    formula = "sum of term@j, j = 1 to k, / ap-denominator"
    called = "average over ranks"
    says = (
        "the sum of {summand} at each rank {down_to}, whether there is a relevant item or not, divided by "
        "{ap-denominator}"
    )
    tex = r"\frac{\sum_{j=1}^{«k»} «summand»}{«ap-denominator»}"

    def per_user(self, block: Block) -> Ratio:
        term = self.settings["summand"]
        depths = range(1, self.depths(block) + 1)
        return self.summed(
            block,
            [term(block=block, found=block.hits_so_far.at(j), rows=float(j)) for j in depths],
        )


def _last_given_is_hit(block: Block) -> Numbers:
    """For each number of rows, 0 to K, whether the one that was given last is a hit, shape (K + 1, users)."""
    last, latest = np.zeros((block.depth + 1, block.size)), np.full(block.size, -1.0)
    for rank in range(block.depth):
        newer = block.listed[rank] & (block.places[rank] > latest)
        latest = np.where(newer, block.places[rank], latest)
        last[rank + 1] = np.where(newer, block.hits_by_rank[rank], last[rank])
    return last


class SummedOverTable(_Summed):
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
    formula = "sum of term@j where the last row given down to j is a hit, / ap-denominator"
    called = "average over table rows"
    says = (
        "the sum of {summand} at each rank {down_to} of whose rows the one given last is relevant, divided by "
        "{ap-denominator}"
    )
    tex = r"\frac{\sum_{j=1}^{«k»} \ell_j «summand»}{«ap-denominator»}"

    def per_user(self, block: Block) -> Ratio:
        last, every = _last_given_is_hit(block), np.arange(block.size)
        terms = []
        for depth in range(1, self.depths(block) + 1):
            counts = last[np.minimum(block.rows_within(depth), block.depth), every] > 0
            rows = np.maximum(np.minimum(depth, block.lengths), 1)
            term = self.settings["summand"](block=block, found=block.hits_so_far.at(depth), rows=rows)
            terms.append(np.where(counts, term, 0.0))
        return self.summed(block, terms)
