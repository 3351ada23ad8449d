"""Settings of RankEval."""

from rankconv.data.arrays import Numbers, exp2
from rankconv.metrics.divisors import DIVISOR
from rankconv.metrics.gains import GAIN
from rankconv.preparation.block import Block


@DIVISOR.setting(
    "nonzero-labels",
    rule="labels that exist with a grade other than 0",
    cite="rankeval",
    says="the number of labels with a grade other than 0",
    tex=r"R_{\neq 0}",
    called="labels other than 0",
)
def _(block: Block) -> Numbers:
    """Also those below 0, whatever is relevant."""
    return block.non_zero_count


@GAIN.setting(
    "exponential-over-own-highest",
    rule="(2^g - 1) / 2^(the user's highest grade)",
    cite="rankeval",
    says="an item of grade g gains (2^g - 1)/2^h, h being the highest grade of the user",
    tex=r"\frac{2^{g_j} - 1}{2^{h}}",
    signs={"h": "the highest grade of the user"},
)
def _(grades: Numbers, own_highest: Numbers) -> Numbers:
    """The probability of ERR on a scale of each user's own."""
    return (exp2(grades) - 1) / exp2(own_highest)
