"""The area under precision over recall, of whole lists or the first k."""

from typing import Annotated, ClassVar, NamedTuple

import numpy as np

from rankconv.conventions.convention import Convention, Setting
from rankconv.data.arrays import Mask, Numbers, log, within
from rankconv.metrics.auc import OfThresholds, within_cutoff
from rankconv.metrics.base import Ratio
from rankconv.preparation.blocks.block import Block


class PrecisionRecallCurve(NamedTuple):
    """The curve of precision over recall between the thresholds of rows; arrays have shape (K, users)."""

    above: Numbers
    """Hits above the threshold of each row."""
    through: Numbers
    """Hits down through it."""
    wrong_above: Numbers
    """Misses above it."""
    wrong_through: Numbers
    fewest_above: Numbers
    """The fewest misses of any threshold with as many hits as are above."""

    @property
    def hits(self) -> Numbers:
        """Hits of the threshold alone, shape (K, users)."""
        return self.through - self.above

    @property
    def first(self) -> Mask:
        """Whether the threshold is the first one, shape (K, users)."""
        return np.asarray(self.above + self.wrong_above == 0)

    @property
    def before(self) -> Numbers:
        """The precision before the threshold, shape (K, users)."""
        return self.above / (self.above + self.wrong_above)

    @property
    def after(self) -> Numbers:
        """The precision after it, shape (K, users)."""
        return self.through / (self.through + self.wrong_through)


PR_INTERPOLATION = Convention("pr-interpolation", "Precision between two thresholds", reads=("curve",))
"""A setting gives the area of the hits of each row's threshold, shape (K, users)."""


@PR_INTERPOLATION.setting(
    "hyperbola",
    rule="misses grow in proportion to hits",
    cite="davis2006",
    says="between two thresholds misses grow in proportion to hits",
)
def _(curve: PrecisionRecallCurve) -> Numbers:
    """Every point of the curve can be reached by drawing lots within the threshold."""
    above, through, wrong_above, wrong_through, _ = curve
    slope = (wrong_through - wrong_above) / (through - above)
    start = wrong_above - slope * above
    bend = start / (1 + slope) ** 2 * log(((1 + slope) * through + start) / ((1 + slope) * above + start))
    return (through - above) / (1 + slope) - np.where(start != 0, bend, 0.0)


@PR_INTERPOLATION.setting(
    "linear",
    rule="a straight line, from precision 1 at no recall",
    cite="sklearn-0.18",
    says="between two thresholds precision runs on a straight line, which starts from 1 at no recall",
)
def _(curve: PrecisionRecallCurve) -> Numbers:
    """Trapezoids; too high, as precision does not run on a line."""
    return curve.hits * (np.where(curve.first, 1.0, curve.before) + curve.after) / 2


@PR_INTERPOLATION.setting(
    "linear-from-first",
    rule="a straight line, from the first threshold on",
    cite="mlmetrics",
    says="between two thresholds precision runs on a straight line, and hits of the first threshold have no area",
)
def _(curve: PrecisionRecallCurve) -> Numbers:
    """Trapezoids without a point at no recall, where precision is 0/0: too low, the more hits the first one has."""
    return np.where(curve.first, 0.0, curve.hits * ((curve.before + curve.after) / 2))


def _over_whole_hits(curve: PrecisionRecallCurve, before: Numbers, wrong_above: Numbers) -> Numbers:
    """The area over the hits by straight lines between whole numbers of hits, with the misses in proportion.

    `before`, shape (K, users), is the precision where the first line starts, `wrong_above` the misses there.
    """
    steps = np.where(curve.hits > 0, curve.hits, 0).astype(np.int64)
    threshold = np.repeat(np.arange(steps.size), steps.ravel())
    step = within(threshold) + 1
    hits, misses, first = (values.ravel()[threshold] for values in (curve.above, wrong_above, before))
    slope = ((curve.wrong_through - wrong_above) / np.maximum(steps, 1)).ravel()[threshold]
    ends = (hits + step) / (hits + step + misses + slope * step)
    starts = np.where(step == 1, first, np.append(0, ends[:-1]))
    area = np.zeros(steps.size, starts.dtype)
    np.add.at(area, threshold, (starts + ends) / 2)
    return area.reshape(steps.shape)


@PR_INTERPOLATION.setting(
    "linear-between-hits",
    rule="a straight line from each whole number of hits to the next, misses in proportion",
    cite="prroc",
    says="between two thresholds misses grow in proportion to hits, with straight lines between whole numbers of hits",
)
def _(curve: PrecisionRecallCurve) -> Numbers:
    """The points of Davis and Goadrich; slightly above the hyperbola through them."""
    before = np.where(curve.first, curve.after, curve.before)
    return np.where(curve.first, curve.hits * curve.after, _over_whole_hits(curve, before, curve.wrong_above))


@PR_INTERPOLATION.setting(
    "linear-from-fewest-misses",
    rule="a straight line from the best precision at the recall before, for each hit where there are three or more",
    cite="rocr",
    says=(
        "of several thresholds with equally many hits only the one with the fewest misses is a point of the curve, "
        "which starts from precision 1 at no recall; precision between points runs on a straight line, and on one "
        "between whole numbers of hits where a threshold adds three or more"
    ),
)
def _(curve: PrecisionRecallCurve) -> Numbers:
    """Misses between two hits lower the second point alone, so that it is the highest of all."""
    best = np.where(curve.above > 0, curve.above / (curve.above + curve.fewest_above), 1.0)
    line = curve.hits * (best + curve.after) / 2
    return np.where(curve.hits > 2, _over_whole_hits(curve, best, curve.fewest_above), line)


@PR_INTERPOLATION.setting(
    "lower",
    rule="the lower one of the two thresholds'",
    cite="keras",
    says="between two thresholds precision is the lower one of theirs, and 0 before the first",
)
def _(curve: PrecisionRecallCurve) -> Numbers:
    """The lowest sum of rectangles; hits of the first threshold have no area."""
    return curve.hits * np.minimum(np.where(curve.first, 0.0, curve.before), curve.after)


@PR_INTERPOLATION.setting(
    "higher",
    rule="the higher one of the two thresholds'",
    cite="keras",
    says="between two thresholds precision is the higher one of theirs",
)
def _(curve: PrecisionRecallCurve) -> Numbers:
    """The highest sum of rectangles."""
    return curve.hits * np.maximum(np.where(curve.first, 0.0, curve.before), curve.after)


def area_below_precision(block: Block, k: int | None, between: Setting) -> Numbers:
    """The area under precision over the number of hits, interpolated between thresholds, shape (users,)."""
    thresholds = block.thresholds("score")
    hits = block.count(thresholds.stand(within_cutoff(block, k, block.hits_by_rank)))
    misses = block.count(thresholds.stand(within_cutoff(block, k, block.misses_by_rank)))
    above, through = thresholds.above(hits), thresholds.through(hits)
    wrong_above, wrong_through = thresholds.above(misses), thresholds.through(misses)
    ends = (through > above) & (thresholds.ends > 0)
    fewest = np.maximum.accumulate(np.where(ends, wrong_through, 0), axis=0)
    fewest_above = np.vstack([np.zeros((1, block.size)), fewest])[:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        area = between(curve=PrecisionRecallCurve(above, through, wrong_above, wrong_through, fewest_above))
    return block.sum(area=np.where(ends, area, 0.0)).whole


class PRAUC(OfThresholds):
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
    formula = "area below precision over recall"
    called = "area under the precision-recall curve"
    says = "the area under precision over recall of the items {here}"
    tex = r"\int_0^1 P(\rho) \, d\rho"
    signs: ClassVar[dict[str, str]] = {r"P(\rho)": r"the precision at recall \rho"}
    pr_interpolation: Annotated[str, PR_INTERPOLATION]

    def per_user(self, block: Block) -> Ratio:
        area = area_below_precision(block, self.scope, self.settings["pr-interpolation"])
        return Ratio(area, block.relevant_count)
