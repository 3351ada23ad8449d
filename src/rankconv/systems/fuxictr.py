"""Settings of FuxiCTR."""

from typing import Annotated

from rankconv.data.arrays import Numbers
from rankconv.metrics.auc import WEIGHT
from rankconv.metrics.position import RR_OVER, reciprocals_of_grades
from rankconv.preparation.block import Block
from rankconv.specs.parameters import Within


@WEIGHT.setting(
    "rows",
    rule="the rows",
    formula_tells=True,
    cite="fuxictr",
    says="a user weighs as much as they have rows in their list",
)
def _(block: Block, k: int | None) -> Numbers:
    """Positives and negatives."""
    return block.length_at(k)


@RR_OVER.setting(
    "grades",
    rule="sum of grade / rank over all rows, divided by the sum of the grades plus epsilon",
    cite="fuxictr",
    says=(
        "the sum of grade/rank over the items {here}, divided by the sum of the grades of all labels{epsilon:? plus }"
    ),
    tex=r"\frac{\sum_{j=1}^{«K»} g_j / j}{\sum_{i} g^{*}_i«epsilon:? + »}",
)
def _(block: Block, scope: int | None, *, epsilon: Annotated[float, Within(0, 1e6)] = 0) -> tuple[Numbers, Numbers]:
    """Not the first hit alone, and a grade of 2 counts twice."""
    return block.once(reciprocals_of_grades).at(scope), block.grade_sum + epsilon
