"""Settings of Elliot."""

import numpy as np

from rankconv.data.arrays import Numbers, exp2, log
from rankconv.metrics.beyond.distribution import ENTROPY_OF, GINI_TURNED
from rankconv.metrics.beyond.novelty import ITEM_NOVELTY, NOVEL_ROWS, UNSEEN
from rankconv.metrics.beyond.of_all_lists import ROW_WEIGHT, Shown
from rankconv.metrics.gains import GAIN
from rankconv.preparation.block import Block
from rankconv.specs.parameters import LogBase


@UNSEEN.setting("rarest", rule="as the rarest item", says="an item that is not in training counts as the rarest there")
def _(all_counts: Numbers) -> float:
    """The least count that occurs in training; `all_counts` has shape (items,)."""
    return float(all_counts[all_counts > 0].min(initial=np.inf))


@ENTROPY_OF.setting(
    "lists",
    rule="the rows of each list, then the lists",
    counted_by=("of",),
    cite="elliot",
    says="rows of each list, and then over the lists",
    tex="w_i",
    signs={"w_i": "the mean over the lists of the share of its rows that show item i"},
)
def _(shown: Shown) -> Numbers:
    """A row of a short list weighs more."""
    lengths = np.arange(int(shown.of.max(initial=0)) + 1)
    return np.asarray(shown.weighed(shown.of, 1 / np.maximum(lengths, 1)) / shown.lists)


@GINI_TURNED.setting("one-minus", rule="1 - it", cite="elliot", says="it is taken from 1", tex="1 - G")
def _(top: Numbers, bottom: Numbers) -> Numbers:
    """High where items are shown evenly."""
    return np.asarray(bottom - top)


@ITEM_NOVELTY.setting("complement", rule="1 - p", cite="elliot", says="1 - p", tex=r"\left(1 - «popularity»\right)")
def _(popularity: Numbers) -> Numbers:
    """The probability that a user does not know it."""
    return np.asarray(1 - popularity)


@NOVEL_ROWS.setting("relevant", rule="hits", of_labels=True, cite="elliot", says="relevant items", tex="r_j \\,")
def _(block: Block) -> Numbers:
    """Other rows add 0, and count in what the sum is divided by."""
    return block.hits_by_rank


@ROW_WEIGHT.setting(
    "log",
    rule="1 / log_base(rank + 1)",
    counted_by=("rank",),
    cite="elliot",
    says="the row at rank j weighs 1/{base:log}(j + 1), and divides by as much",
    tex=r"\frac{1}{«base:log»(j + 1)}",
)
def _(ranks: Numbers, *, base: LogBase) -> Numbers:
    """As the discount of DCG."""
    return np.asarray(1 / log(ranks + 1, base))


@GAIN.setting(
    "exponential-above-level",
    rule="2^(g - level + 1) - 1 from the level of `relevant` on, else 0",
    cite="elliot",
    says="an item whose grade g reaches the level of relevance l gains 2^(g - l + 1) - 1, and any other 0",
    tex=r"r_j \left(2^{g_j - l + 1} - 1\right)",
    signs={"l": "the level of relevance"},
)
def _(grades: Numbers, level: float) -> Numbers:
    """The lowest relevant grade is worth 1, and each one above about twice the one below."""
    return np.where(grades >= level, exp2(grades - level + 1) - 1, 0.0)
