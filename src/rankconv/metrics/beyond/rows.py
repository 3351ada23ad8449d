"""What metrics share that are a mean over the rows of a list: what a row weighs, by what their sum is divided."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Metric, Ratio
from rankconv.preparation.block import Block
from rankconv.specs.convention import Convention

ROW_DIVISOR = Convention(
    "row-denominator",
    "Divisor of the sum over the rows",
    reads=("rows", "k"),
    phrase=True,
    tells="a list shorter than k",
)
"""A setting gives each user's divisor, shape (users,), from `rows`, the weights of the rows that count."""


@ROW_DIVISOR.setting("rows", rule="the rows read", says="the number of these rows", tex="«rows»")
def _(rows: Numbers) -> Numbers:
    """Where rows weigh differently, the sum of their weights."""
    return rows


@ROW_DIVISOR.setting("k", rule="k; the rows read where there is no k", says="{k}", tex="«k»")
def _(rows: Numbers, k: int | None) -> Numbers:
    """Also where the list is shorter."""
    return rows if k is None else np.full(len(rows), float(k))


ROW_WEIGHT = Convention("row-weight", "Weight of a row", reads=("ranks",), tells="lists of more than one row")
"""A setting gives the weight of each rank, both of shape (ranks,)."""


@ROW_WEIGHT.setting("equal", rule="1", counted_by=(), no="weighting of rows by rank", tex="1")
def _(ranks: Numbers) -> Numbers:
    """All equal."""
    return np.ones(len(ranks))


class OfRows(Metric):
    """What metrics share that are a mean over the rows of a list."""

    reads_below_cutoff: ClassVar[bool] = False
    directed: ClassVar[bool] = False
    reads_labels: ClassVar[bool] = False
    row_denominator: Annotated[str, ROW_DIVISOR]

    def over_rows(self, block: Block, values: Numbers, rows: Numbers, called: str) -> Ratio:
        """The sum of values over the rows down to the cutoff, divided as is answered.

        Both have shape (K, users); `rows` are what rows weigh, 0 for one that does not count.
        """
        total = block.sum(**{called: values}).at(self.scope)
        read = block.count(block.numbers(rows)).at(self.scope)
        by = block.numbers(self.settings["row-denominator"](rows=read, k=self.k))
        block.says(lambda: "divided by", by)
        return Ratio(total, by)
