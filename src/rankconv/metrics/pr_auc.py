"""The area under the curve of precision over recall."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.data.elementary import log
from rankconv.metrics.auc import within_cutoff
from rankconv.metrics.base import Metric, Ratio
from rankconv.preparation.block import Block
from rankconv.specs.convention import Convention, Setting

BETWEEN_THRESHOLDS = Convention(
    "pr-interpolation",
    "Precision between two thresholds",
    reads=("above", "through", "wrong_above", "wrong_through"),
)
"""A setting gives the area over the hits from `above` to `through`. All have shape (K, users): the hits above each
row's threshold and down through it, and the misses above it and down through it."""


@BETWEEN_THRESHOLDS.setting(
    "hyperbola",
    rule="misses grow in proportion to hits",
    cite="davis2006",
    says="between two thresholds misses grow in proportion to hits",
)
def _(above: Numbers, through: Numbers, wrong_above: Numbers, wrong_through: Numbers) -> Numbers:
    """Every point of the curve can be reached by drawing lots within the threshold."""
    slope = (wrong_through - wrong_above) / (through - above)
    start = wrong_above - slope * above
    bend = start / (1 + slope) ** 2 * log(((1 + slope) * through + start) / ((1 + slope) * above + start))
    return (through - above) / (1 + slope) - np.where(start != 0, bend, 0.0)


@BETWEEN_THRESHOLDS.setting(
    "linear",
    rule="a straight line, from precision 1 at no recall",
    cite="sklearn-0.18",
    says="between two thresholds precision runs on a straight line, which starts from 1 at no recall",
)
def _(above: Numbers, through: Numbers, wrong_above: Numbers, wrong_through: Numbers) -> Numbers:
    """Trapezoids; too high, as precision does not run on a line."""
    before = np.where(above + wrong_above > 0, above / (above + wrong_above), 1.0)
    return (through - above) * (before + through / (through + wrong_through)) / 2


def area_below_precision(block: Block, k: int | None, between: Setting) -> Numbers:
    """The area under precision over the number of hits, interpolated between thresholds, shape (users,)."""
    thresholds = block.thresholds("score")
    hits = block.count(thresholds.stand(within_cutoff(block, k, block.hits_by_rank)))
    misses = block.count(thresholds.stand(within_cutoff(block, k, block.misses_by_rank)))
    above, through = thresholds.above(hits), thresholds.through(hits)
    with np.errstate(divide="ignore", invalid="ignore"):
        area = between(
            above=above,
            through=through,
            wrong_above=thresholds.above(misses),
            wrong_through=thresholds.through(misses),
        )
    return block.sum(area=np.where(through > above, area, 0.0) * thresholds.ends).whole


class PRAUC(Metric):
    """Compute the area under the curve of precision over recall.

    Between two thresholds (scores) the misses are taken to grow in proportion to the hits, which makes the curve a
    hyperbola there; `pr-interpolation: line` draws a line. Range 0 to 1. NaN without relevant labels.
    Source: Davis and Goadrich, ICML 2006; Keilwagen, Grosse and Grau, PLoS ONE 9(3), 2014.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a", "x"]}, "pr_auc")["pr_auc"]
    1.0
    >>> round(rc.evaluate({"u": ["a"]}, {"u": ["x", "a"]}, "pr_auc")["pr_auc"], 4)
    0.3069
    """

    name = "pr_auc"
    cite = "davis2006"
    compares_scores = True
    reads_thresholds = True
    formula = "area below precision over recall"
    called = "area under the precision-recall curve"
    says = "the area under precision over recall of the items {here}"
    tex = r"\int_0^1 P(\rho) \, d\rho"
    signs: ClassVar[dict[str, str]] = {r"P(\rho)": r"the precision at recall \rho"}
    pr_interpolation: Annotated[str, BETWEEN_THRESHOLDS]

    def per_user(self, block: Block) -> Ratio:
        area = area_below_precision(block, self.scope, self.settings["pr-interpolation"])
        return Ratio(area, block.relevant_count)
