"""allRank: the highest grades of a whole batch."""

import numpy as np

from rankconv.aggregation.judged_cases import judged_policy
from rankconv.aggregation.special_case import Situation
from rankconv.data.arrays import Mask, Numbers
from rankconv.preparation.steps.relevance import RELEVANT


@judged_policy(
    "on-zero-highest-grades",
    "the highest grades of all users sum to zero",
    after="on-k-beyond-ranks-with-relevant",
    neutral="as-computed",
    when=lambda total, users: total == 0 and users > 0,
)
def _(s: Situation) -> Numbers:
    return s.block.highest_grade


@RELEVANT.setting(
    "highest",
    rule="g = the highest grade of the user",
    rises=False,
    cite="allrank",
    says="only labels with the user's highest grade are relevant",
)
def _(grades: Numbers, highest: Numbers) -> Mask:
    """The items of the highest grade."""
    return np.asarray(grades == highest)
