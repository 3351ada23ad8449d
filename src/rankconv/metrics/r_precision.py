"""Precision at a rank that depends on the user."""

from typing import Annotated

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Metric, Ratio
from rankconv.metrics.divisors import DIVISOR
from rankconv.preparation.block import Block
from rankconv.specs.convention import Convention
from rankconv.specs.parameters import Within

R_PRECISION_DENOMINATOR = Convention(
    "r-precision-denominator", "Divisor of R-precision", options_of=DIVISOR, reads=(*DIVISOR.reads, "read")
)
"""As `DIVISOR`, and of shape (users,): `read` is the rank at which precision is read."""


@R_PRECISION_DENOMINATOR.setting(
    "rank-read", rule="the rank at which it is read", says="that rank", tex=r"\rho", called="that rank"
)
def _(read: Numbers) -> Numbers:
    """So it is the precision at that rank."""
    return read


R_PRECISION_AT = Convention(
    "r-precision-at",
    "Rank at which R-precision is read",
    options_of=DIVISOR,
    tells="a user with a hit below rank R, or with more relevant labels than k",
)
"""As `DIVISOR`, and of shape (users,): a setting gives the rank."""


@R_PRECISION_AT.setting(
    "multiple",
    rule="x times R, rounded up from a tenth on",
    cite="trec_eval-10",
    says="{of} times the number of relevant labels, rounded up from a tenth on",
    tex=r"\lfloor «of» R + 0.9 \rfloor",
    called="{of} · R, rounded up from a tenth on",
)
def _(block: Block, of: Annotated[float, Within(1e-6, 1e6)]) -> Numbers:
    """trec_eval takes floor(x R + 0.9)."""
    return np.floor(of * block.relevant_count.astype(np.float64) + 0.9)  # in doubles: 0.7 · 3 + 0.9 is below 3


class RPrecision(Metric):
    """Compute precision at rank R, the number of relevant items.

    Hits in the first R ranks divided by R; some systems read no deeper than k. Range 0 to 1.
    Source: Buckley and Voorhees, in TREC: Experiment and Evaluation, 2005.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x", "b"]}, "r_precision")["r_precision"]
    0.5
    """

    name = "r_precision"
    cite = "buckley2005"
    rises = True
    linear = True
    spellings = ("rprec",)
    formula = "hits@r-precision-at / r-precision-denominator"
    called = "R-precision"
    says = (
        "the number of relevant items down to the rank that equals {r-precision-at}, divided by "
        "{r-precision-denominator}"
    )
    tex = r"\frac{1}{«r-precision-denominator»} \sum_{j=1}^{\rho} r_j, \quad \rho = «r-precision-at»"
    r_precision_at: Annotated[str, R_PRECISION_AT]
    r_precision_denominator: Annotated[str, R_PRECISION_DENOMINATOR]

    def per_user(self, block: Block) -> Ratio:
        ranks = self.divided_by(self.settings["r-precision-at"], block, "read to rank {}")
        found = block.hits_so_far.at_rows(np.clip(ranks, 0, block.depth).astype(np.int64))
        by = self.divided_by(self.settings["r-precision-denominator"], block, "divided by {}", read=ranks)
        return Ratio(found, by)
