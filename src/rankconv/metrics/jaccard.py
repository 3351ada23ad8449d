"""The Jaccard index of a list and its labels, also called intersection over union."""

from typing import Annotated, ClassVar

from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Ratio
from rankconv.metrics.divisors import WEIGHED_HITS
from rankconv.metrics.item_weights import WeighedMetric
from rankconv.metrics.precision_recall import PRECISION_DENOMINATOR
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.captions import said_as


@said_as("unretrieved labels")
def unretrieved_labels(_: Block, weighed: Block, k: int | None) -> Numbers:
    """The relevant labels that no hit at rank k or above has, or the sum of their weights, shape (users,)."""
    return weighed.unretrieved_weight(k)


class Jaccard(WeighedMetric):
    """Compute the Jaccard index of the list and the relevant items.

    Hits in the first k, divided by the rows, as `precision-denominator` counts them, and the relevant labels that are
    not among the hits: intersection over union (IoU). With `item-weight=length` it is that of spans of text; whether
    what two rows share is once in the union or each time is for `duplicates` to say. Range 0 to 1.
    Source: Jaccard, New Phytologist 11(2), 1912.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x"]}, "jaccard@2")["jaccard@2"]
    0.3333333333333333
    """

    name = "jaccard"
    named_first = ("precision-denominator",)
    cite = "jaccard1912"
    rises = True
    spellings = ("iou", "intersection_over_union")
    why_no_expectation = "the labels that are not retrieved hang on which rows are hits"
    formula = "hits@k / (precision-denominator + unretrieved labels@k)"
    called = "Jaccard index"
    says = (
        "the number of relevant items {here} divided by the sum of {precision-denominator} and the number of relevant "
        "labels that are not there"
    )
    tex = rf"\frac{{{WEIGHED_HITS.replace('«hit-weight»', 'r_j')}}}{{«precision-denominator» + M}}"
    signs: ClassVar[dict[str, str]] = {"M": "the relevant labels that no item of the list has, or their weights"}
    precision_denominator: Annotated[str, PRECISION_DENOMINATOR]

    def per_user(self, block: Block) -> Ratio:
        weighed = self.weighed(block)
        found = weighed.hits_so_far.at(self.scope)
        rows = self.divided_by("precision-denominator", block)
        return Ratio(found, rows + block.part(unretrieved_labels, weighed, self.scope))
