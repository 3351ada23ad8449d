"""Precision and recall, and what a hit is worth in them."""

from typing import Annotated, ClassVar

from rankconv.metrics.base import Metric, Ratio
from rankconv.metrics.divisors import DIVISOR
from rankconv.metrics.notation import HITS_WORTH
from rankconv.preparation.block import Block
from rankconv.preparation.cumulative import CumulativeSum
from rankconv.specs.convention import Convention

PRECISION_DENOMINATOR = Convention("precision-denominator", "Divisor of precision", options_of=DIVISOR)
RECALL_DENOMINATOR = Convention("recall-denominator", "Divisor of recall", options_of=DIVISOR)


HIT_WORTH = Convention(
    "hit-weight", "Weight of a hit", reads=("block",), phrase=True, tells="a hit with a grade other than 1"
)
"""A setting gives what the hits down to each rank are worth in sum, shape (ranks, users)."""


@HIT_WORTH.setting(
    "one", rule="1, whatever its grade", formula_tells=True, says="the number of relevant items", tex="r_j", counts=True
)
def _(block: Block) -> CumulativeSum:
    """Hits are counted."""
    return block.hits_so_far


@HIT_WORTH.setting(
    "grade", rule="its grade", cite="torchmetrics", says="the sum of the grades of the relevant items", tex="r_j g_j"
)
def _(block: Block) -> CumulativeSum:
    """Grades of hits are summed, as in the generalised precision and recall of Kekäläinen and Järvelin, 2002."""
    return block.hit_grades_so_far


class Precision(Metric):
    """Compute the share of returned items that are relevant.

    Hits in the first k, divided by the setting to `precision-denominator`: `k` also where the list is shorter,
    `min(k, length)` where a short list is not to blame, `min(k, relevant)` where few labels are not.
    Range 0 to 1. NaN where the denominator is 0 and `on-zero-division` says `as-computed`.
    With `hit-weight: grade` a hit counts its grade.
    Source: van Rijsbergen, Information Retrieval, 1979; the divisors as the presets cite them.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x"]}, "precision@4")["precision@4"]
    0.25
    >>> spec = "precision(precision-denominator=min(k, length))@4"
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x"]}, spec)[spec]
    0.5
    """

    reads_below_cutoff: ClassVar[bool] = False
    name = "precision"
    cite = "vanrijsbergen1979"
    rises = True
    spellings = ("p",)
    formula = "hits@k / precision-denominator"
    says = "{hit-weight} {here} divided by {precision-denominator}"
    tex = rf"\frac{{{HITS_WORTH}}}{{«precision-denominator»}}"
    linear = True
    precision_denominator: Annotated[str, PRECISION_DENOMINATOR]
    hit_weight: Annotated[str, HIT_WORTH]

    def per_user(self, block: Block) -> Ratio:
        found = self.settings["hit-weight"](block=block).at(self.scope)
        return Ratio(found, self.divided_by(self.settings["precision-denominator"], block))


class Recall(Metric):
    """Compute the share of relevant items that are returned.

    Hits in the first k, divided by the setting to `recall-denominator`: `relevant`, or `min(k, relevant)` so that
    a list of k can reach 1. Range 0 to 1. NaN where the user has no relevant label and no policy says otherwise.
    Source: van Rijsbergen, Information Retrieval, 1979.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b", "c", "d"]}, {"u": ["a", "x"]}, "recall@2")["recall@2"]
    0.25
    """

    spellings = ("r",)
    reads_below_cutoff: ClassVar[bool] = False
    name = "recall"
    cite = "vanrijsbergen1979"
    rises = True
    formula = "hits@k / recall-denominator"
    says = "{hit-weight} {here} divided by {recall-denominator}"
    tex = rf"\frac{{{HITS_WORTH}}}{{«recall-denominator»}}"
    linear = True
    recall_denominator: Annotated[str, RECALL_DENOMINATOR]
    hit_weight: Annotated[str, HIT_WORTH]

    def per_user(self, block: Block) -> Ratio:
        found = self.settings["hit-weight"](block=block).at(self.scope)
        return Ratio(found, self.divided_by(self.settings["recall-denominator"], block))
