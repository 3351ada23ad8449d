"""RexMex does not evaluate a user with an unretrieved relevant item."""

from rankconv.aggregation.special_case import Situation, policy
from rankconv.data.arrays import Mask, Numbers, below
from rankconv.metrics.beyond.distribution import COVERED
from rankconv.metrics.beyond.of_all_lists import Shown
from rankconv.metrics.position import RR_OVER, reciprocals_of_hits
from rankconv.preparation.block import Block


@policy(
    "on-unretrieved-relevant",
    "has a relevant item that is not in the list",
    after="on-no-hits",
    neutral="as-computed",
    by_order=True,
    reads_deep=True,
)
def _(s: Situation) -> Mask:
    return below(s.block.distinct_hits.at(s.metric.scope), s.block.relevant_count)


@COVERED.setting(
    "in-catalogue",
    rule="those of the catalogue",
    needs=("the items of the catalogue",),
    counted_by=("in-catalogue",),
    says="items of the catalogue",
    tex=r" \cap C_I",
    signs={"C_I": "the items of the catalogue"},
)
def _(shown: Shown) -> Mask:
    """Needs the items themselves, not their number."""
    return shown.of_items("in-catalogue")


@RR_OVER.setting(
    "relevant",
    rule="sum of 1 / rank over all hits, divided by R",
    cite="rexmex",
    says="the sum of 1/rank over the relevant items {here}, divided by the number of relevant labels",
    tex=r"\frac{1}{R} \sum_{j=1}^{«K»} \frac{r_j}{j}",
)
def _(block: Block, scope: int | None) -> tuple[Numbers, Numbers]:
    """An unretrieved relevant item counts 0."""
    return block.once(reciprocals_of_hits).at(scope), block.relevant_count
