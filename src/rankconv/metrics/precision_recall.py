"""Precision and recall, and what a hit is worth in them."""

from typing import Annotated

from rankconv.conventions.convention import Convention
from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Ratio
from rankconv.metrics.divisors import DIVISOR, WEIGHED_HITS
from rankconv.metrics.item_weights import (
    RELEVANT_WEIGHTS,
    RELEVANT_WEIGHTS_TEX,
    WEIGHT_NORM,
    WeighedMetric,
    weights_of_relevant,
)
from rankconv.preparation.arithmetic import CumulativeSum
from rankconv.preparation.blocks.block import Block

PRECISION_DENOMINATOR = Convention(
    "precision-denominator", "Divisor of precision", options_of=DIVISOR, reads=(*DIVISOR.reads, "weighed")
)
"""As `DIVISOR`; `weighed` is the block with the weights of items."""


@PRECISION_DENOMINATOR.setting(
    "row-weights",
    rule="the sum of the weights of the rows that are read",
    says="the sum of the weights of the items that are read",
    tex=r"\sum_{j=1}^{«K»} v_j",
    called="weights of the rows",
    cite="smith2024",
)
def _(weighed: Block, scope: int | None) -> Numbers:
    """Also of those that are no hits. Without weights it is their number, as `min(k, length)`."""
    return weighed.row_weights_so_far.at(scope)


RECALL_DENOMINATOR = Convention(
    "recall-denominator", "Divisor of recall", options_of=DIVISOR, reads=(*DIVISOR.reads, "weighed")
)
"""As `DIVISOR`; `weighed` is the block with the weights of items."""
RECALL_DENOMINATOR.setting(
    "relevant-weights",
    says="the sum of the weights of the relevant labels",
    tex=RELEVANT_WEIGHTS_TEX,
    called="weights of the relevant labels",
    **RELEVANT_WEIGHTS,
)(weights_of_relevant)


HIT_WEIGHT = Convention(
    "hit-weight", "Weight of a hit", reads=("block",), phrase=True, tells="a hit with a grade other than 1"
)
"""A setting gives what the hits down to each rank are worth in sum, shape (ranks, users)."""


@HIT_WEIGHT.setting(
    "one",
    rule="1, whatever its grade",
    formula_tells=True,
    says="the number of relevant items",
    tex="r_j",
    of_counts=True,
)
def _(block: Block) -> CumulativeSum:
    """Hits are counted."""
    return block.hits_so_far


@HIT_WEIGHT.setting(
    "grade",
    rule="its grade",
    cite="torchmetrics",
    reads_data=("grades",),
    says="the sum of the grades of the relevant items",
    tex="r_j g_j",
)
def _(block: Block) -> CumulativeSum:
    """Grades of hits are summed, as in the generalised precision and recall of Kekäläinen and Järvelin, 2002."""
    return block.hit_grades_so_far


class Precision(WeighedMetric):
    """Compute the share of returned items that are relevant.

    Hits in the first k, divided by the setting of `precision-denominator`: `k` also where the list is shorter,
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

    name = "precision"
    named_first = ("precision-denominator",)
    cite = "vanrijsbergen1979"
    rises = True
    spellings = ("p",)
    formula = "hits@k / precision-denominator"
    says = "{hit-weight} {here} divided by {precision-denominator}"
    tex = rf"\frac{{{WEIGHED_HITS}}}{{«precision-denominator»}}«weight-norm»"
    linear = True
    of_hit_count = True
    precision_denominator: Annotated[str, PRECISION_DENOMINATOR]
    hit_weight: Annotated[str, HIT_WEIGHT]
    weight_norm: Annotated[str, WEIGHT_NORM]

    @property
    def counts_hits_alone(self) -> bool:
        return super().counts_hits_alone and self.settings["hit-weight"].traits.of_counts

    def per_user(self, block: Block) -> Ratio:
        weighed = self.weighed(block)
        found = self.settings["hit-weight"](block=weighed).at(self.scope)
        value = Ratio(found, self.divided_by("precision-denominator", block))
        divided: Ratio = self.settings["weight-norm"](block=weighed, k=self.k, value=value)
        return divided


class Recall(WeighedMetric):
    """Compute the share of relevant items that are returned.

    Hits in the first k, divided by the setting of `recall-denominator`: `relevant`, or `min(k, relevant)` so that
    a list of k can reach 1. Range 0 to 1. NaN where the user has no relevant label and no policy says otherwise.
    Source: van Rijsbergen, Information Retrieval, 1979.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b", "c", "d"]}, {"u": ["a", "x"]}, "recall@2")["recall@2"]
    0.25
    """

    spellings = ("r",)
    name = "recall"
    named_first = ("recall-denominator",)
    cite = "vanrijsbergen1979"
    rises = True
    formula = "hits@k / recall-denominator"
    says = "{hit-weight} {here} divided by {recall-denominator}"
    tex = rf"\frac{{{WEIGHED_HITS}}}{{«recall-denominator»}}«weight-norm»"
    linear = True
    of_hit_count = True
    recall_denominator: Annotated[str, RECALL_DENOMINATOR]
    hit_weight: Annotated[str, HIT_WEIGHT]
    weight_norm: Annotated[str, WEIGHT_NORM]

    @property
    def counts_hits_alone(self) -> bool:
        return super().counts_hits_alone and self.settings["hit-weight"].traits.of_counts

    def per_user(self, block: Block) -> Ratio:
        weighed = self.weighed(block)
        found = self.settings["hit-weight"](block=weighed).at(self.scope)
        value = Ratio(found, self.divided_by("recall-denominator", block))
        divided: Ratio = self.settings["weight-norm"](block=weighed, k=self.k, value=value)
        return divided
