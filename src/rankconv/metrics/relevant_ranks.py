"""Metrics of the ranks of relevant items, each on its own, as knowledge graph completion and link prediction use them.

The instance is a pair of a user and a relevant item. A user's value is that of their pairs; over all users it is the
mean of the users, or with `aggregate=micro` that of all pairs. Statistics that are no means are made of all pairs.
"""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention
from rankconv.data.arrays import Mask, Numbers
from rankconv.metrics.base import Metric, Ratio
from rankconv.metrics.divisors import DIVISOR
from rankconv.preparation.blocks.block import Block

COMPETING_ROWS = Convention(
    "competing-rows",
    "Rows that a relevant item competes with",
    reads=("block",),
    phrase=True,
    tells="a list with several relevant items",
)
"""A setting gives the rank of each relevant row, shape (K, users), and how many candidates it was ranked among."""


@COMPETING_ROWS.setting("all", rule="all other rows: raw ranks", says="all rows of the list", tex="")
def _(block: Block) -> tuple[Numbers, Numbers]:
    """Another relevant item above it costs a rank."""
    return block.ranks_by_rank, np.broadcast_to(block.lengths, (block.depth, block.size))


@COMPETING_ROWS.setting(
    "not-relevant",
    rule="the rows that are not relevant",
    reads_order=True,
    reads_data=(),
    cite="bordes2013",
    tex="^{-}",
    signs={"^{-}": "among the rows that are not relevant"},
)
def _(block: Block) -> tuple[Numbers, Numbers]:
    """All rows of the user's other relevant items are taken out of the list of each."""
    return block.filtered_ranks()


RANK_VALUE = Convention(
    "rank-value", "Value of the rank of a relevant item", reads=("ranks", "k"), phrase=True, tells="any relevant item"
)
"""A setting gives the value of ranks, which may be halves, shape as `ranks`."""


@RANK_VALUE.setting("rank", rule="the rank", tex="j")
def _(ranks: Numbers) -> Numbers:
    """Low is good."""
    return ranks


@RANK_VALUE.setting("reciprocal", rule="1 / rank", rises=True, says="1/rank", tex=r"\frac{1}{j}")
def _(ranks: Numbers) -> Numbers:
    """Of each relevant item, and not of the first alone."""
    return 1 / ranks


@RANK_VALUE.setting(
    "within-k",
    rule="1 down to rank k, else 0",
    rises=True,
    says="1 if the rank is at most {k}, else 0",
    tex=r"[j \leq «k»]",
)
def _(ranks: Numbers, k: int | None) -> Numbers:
    """A hit of each relevant item; ranks are those of the whole list."""
    return (ranks <= (np.inf if k is None else k)).astype(np.float64)


RANK_DENOMINATOR = Convention(
    "rank-denominator",
    "Divisor of the sum over the relevant rows",
    options_of=DIVISOR,
    reads=(*DIVISOR.reads, "rows"),
    tells="a relevant item that was not returned",
)
"""As `DIVISOR`, and of shape (users,): `rows` is the number of relevant rows."""


@RANK_DENOMINATOR.setting(
    "relevant-rows",
    rule="the relevant rows of the list",
    formula_tells=True,
    says="the number of these items",
    tex=r"\left|\{j : r_j = 1\}\right|",
    called="relevant rows",
)
def _(rows: Numbers) -> Numbers:
    """So it is the mean over them."""
    return rows


def relevant_rows(block: Block) -> Mask:
    """Which rows are relevant, shape (K, users)."""
    return np.asarray(block.hits_by_rank > 0, bool)


class RelevantRank(Metric):
    """Compute the mean over the relevant items of a value of their rank.

    The rank is that among all rows (raw) or among those that are not relevant (filtered), the value 1/rank, the rank
    itself, or whether it is at most k. `aggregate=micro` is the mean over all pairs of a user and a relevant item.
    With `rank-denominator=relevant` an unretrieved relevant item adds nothing and still divides.
    NaN without a relevant item in the list. Source: Bordes et al., NIPS 2013.

    >>> import rankconv as rc
    >>> labels, run = {"u": ["a", "b"]}, {"u": ["a", "b", "x"]}
    >>> for competing in ("all", "not-relevant"):
    ...     spec = f"relevant_rank(rank-value=reciprocal, competing-rows={competing})"
    ...     print(rc.evaluate(labels, run, spec)[spec])
    0.75
    1.0
    """

    lower_is_better: ClassVar[bool] = True
    linear: ClassVar[bool] = True
    name = "relevant_rank"
    cite = "bordes2013"
    formula = "sum of rank-value over the relevant rows / rank-denominator"
    called = "value of the ranks of relevant items"
    says = (
        "the sum over the relevant items of the list of {rank-value}, ranks being those among {competing-rows}, "
        "divided by {rank-denominator}"
    )
    tex = r"\frac{1}{«rank-denominator»} \sum_{j : r_j = 1} «rank-value»«competing-rows»"
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    competing_rows: Annotated[str, COMPETING_ROWS]
    rank_value: Annotated[str, RANK_VALUE]
    rank_denominator: Annotated[str, RANK_DENOMINATOR]

    def is_better_low(self) -> bool:
        return not self.settings["rank-value"].traits.rises

    def per_user(self, block: Block) -> Ratio:
        ranks, _ = self.settings["competing-rows"](block=block)
        relevant = relevant_rows(block)
        values = self.settings["rank-value"](ranks=np.maximum(ranks, 1), k=self.k)
        expected = block.averages_ties
        values = values * block.hits_by_rank if expected else block.numbers(np.where(relevant, values, 0.0))
        total = block.sum(**{self.given("rank-value"): values}).whole
        rows = block.count(block.hits_by_rank if expected else relevant.astype(np.float64)).whole
        return Ratio(total, self.divided_by("rank-denominator", block, rows=rows))
