"""Transformers4Rec: a batch in which one user has a relevant label."""

from rankconv.aggregation.judged_cases import judged_policy
from rankconv.aggregation.special_case import Situation
from rankconv.data.arrays import Mask


@judged_policy(
    "on-one-user-with-relevant",
    "only one user has a relevant label",
    after="on-no-hits-at-all",
    neutral="as-computed",
    when=lambda total, users: total == 1,
)
def _(s: Situation) -> Mask:
    return s.block.relevant_count > 0
